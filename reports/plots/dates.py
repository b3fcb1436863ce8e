"""The date that matplotlib takes from the environment into each figure, although none of ours shows it."""

import os

from reports.errors import BadOption

EPOCH = "SOURCE_DATE_EPOCH"
LAST = 253_402_300_799  # of the year 9999, where the calendar of Python ends


def check_dates() -> None:
    """Before the work that ends in a figure."""
    epoch = os.environ.get(EPOCH)
    if not epoch:
        return
    if not (epoch.isascii() and epoch.isdecimal() and len(epoch) <= len(str(LAST)) and int(epoch) <= LAST):
        raise BadOption(f"the variable {EPOCH} must be a whole number of seconds since 1970, not {epoch!r}")
