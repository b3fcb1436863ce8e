"""A statement on actual vectors, functions and sequences, instead of on the numbers that describe them.

Arrays may have leading axes: each entry there is a case of its own, so that a search tries many at once.
Functions take an array of points, whose last axis is the vector, and answer in the same shape.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from bounds import errors
from bounds.language.statement import Statement

if TYPE_CHECKING:
    from bounds.evaluation.evaluate import Evaluation


@final
class OnObjects:
    """Both sides of a statement at the given objects."""

    def __init__(self, statement: Statement, numbers: Mapping[str, Any]) -> None:
        self.statement = statement
        self.numbers = dict(numbers)

    @cached_property
    def evaluation(self) -> "Evaluation":
        """The right-hand side, with the conditions: as far as the objects decide them."""
        # Here and below: who only lists statements does not wait for what evaluates them.
        from bounds.evaluation.resolve import names_taken

        # One set of objects serves all parts of a lemma: each takes the numbers that it speaks of.
        taken = names_taken(self.statement)
        return self.statement.evaluate(**{n: v for n, v in self.numbers.items() if n in taken})

    @cached_property
    def left(self) -> Any:
        from bounds.arithmetic.arrays import run_arrays
        from bounds.arithmetic.program import compile_expressions
        from bounds.evaluation.resolve import substitution

        assert self.statement.left is not None  # a statement with a right-hand side has a left one
        program = compile_expressions([self.statement.left], substitution(self.statement))
        return run_arrays(program, {n: self.numbers[n] for n in program.inputs})[0][()]

    @property
    def right(self) -> Any:
        return self.evaluation.value

    @property
    def excess(self) -> Any:
        """Left minus right: at most zero where a bound holds, zero where an equality does."""
        return self.left - self.right


def on_objects(statement: Statement, objects: Mapping[str, Any]) -> OnObjects:
    label = statement.id or statement.locator
    if statement.concrete is None:
        raise errors.NotEvaluable(f"{label} speaks of no vectors, functions or sequences to give")
    known = statement.concrete.objects
    for name in objects:
        if name not in known:
            raise errors.UnknownName(f"{label} knows no object {name}: {errors.nearest(name, known)}")
    missing = [f"{name} ({known[name]})" for name in known if name not in objects]
    if missing:
        raise errors.MissingQuantity(f"{label} needs {', '.join(missing)}")
    return OnObjects(statement, statement.concrete.numbers(**objects))
