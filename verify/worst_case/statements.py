"""A statement as a question about a worst case: its own assumptions, start and observable.

What its quantities are follows from the parts that they declare (`bounds.language.part`); a paper whose
quantities declare none says it in `verify/papers/PAPER/worst_case.py`, by NAMES and OBSERVABLES. The right
side is computed exactly where it is rational.
"""

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import final

from sympy import Expr, Rational, Symbol

from bounds.errors import MissingQuantity, with_article
from bounds.evaluation.resolve import resolve_with
from bounds.language import assumptions as stated
from bounds.language.part import Of, Part
from bounds.language.quantity import Observable, Over
from bounds.language.statement import Kind, Statement
from verify.worst_case.errors import NoWorstCase
from verify.worst_case.question import NAMES, REFUSED, complete, refuse_algorithm
from verify.worst_case.setting import DISTANCE, GAP, GRADIENT, SMALLEST_GRADIENT, Setting

FIELDS = {
    (Of.SETTING, "rounds"): "rounds",
    (Of.SETTING, "steps"): "rounds",
    (Of.SETTING, "local_steps"): "local_steps",
    (Of.SETTING, "step"): "local_step",
    (Of.SETTING, "local_step"): "local_step",
    (Of.SETTING, "server_step"): "server_step",
    (Of.SETTING, "oracle.sphere"): "sigma",
    (Of.CONSTANT, "smoothness"): "L",
    (Of.CONSTANT, "strong_convexity"): "mu",
    (Of.CONSTANT, "clients"): "clients",
    (Of.CONSTANT, "infimum_gap"): "Delta_star",
    (Of.CONSTANT, "mean_squared_gradient_divergence"): "zeta",
    (Of.START, "distance"): "D0",
    (Of.START, "gap"): "f0_gap",
}
MEASURED = {
    ("gap", Over.LAST): GAP,
    ("squared_distance", Over.LAST): DISTANCE,
    ("squared_gradient_norm", Over.LAST): GRADIENT,
    ("squared_gradient_norm", Over.MINIMUM_OF_MEANS): SMALLEST_GRADIENT,
}
CONVEX = {stated.CONVEX_CLIENTS.name, stated.STRONGLY_CONVEX.name}
MODELED = CONVEX | {
    assumption.name
    for assumption in (
        stated.SMOOTH_CLIENTS,
        stated.QUADRATIC_CLIENTS,
        stated.ONE_CLIENT,
        stated.MINIMUM_ATTAINED,
        stated.BOUNDED_BELOW,
        stated.UNBIASED_NOISE,
        stated.GRADIENT_DIVERGENCE,
        stated.LOJASIEWICZ,
    )
}
EXPONENT = "lojasiewicz_exponent"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The setting, and the right side of the statement there; `terms` are its summands."""

    setting: Setting
    bound: Fraction
    terms: Mapping[str, Fraction]
    failed: tuple[str, ...]


def question(statement: Statement, given: Mapping[str, Fraction]) -> Question:
    """The worst case that the statement bounds, at these values of its quantities."""
    observable = _observable(statement)
    _refuse_exponents(statement, given)
    evaluation = statement.evaluate(**{name: float(value) for name, value in given.items()})
    known = _resolved(statement, given)
    fields = _fields(statement, known)
    if any(assumption.name == stated.ONE_CLIENT.name for assumption in statement.assumptions):
        fields["clients"] = Fraction(1)
    if not fields.get("sigma", 1):
        del fields["sigma"]
    called = {field: name for name, field in _names(statement).items()}
    setting = complete(
        {"clients": Fraction(1), "local_steps": Fraction(1)} | fields,
        called,
        observable,
        convex=_convex(statement),
        quadratic=stated.QUADRATIC_CLIENTS in statement.assumptions,
    )
    if setting.clients > 1 and called.get("L") in _name_mean_smoothness(statement):
        raise NoWorstCase(f"{statement.id} limits the smoothness of the mean of the clients, and not theirs")
    terms = {term.name: _exact(term.expression, known) for term in statement.terms}
    failed = tuple(c.condition.id for c in evaluation.conditions if c.holds is False)
    return Question(setting=setting, bound=sum(terms.values(), Fraction(0)), terms=terms, failed=failed)


def _observable(statement: Statement) -> str:
    """The observable of the left side; a statement without a program is refused, with the reason."""
    label = statement.id
    if statement.algorithm is None or statement.kind not in (Kind.UPPER_BOUND, Kind.EQUALITY):
        raise NoWorstCase(
            f"{label} bounds no run of an algorithm: it is {with_article(statement.kind.value)}"
        )
    if statement.algorithm not in (*NAMES, *REFUSED):
        modeled = ", ".join(NAMES)
        raise NoWorstCase(f"{label} is about {statement.algorithm}; only {modeled} have a worst-case program")
    refuse_algorithm(statement.algorithm)
    for assumption in statement.assumptions:
        if assumption.name not in MODELED:
            raise NoWorstCase(
                f"{label} assumes {assumption.name}, for which there are no interpolation conditions"
            )
    left = statement.left
    observable = statement.notation.observables.get(left.name) if isinstance(left, Symbol) else None
    name = None if observable is None else _measured(statement, observable)
    if name is None:
        raise NoWorstCase(f"the left side of {label}, {left}, is not one of the observables of a worst case")
    return name


def _measured(statement: Statement, observable: Observable) -> str | None:
    module = _load_module_of_paper(statement)
    own: Mapping[str, str] = getattr(module, "OBSERVABLES", {})
    return own.get(observable.name) or MEASURED.get((observable.measured, observable.over))


def _refuse_exponents(statement: Statement, given: Mapping[str, Fraction]) -> None:
    _, resolved = resolve_with(statement, given)
    for name in resolved.required | given.keys():
        quantity = statement.notation.quantities.get(name)
        if quantity is not None and quantity.part is not None and quantity.part.name == EXPONENT:
            raise NoWorstCase(
                f"{statement.id} has a Lojasiewicz inequality with an exponent other than 1 ({name}): "
                "a power of a gap is no linear form"
            )


def _convex(statement: Statement) -> bool:
    return any(assumption.name in CONVEX for assumption in statement.assumptions)


def _load_module_of_paper(statement: Statement) -> ModuleType | None:
    name = f"verify.papers.{statement.paper.key}.worst_case"
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a paper of an author, which has no folder here
        return None
    return None if found is None else importlib.import_module(name)


def _names(statement: Statement) -> dict[str, str]:
    """The field of a setting that each quantity of the paper is."""
    names = {
        name: field
        for name, quantity in statement.notation.quantities.items()
        if quantity.part is not None and (field := _field(quantity.part)) is not None
    }
    own: Mapping[str, str] = getattr(_load_module_of_paper(statement), "NAMES", {})
    names |= dict(own)
    return names if "L" in names.values() else names | _name_mean_smoothness(statement)


def _name_mean_smoothness(statement: Statement) -> dict[str, str]:
    """A smoothness constant of F, which is that of the client if there is one, and else limits none."""
    quantities = statement.notation.quantities.items()
    return {n: "L" for n, q in quantities if q.part is not None and q.part.name == "mean_smoothness"}


def _field(part: Part) -> str | None:
    plain = part.times == 1 and part.more == 0
    return FIELDS.get((part.of, part.name)) if plain else None


def _fields(statement: Statement, known: Mapping[str, Fraction]) -> dict[str, Fraction]:
    names = _names(statement)
    return {names[name]: value for name, value in known.items() if name in names}


def _resolved(statement: Statement, given: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The quantities that are given, prescribed or defined, exactly."""
    known = dict(given)
    rules = [(c.symbol.name, c.expression) for c in statement.choices if c.absorbed is None]
    rules += [(d.symbol.name, d.expression) for d in statement.where]
    for _ in rules:
        for name, expression in rules:
            if name not in known and {s.name for s in expression.free_symbols} <= known.keys():
                known[name] = _exact(expression, known)
    return known


def _exact(expression: Expr, known: Mapping[str, Fraction]) -> Fraction:
    """The value as a fraction; one that is not rational is refused, as it could be compared only roughly."""
    numbers = {
        symbol: Rational(known[symbol.name].numerator, known[symbol.name].denominator)
        for symbol in expression.free_symbols
        if symbol.name in known
    }
    value = expression.subs(numbers, simultaneous=True)
    if value.free_symbols:
        missing = ", ".join(sorted(s.name for s in value.free_symbols))
        raise MissingQuantity(f"the right side needs a value for {missing}")
    if not value.is_Rational:
        raise NoWorstCase(f"the right side has the value {value}, which is not rational at this point")
    return Fraction(int(value.p), int(value.q))
