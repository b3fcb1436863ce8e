"""What the conditions leave out together with what every problem of the class satisfies, with certificates.

Conditions on a run and constants of a problem may go together by themselves and on no problem. A fact is an
inequality between the two that holds on every problem of the class; a limit is matched by the quantities that
the conditions speak of, never by the statement's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from sympy import Expr, Rational, Symbol

from bounds.language import assumptions as stated
from bounds.language.statement import Statement
from verify.infeasibility.checker import POSITIVE, Certificate, System
from verify.infeasibility.finder import weighted
from verify.infeasibility.system import Inequality, inequalities, name_products, signs_of, system

Power = Mapping[str, int]
Products = tuple[tuple[str, Power], ...]
START = "start_distance"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What every problem of the class satisfies: the expression, in names, is at least 0."""

    name: str
    difference: Expr
    because: str


def far(omega: str, power: int) -> Fact:
    return Fact(
        name="omega is a minimum",
        difference=1 - Symbol(omega) * Symbol(START) ** power,
        because="omega is at most its value in the first interval, which starts at w_0",
    )


_ETA, _BETA = Symbol("eta"), Symbol("beta")
STEEP_ENOUGH = Fact(
    name="F is beta-smooth, and a product of x and 1 - x",
    difference=Symbol(START) ** 2 / 4 - _ETA * (1 / _BETA - _ETA) * Symbol("gradient_square"),
    because=(
        "||grad F(w_0)|| <= beta ||w_0 - w*||, the first auxiliary iterate is w_0, and eta beta (1 - eta "
        "beta) is at most 1/4"
    ),
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """sigma^2 d is below `below` wherever the conditions, which have this omega, hold."""

    omega: str
    power: int  # omega is at most 1/distance^power
    below: Fraction


# From D^2 >= 4 s, omega D^p <= 1, omega lambda^2 > s and lambda < 1, with s = sigma^2 d: s D < 1 gives
# 4 s^3 < 1, so s < 2^(-2/3) = 0.62996, and s D^2 < 1 gives 4 s^2 < 1.
LIMITS = (
    Limit(omega="omega", power=1, below=Fraction(63, 100)),
    Limit(omega="omega_lemma_6", power=2, below=Fraction(1, 2)),
)
_OTHERS = {"sigma", "d", "lam", "final_gap", "gradient_square", "eta", "beta", "tau", "rho"}


def limit_of(statement: Statement) -> Limit | None:
    speaks = {s.name for c in statement.conditions for e in (c.value, c.limit) for s in e.free_symbols}
    inputs = set(signs_of(statement, frozenset({"h_tau"})))
    assumed = {assumption.name for assumption in statement.assumptions}
    if stated.MINIMUM_ATTAINED.name not in assumed or not speaks >= {"gradient_square", "final_gap", "lam"}:
        return None
    return next((limit for limit in LIMITS if inputs >= _OTHERS | {limit.omega}), None)


def sentence(limit: Limit) -> str:
    return (
        f"sigma^2 d is below {float(limit.below):g}, whatever is chosen: "
        f"{'; '.join(fact.because for fact in facts(limit))}"
    )


def facts(limit: Limit) -> tuple[Fact, ...]:
    return far(limit.omega, limit.power), STEEP_ENOUGH


def state_system(statement: Statement, limit: Limit) -> System:
    """The conditions, the facts, and that sigma^2 d is not below the limit."""
    given = frozenset({"h_tau"})  # a variable above 0: its size does not matter
    items = [Inequality(i.name, _by_name(i.difference), i.strict) for i in inequalities(statement, given)]
    items += [Inequality(fact.name, fact.difference, False) for fact in facts(limit)]
    loud = Symbol("sigma") ** 2 * Symbol("d") - Rational(limit.below.numerator, limit.below.denominator)
    items.append(Inequality("much noise", loud, False))
    return system(items, signs_of(statement, given) | {START: POSITIVE})


def _by_name(expression: Expr) -> Expr:
    """A quantity's symbol carries its sign, and the facts' symbols carry none."""
    return expression.xreplace({s: Symbol(s.name) for s in expression.free_symbols})


def products(limit: Limit) -> Products:
    """1 >= omega D^p, omega lambda^2 > s, lambda < 1 and D^2 >= 4 s, times what brings them together."""
    common = {"beta": 1, "eta": 1, "tau": 1}
    out: list[tuple[str, Power]] = []
    # Times 1 and, where p is 1, times s D as well: 1 - s D gives 1 - s^2 D^2.
    for noise in range(3 - limit.power):
        moved = {"sigma": 2 * noise, "d": noise, START: limit.power + noise}
        gap = common | moved | {limit.omega: 1}
        plain = common | moved | {START: noise}
        out += [("C.thm2.2", {"beta": 1} | moved), ("omega is a minimum", plain)]
        for name in ("C.thm2.4.lower", "C.thm2.4.upper"):
            out += [(name, gap), (name, gap | {"lam": 1}), (name, gap | {"final_gap": 1})]
    power = 3 - limit.power
    squared = {"sigma": 2 * power, "d": power, "eta": 1, "tau": 1}
    out += [("C.thm2.5", squared), (STEEP_ENOUGH.name, squared)]
    return (*out, *(("much noise", common | {"sigma": 2 * k, "d": k}) for k in range(power + 1)))


def proof(statement: Statement, limit: Limit) -> tuple[System, Certificate] | None:
    found = state_system(statement, limit)
    certificate = weighted(found, name_products(found, products(limit)))
    return None if certificate is None else (found, certificate)
