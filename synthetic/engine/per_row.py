"""A number of the settings that differs from row to row, where several configurations run as one batch."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from synthetic.engine.arithmetic import Array, Schedule, like, step_at


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PerRow:
    """The value of each configuration, one number or one per round, and how many rows each has in turn."""

    values: tuple[Schedule, ...]
    rows: int

    def column(self, index: int = 0) -> Array:
        """(R, 1), beside the rows of a state."""
        each = np.array([float(step_at(value, index)) for value in self.values])
        return np.repeat(each, self.rows)[:, None]


def number_beside(value: Any, index: int = 0) -> Any:
    """A float, so that a fraction does not turn an array into objects; or a column, row by row."""
    return value.column(index) if isinstance(value, PerRow) else float(step_at(value, index))


def fitting(number: Any, points: Array) -> Any:
    """The number as it multiplies these points, without changing their precision."""
    return like(number, points) if isinstance(number, np.ndarray) else float(number)


def of_lengths(number: Any, lengths: Array) -> Any:
    """The number as it is compared with lengths (n, R) or (R,)."""
    return like(np.ascontiguousarray(number[:, 0]), lengths) if isinstance(number, np.ndarray) else number
