"""One displayed relation of a proof."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One displayed relation of a proof, as the transcription has it."""

    locator: str
    printed: str
    reason: str
    uses: tuple[str, ...] = ()
