"""A data set as a table: one row of numbers per sample, and a label or a number to predict from it."""

from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.engine.arithmetic import Array, as_numbers
from synthetic.errors import BadShape, BadValue


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """features (m, d). targets (m,): numbers, or 0..k-1 where `classes` names the k labels in their order.

    owners (m,): the number of the client that has the row, where the data say it.
    """

    name: str
    features: Array
    targets: Array
    classes: tuple[str, ...] | None
    owners: Array | None = None

    @property
    def samples(self) -> int:
        return int(self.features.shape[0])


def table(
    name: str,
    features: object,
    targets: object,
    classes: tuple[str, ...] | None = None,
    *,
    owners: object = None,
) -> Table:
    rows = as_numbers(features, exact=False)
    answers = as_numbers(targets, exact=False)
    if rows.ndim != 2 or 0 in rows.shape or answers.shape != rows.shape[:1]:
        raise BadShape(
            asked=f"data set {name}",
            failed="shapes disagree",
            found=f"features {rows.shape}, targets {answers.shape}",
            needed="(m, d) and (m,) with m, d >= 1",
            change="give one row of features and one target per sample",
        )
    if classes is not None and not np.isin(answers, np.arange(len(classes))).all():
        raise BadValue(
            asked=f"targets of {name}",
            failed="a label has no name",
            found=sorted(set(answers.tolist())),
            needed=f"0..{len(classes) - 1}",
            change="name every class",
        )
    whose = None if owners is None else np.asarray(owners)
    return Table(name=name, features=rows, targets=answers, classes=classes, owners=whose)


def prepared(data: Table, *, standardise: bool = True, intercept: bool = True) -> Table:
    """Standardised: every column has mean 0 and variance 1 over all samples, and so have numbers to predict.

    Columns that hold one value only are then dropped, since they cannot be scaled. An intercept is a last
    column of ones.
    """
    columns, targets = [data.features], data.targets
    if standardise:
        columns = [_scaled(data.features[:, _varies(data.features)])]
        if data.classes is None and _varies(targets):
            targets = _scaled(targets)
    if intercept:
        columns.append(np.ones((data.samples, 1)))
    features = np.concatenate(columns, axis=1)
    if not features.shape[1]:
        raise BadValue(
            asked=f"features of {data.name}",
            failed="every column holds one value only",
            found=f"{data.features.shape[1]} columns",
            needed="a column that varies, or an intercept",
            change="give other features",
        )
    return table(data.name, features, targets, data.classes, owners=data.owners)


def constant_columns(data: Table) -> tuple[int, ...]:
    """The columns of the features that hold one value only, the first one being 1."""
    return tuple(int(column) + 1 for column in np.flatnonzero(~_varies(data.features)))


def _varies(columns: Array) -> Array:
    return np.asarray((columns != columns[0]).any(axis=0))


def _scaled(columns: Array) -> Array:
    # the largest entry first: squares of huge numbers would overflow, of tiny ones vanish
    columns = columns / np.abs(columns).max(axis=0, initial=np.finfo(float).tiny)
    offsets = columns - columns.mean(axis=0)
    return offsets / offsets.std(axis=0)
