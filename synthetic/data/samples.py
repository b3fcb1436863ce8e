"""Samples held by clients: stacked arrays in which shorter clients are padded with samples of weight 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.engine.arithmetic import Array, as_numbers
from synthetic.errors import BadShape, BadValue

LARGEST_NUMBER = 1e150


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Samples:
    """features (n, m, d); answers (n, k, m), k numbers to be met by k scores; weights (n, m), 1/m_i or 0."""

    features: Array
    answers: Array
    weights: Array
    sizes: tuple[int, ...]

    @property
    def clients(self) -> int:
        return len(self.sizes)

    def of(self, client: int) -> tuple[Array, Array, Array]:
        """Features (m_i, d), answers (k, m_i) and weights (m_i,) without the padding."""
        size = self.sizes[client]
        return self.features[client, :size], self.answers[client, :, :size], self.weights[client, :size]


def samples(features: Sequence[object], answers: Sequence[object]) -> Samples:
    """One (m_i, d) and one (k, m_i) per client."""
    rows = [as_numbers(block, exact=False) for block in features]
    columns = [as_numbers(block, exact=False) for block in answers]
    shapes = [(block.shape, answer.shape) for block, answer in zip(rows, columns, strict=False)]
    fits = len(rows) == len(columns) > 0 and all(
        block.ndim == answer.ndim == 2
        and block.shape[0] == answer.shape[1] > 0
        and block.shape[1] == rows[0].shape[1] > 0
        and answer.shape[0] == columns[0].shape[0]
        for block, answer in zip(rows, columns, strict=True)
    )
    if not fits:
        raise BadShape(
            asked="samples",
            failed="shapes disagree",
            found=shapes,
            needed="(m_i, d) features and m_i targets for each client, m_i, d >= 1",
            change="give every client features and targets of its own",
        )
    largest = max(float(np.abs(block).max()) for block in (*rows, *columns))
    if largest > LARGEST_NUMBER:
        raise BadValue(
            asked="samples",
            failed="a number is too large to be squared",
            found=largest,
            needed=f"at most {LARGEST_NUMBER:g}",
            change="standardise the features",
        )
    sizes = tuple(len(block) for block in rows)
    return Samples(
        features=_frozen(np.stack([_padded(block, max(sizes), axis=0) for block in rows])),
        answers=_frozen(np.stack([_padded(answer, max(sizes), axis=1) for answer in columns])),
        weights=_frozen(np.stack([_padded(np.full(size, 1 / size), max(sizes), axis=0) for size in sizes])),
        sizes=sizes,
    )


def _padded(block: Array, length: int, *, axis: int) -> Array:
    widths = [(0, length - size if position == axis else 0) for position, size in enumerate(block.shape)]
    return np.pad(block, widths)


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array
