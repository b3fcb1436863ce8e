"""What the rounds use of a client's local pass, whatever functions its steps go along."""

from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import Scalar, Vector
from bounds.language.proof.form import Point


@final
@dataclass(frozen=True, slots=True)
class Pass:
    """The iterates before and after the server's step, the ends of the step, and the client at both of them.

    `gradient` is that of the client at the start, and `mean` the mean over the clients.
    """

    here: Point
    there: Point
    start: Point
    after: Point
    gradient: Vector
    mean: Vector
    value: Scalar
    value_after: Scalar
    lowest: Scalar
