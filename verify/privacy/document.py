"""A guarantee of privacy as JSON: what every answer about privacy states."""

from typing import Literal, TypedDict

Relation = Literal["add-or-remove", "replace-one"]
Unit = Literal["client", "record"]
Accountant = Literal["pld", "rdp", "exact"]


class Sampling(TypedDict):
    kind: Literal["full", "independent", "fixed_size"]
    rate: float
    text: str


class Guarantee(TypedDict):
    epsilon: float
    delta: float
    relation: Relation
    unit: Unit
    sampling_assumed: Sampling
    sampling_implemented: Sampling | None
    accountant: Accountant
    rounding: str
    sigma: float
    sigma_over_sensitivity: float
    rounds: int
