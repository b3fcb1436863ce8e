"""An evaluation as a table or a labelled array: inputs, value, terms and margins with units and meanings."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.errors import Misuse
from bounds.language.dimension import ONE

if TYPE_CHECKING:
    from bounds.evaluation.evaluate import Evaluation


class MissingTables(Misuse):
    """The libraries of the extra `tables` are not installed."""


def import_tables(name: str) -> Any:
    """A library of the extra `tables`."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingTables(
            f"this needs {name}, of the extra `tables`: pip install 'fedbounds[tables]'"
        ) from error


def make_frame(evaluation: "Evaluation") -> Any:
    """A pandas frame with one row for each point; the columns are those of `eval --grid`."""
    pandas = import_tables("pandas")
    columns = {**evaluation.inputs, **dict(_results(evaluation))}
    shape = evaluation.shape or (1,)
    return pandas.DataFrame({name: np.broadcast_to(v, shape).ravel() for name, v in columns.items()})


def make_array(evaluation: "Evaluation") -> Any:
    """An xarray data set; an input that alone varies along an axis is that axis."""
    xarray = import_tables("xarray")
    axes = [_name_axis(evaluation, k) for k in range(len(evaluation.shape))]
    known = evaluation.statement.notation.quantities
    coordinates: dict[str, tuple[Any, Any, dict[str, str]]] = {}
    for name, values in evaluation.inputs.items():
        quantity = known[name]
        attributes = {"meaning": quantity.meaning, "units": _unit(quantity.dimension)}
        if axes.count(name) == 1:
            coordinates[name] = (name, np.ravel(values), attributes)
        else:
            own = np.broadcast_to(values, evaluation.shape) if np.ndim(values) else np.asarray(values)
            coordinates[name] = (axes if own.ndim else [], own, attributes)
    data = {name: (axes, np.broadcast_to(v, evaluation.shape)) for name, v in _results(evaluation)}
    return xarray.Dataset(data, coordinates, {"statement": evaluation.statement.id})


def _name_axis(evaluation: "Evaluation", axis: int) -> str:
    """The only input that varies along this axis, if it varies along no other; else `point` and a number."""
    rank = len(evaluation.shape)
    shapes = {n: (1,) * (rank - np.ndim(v)) + np.shape(v) for n, v in evaluation.inputs.items()}
    varying = [name for name, shape in shapes.items() if shape[axis] > 1]
    alone = len(varying) == 1 and sum(size > 1 for size in shapes[varying[0]]) == 1
    return varying[0] if alone else f"point_{axis}"


def _results(evaluation: "Evaluation") -> Iterator[tuple[str, Any]]:
    yield "value", np.nan if evaluation.value is None else evaluation.value
    yield "applicable", evaluation.applicable
    for name, values in evaluation.terms.items():
        yield f"term:{name}", np.nan if values is None else values
    for checked in (*evaluation.conditions, *evaluation.left_domains):
        yield f"margin:{checked.condition.id}", np.nan if checked.margin is None else checked.margin


def _unit(dimension: Any) -> str:
    return "1" if dimension == ONE else str(dimension)
