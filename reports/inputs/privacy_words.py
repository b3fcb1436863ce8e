"""From the words of a command line to how clients are drawn, to counts, and to an accountant."""

from collections.abc import Mapping
from typing import Any

from reports.errors import BadOption
from reports.inputs.numerals import number, read_integer
from verify.privacy.accountants import Accountant
from verify.privacy.mechanism import FixedSize, Full, Independent, Sampling


def drawing(word: str) -> Sampling:
    kind, _, size = word.partition(":")
    if kind == "full" and not size:
        return Full()
    if kind == "independent" and size:
        return Independent(probability=number(size, "--sampling independent"))
    drawn, _, units = size.partition("/")
    if kind == "fixed_size" and drawn and units:
        few, all_ = (read_integer(part, "--sampling fixed_size") for part in (drawn, units))
        return FixedSize(drawn=few, units=all_)
    raise BadOption(f"--sampling takes full, independent:P or fixed_size:M/N, not {word!r}")


def count(word: str, option: str) -> int:
    value = number(word, option)
    if value < 1 or value != int(value):
        raise BadOption(f"{option} must be a whole number >= 1, not {word}")
    return int(value)


def optional_count(word: str | None, option: str) -> int | None:
    return None if word is None else count(word, option)


def positive(word: str, option: str) -> float:
    value = number(word, option)
    if not value > 0:
        raise BadOption(f"{option} must be > 0, not {word}")
    return value


def scale(words: Mapping[str, Any]) -> dict[str, Any]:
    clip = words["contribution"]
    return {
        "clients": optional_count(words["clients"], "--clients"),
        "dimension": optional_count(words["dimension"], "--dimension"),
        "batch": optional_count(words["batch"], "--batch"),
        "contribution": None if clip is None else positive(clip, "--clip"),
    }


def counted_by(word: str | None, sampling: Sampling | None) -> Accountant:
    """The accountant that is named; only one counts a fixed size."""
    if word is not None:
        return Accountant(word)
    return Accountant.RDP if isinstance(sampling, FixedSize) else Accountant.PLD
