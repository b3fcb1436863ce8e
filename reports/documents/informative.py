"""A value of a bound beside what is known without any run, and whether it says more."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bounds.evaluation.evaluate import Evaluation
from bounds.evaluation.free_bound import Informed, inform
from bounds.language.expression import text
from reports.documents.units import with_unit

if TYPE_CHECKING:
    from reports.documents.types import statement as types


def document(evaluation: Evaluation, more: Mapping[str, float] | None = None) -> "types.Informed":
    """The keys `free_bound` and `informative`, with one sentence about them."""
    return plain(evaluation.value, inform(evaluation, more), evaluation.statement.unit)


def plain(value: float | None, informed: Informed, unit: str) -> "types.Informed":
    free = informed.free
    entry: types.FreeBound
    if free.expression is None:
        entry = {"value": free.value, "reason": free.reason}
    else:
        entry = {"value": free.value, "expression": text(free.expression), "because": free.because}
    return {
        "free_bound": entry,
        "informative": informed.informative,
        "informative_because": sentence(value, informed, unit),
    }


ROUNDED_TO_ONE = 5e-4  # a share this near to 1 is "1" in three digits
_WORDS = {True: "yes", False: "no", None: "unknown"}


def line(body: Mapping[str, Any]) -> str:
    """The verdict for a page."""
    return f"informative: {_WORDS[body['informative']]}; {body['informative_because']}"


def sentence(value: float | None, informed: Informed, unit: str) -> str:
    free = informed.free
    if informed.informative is None or value is None:
        return f"not decided: {informed.reason}"
    assert free.value is not None
    because = f" ({free.because})" if free.because else ""
    known = f"{with_unit(f'{free.value:.6g}', unit)} is known without any run{because}"
    if not informed.informative:
        less = "no more" if value == free.value else "less"
        return f"this bound says {less} than doing nothing: {known}"
    missing = (free.value - value) / free.value
    compared = (
        f"{value / free.value:.3g} of it" if missing >= ROUNDED_TO_ONE else f"below it by {missing:.1g} of it"
    )
    return f"{known}, and the bound is {compared}"
