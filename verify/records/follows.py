"""Whether a result on file is one that its own numbers lead to: the last step of its judge, taken again.

Nothing is run here: `fedbounds replay` does that. A changed verdict, or a number that does not fit the
others, is named; what is undecided without the samples is passed.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.statement import Kind
from verify.json_numbers import is_finite
from verify.objects.check import CLEAR, KIND, say_nearest
from verify.runs.check import NOT_RUN
from verify.runs.sentences import says_numbers
from verify.workers.watched import is_theirs

# The same difference of two float64 numbers, taken in another order or of fractions: a few roundings.
SHARE: Final = 1e-12
# How far an end of a bet may be on the other side of the limit that its verdict was decided at.
NEAR: Final = 1e-9

Entry = Mapping[str, Any]


def find_contradiction(entry: Entry) -> str | None:
    """The first key that the others contradict, or None."""
    found = _check_property(entry) if entry.get("kind") == KIND else _check_cell(entry)
    return next(found, None)


def _check_property(entry: Entry) -> Iterator[str]:
    worst, verdict = entry["worst"], entry["verdict"]
    if entry["cases"] != sum(entry["families"].values()):
        yield "cases"
    said = None if worst is None else say_nearest(entry, worst)
    if verdict != "holds" and not entry["sentence"].startswith(f"{verdict}: "):
        yield "verdict"
    if verdict == "holds" and said is not None and entry["sentence"] != said:
        yield "verdict"
    if ("counterexample" in entry and verdict != "violated") or (verdict == "violated" and worst is None):
        yield "verdict"
    if worst is None:
        return
    left, right, excess = worst["left"], worst["right"], worst["excess"]
    if is_finite(left) and is_finite(right) and is_finite(excess):
        if excess != left - right:
            yield "worst.excess"
        if verdict == "violated" and abs(excess) < CLEAR * (abs(left) + abs(right)) * (1 - NEAR):
            yield "verdict"
        if worst["ratio"] is not None and (right <= 0 or worst["ratio"] != left / right):
            yield "worst.ratio"


def _check_cell(entry: Entry) -> Iterator[str]:
    measured, excess, bound = entry["measured"], entry["excess"], entry["bound"]["value"]
    if entry["verdict"] in ("refused", "vacuous"):
        numbers = measured["estimate"] is not None or excess["estimate"] is not None
        if numbers or not entry["sentence"].startswith(f"{entry['verdict']}: "):
            yield "verdict"
        return
    if entry["method"] == NOT_RUN:
        yield "verdict"
    if not entry["certified"] and entry["verdict"] != "holds":
        yield "verdict"
    if bound is None or "reason" in measured or "reason" in excess:
        return  # a number that is not finite, and no difference to take
    if measured["estimate"] is None:
        if entry["verdict"] != "inconclusive":
            yield "verdict"
        return
    size = abs(bound) + max(abs(n) for n in measured.values() if is_finite(n))
    yield from _differences(entry, bound, SHARE * size)
    known = _is_equality(entry)
    kinds = (False, True) if known is None else (known,)
    if not any(_leads_to(entry, bound, NEAR * size, equality=kind) for kind in kinds):
        yield "verdict"
    if entry["verdict"] in ("holds", "violated") and not _is_said(entry, bound):
        yield "sentence"


def _is_said(entry: Entry, bound: float) -> bool:
    """Whether the sentence has the numbers, which a reader would else take from it."""
    measured, excess = entry["measured"], entry["excess"]
    return says_numbers(
        entry["sentence"],
        entry["verdict"],
        estimate=measured["estimate"],
        lower=measured["lower"],
        upper=measured["upper"],
        excess=excess["estimate"],
        constant=bound,
    )


def _differences(entry: Entry, bound: float, tolerance: float) -> Iterator[str]:
    """The excess is what is measured less the bound; roundings only widen its interval."""
    measured, excess, ratio = entry["measured"], entry["excess"], entry["ratio"]
    if excess["estimate"] is None or abs(measured["estimate"] - bound - excess["estimate"]) > tolerance:
        yield "excess.estimate"
    if ratio is not None and (bound <= 0 or abs(ratio * bound - measured["estimate"]) > tolerance):
        yield "ratio"
    if _is_equality(entry) is not False:
        return  # the interval of an equality that holds is another one than that of its excess
    for end, side in (("lower", 1), ("upper", -1)):
        one, other = measured[end], excess[end]
        if (one is None) != (other is None) or (
            one is not None and side * (other - (one - bound)) > tolerance
        ):
            yield f"excess.{end}"


def _leads_to(entry: Entry, bound: float, near: float, *, equality: bool) -> bool:
    """Whether the interval leads to the verdict, up to what bet and interval may differ by at the limit."""
    verdict, lower, upper = entry["verdict"], entry["excess"]["lower"], entry["excess"]["upper"]
    if (exact := entry["excess"]["exact"]) is not None:
        broken = exact != "0" if equality else exact != "0" and not exact.startswith("-")
        return bool(verdict == ("violated" if broken else "holds"))
    nearly_above = lower is not None and lower > -near
    if equality:
        return _leads_to_equality(entry, bound, near, above=nearly_above)
    if verdict == "violated":
        return nearly_above
    if verdict == "holds":
        return upper is not None and upper <= 0
    if lower is not None and lower > 0:  # an author's run whose roundings explain the excess
        return is_theirs(entry["id"], entry["algorithm"], entry["problem"])
    return upper is None or upper >= 0


def _leads_to_equality(entry: Entry, bound: float, near: float, *, above: bool) -> bool:
    measured, upper = entry["measured"], entry["excess"]["upper"]
    if entry["verdict"] == "violated":
        return above or (upper is not None and upper < 0)
    if entry["verdict"] == "holds":
        low, high = measured["lower"], measured["upper"]
        return (low is None or low <= bound + near) and (high is None or high >= bound - near)
    return True


def _is_equality(entry: Entry) -> bool | None:
    """None for a statement of a package that is not installed here."""
    try:
        return discovery.get(entry["id"], entry["variant"]).kind is Kind.EQUALITY
    except Misuse:
        return None
