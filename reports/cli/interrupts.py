"""What Ctrl-C leaves behind, for the sentence that `command_line` prints."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

NOTHING: Final = "nothing is stored without --out"


@contextmanager
def naming_what_is_left(kept: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        error.add_note(f"({kept})")
        raise


def say_what_resumes(what: str, out: Path) -> str:
    return f"finished {what} are in {out}, and the same command goes on from there"
