"""The date that matplotlib takes from the environment into each figure, although none of ours shows it."""

import os

from reports.errors import BadOption

EPOCH = "SOURCE_DATE_EPOCH"
LAST = 253_402_300_799  # of the year 9999, where the calendar of Python ends


def check_dates() -> None:
    """Before the work that ends in a figure."""
    told = os.environ.get(EPOCH)
    if not told:
        return
    if not (told.isascii() and told.isdecimal() and len(told) <= len(str(LAST)) and int(told) <= LAST):
        raise BadOption(f"the variable {EPOCH} must be a whole number of seconds since 1970, not {told!r}")
