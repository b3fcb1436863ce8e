"""A cell: one statement on one problem at one parameter point, fixed before anything is run.

A cell is plain data. It travels through JSON (fractions as "p/q") and is enough to repeat the run.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

from synthetic.outside.problems import is_adopted
from synthetic.problem import Problem
from synthetic.problems import build
from synthetic.problems.from_data.problem import data_problem, is_data

Scalar = int | float | Fraction | str

NAMED = "named reading"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """`parameters` are the statement's quantities; `engine` is what a run needs beyond them."""

    statement: str
    variant: str
    algorithm: str
    role: str
    problem: str
    problem_arguments: Mapping[str, Any]
    parameters: Mapping[str, Scalar]
    engine: Mapping[str, Any]
    reading: str = NAMED

    @property
    def digest(self) -> str:
        """The name of the cell, and of its random stream if its algorithm is ours: see `shared_runs`."""
        text = json.dumps(plain(asdict(self)), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def document(self) -> dict[str, Any]:
        """As JSON, with the keys that records and witnesses have; `records.record.cell_of` reads it."""
        return {
            "id": self.statement,
            "variant": self.variant,
            "role": self.role,
            "reading": self.reading,
            "problem": self.problem,
            "problem_arguments": plain(self.problem_arguments),
            "algorithm": self.algorithm,
            "parameters": plain(self.parameters),
            "engine": plain(self.engine),
        }

    def build_problem(self) -> Problem:
        """Names are looked up among the engine's own families and data sets, never imported."""
        return build_problem(self.problem, self.problem_arguments)


def build_problem(name: str, arguments: Mapping[str, Any]) -> Problem:
    """The problem of this name; a path is that of a file of data."""
    return build(name) if is_adopted(name) else _built(name, json.dumps(plain(arguments)))


# Problems are read-only and remember their constants; one cell is asked for its problem again and again.
@lru_cache(maxsize=32)
def _built(name: str, arguments: str) -> Problem:
    given = revived(json.loads(arguments))
    return data_problem(name, given) if is_data(name) else build(name, **given)


def plain(value: Any) -> Any:
    """JSON values; fractions become "p/q"."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value


def revived(value: Any) -> Any:
    """The inverse of `plain` on numbers: only digits around one slash become a fraction."""
    if isinstance(value, str):
        above, slash, below = value.partition("/")
        if slash and above.lstrip("-").isdigit() and below.isdigit() and int(below):
            return Fraction(int(above), int(below))
        return value
    if isinstance(value, Mapping):
        return {k: revived(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [revived(v) for v in value]
    return value
