"""Lemmas that proofs share. Each writes claims with their reasons, which the checker reads as any other."""

from collections.abc import Sequence
from itertools import combinations

from bounds.language.proof.expression import Scalar, Vector, atom, inner, over, square
from bounds.language.proof.form import MachineForm, Point, a_square, because, cauchy_schwarz, fact


def bound_square_of_sum(
    proof: MachineForm, name: str, index: str, count: Scalar, squares: Scalar, moved: Vector, part: Vector
) -> tuple[str, str]:
    """count * squares - ||moved||^2 >= 0, where a step adds ||part||^2 to squares and part to moved.

    The names of the claim at every member and at the last one, as by `induct`.
    """
    v = proof.arbitrary(f"v.{name}")

    def spread(v: Vector) -> Scalar:
        return count * square(v) - 2 * inner(v, moved) + squares

    around, _ = proof.induct(f"spread of {name}", index, spread(v), a_square(v - part))
    about = proof.instance(f"spread of {name} about its part", spread(part), around, spread(v), v, part)
    return proof.induct(f"Jensen of {name}", index, count * squares - square(moved), because(about))


def bound_norm_of_sum(
    proof: MachineForm, name: str, norm: Scalar, parts: Sequence[tuple[Vector, Scalar]]
) -> str:
    """The triangle inequality: the lengths of the parts add up to at least the norm of their sum."""
    total = sum((length for _, length in parts), Scalar("0"))
    squares = proof.claim(
        f"{name}, squared",
        total**2 - norm**2,
        *(because(cauchy_schwarz(u, a, v, b), times=2) for (u, a), (v, b) in combinations(parts, 2)),
    )
    return proof.larger_square(name, total, norm, squares)


def bound_norm_of_mean(
    proof: MachineForm, name: str, norm: Scalar, mean: Vector, part: Vector, length: Scalar, operator: str
) -> str:
    """Jensen: the mean of the lengths of the parts is at least the norm of their mean."""
    along = because(cauchy_schwarz(part, length, mean, norm), over=[operator])
    lengths = over(operator, length)
    projected = proof.claim(f"{name}, projected", norm * lengths - norm**2, along)
    squares = proof.claim(
        f"{name}, squared", lengths**2 - norm**2, because(projected, times=2), a_square(lengths - norm)
    )
    return proof.larger_square(name, lengths, norm, squares)


def bound_mean_by_root(
    proof: MachineForm, name: str, root: Scalar, value: Scalar, operator: str, *bounded: str
) -> str:
    """Jensen: the root of a bound of the mean square is at least the mean. `bounded` are the claims on it."""
    mean = over(operator, value)
    deviation = a_square(value - mean, over=[operator])
    squares = proof.claim(
        f"{name}, squared", root**2 - mean**2, *(because(claim) for claim in bounded), deviation
    )
    return proof.larger_square(name, root, mean, squares)


def bound_norm_of_turn(
    proof: MachineForm, name: str, constant: Scalar, ends: tuple[Scalar, Scalar], at: tuple[Point, Point]
) -> str:
    """L ||x - y|| is at least ||grad f(x) - grad f(y)||; `ends` are the norm of the move and of the turn."""
    (move, turn), (here, there) = ends, at
    squares = proof.claim(
        f"{name}, squared",
        constant**2 * move**2 - turn**2,
        because(fact("lipschitz_gradient", here, there)),
    )
    return proof.larger_square(name, constant * move, turn, squares)


def bound_by_product(
    proof: MachineForm, name: str, value: Scalar, factor: Scalar, weak: str, product: str
) -> str:
    """A value is at least 0 if value + factor, factor and factor * value are, also where factor is 0."""
    total = value + factor
    squares = proof.claim(
        f"{name}, squared", total**2 - factor**2, a_square(value), because(product, times=2)
    )
    return proof.larger_square(name, total, factor, squares, weak)


def equate_squares(
    proof: MachineForm,
    name: str,
    index: str,
    first: Vector,
    second: Vector,
    ends: tuple[Vector, Vector] | None = None,
    backward: bool = False,
) -> str:
    """||first||^2 - ||second||^2 = 0 at every member: both begin alike, and a step changes them alike.

    With `ends`, the last members of both, it is claimed of these. Backward: both end alike.
    """
    every, last = _compare(proof, name, index, first, second, backward=backward)
    v, (one, other) = atom(f"v.{name}"), ends or (first, second)
    along, squares = inner(v, one - other), square(one) - square(other)
    return proof.instance(name, squares, last if ends else every, along, v, one + other, relation="= 0")


def equate_vectors(
    proof: MachineForm,
    name: str,
    index: str,
    first: Vector,
    second: Vector,
    ends: tuple[Vector, Vector] | None = None,
) -> str:
    """||first - second||^2 = 0 at every member, or at the `ends`, by the same reason."""
    every, last = _compare(proof, name, index, first, second)
    v, (one, other) = atom(f"v.{name}"), ends or (first, second)
    along, known = inner(v, one - other), last if ends else every
    return proof.instance(name, square(one - other), known, along, v, one - other, relation="= 0")


def _compare(
    proof: MachineForm, name: str, index: str, first: Vector, second: Vector, *, backward: bool = False
) -> tuple[str, str]:
    """<v, first - second> = 0 for any v, at every member and at the last."""
    along = inner(proof.arbitrary(f"v.{name}"), first - second)
    return proof.induct(f"{name}, along any vector", index, along, relation="= 0", backward=backward)
