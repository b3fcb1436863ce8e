"""Claims that something `can` grow exponentially: refuted by a bound for all instances, and by no instance.

Let D(t) be what is said to grow, D(0) = 0. Where D(t+1) <= D(t) + A with an A that does not depend on t or D,
D(t) is at most A t, which is below c r^t from some t on, whatever c > 0 and r > 1 are. The search is for the
smallest A: a sum of multiples of products of the claim's constants. For each it asks for a certificate that
no step of an instance adds more; what it finds is read again by `verify.infeasibility.checker`, in rationals.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Final, final

from bounds.language.statement import Statement
from verify.infeasibility.checker import (
    NON_NEGATIVE,
    POSITIVE,
    Constraint,
    Monomial,
    Polynomial,
    System,
    read,
    refutes,
    written,
)

MULTIPLES: Final = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
BEFORE, AFTER = "D", "D_next"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Facts about one step on every instance: each fact is at least 0, `name` says why.

    `grows`: products of constants, one after the other, of which a step may add multiples.
    """

    facts: tuple[Constraint, ...]
    signs: Mapping[str, str]
    grows: tuple[Monomial, ...]

    def system(self, multiples: tuple[Fraction, ...]) -> System:
        """That a step adds more than so much."""
        more: Polynomial = {_one(AFTER): Fraction(1), _one(BEFORE): Fraction(-1)}
        more |= {m: -a for m, a in zip(self.grows, multiples, strict=True) if a}
        return System(self.signs, (*self.facts, Constraint("a step adds more", more, True)))

    def candidates(self) -> Iterator[tuple[Fraction, ...]]:
        """The smallest sum first."""
        every = product(MULTIPLES, repeat=len(self.grows))
        yield from sorted(every, key=lambda several: (sum(several), several))


def _one(name: str) -> Monomial:
    return ((name, 1),)


def _at_most(name: str, limit: str, why: str) -> Constraint:
    return Constraint(why, {_one(limit): Fraction(1), _one(name): Fraction(-1)}, False)


STEP: Final = Constraint(
    "triangle inequality: D is the mean distance of two models that move by eta times gradient and noise",
    {
        _one(BEFORE): Fraction(1),
        _one(AFTER): Fraction(-1),
        **{(("eta", 1), (name, 1)): Fraction(1) for name in ("g_v", "g_w", "n_v", "n_w")},
    },
    False,
)
# Mean lengths in one step of w, the averaged model, and of v, the auxiliary sequence. s = sqrt(d) sigma C.
CLIPPED: Final = (
    _at_most("g_w", "C", "B samples are drawn on average, each clipped at C, and divided by B"),
    _at_most("g_v", "C", "the gradient of F is a mean of gradients that are no longer than C"),
)
NOISES: Final = (
    _at_most("n_w", "s", "the mean of noises of deviation sigma C/B per coordinate, at most sigma C"),
    _at_most("n_v", "s", "noise of deviation sigma C per coordinate"),
)
NAMES: Final = (BEFORE, AFTER, "g_v", "g_w", "n_v", "n_w", "s")
AVERAGED_FROM_AUXILIARY: Final = Growth(
    facts=(STEP, *CLIPPED, *NOISES),
    signs={"eta": POSITIVE, "C": POSITIVE, **dict.fromkeys(NAMES, NON_NEGATIVE)},
    grows=((("C", 1), ("eta", 1)), (("eta", 1), ("s", 1))),
)
CAN_GROW: Final[Mapping[str, Growth]] = {"als_dpfl.claims.h_grows_exponentially": AVERAGED_FROM_AUXILIARY}


def growth_of(statement: Statement) -> Growth | None:
    return CAN_GROW.get(statement.id) if statement.variant == "printed" else None


def refutation(growth: Growth) -> tuple[dict[str, Any] | None, int]:
    """The smallest increment with a certificate, as plain data, and how many were tried."""
    # A replay reads a certificate and looks for none.
    from verify.infeasibility.finder import certify

    for tried, multiples in enumerate(growth.candidates(), start=1):
        system = growth.system(multiples)
        certificate = certify(system)
        if certificate is not None:
            plain = {"kind": "bound for all", "adds": [str(a) for a in multiples]}
            return plain | {"certificate": written(system, certificate)}, tried
    return None, len(MULTIPLES) ** len(growth.grows)


def holds(growth: Growth, instance: Mapping[str, Any]) -> bool:
    """Whether the certificate proves it of this claim, and not of a system that the file brings along."""
    system, certificate = read(instance["certificate"])
    own = growth.system(tuple(Fraction(a) for a in instance["adds"]))
    return system == own and refutes(own, certificate)


def describe_certificate(growth: Growth, instance: Mapping[str, Any]) -> str:
    parts = [
        f"{a} {' '.join(name for name, _ in monomial)}"
        for a, monomial in zip(instance["adds"], growth.grows, strict=True)
    ]
    return f"a step adds at most {' + '.join(parts)}, whatever the instance: linear growth"
