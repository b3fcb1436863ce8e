"""fedbounds in Python, under one name: `fedbounds.get(id)` and every verb of the command line.

A verb takes the words of the command line and returns the document that `--json` prints, as a dict:

    fedbounds.errata("dp_fedavg")
    fedbounds.eval("dp_fedavg.theorem_2", set={"L": 1, "K": 100}, variant="amended")
    fedbounds.solve("textbook.gradient_descent_convex", for_="N", target=0.01, set={"L": 1, "D0": 1})
    fedbounds.privacy.epsilon(sigma=5, delta=1e-5, rounds=10, sampling="full", relation="replace-one")

Everything is loaded when it is asked for: `import fedbounds` loads neither sympy nor torch.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bounds  # refuses an installation whose packages are mixed with files of another distribution

if TYPE_CHECKING:
    from collections.abc import Collection


# What an author writes a theorem, an algorithm, a lemma or a problem with, by the module that has it.
_HOMES = {
    "bounds": ("get", "statements"),
    "bounds.language.assumptions": (
        "BOUNDED_BELOW",
        "BOUNDED_GRADIENTS",
        "CONVEX_CLIENTS",
        "EXPECTED_SMOOTHNESS",
        "GRADIENT_DISSIMILARITY",
        "GRADIENT_DIVERGENCE",
        "GRADIENT_DIVERGENCE_AT_ITERATES",
        "HESSIAN_SIMILARITY",
        "LIPSCHITZ_CLIENTS",
        "LIPSCHITZ_HESSIANS",
        "LOJASIEWICZ",
        "MINIMUM_ATTAINED",
        "ONE_CLIENT",
        "QUADRATIC_CLIENTS",
        "RELATIVE_SMOOTHNESS",
        "SMOOTH_CLIENTS",
        "STRONGLY_CONVEX",
        "UNBIASED_NOISE",
        "as_stated",
    ),
    "bounds.language.condition": ("above", "at_least", "at_most", "below"),
    "bounds.language.dimension": ("F", "ONE", "X"),
    "bounds.language.lemmas.averages": ("average",),
    "bounds.language.lemmas.declaration": ("assume",),
    "bounds.language.lemmas.drawn": ("drawn",),
    "bounds.language.lemmas.events": ("probability",),
    "bounds.language.lemmas.expressions": ("equals",),
    "bounds.language.lemmas.functions_of_numbers": ("exp", "log", "maximum", "minimum", "sqrt"),
    "bounds.language.lemmas.gaussian": (
        "chi_square_tail",
        "gaussian_density",
        "gaussian_length",
        "gaussian_quantile",
        "gaussian_tail",
    ),
    "bounds.language.lemmas.gaussian_vectors": ("gaussian_vector",),
    "bounds.language.lemmas.hessians": ("hessian",),
    "bounds.language.lemmas.indices": ("another", "index"),
    "bounds.language.lemmas.inverses": ("inverse", "pseudo_inverse"),
    "bounds.language.lemmas.lemma": ("lemma",),
    "bounds.language.lemmas.matrices": ("identity", "matrix", "outer"),
    "bounds.language.lemmas.measures": (
        "clip",
        "expected",
        "hadamard",
        "inner",
        "largest",
        "mean",
        "median",
        "norm",
        "positive_part",
        "size",
        "smallest",
        "top",
        "total",
    ),
    "bounds.language.lemmas.mixing": ("mixed", "mixing_matrix"),
    "bounds.language.lemmas.nearest": ("convex_set", "nearest_minimizer", "project", "prox"),
    "bounds.language.lemmas.objects": ("function", "number", "vector"),
    "bounds.language.lemmas.of_matrices": (
        "determinant",
        "eigenvalue",
        "frobenius",
        "largest_eigenvalue",
        "nuclear",
        "singular_value",
        "smallest_eigenvalue",
        "trace",
    ),
    "bounds.language.lemmas.pairs": ("at",),
    "bounds.language.lemmas.paths": ("path", "place"),
    "bounds.language.lemmas.random_vectors": ("random_subset", "random_vector"),
    "bounds.language.lemmas.sequences": ("sequence",),
    "bounds.language.lemmas.signs": ("sign",),
    "bounds.language.lemmas.trimmed": ("trimmed_mean",),
    "bounds.language.part": (
        "FREE",
        "INDEX",
        "at_start",
        "constant",
        "lower_at_start",
        "lower_constant",
        "setting",
    ),
    "bounds.language.proof.cases": ("claim_by_cases",),
    "bounds.language.proof.form": (
        "Equality",
        "MachineForm",
        "a_square",
        "because",
        "cauchy_schwarz",
        "exp_tangent",
        "fact",
        "power_of_product",
        "power_tangent",
    ),
    "bounds.language.proof.of_lemma": ("LemmaForm",),
    "bounds.language.quantity": (
        "ABOVE_ONE",
        "AT_LEAST_ONE",
        "Domain",
        "NATURAL",
        "NON_NEGATIVE",
        "Notation",
        "OPEN_UNIT",
        "Over",
        "POSITIVE",
        "POSITIVE_INTEGER",
        "PROBABILITY",
        "REAL",
        "States",
    ),
    "bounds.language.statement": (
        "Amendment",
        "Assumption",
        "Concrete",
        "Edge",
        "EdgeOutcome",
        "Kind",
        "Paper",
        "Setting",
        "Statement",
        "Term",
        "absorbs",
        "amend",
        "define",
        "defined_by",
        "sets",
    ),
    "bounds.language.vanishing": ("Equal", "Grows", "ToZero", "together"),
    "sympy": ("Rational", "Sum", "cos", "pi", "sin"),
    "synthetic.outside.algorithm": ("Algorithm", "REQUIRED"),
    "synthetic.outside.claims": ("given_at_least", "given_at_most"),
    "synthetic.outside.own_problem": ("OwnProblem",),
    "synthetic.problems": ("build",),
    "synthetic.problem": ("Problem",),
    "verify": ("check",),
    "verify.matching.measurements.measurement": ("Certificates",),
    "verify.matching.runs": ("Runs",),
    "verify.matching.cells.sketch": ("Sketch", "fill"),
    "verify.witness": ("Measured", "at_a_point", "measured_on"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [*_HOME_OF]  # names, from the table above


def _refuse_another(package: Any) -> None:
    """Another distribution's package of the same name may come first on the import path."""
    found = Path(package.__file__ or ".").parent
    if found.parent != Path(__file__).parent:
        raise ImportError(
            f"{found} is not the package {package.__name__} of fedbounds but comes before it on the import "
            "path; uninstall the distribution that installed it, or give fedbounds an environment of its own"
        )


_refuse_another(bounds)
# not before: a hidden `bounds` has no module of this name
import_module("bounds.language.view").set_view(lambda: import_module("reports.notebook"))


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    if not name.startswith("_") and name in _verbs():
        return import_module("reports.document").Verb((name,))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*__all__, *_verbs()))


def _verbs() -> "Collection[str]":
    """The verbs of the command line; none of them is loaded."""
    _refuse_another(import_module("reports"))
    names: Collection[str] = import_module("reports.command_line").VERBS
    return names
