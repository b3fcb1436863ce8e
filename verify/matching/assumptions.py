"""Assumptions of statements against facts of problems.

Each entry answers None when the problem is certified to satisfy the assumption, else why it is not. An
author's own assumption brings its predicate (`Assumption.certified_by`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite
from types import MappingProxyType
from typing import Any, Final, final

import numpy as np

from bounds.language import assumptions as stated
from bounds.language.statement import Assumption, Statement
from synthetic.errors import AuthorMistake
from synthetic.outside.calls import call, raised
from synthetic.problem import Problem
from verify.cell import Cell, Scalar
from verify.matching.constants.constants import offer_sizes
from verify.matching.constants.known import Known, known
from verify.matching.constants.lojasiewicz import claimed

Judge = Callable[[Known], str | None]
NO_SIZES: Final[Mapping[str, Scalar]] = MappingProxyType({})


def _convex(known: Known) -> str | None:
    return None if known.facts.convex else "the clients are not all convex"


def _smooth(known: Known) -> str | None:
    return None if isfinite(known.facts.smoothness) else "the clients have no common smoothness constant"


def _lipschitz(known: Known) -> str | None:
    return (
        None
        if known.facts.lipschitz is not None
        else "the clients' gradients are unbounded: no Lipschitz constant"
    )


def _bounded_below(known: Known) -> str | None:
    return None if known.facts.bounded_below else "a client is not bounded below"


def _attained(known: Known) -> str | None:
    return None if known.facts.minimum_attained else "the mean of the clients has no certified minimizer"


def _strongly_convex(known: Known) -> str | None:
    return None if known.facts.strong_convexity > 0 else "strong convexity is not certified"


def _divergence(known: Known) -> str | None:
    return None if known.facts.bounded_gradient_divergence else "the gradient divergence is infinite"


def _divergence_at_iterates(known: Known) -> str | None:
    """Gradients of smooth functions differ by a bounded amount on the ball that a run does not leave."""
    reach = float(known.parameters.get("reach", inf))
    if known.facts.bounded_gradient_divergence or (isfinite(reach) and _smooth(known) is None):
        return None
    return "the gradient divergence is infinite, and no ball is known that the iterates do not leave"


def _bounded_gradients(known: Known) -> str | None:
    lipschitz, parameters = known.facts.lipschitz, known.parameters
    if lipschitz is None:
        return "the clients' gradients are unbounded"
    if "C" not in parameters:  # not decided before there is a cell, as an author's predicate
        return None
    below = lipschitz <= parameters["C"]  # type: ignore[operator]  # a number: the judge gets no strings
    return None if below else f"gradients can be as long as {lipschitz:g}, above the bound C"


def _by_construction(known: Known) -> str | None:
    # The engine's noise has mean zero and the stated total variance; its law is tested with the engine.
    return None


def _lojasiewicz(known: Known) -> str | None:
    """`reach` bounds how far from the origin the iterates come."""
    certified, parameters, claimed = known.facts.lojasiewicz, known.parameters, known.claimed
    if certified is None:
        return (
            "no Lojasiewicz inequality is certified for every client: client_strong_convexity is not "
            "certified positive, as it is for a convex model of data with l2 above 0"
        )
    reach = float(parameters.get("reach", inf))
    if certified.radius is not None and reach > certified.radius:
        return (
            f"the inequality is certified only within {float(certified.radius):g} of the origin, "
            f"and iterates are known to stay within {reach:g}"
        )
    # of a constant without an exponent the exponent is 1; what claims neither asks for the inequality alone
    usual = certified.exponent if claimed.constant is None else 1
    exponent = usual if claimed.exponent is None else claimed.exponent
    constant = 0 if claimed.constant is None else claimed.constant
    if exponent == certified.exponent and constant <= certified.constant:  # type: ignore[operator]  # numbers
        return None
    return (
        f"certified: exponent {certified.exponent:g}, constant {float(certified.constant):g}; "
        f"claimed: exponent {exponent:g}, constant {float(constant):g}"
    )


def _curvature_along_gradients(known: Known) -> str | None:
    return "no problem of the engine certifies that every gradient changes along its own direction"


def _quadratic(known: Known) -> str | None:
    return None if known.facts.quadratic else "the clients are not certified to be quadratic"


def _one_client(known: Known) -> str | None:
    count = known.facts.clients
    return None if count == 1 else f"there are {count} clients"


def _dissimilarity(known: Known) -> str | None:
    found = known.constants.get("gradient_dissimilarity_factor")
    return None if found is not None else "no B and G are certified for the clients' gradients"


def _similarity(known: Known) -> str | None:
    found = known.constants.get("gradient_difference_smoothness")
    return None if found is not None else "no delta is certified"


def _lipschitz_hessians(known: Known) -> str | None:
    found = known.constants.get("hessian_lipschitz")
    return None if found is not None else "no Lipschitz constant of the clients' Hessians is certified"


def _expected_smoothness(known: Known) -> str | None:
    return "no problem of the engine certifies constants of expected smoothness for what an algorithm draws"


def _relative_smoothness(known: Known) -> str | None:
    return "no problem of the engine certifies smoothness relative to another function"


JUDGES: dict[str, Judge] = {
    stated.CONVEX_CLIENTS.name: _convex,
    stated.SMOOTH_CLIENTS.name: _smooth,
    stated.LIPSCHITZ_CLIENTS.name: _lipschitz,
    stated.BOUNDED_BELOW.name: _bounded_below,
    stated.MINIMUM_ATTAINED.name: _attained,
    stated.STRONGLY_CONVEX.name: _strongly_convex,
    stated.GRADIENT_DIVERGENCE.name: _divergence,
    stated.GRADIENT_DIVERGENCE_AT_ITERATES.name: _divergence_at_iterates,
    stated.BOUNDED_GRADIENTS.name: _bounded_gradients,
    stated.UNBIASED_NOISE.name: _by_construction,
    stated.LOJASIEWICZ.name: _lojasiewicz,
    stated.CURVATURE_ALONG_GRADIENTS.name: _curvature_along_gradients,
    stated.QUADRATIC_CLIENTS.name: _quadratic,
    stated.ONE_CLIENT.name: _one_client,
    stated.GRADIENT_DISSIMILARITY.name: _dissimilarity,
    stated.HESSIAN_SIMILARITY.name: _similarity,
    stated.LIPSCHITZ_HESSIANS.name: _lipschitz_hessians,
    stated.EXPECTED_SMOOTHNESS.name: _expected_smoothness,
    stated.RELATIVE_SMOOTHNESS.name: _relative_smoothness,
}


def judge(assumption: Assumption, about: Known, sizes: Mapping[str, Scalar] = NO_SIZES) -> str | None:
    """None where the problem is certified to satisfy the assumption, else why it is not.

    `sizes` are quantities that are known without a cell too: how many clients and coordinates there are.
    """
    if assumption.certified_by is not None:
        return _own(assumption, assumption.certified_by, about, sizes)
    if assumption.name not in JUDGES:
        return "nothing certifies it: it is the author's own, and has no `certified_by`"
    return JUDGES[assumption.name](about)


@final
@dataclass(frozen=True, slots=True)
class _NoCell(Mapping[str, Scalar]):
    """The quantities before there is a cell: a caller that asks for another, in any way, is told so."""

    sizes: Mapping[str, Scalar]

    def __getitem__(self, name: str) -> Scalar:
        return self.sizes[name]

    def __contains__(self, name: object) -> bool:
        if name in self.sizes:
            return True
        raise KeyError(name)

    def get(self, name: str, default: object = None) -> Scalar:
        return self.sizes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)


def _own(
    assumption: Assumption,
    certified_by: Callable[[Any], bool | str],
    about: Known,
    sizes: Mapping[str, Scalar],
) -> str | None:
    """The author's predicate; one that needs a number of a cell is not decided before there is a cell.

    One that raises certifies nothing, so it costs the statements that use it and no other.
    """
    name = f"certified_by of {assumption.name}"
    numbers = {**sizes, **about.parameters} if about.parameters else _NoCell(sizes)
    asked = replace(about, parameters=numbers)
    try:
        answer = call(name, certified_by, asked, passing=KeyError)
    except KeyError as error:
        return str(raised(name, certified_by, error)) if about.parameters else None
    except AuthorMistake as error:
        return str(error)
    if isinstance(answer, bool | np.bool_):  # a comparison of numbers of NumPy is one of NumPy too
        return None if answer else "the author's predicate says no"
    if isinstance(answer, str) and answer:
        return answer
    return f"the author's predicate answers {answer!r:.40}, which is neither True nor a reason"


def refusal(statement: Statement, cell: Cell) -> str | None:
    """The first assumption that the problem is not certified to satisfy, with the reason."""
    # Where the iterates stay is known to the run alone; the algorithm's file proves it.
    parameters = dict(cell.parameters) | {n: v for n, v in cell.engine.items() if n == "reach"}
    return unmet(statement, cell.build_problem(), parameters)


def unmet(
    statement: Statement,
    problem: Problem,
    parameters: Mapping[str, Scalar],
) -> str | None:
    """The first of `list_unmet`."""
    return next(list_unmet(statement, problem, parameters), None)


def list_unmet(
    statement: Statement,
    problem: Problem,
    parameters: Mapping[str, Scalar],
) -> Iterator[str]:
    """Each assumption that the problem is not certified to satisfy, with the reason."""
    if not statement.assumptions:
        return
    about = replace(known(problem, parameters), claimed=claimed(statement, parameters))
    sizes = offer_sizes(statement.notation, clients=problem.clients, dimension=problem.dimension)
    for assumption in statement.assumptions:
        reason = judge(assumption, about, sizes)
        if reason is not None:
            place = f" ({assumption.locator})" if assumption.locator else ""
            yield f"{assumption.name}{place}: {reason}"
