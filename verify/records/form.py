"""What the fields of a record may be: type, range and size, checked before anything is built from them.

A field that is missing or of another type is refused in one sentence that names it. Whether its value is the
right one is not decided here: that takes a replay. A field that no record has is left to the replay too,
which reports it as a difference.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bounds.errors import Misuse
from bounds.language.finding import Verdict
from bounds.language.statement import AMENDED
from verify.objects.check import KIND
from verify.records.json_numbers import is_count, is_finite

Fits = Callable[[Any], bool]
Fields = Mapping[str, tuple[Fits, str]]

PRINTED: Final = "printed"
LONGEST: Final = 4_000  # characters of a text
MOST_REPLICATES: Final = 2**16
MOST_TRIALS: Final = 60
LARGEST_SEED: Final = 2**63 - 1
MOST_NUMBERS: Final = 100_000  # in the arguments of a problem, or in the settings of a run
MADE_BY: Final = frozenset(("python", "machine", "fedbounds", "numpy", "scipy", "sympy", "mpmath"))
DEEPEST: Final = 12  # tables and lists inside each other
HEX: Final = frozenset("0123456789abcdef")


class NotARecord(Misuse):
    """A file is not a record that this version can read."""


def check_entries(data: Mapping[str, Any], source: str) -> None:
    """Refuse a record with an entry that could not have been written by this version."""
    if _is_deep(data):
        raise NotARecord(f"{source} has more than {DEEPEST} tables and lists inside each other")
    for position, cell in enumerate(data["cells"], start=1):
        _check(cell, CELL, f"{source}: cell {position}")
        if "kind" in cell:
            raise NotARecord(f"{source}: cell {position} has a kind, which only properties have")
    for position, entry in enumerate(data.get("properties", []), start=1):
        _check(entry, PROPERTY, f"{source}: property {position}")
        if entry["worst"] is not None:
            _check(entry["worst"], WORST, f"{source}: the worst case of property {position}")
    made_by = data.get("environment")
    known = isinstance(made_by, Mapping) and made_by.keys() >= MADE_BY
    if not isinstance(made_by, Mapping) or not known or not all(map(is_text, made_by.values())):
        raise NotARecord(f"{source}: environment must be a table of texts for {', '.join(sorted(MADE_BY))}")


def _check(entry: Any, fields: Fields, place: str) -> None:
    if not isinstance(entry, Mapping):
        raise NotARecord(f"{place} must be a table of names and values")
    for name, (fits, wanted) in fields.items():
        if name not in entry:
            raise NotARecord(f"{place} has no {name}")
        if not fits(entry[name]):
            raise NotARecord(f"{place}: {name} must be {wanted}")


def _is_deep(data: Any) -> bool:
    """Level by level, so that no depth exhausts the stack."""
    level = [data]
    for _ in range(DEEPEST + 1):
        parts = (
            (v.values() if isinstance(v, Mapping) else v) for v in level if isinstance(v, Mapping | list)
        )
        level = [part for inside in parts for part in inside]
    return bool(level)


def is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def is_level(value: Any) -> bool:
    return is_finite(value) and 0 < value < 1


def is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _or_null(fits: Fits) -> Fits:
    return lambda value: value is None or fits(value)


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 16 and set(value) <= HEX


def _is_scalar(value: Any) -> bool:
    return is_finite(value) or is_text(value)


def _is_scalars(value: Any) -> bool:
    return is_table(value) and all(map(_is_scalar, value.values()))


def _is_data(value: Any) -> bool:
    """Numbers, texts, and lists and tables of them, not too many."""
    return is_table(value) and 0 <= _count(value) <= MOST_NUMBERS


def _count(value: Any) -> int:
    """How many numbers and texts; -1 if something else is among them."""
    if isinstance(value, Mapping | list):
        counts = [_count(part) for part in (value.values() if isinstance(value, Mapping) else value)]
        return -1 if -1 in counts else sum(counts)
    return 1 if _is_scalar(value) else -1


def _is_interval(value: Any) -> bool:
    if not is_table(value) or not {"estimate", "lower", "upper", "exact"} <= value.keys():
        return False
    numbers = all(_or_null(is_finite)(value[name]) for name in ("estimate", "lower", "upper"))
    return numbers and _or_null(is_text)(value["exact"])


def _is_bound(value: Any) -> bool:
    if not is_table(value) or not {"value", "terms"} <= value.keys() or not is_table(value["terms"]):
        return False
    return all(map(_or_null(is_finite), (value["value"], *value["terms"].values())))


def _is_counts(value: Any) -> bool:
    return is_table(value) and all(map(is_count, value.values()))


TEXT: Final = (is_text, f"a text of at most {LONGEST} characters")
TABLE: Final = (_is_data, f"a table of at most {MOST_NUMBERS} numbers and texts")
NUMBER: Final = (_or_null(is_finite), "a number or null")
SEED: Final = (lambda v: is_count(v) and v <= LARGEST_SEED, f"an integer from 0 to {LARGEST_SEED}")
INTERVAL: Final = (_is_interval, "an estimate with lower, upper and exact")
VERDICT: Final = (
    lambda v: isinstance(v, str) and v in {verdict.value for verdict in Verdict},
    f"one of {', '.join(verdict.value for verdict in Verdict)}",
)
VARIANT: Final = (lambda v: v in (PRINTED, AMENDED), f"{PRINTED} or {AMENDED}")

CELL: Final[Fields] = {
    "id": TEXT,
    "verdict": VERDICT,
    "measured": INTERVAL,
    "bound": (_is_bound, "a value and its terms"),
    "excess": INTERVAL,
    "variant": VARIANT,
    "role": TEXT,
    "reading": TEXT,
    "problem": TEXT,
    "problem_arguments": TABLE,
    "algorithm": TEXT,
    "parameters": (_is_scalars, "a table of numbers and fractions"),
    "engine": TABLE,
    "ratio": NUMBER,
    "certified": (lambda v: isinstance(v, bool), "true or false"),
    "level": (is_level, "a number between 0 and 1"),
    "method": TEXT,
    "sentence": TEXT,
    "seed": SEED,
    "replicates": (
        lambda v: is_count(v) and 1 <= v <= MOST_REPLICATES,
        f"an integer from 1 to {MOST_REPLICATES}",
    ),
    "digest": (_is_digest, "16 hexadecimal digits"),
}
PROPERTY: Final[Fields] = {
    "id": TEXT,
    "verdict": VERDICT,
    "variant": VARIANT,
    "kind": (lambda v: v == KIND, f"the word {KIND}"),
    "cases": (is_count, "an integer >= 0"),
    "families": (_is_counts, "a table of integers >= 0"),
    "worst": (_or_null(is_table), "a table or null"),
    "method": TEXT,
    "sentence": TEXT,
    "seed": SEED,
    "trials": (lambda v: is_count(v) and 1 <= v <= MOST_TRIALS, f"an integer from 1 to {MOST_TRIALS}"),
}
WORST: Final[Fields] = {
    **dict.fromkeys(("left", "right", "ratio", "excess"), NUMBER),
    "family": TEXT,
    "objects": (is_table, "a table"),
}
