"""A statement as a question about a worst case: its own assumptions, start and observable.

The right side is computed exactly where it is rational.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from sympy import Add, Expr, Rational, Sum, Symbol

from bounds.errors import MissingQuantity, with_article
from bounds.evaluation.resolve import names_taken, resolve_with
from bounds.language import assumptions as stated
from bounds.language.quantity import Observable, Over, States
from bounds.language.statement import Kind, Statement
from verify.worst_case.errors import BadSetting, NoWorstCase
from verify.worst_case.methods.question import complete_method, is_method, own_settings
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.places import Placed, load_module_of_paper, place_quantities, refuse_limits_of_the_mean
from verify.worst_case.question import NAMES, REFUSED, complete, refuse_algorithm
from verify.worst_case.setting import (
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    Setting,
)

MEASURED = {
    ("gap", Over.LAST, States.ALL): GAP,
    ("gap", Over.UNIFORM_ROUND, States.BEFORE_A_ROUND): MEAN_GAP,
    ("gap", Over.MINIMUM_OF_MEANS, States.ALL): SMALLEST_GAP,
    ("squared_distance", Over.LAST, States.ALL): DISTANCE,
    ("squared_gradient_norm", Over.LAST, States.ALL): GRADIENT,
    ("squared_gradient_norm", Over.MINIMUM_OF_MEANS, States.ALL): SMALLEST_GRADIENT,
}
CONVEX = {stated.CONVEX_CLIENTS.name, stated.STRONGLY_CONVEX.name}
BESIDE_LIPSCHITZ = {stated.SMOOTH_CLIENTS.name, stated.STRONGLY_CONVEX.name}
MODELED_OF_METHODS = CONVEX | {
    assumption.name
    for assumption in (
        stated.SMOOTH_CLIENTS,
        stated.LIPSCHITZ_CLIENTS,
        stated.ONE_CLIENT,
        stated.MINIMUM_ATTAINED,
        stated.BOUNDED_BELOW,
    )
}
MODELED = MODELED_OF_METHODS | {
    assumption.name
    for assumption in (
        stated.QUADRATIC_CLIENTS,
        stated.UNBIASED_NOISE,
        stated.GRADIENT_DIVERGENCE,
        stated.GRADIENT_DIVERGENCE_AT_ITERATES,
        stated.LOJASIEWICZ,
    )
}
CLIENTS = "n"  # how many there are, where no quantity says it
EXPONENT = "lojasiewicz_exponent"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The setting, and the right side of the statement there; `terms` are its summands."""

    setting: Setting | MethodSetting
    bound: Fraction
    terms: Mapping[str, Fraction]
    failed: tuple[str, ...]


def question(statement: Statement, given: Mapping[str, Fraction]) -> Question:
    """The worst case that the statement bounds, at these values of its quantities."""
    observable = _observable(statement)
    settings = {name: given[name] for name in settings_beside(statement) & given.keys()}
    quantities = {name: value for name, value in given.items() if name not in settings}
    _refuse_exponents(statement, quantities)
    evaluation = statement.evaluate(**{name: float(value) for name, value in quantities.items()})
    known = _resolved(statement, quantities)
    setting = _setting(statement, known, settings, observable)
    terms = {term.name: _exact(term.expression, known) for term in statement.terms}
    checked = (*evaluation.conditions, *evaluation.left_domains)
    undecided = ", ".join(c.condition.id for c in checked if c.holds is None)
    if undecided:
        raise NoWorstCase(f"{statement.id} has conditions that need more values to be decided: {undecided}")
    failed = tuple(c.condition.id for c in checked if not c.holds)
    return Question(setting=setting, bound=sum(terms.values(), Fraction(0)), terms=terms, failed=failed)


def _own_settings(statement: Statement) -> Collection[str]:
    """Those of an author's algorithm."""
    assert statement.algorithm is not None
    return own_settings(statement.algorithm) if is_method(statement.algorithm) else ()


def settings_beside(statement: Statement) -> set[str]:
    """What a run has and the statement does not name: clients (n), settings of an author's algorithm."""
    return {CLIENTS, *_own_settings(statement)} - names_taken(statement)


