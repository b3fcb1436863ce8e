"""The mode of a new file: a temporary one belongs to its owner alone, and what takes its place does not."""

import os


def usual_mode() -> int:
    """What `open` gives a new file here."""
    return 0o666 & ~umask()


def umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
