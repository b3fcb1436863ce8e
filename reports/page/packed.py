"""Parts of the page that a browser unpacks when they are asked for: compressed text inside the one file."""

import json
import zlib
from base64 import b64encode
from typing import Any, final

from reports.page import escapes


@final
class Parts:
    """Collects pieces of the page in the order in which the templates meet them."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def keep(self, piece: object) -> int:
        """Put a piece away; the page has its number in its place."""
        self._kept.append(str(piece))
        return len(self._kept) - 1

    def packed(self) -> str:
        return packed(self._kept)


def packed(data: Any) -> str:
    """JSON, deflated, in letters that HTML does not escape; texts as every format shows them."""
    text = json.dumps(_visible(data), separators=(",", ":"), allow_nan=False)
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b64encode(squeezed.compress(text.encode("ascii")) + squeezed.flush()).decode("ascii")


def _visible(data: Any) -> Any:
    if isinstance(data, str):
        return escapes.visible(data)
    if isinstance(data, dict):
        return {key: _visible(value) for key, value in data.items()}
    return [_visible(value) for value in data] if isinstance(data, list) else data
