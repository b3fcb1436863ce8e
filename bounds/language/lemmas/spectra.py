"""Eigenvalues, singular values, inverses and determinants in whatever numbers the entries are made of.

No type is named but float64, which has its library. Extended precision and 50 digits start from what float64
finds, and turn pairs of coordinates until nothing is left off the diagonal (Jacobi), in a few rounds.
"""

from collections.abc import Callable
from typing import Any, Final

from bounds.language.lazy_numpy import np

ROUNDS: Final = 12
SINGULAR: Final = 2.0**-40  # of the largest entry: a smaller pivot may be a rounding


def eigenvalues(entries: Any) -> Any:
    """The eigenvalues of symmetric matrices, along the last axis; not a number where an entry is not one."""
    return _where_finite((entries + np.swapaxes(entries, -1, -2)) / 2, _find_eigenvalues)


def singular_values(entries: Any) -> Any:
    """Along the last axis, the largest first; not a number where an entry is not one."""
    wide = entries.shape[-2] < entries.shape[-1]
    return _where_finite(np.swapaxes(entries, -1, -2) if wide else entries, _find_singular_values)


def descending(values: Any) -> Any:
    return np.sort(values, axis=-1)[..., ::-1]


def _where_finite(entries: Any, found_of: Callable[[Any, Any], Any]) -> Any:
    """`found_of` takes the matrices, and the same in float64."""
    rounded = np.asarray(entries, dtype=np.float64)
    finite: Any = np.isfinite(rounded).all(axis=(-1, -2))
    if not np.any(finite):
        return entries[..., 0, :] * np.nan
    # A case that is not defined takes the place of one that is.
    filled, rounded = (np.where(finite[..., None, None], m, m[finite][0]) for m in (entries, rounded))
    found = found_of(filled, rounded)
    with np.errstate(invalid="ignore"):
        return np.where(finite[..., None], found, found * np.nan)


def _find_eigenvalues(symmetric: Any, rounded: Any) -> Any:
    if symmetric.dtype == np.float64:
        return np.linalg.eigvalsh(symmetric)
    basis = _orthogonalize(np.linalg.eigh(rounded)[1], symmetric)
    return _turned(np.matmul(np.matmul(np.swapaxes(basis, -1, -2), symmetric), basis))


def _find_singular_values(high: Any, rounded: Any) -> Any:
    if high.dtype == np.float64:
        return np.linalg.svd(high, compute_uv=False)
    basis = _orthogonalize(np.swapaxes(np.linalg.svd(rounded, full_matrices=False)[2], -1, -2), high)
    columns = _set_apart(np.matmul(high, basis))
    return descending(np.sqrt((columns * columns).sum(axis=-2)))


def _orthogonalize(rounded: Any, entries: Any) -> Any:
    """The basis that float64 found, in the numbers of the entries: each step squares what is missing."""
    basis = rounded + 0 * entries[..., :1, :1]
    three = 3 * np.eye(basis.shape[-1], dtype=int)
    for _ in range(3):
        basis = np.matmul(basis, three - np.matmul(np.swapaxes(basis, -1, -2), basis)) / 2
    return basis


def _set_apart(a: Any) -> Any:
    """Turn pairs of columns until all are orthogonal: nothing is squared that is not also a length."""
    one = a[..., :1, 0] * 0 + 1
    for _ in range(ROUNDS):
        most = 0 * one
        for p in range(a.shape[-1] - 1):
            for q in range(p + 1, a.shape[-1]):
                most = np.maximum(most, _set_pair_apart(a, p, q, one))
        if np.all(one + most == one):
            break
    return a


def _set_pair_apart(a: Any, p: int, q: int, one: Any) -> Any:
    """Return the cosine of the angle that they had."""
    first, second = a[..., :, p].copy(), a[..., :, q].copy()
    lengths = [(u * u).sum(axis=-1)[..., None] for u in (first, second)]
    off = (first * second).sum(axis=-1)[..., None]
    cosine, sine = _turn_of((lengths[1] - lengths[0]) / 2, off, one)
    a[..., :, p], a[..., :, q] = cosine * first - sine * second, sine * first + cosine * second
    product = np.sqrt(lengths[0] * lengths[1])
    return np.abs(off) / np.where(product > 0, product, one)