def _setting(
    statement: Statement, known: Mapping[str, Fraction], settings: Mapping[str, Fraction], observable: str
) -> Setting | MethodSetting:
    """The setting of the statement's algorithm, ours or an author's, with the class that it assumes."""
    assert statement.algorithm is not None
    placed = place_quantities(statement, known, _own_settings(statement))
    for name in settings.keys() & {*placed.values, *statement.run_with}:
        raise BadSetting(f"{name} is given, and {statement.id} sets it; leave it out")
    fields, convex = placed.fields, _convex(statement)
    settings = dict(settings)
    fields.setdefault("clients", settings.pop(CLIENTS, Fraction(1)))
    _refuse_other_classes(statement, placed, convex=convex)
    if is_method(statement.algorithm):
        return complete_method(
            statement.algorithm,
            fields,
            {**statement.run_with, **settings, **placed.values},
            observable,
            convex=convex,
            called=placed.called,
        )
    if set(statement.run_with.items()) - {("participation", "full")}:
        raise NoWorstCase(f"{statement.id} fixes settings that no worst-case program knows, by run_with")
    if not fields.get("sigma", 1):
        del fields["sigma"]
    return complete(
        {"local_steps": Fraction(1)} | fields,
        placed.called,
        observable,
        convex=convex,
        quadratic=stated.QUADRATIC_CLIENTS in statement.assumptions,
    )


def _refuse_other_classes(statement: Statement, placed: Placed, *, convex: bool) -> None:
    """A program limits every client, and gradients of convex clients alone; no other class is asked."""
    fields = placed.fields
    assumed = {assumption.name for assumption in statement.assumptions}
    if stated.ONE_CLIENT.name in assumed and fields["clients"] != 1:
        raise BadSetting(f"{statement.id} assumes one client, and {fields['clients']} are given")
    refuse_limits_of_the_mean(statement, placed, convex=convex)
    if convex and stated.CONVEX_CLIENTS.name not in assumed and "mu" not in fields and fields["clients"] > 1:
        raise NoWorstCase(
            f"{statement.id} assumes convexity of the mean of the clients, and a worst-case program that of "
            "every client"
        )
    limits_gradients = "G" in fields or stated.LIPSCHITZ_CLIENTS.name in assumed
    if limits_gradients and (not convex or assumed & BESIDE_LIPSCHITZ or fields.keys() & {"L", "mu"}):
        raise NoWorstCase(
            f"{statement.id} limits gradients, and not of convex clients alone; a worst-case program of "
            "bounded gradients knows nothing else of the clients"
        )


def _observable(statement: Statement) -> str:
    """The observable of the left side; a statement without a program is refused, with the reason."""
    label = statement.id
    if statement.algorithm is None or statement.kind is not Kind.UPPER_BOUND:
        raise NoWorstCase(
            f"{label} bounds no run of an algorithm from above: it is {with_article(statement.kind.value)}"
        )
    is_own = is_method(statement.algorithm)
    if not is_own and statement.algorithm not in (*NAMES, *REFUSED):
        raise NoWorstCase(
            f"{label} is about {statement.algorithm}; only {', '.join(NAMES)}, and linear methods of "
            "installed packages, have a worst-case program"
        )
    if not is_own:
        refuse_algorithm(statement.algorithm)
    for assumption in statement.assumptions:
        if assumption.name not in (MODELED_OF_METHODS if is_own else MODELED):
            raise NoWorstCase(
                f"{label} assumes {assumption.name}, for which there are no interpolation conditions"
            )
    left = statement.left
    observable = statement.notation.observables.get(left.name) if isinstance(left, Symbol) else None
    name = None if observable is None else _measured(statement, observable)
    if name is None:
        raise NoWorstCase(
            f"the left side of {label}, {left}, is not one of the observables of a worst case: {_known()}"
        )
    return name


def _known() -> str:
    """What a worst case may be of, as an author declares it."""
    ways: dict[str, list[str]] = {}
    for measured, over, states in MEASURED:
        kept = "" if states is States.ALL else f" and States.{states.name}"
        ways.setdefault(f"Over.{over.name}{kept}", []).append(measured)
    return "; ".join(f"{', '.join(names)} with {way}" for way, names in ways.items())


def _measured(statement: Statement, observable: Observable) -> str | None:
    module = load_module_of_paper(statement)
    own: Mapping[str, str] = getattr(module, "OBSERVABLES", {})
    return own.get(observable.name) or MEASURED.get((observable.measured, observable.over, observable.states))


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
    value = _write_out(value)
    if not value.is_Rational:
        rational = "give values at which its roots are fractions, such as K = 8 for sqrt(K + 1)"
        raise NoWorstCase(f"the value {value} of a formula is no fraction at this point: {rational}")
    return Fraction(int(value.p), int(value.q))


def _write_out(e: Expr) -> Expr:
    """Each sum over whole numbers as its summands, the outer one first: an end inside may name its index."""
    if isinstance(e, Sum):
        *inner, (index, low, high) = e.limits
        function = Sum(e.function, *inner) if inner else e.function
        numbers = range(int(low), int(high) + 1)
        return Add(*(_write_out(function.subs(index, number)) for number in numbers))
    return e.func(*(_write_out(part) for part in e.args)) if e.has(Sum) else e
