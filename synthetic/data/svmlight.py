"""The svmlight format: a target and `index:value` pairs per line, `#` before a comment."""

import numpy as np

from synthetic.data._refusal import number_in, refused
from synthetic.engine.arithmetic import Array

LARGEST_TABLE = 50_000_000  # numbers of the dense table, 400 MB


def svmlight(text: str, source: str) -> tuple[Array, list[str], list[int]]:
    """A dense table, the targets as they are written, and their lines.

    Indices count from 1, or from 0 if a 0 occurs.
    """
    targets: list[str] = []
    lines: list[int] = []
    entries: list[dict[int, float]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            targets.append(words[0])
            lines.append(number)
            entries.append(_pairs(words[1:], f"line {number}", source))
    used = [index for row in entries for index in row]
    if not used:
        raise refused(
            source, "no data", "no index:value pair", "a sample per line", "give a file with samples"
        )
    first = min(1, min(used))
    width = max(used) - first + 1
    if len(entries) * width > LARGEST_TABLE:
        raise refused(
            source,
            "too large",
            f"{len(entries)} x {width} numbers",
            f"at most {LARGEST_TABLE:,}",
            "give a part",
        )
    features = np.zeros((len(entries), width))
    for row, pairs in enumerate(entries):
        for index, value in pairs.items():
            features[row, index - first] = value
    return features, targets, lines


def _pairs(words: list[str], place: str, source: str) -> dict[int, float]:
    pairs: dict[int, float] = {}
    for word in words:
        index, colon, text = word.partition(":")
        value = number_in(text)
        if not colon or not (index.isascii() and index.isdigit()) or value is None:
            raise refused(source, f"{place} is not svmlight", repr(word), "index:value", "mend the line")
        if int(index) in pairs:
            raise refused(source, f"{place} gives an index twice", index, "each index once", "mend the line")
        pairs[int(index)] = value
    return pairs
