"""What a caller gives: numbers or arrays, finite, inside their domains, of shapes that fit together."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bounds import errors
from bounds.arithmetic.arrays import Extent, extents
from bounds.language.quantity import Notation, Quantity

Number = ArrayLike

SEQUENCES: Final = (list, tuple)
NESTED: Final = (*SEQUENCES, np.ndarray)
TRUTH: Final = {bool, np.bool_}


def read_numbers(given: Mapping[str, Number]) -> dict[str, Any]:
    """Floats and float64 arrays that fit together; whether a statement wants them is not asked here."""
    inputs = {name: _as_number(name, value) for name, value in given.items()}
    _check_shapes(inputs)
    return inputs


def _as_number(name: str, value: Number) -> Any:
    """A float, or a float64 array that is not copied: it may not change before the results are read."""
    try:
        raw = np.asarray(value)
        # Strings, truth values and complex numbers would convert; none of them is meant as a number.
        fits = raw.dtype.kind in "iuf" or (raw.dtype.kind == "O" and _all_numbers(raw))
        array = np.asarray(raw, dtype=np.float64) if fits else None
    except (TypeError, ValueError, OverflowError) as error:
        raise errors.NotANumber(f"{name} must be a number, not {value!r}") from error
    if array is None or (raw.size and _holds_truth_values(value)):
        raise errors.NotANumber(f"{name} must be a number, not {value!r}")
    if array.size == 0:
        raise errors.EmptySelection(f"{name} has no values")
    return array if array.shape else array.item()


def _all_numbers(objects: NDArray[np.object_]) -> bool:
    entries: Iterable[Any] = objects.flat
    return all(isinstance(entry, Real | Decimal) and not isinstance(entry, bool) for entry in entries)


def _holds_truth_values(value: Any) -> bool:
    """Whether there is one in a list, however deep: numpy turns [True, 2.0] into numbers without a word."""
    if isinstance(value, SEQUENCES):
        kinds = set(map(type, value))  # a long list of floats costs next to nothing
        nested = any(issubclass(kind, NESTED) for kind in kinds)
        return bool(kinds & TRUTH) or (
            nested and any(_holds_truth_values(entry) for entry in value if isinstance(entry, NESTED))
        )
    return isinstance(value, np.ndarray) and value.dtype.kind == "b"


def _check_shapes(inputs: Mapping[str, Any]) -> None:
    shapes = {name: np.shape(value) for name, value in inputs.items() if np.ndim(value)}
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError as error:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise errors.ShapesDisagree(f"the shapes do not fit together: {listed}") from error


def check_values(notation: Notation, inputs: Mapping[str, Any]) -> None:
    """Finite, inside their domains; an expectation is not below its certified lowest value."""
    quantities = notation.quantities
    counted = [name for name in inputs if name in quantities and quantities[name].domain.integer]
    for name, extent in extents(inputs, counted).items():
        if not (isfinite(extent.smallest) and isfinite(extent.largest)):
            raise errors.NotANumber(f"{name} must be a finite number, not {inputs[name]!r}")
        if name in quantities:
            _check_domain(quantities[name], extent, inputs[name])
        else:
            lowest = notation.observables[name].lowest
            if lowest is not None and lowest.is_number and extent.smallest < lowest:
                raise errors.OutOfDomain(f"{name} must be >= {lowest}, but is {extent.smallest}")


def _check_domain(quantity: Quantity, extent: Extent, value: Any) -> None:
    domain, smallest, largest = quantity.domain, extent.smallest, extent.largest
    low = smallest > domain.lower or (domain.lower_included and smallest == domain.lower)
    high = largest < domain.upper or (domain.upper_included and largest == domain.upper)
    if not (low and high and (extent.integral or not domain.integer)):
        entries = np.ravel(value)
        shown = smallest if not low else largest if not high else entries[entries != np.floor(entries)][0]
        raise errors.OutOfDomain(
            f"{quantity.name} ({quantity.meaning}) must be {quantity.domain}, but is {shown}"
        )
