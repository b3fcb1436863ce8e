"""How large the summands are of which a number or a vector is made: what cancels may leave a rounding."""

from typing import Any, Final

from sympy import Add, expand

from bounds.language.lazy_numpy import np
from bounds.language.lemmas.expressions import Scalar, World
from bounds.language.lemmas.linear import Combination
from bounds.language.lemmas.matrices import Image, Matrix, MatrixSum
from bounds.language.lemmas.of_vectors import Inner, Norm, length
from bounds.language.lemmas.values import formula_at

NEAR: Final = 2.0**-40  # of the summands: a result that is so small may be a rounding of zero


def is_sure(value: Any, size: Any) -> Any:
    """Whether no rounding decides the sign of a value; `size` adds up the magnitudes of its summands."""
    return (value == 0) & (size == 0) | (np.abs(value) > NEAR * size)


def magnitude_of(world: World, node: Any) -> Any:
    """The sizes of the summands, added up, of a number, or of each coordinate of a vector."""
    if isinstance(node, Scalar):
        return _add_up_number(world, node)
    if isinstance(node, Inner):
        return (magnitude_of(world, node.u) * magnitude_of(world, node.v)).sum(axis=-1)
    if isinstance(node, Norm):
        return length(magnitude_of(world, node.u), node.order)
    if isinstance(node, Combination):
        return sum(np.abs(world.number(c))[..., None] * magnitude_of(world, part) for c, part in node.parts)
    if isinstance(node, Image):
        entries = _add_up_matrix(world, node.matrix)
        return (entries * magnitude_of(world, node.at)[..., None, :]).sum(axis=-1)
    if hasattr(node, "reduce"):
        return node.reduce(world, magnitude_of(world, node.body))
    return np.abs(world.compute(node))


def _add_up_matrix(world: World, matrix: Matrix) -> Any:
    if not isinstance(matrix, MatrixSum):
        return np.abs(world.compute(matrix))
    return sum(
        np.abs(world.number(c))[..., None, None] * _add_up_matrix(world, part) for c, part in matrix.parts
    )


def _add_up_number(world: World, number: Scalar) -> Any:
    known = {symbol: magnitude_of(world, atom) for symbol, atom in number.atoms.items()}
    others = number.formula.free_symbols - known.keys()
    known |= {symbol: world.given(symbol.name) for symbol in others}
    parts = (formula_at(part, known, world.one) for part in Add.make_args(expand(number.formula)))
    return sum(np.abs(part) for part in parts)
