"""The answer for one line of a listing."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, final

from verify.conformance.listing import Line, Part
from verify.conformance.own_constants import Own
from verify.conformance.slips import OTHERS, Slip


class Verdict(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_OBSERVABLE = "not observable"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A verdict on a part of a listing, with the numbers behind it.

    measured and expected are numbers or short texts. slip: the name of the cause in the catalogue.
    because: how it was found, or what the code would have to expose.
    """

    part: Part
    verdict: Verdict
    measured: Any = None
    expected: Any = None
    cause: str | None = None
    slip: str | None = None
    conversion: Own | None = None
    because: str = ""

    @property
    def ratio(self) -> float | None:
        numbers = isinstance(self.measured, float) and isinstance(self.expected, float)
        return self.measured / self.expected if numbers and self.expected else None


def agrees(part: Part, measured: Any, expected: Any, because: str) -> Observation:
    return Observation(
        part=part, verdict=Verdict.AGREES, measured=measured, expected=expected, because=because
    )


def not_observable(part: Part, because: str) -> Observation:
    return Observation(part=part, verdict=Verdict.NOT_OBSERVABLE, because=because)


def differs(
    part: Part,
    measured: Any,
    expected: Any,
    because: str,
    slip: Slip | str | None = None,
    conversion: Own | None = None,
) -> Observation:
    """A difference; slip: its entry in the catalogue, or the name of one of `OTHERS`.

    conversion: constants under which theorems apply, if the slip names none.
    """
    known: dict[str, Any] = {"conversion": conversion}
    if isinstance(slip, Slip):
        known |= {"cause": slip.cause, "slip": slip.name, "conversion": slip.conversion or conversion}
    elif slip is not None:
        known |= {"cause": OTHERS[slip], "slip": slip}
    return Observation(
        part=part, verdict=Verdict.DIFFERS, measured=measured, expected=expected, because=because, **known
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LineVerdict:
    """An observation beside its line."""

    line: Line
    observation: Observation
