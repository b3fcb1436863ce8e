"""Where the counterexamples that searches found are on file; light, for whoever only names them."""

from pathlib import Path
from typing import Final

WITNESSES: Final = Path(__file__).parent.parent / "falsified"


def file_of(identity: str, variant: str) -> Path:
    """One for each statement and form."""
    return WITNESSES / f"{identity}{'' if variant == 'printed' else f'.{variant}'}.json"