def _turned(a: Any) -> Any:
    d = a.shape[-1]
    one = a[..., :1, :1] * 0 + 1
    for _ in range(ROUNDS):
        diagonal = np.diagonal(a, axis1=-2, axis2=-1)
        norm = np.sqrt((a * a).sum(axis=-1).sum(axis=-1))
        off = np.abs(a - np.eye(d, dtype=int) * diagonal[..., None, :])
        if np.all(norm + off.max(axis=(-1, -2)) == norm):
            return diagonal
        for p in range(d - 1):
            for q in range(p + 1, d):
                _turn(a, p, q, one[..., 0])
    return np.diagonal(a, axis1=-2, axis2=-1)


def _turn(a: Any, p: int, q: int, one: Any) -> None:
    """Turn two coordinates so that the entry off the diagonal is zero."""
    cosine, sine = _turn_of((a[..., q, q] - a[..., p, p])[..., None] / 2, a[..., p, q][..., None], one)
    for b in (a, np.swapaxes(a, -1, -2)):
        first, second = b[..., p, :].copy(), b[..., q, :].copy()
        b[..., p, :], b[..., q, :] = cosine * first - sine * second, sine * first + cosine * second


def _turn_of(half: Any, off: Any, one: Any) -> tuple[Any, Any]:
    """Cosine and sine of the turn that makes ((-half, off), (off, half)) diagonal."""
    size = np.abs(half) + np.sqrt(half * half + off * off)
    tangent = np.where(half < 0, -off, off) / np.where(size > 0, size, one)
    cosine = 1 / np.sqrt(1 + tangent * tangent)
    return cosine, tangent * cosine


def inverted(entries: Any) -> Any:
    """Eliminate with the largest pivot of each column; not a number where a pivot is almost zero."""
    d = entries.shape[-1]
    augmented = np.concatenate([entries, np.eye(d, dtype=int) + 0 * entries], axis=-1)
    largest = np.abs(entries).max(axis=-1).max(axis=-1)
    for j in range(d):
        best = j + np.argmax(np.abs(augmented[..., j:, j]), axis=-1)
        place = np.broadcast_to(best[..., None, None], (*best.shape, 1, 2 * d))
        first = augmented[..., j : j + 1, :].copy()
        row = np.take_along_axis(augmented, place, axis=-2)
        np.put_along_axis(augmented, place, first, axis=-2)
        pivot = row[..., 0, j]
        with np.errstate(invalid="ignore", over="ignore"):  # a case without an inverse
            pivot = np.where(np.abs(pivot) > SINGULAR * largest, pivot, pivot * np.nan)
            row = row / pivot[..., None, None]
        augmented[..., j : j + 1, :] = row
        others = augmented[..., :, j : j + 1] * (np.arange(d) != j)[:, None]
        augmented = augmented - others * row
    return augmented[..., d:]


def determinant(entries: Any) -> Any:
    """The product of the pivots, each the largest of its column."""
    d, reduced = entries.shape[-1], entries + 0 * entries
    product = reduced[..., 0, 0] * 0 + 1
    for j in range(d):
        best = j + np.argmax(np.abs(reduced[..., j:, j]), axis=-1)
        place = np.broadcast_to(best[..., None, None], (*best.shape, 1, d))
        first, row = reduced[..., j : j + 1, :].copy(), np.take_along_axis(reduced, place, axis=-2)
        np.put_along_axis(reduced, place, first, axis=-2)
        reduced[..., j : j + 1, :] = row
        pivot = row[..., 0, j]
        product = product * pivot * np.where(best == j, 1, -1)
        share = reduced[..., :, j] / np.where(pivot == 0, pivot + 1, pivot)[..., None]
        reduced = reduced - np.where(np.arange(d) > j, share, 0 * share)[..., None] * row
    return product
