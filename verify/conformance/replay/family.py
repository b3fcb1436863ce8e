"""A listing that can be replayed: its lines as replaceable functions, its cases and its known slips."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import Instance
from verify.conformance.listing import Law, Line, Part
from verify.conformance.own_constants import Own
from verify.conformance.slips import Formula, Slip

if TYPE_CHECKING:
    from verify.conformance.lab import Lab
    from verify.conformance.verdict import Observation

L = TypeVar("L")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One run of the user's code without noise. of: the line that this case shows and no case before it.

    drawn: reads from the states what the code has drawn at random, for the listing to draw the same.
    tolerance: of the movement, where small noise is needed to show the line; None if there is no noise.
    lengths: the smallest and the largest of what is bounded at the start, over its bound; None if nothing is.
    """

    of: Part
    shown: Instance
    settings: Mapping[str, Any]
    rounds: int
    exercises: tuple[Part, ...]
    drawn: Callable[[Floats], Any] | None = None
    tolerance: float | None = None
    lengths: tuple[float, float] | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A known slip and the functions that it changes; conversion: constants under which theorems apply."""

    part: Part
    name: str
    cause: str
    changes: Mapping[str, Any] = field(hash=False)
    conversion: Own | None = None


def lengths_over(bound: float, rows: Floats) -> tuple[float, float]:
    """The smallest and the largest length of the rows, over the bound."""
    lengths = np.linalg.norm(rows, axis=1) / bound
    return float(lengths.min()), float(lengths.max())


def slip(part: Part, name: str, cause: str, conversion: Own | None = None, **changes: Any) -> Variant:
    return Variant(part=part, name=name, cause=cause, changes=changes, conversion=conversion)


# of several clients, those that go on from what was sent a round ago
BEHIND: tuple[tuple[str, str, Callable[[int, int], bool]], ...] = (
    ("first", "the first client of several", lambda i, n: n > 1 and i == 0),
    ("last", "the last client of several", lambda i, n: n > 1 and i == n - 1),
    ("second", "every second client", lambda i, n: i % 2 == 1),
    ("other", "every other client, from the first on,", lambda i, n: n > 1 and i % 2 == 0),
)


def scale_noise(name: str, cause: str, factor: Formula, conversion: Own | None = None) -> Slip:
    return Slip(name=name, part=Part.NOISE, cause=cause, factor=factor, conversion=conversion)


def optimizer_slips(changed: str) -> tuple[Variant, ...]:
    """What an optimizer does beside descent, at the usual constants.

    changed: the function of the lines that does it, of what the local step before went along, the gradient
    and the model.
    """
    add_up = "local gradients add up, as without zero_grad()"
    kept = [("accumulated", add_up, 1.0)]
    kept += [(f"momentum_{share:g}", f"local steps keep momentum {share:g}", share) for share in (0.9, 0.5)]
    decays = ((f"weight_decay_{rate:g}", f"local steps decay the model by {rate:g}", rate) for rate in DECAYS)
    return (
        *(slip(Part.LOCAL_STEP, name, cause, None, **{changed: _keep(share)}) for name, cause, share in kept),
        *(
            slip(Part.LOCAL_STEP, name, cause, None, **{changed: _decay(rate)})
            for name, cause, rate in decays
        ),
    )


DECAYS = (1e-2, 1e-3, 1e-4, 5e-4)


def _keep(share: float) -> Callable[[Floats, Floats, Floats], Floats]:
    return lambda before, gradient, model: share * before + gradient


def _decay(rate: float) -> Callable[[Floats, Floats, Floats], Floats]:
    return lambda before, gradient, model: gradient + rate * model


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family(Generic[L]):
    """example: the settings that code must know, with a value each. right: the lines as they are listed.

    changed(lines, changes) replaces functions of lines. predict(lines, case, drawn) gives the states.
    laws(lab, lines) reads what is random; lines is None if no known slip explains the states.
    blamed(part, measured, expected) is the line of a difference that nothing explains, by default the one
    that its case shows. bounded: the line of a bound, and in words what is bounded and by what.
    """

    algorithm: str
    lines: tuple[Line, ...]
    example: Mapping[str, Any]
    right: L
    slips: Sequence[Variant]
    cases: Callable[["Lab"], Sequence[Case]]
    changed: Callable[[L, Mapping[str, Any]], L]
    predict: Callable[[L, Case, Any], Floats]
    laws: Callable[["Lab", L | None], list["Observation"]]
    bounded: tuple[Part, str, str]
    blamed: Callable[[Part, Floats, Floats], Part] = lambda of, measured, expected: of
    optional: tuple[str, ...] = ()
    unseen: tuple[Part, ...] = (Part.OUTPUT,)
    law: Law = "full"

    def line(self, part: Part) -> Line | None:
        return next((line for line in self.lines if line.part is part), None)
