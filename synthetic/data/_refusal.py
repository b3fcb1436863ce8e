"""The one shape of what is said about a data file, and how its numbers are read."""

import math

from synthetic.errors import UnreadableData


def refused(source: str, failed: str, found: object, needed: str, change: str) -> UnreadableData:
    return UnreadableData(
        asked=f"data file {source}", failed=failed, found=found, needed=needed, change=change
    )


def number_in(word: str) -> float | None:
    """The finite number that a word spells, or None."""
    try:
        # float() takes 1_000, which no file means
        number = math.nan if "_" in word else float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def number(
    word: str, source: str, place: str, change: str = "fill it in, or leave out its row or its column"
) -> float:
    found = number_in(word)
    if found is None:
        shown = repr(word) if word else "an empty cell"
        raise refused(
            source,
            f"{place} is not a number",
            shown,
            "a finite number with a decimal point",
            change,
        )
    return found
