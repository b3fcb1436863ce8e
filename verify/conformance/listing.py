"""The listings of averaging algorithms as data: their lines, their settings, and what each line computes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, final

import numpy as np

from synthetic.engine.randomness import Floats

Law = Literal["independent", "fixed size", "full"]


class Part(StrEnum):
    """The parts that a line of a listing can play."""

    SAMPLING = "who takes part"
    LOCAL_START = "where local steps start"
    LOCAL_COUNT = "number of local steps"
    LOCAL_STEP = "local step"
    UPDATE = "a client's update"
    BOUNDING = "bounded update"
    NOISE = "noise"
    AVERAGE = "average"
    SERVER_STEP = "server step"
    OUTPUT = "output"
    BATCH = "batch"
    BATCH_DIVISOR = "divisor of the batch"
    BUDGET = "budgets"
    PRIVACY_COST = "consumption of privacy"
    COMMUNICATION_COST = "consumption of communication"
    ESTIMATE = "estimates of the clients"
    DIVERGENCE = "estimate of the divergence"
    SEARCH = "search of the number of local steps"
    INITIAL_MEMORY = "initial memories"
    CORRECTION = "a client's correction"
    MEMORY = "memory of a client"
    WEIGHT = "weight of a message"
    SERVER_MEMORY = "memory of the server"
    SERVER_DIVISOR = "factor of the server's sum"
    ROUND = "a round"
    LATER_ROUNDS = "later rounds"
    LENGTHS = "length of gradients"
    CURVATURES = "curvature beside the step"
    CLIENTS = "number of clients"
    DIMENSION = "number of coordinates"
    DRAWS = "what is drawn"
    SETTINGS = "several settings"
    DIGITS = "digits of the numbers"
    SETTING = "effect of a setting"

    @property
    def noun(self) -> str:
        """Its name after an article."""
        own = {Part.SAMPLING: "participation", Part.LOCAL_START: "local start"}
        return own.get(self, self.value.removeprefix("a "))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One choice of the settings, in the letters of the dp_fedavg listing, with n clients and dimension d."""

    eta: float
    E: int
    beta: float
    C: float
    sigma: float
    r: int
    n: int
    d: int

    @property
    def values(self) -> Mapping[str, float]:
        return {name: getattr(self, name) for name in self.__slots__}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    part: Part
    locator: str
    text: str


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listing:
    """bounding: the name of a function in `bounding.FUNCTIONS`. update: length of a unit of movement.

    deviation: standard deviation per coordinate of the noise in the server's average; None without noise.
    gaussian: False if the listing names mean and variance of the noise alone.
    unseen: parts that no state can show, so that right code is silent about them.
    statements: algorithm and paper of the statements, if the algorithm has statements on other listings.
    """

    algorithm: str
    lines: tuple[Line, ...]
    law: Law
    bounding: str
    settings: Callable[[Point], dict[str, Any]]
    update: Callable[[Point], float]
    server: Callable[[Point], float]
    deviation: Callable[[Point], float] | None = None
    gaussian: bool = True
    optional: tuple[str, ...] = ()
    several_steps: bool = True
    unseen: tuple[Part, ...] = (Part.OUTPUT,)
    statements: tuple[str, str] | None = None

    def line(self, part: Part) -> Line | None:
        return next((line for line in self.lines if line.part is part), None)

    @property
    def noise_in_steps(self) -> bool:
        """Whether each local step has noise, so that their number enters its size."""
        if self.deviation is None:
            return False
        one, two = (self.deviation(self.point(E=E, sigma=1.0)) for E in (1, 2))
        return one != two

    def point(self, **changes: Any) -> Point:
        """A point with generic values, so that two different formulas have two different values."""
        values = {"eta": 0.13, "E": 3, "beta": 0.8, "C": 2.9, "sigma": 0.0, "r": 1, "n": 1, "d": 5}
        fixed = {} if self.several_steps else {"E": 1}
        return Point(**(values | changes | fixed))


def scaled(u: Floats, factor: float) -> Floats:
    return u if factor >= 1 else factor * u


def length(u: Floats) -> float:
    return float(np.linalg.norm(u))
