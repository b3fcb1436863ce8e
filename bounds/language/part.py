"""What a quantity of a statement is in a run: a setting, a constant of the problem, a measure of the start.

From these parts a run is joined with a statement; no program reads what a quantity means.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, final

from bounds.errors import MalformedStatement

KNOWN_FROM_BELOW: Final = ("gap", "gradient_norm", "squared_gradient_norm")


class Of(Enum):
    """Whose number it is."""

    SETTING = "setting of the algorithm"
    CONSTANT = "constant of the problem"
    START = "measure of the start"
    FREE = "free number"
    INDEX = "number of a round"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """`name` is a setting's, a constant's or a measure's.

    A setting has the quantity's value plus `more`. The quantity is `times` the constant, or the root of that,
    and is safe from above; `lower`: it is safe from below. `only_with` names a constant without which the
    quantity is not defined; `mean`: of a constant with one entry per client the mean is meant, not the worst;
    `within`: it is safe on neither side, and has to lie between the certified ends of the constant.
    `or_else` stands in where a problem does not have the constant at all, or an algorithm the setting.
    """

    of: Of
    name: str
    more: int = 0
    times: Fraction = Fraction(1)
    root: bool = False
    lower: bool = False
    mean: bool = False
    within: bool = False
    only_with: str = ""
    or_else: str = ""


def setting(name: str, *, more: int = 0, or_else: str = "") -> Part:
    """The setting of this name is the quantity plus `more`: K with K + 1 rounds has more=1."""
    return Part(of=Of.SETTING, name=name, more=more, or_else=or_else)


def constant(
    name: str,
    *,
    times: Fraction | int = 1,
    root: bool = False,
    mean: bool = False,
    within: bool = False,
    only_with: str = "",
    or_else: str = "",
) -> Part:
    """A constant that a statement may take too large, never too small: smoothness, heterogeneity.

    `within`: a condition needs it not too small and a term not too large, so it has to lie between the
    certified ends.
    """
    return Part(
        of=Of.CONSTANT,
        name=name,
        times=Fraction(times),
        root=root,
        mean=mean,
        within=within,
        only_with=only_with,
        or_else=or_else,
    )


def lower_constant(name: str, *, times: Fraction | int = 1, root: bool = False) -> Part:
    """A constant that a statement may take too small, never too large: strong convexity, how many clients."""
    return Part(of=Of.CONSTANT, name=name, times=Fraction(times), root=root, lower=True)


def at_start(name: str, *, times: Fraction | int = 1, root: bool = False) -> Part:
    """A measure of the state before any round: distance, gap, squared_distance, gradient_norm."""
    return Part(of=Of.START, name=name, times=Fraction(times), root=root)


def lower_at_start(name: str, *, times: Fraction | int = 1, root: bool = False) -> Part:
    """A measure that a statement may take too small, never too large: the slope that pays for a descent."""
    if name not in KNOWN_FROM_BELOW:
        raise MalformedStatement(
            f"{name} is not known from below at the start: {', '.join(KNOWN_FROM_BELOW)} are"
        )
    return Part(of=Of.START, name=name, times=Fraction(times), root=root, lower=True)


# Any number that the conditions allow: a weight that an author may choose, an exponent.
FREE = Part(of=Of.FREE, name="")
ROUNDS = setting("rounds")
STEPS = setting("steps", or_else="rounds")
# k in Sum(..., (k, 0, K - 1)) and in the weight of an observable; it has no value anywhere else.
INDEX = Part(of=Of.INDEX, name="")
