"""Data on file: the one reader of JSON, and when what comes out again agrees with what was read.

JSON has no infinity, but decoders read 1e999 as one, and within any share of an infinity lies every number.
So none is read, and the comparison does not rely on that. Decoders also take a key twice, and keep the value
that comes last: two readers may then see two documents in one file. So a key twice is refused.
"""

import json
import re
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeGuard

from bounds.errors import Misuse

# Same machine and plan repeat to the last bit; other libraries may round the last digits differently.
AGREEMENT: Final = 1e-9
NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
SMALLEST: Final = 1e-300  # below it float64 has not so many digits


def read_decoded(file: Any, refusal: type[Misuse]) -> Any:
    """What `decoded` reads in a file; `refusal` says why the file cannot be read."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise refusal(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise refusal(f"cannot read {file}: it is not UTF-8 text") from error
    return decoded(text, str(file), refusal)


def decoded(text: str, source: str, refusal: type[Misuse]) -> Any:
    """JSON of finite numbers with every key once; `refusal` says of the source what else is in it."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in pairs:
            if key in out:
                raise refusal(f"{source} gives {_shown(key)} twice")
            out[key] = value
        return out

    def number(read: Callable[[str], Any]) -> Callable[[str], Any]:
        def checked(digits: str) -> Any:
            value = read(digits)
            if not is_finite(value):
                raise refusal(f"{source} holds {_shown(digits)}, which is not a finite number")
            return value

        return checked

    of_floats = number(float)
    try:
        return json.loads(
            text,
            object_pairs_hook=unique,
            parse_float=of_floats,
            parse_int=number(int),
            parse_constant=of_floats,
        )
    except refusal:
        raise
    except (ValueError, RecursionError) as error:
        raise refusal(f"{source} is not valid JSON: {error}") from error


def is_other_version(data: Any, *readable: str) -> bool:
    """Whether a document is of one of these kinds, and of another version than the schema names."""
    return any(_kind(one) == _kind(_schema(data)) and one != _schema(data) for one in readable)


def describe_schema(data: Any, *readable: str) -> str:
    """What a document is in the place of one of these schemas: the verb of a sentence and its end."""
    found, last = _schema(data), readable[-1]
    if not found:
        return f"is not a record of schema {last}: it names no schema"
    if is_other_version(data, *readable):
        ours = next(one for one in readable if _kind(one) == _kind(found))
        return f"is of schema {_shown(found)}, and this fedbounds reads {ours}: use the version that wrote it"
    return f"is of schema {_shown(found)}, not a record of schema {last}"


def _schema(data: Any) -> str:
    found = data.get("schema") if isinstance(data, dict) else None
    return found if isinstance(found, str) else ""


def _kind(schema: str) -> str:
    return schema.rpartition("/")[0]


def load(file: Path) -> Any:
    """A data file that is part of the distribution."""
    return decoded(file.read_text(encoding="utf-8"), str(file), Misuse)


def _shown(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:36]}..."


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true and false are not, although Python counts them as 1 and 0."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_float(value: Any) -> float | None:
    """A JSON value as a float; None if it is not a number."""
    return float(value) if is_number(value) else None


def is_finite(value: Any) -> bool:
    """Whether a number is finite; an integer beyond float64 is not, since computing with it would fail."""
    try:
        return is_number(value) and isfinite(value)
    except OverflowError:
        return False


def is_count(value: Any) -> TypeGuard[int]:
    """An integer >= 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def close(again: float, recorded: float) -> bool:
    """Equality up to the last digits; an infinity is close to itself alone, NaN to nothing."""
    if not (is_finite(again) and is_finite(recorded)):
        return again == recorded
    return abs(again - recorded) <= AGREEMENT * max(abs(again), abs(recorded), SMALLEST)


def agree(again: Any, recorded: Any) -> bool:
    """Lists entry by entry, tables under the same keys; a number is close, anything else is the same."""
    if isinstance(again, list) and isinstance(recorded, list):
        return len(again) == len(recorded) and all(map(agree, again, recorded))
    if isinstance(again, Mapping) and isinstance(recorded, Mapping):
        return not differing(again, recorded)
    if isinstance(again, float) and is_number(recorded):
        return close(again, recorded)
    if is_number(again) != is_number(recorded):  # otherwise true would be the number 1
        return False
    return bool(again == recorded)


def agree_on_objects(again: Any, recorded: Any) -> bool:
    """The same of drawn objects: the text of a function holds numbers, which are as close as others."""
    if isinstance(again, Mapping) and isinstance(recorded, Mapping):
        return again.keys() == recorded.keys() and all(agree_on_objects(again[k], recorded[k]) for k in again)
    if isinstance(again, list) and isinstance(recorded, list):
        return len(again) == len(recorded) and all(map(agree_on_objects, again, recorded))
    if isinstance(again, str) and isinstance(recorded, str) and again != recorded:
        pairs = zip(NUMBER.findall(again), NUMBER.findall(recorded), strict=False)
        same_words = NUMBER.split(again) == NUMBER.split(recorded)
        return same_words and all(close(float(a), float(b)) for a, b in pairs)
    return agree(again, recorded)


def differing(again: Mapping[str, Any], recorded: Mapping[str, Any]) -> list[str]:
    """Keys under which the two do not agree, or that only one of them has."""
    keys = [*again, *(key for key in recorded if key not in again)]
    return [k for k in keys if k not in again or k not in recorded or not agree(again[k], recorded[k])]
