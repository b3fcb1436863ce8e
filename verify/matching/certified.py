"""Constants of a problem as floats on the safe side: above the true value, or below it."""

from synthetic.errors import NotCertified
from synthetic.facts import Constant, certified_lower, certified_upper, single
from synthetic.problems.interface import Problem


def upper(problem: Problem, name: str) -> float:
    return float(single(certified_upper(name, _constant(problem, name))))


def lower(problem: Problem, name: str) -> float:
    return float(single(certified_lower(name, _constant(problem, name))))


def uppers(problem: Problem, name: str) -> list[float]:
    """A constant that has one entry per client."""
    column = certified_upper(name, _constant(problem, name))
    return [float(entry) for entry in (column if isinstance(column, tuple) else (column,))]


def _constant(problem: Problem, name: str) -> Constant:
    constant = problem.constants()[name]
    if constant is None:
        raise NotCertified(
            asked=name,
            failed="infinite on this problem",
            found=None,
            needed="a finite constant",
            change="choose another problem",
        )
    return constant
