"""What an author's observables may know of a problem's minimizer, which no round is told."""

from functools import cached_property
from typing import Any, NoReturn, final

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.engine.disturbance import moved
from synthetic.errors import Refusal, UnknownOptimum, WrongProblem
from synthetic.problem import Problem


@final
class Optimum:
    """The minimizer of f, the minimum, and the gradients of the clients at the minimizer.

    Each as the problem certifies or states it, else refused; in the library of the algorithm.
    """

    def __init__(self, problem: Problem, library: str) -> None:
        self._problem, self._library = problem, library

    @cached_property
    def minimizer(self) -> Any:
        return self._convert(self._point)

    @cached_property
    def minimum(self) -> float:
        try:
            return float(self._problem.minimum())
        except Refusal as refusal:
            _refuse("minimum", refusal)

    @cached_property
    def gradients(self) -> Any:
        return self._convert(self._problem.client_gradients(self._point[None])[:, 0])

    @cached_property
    def _point(self) -> Array:
        try:
            point = np.array(self._problem.minimiser(), dtype=np.float64)
        except Refusal as refusal:
            _refuse("minimizer", refusal)
        # what the roundings of its coordinates change is measured with those of the run
        return moved(point, len(point), lambda: abs(point))

    def _convert(self, numbers: Array) -> Any:
        """A tensor for an algorithm in torch; else an array that nobody can write to."""
        if self._library == "torch":
            import torch

            return torch.as_tensor(numbers.copy())
        shown = numbers.copy()
        shown.flags.writeable = False
        return shown


def refuse_in_a_round(name: str) -> NoReturn:
    raise WrongProblem(
        asked=f"clients.{name}",
        failed="a round is not told where the minimum is",
        found="a call outside of `observables`",
        needed="an observable",
        change="measure it in observables={...}, or give the round a setting",
    )


def _refuse(name: str, refusal: Refusal) -> NoReturn:
    raise UnknownOptimum(
        asked=f"the {name} of f, which an observable asks for",
        failed=f"the problem does not know it ({refusal.failed})",
        found=refusal.found,
        needed=refusal.needed,
        change="take a problem that states or certifies it",
    ) from refusal
