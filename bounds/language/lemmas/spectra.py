"""Eigenvalues and inverses in whatever numbers the entries are made of: no type is named but float64.

float64 has its library. Extended precision and 50 digits start from what float64 finds, and turn pairs of
coordinates until nothing is left off the diagonal (Jacobi), which needs a few rounds from there.
"""

from typing import Any, Final

from bounds.language.lazy_numpy import np

ROUNDS: Final = 12
SINGULAR: Final = 2.0**-40  # of the largest entry: a smaller pivot may be a rounding


def eigenvalues(entries: Any) -> Any:
    """The eigenvalues of symmetric matrices, along the last axis; not a number where an entry is not one."""
    symmetric = (entries + np.swapaxes(entries, -1, -2)) / 2
    rounded = np.asarray(symmetric, dtype=np.float64)
    finite: Any = np.isfinite(rounded).all(axis=(-1, -2))
    if not np.any(finite):
        return np.diagonal(symmetric, axis1=-2, axis2=-1) * np.nan
    # A case that is not defined takes the place of one that is.
    symmetric, rounded = (np.where(finite[..., None, None], m, m[finite][0]) for m in (symmetric, rounded))
    if symmetric.dtype == np.float64:
        found = np.linalg.eigvalsh(symmetric)
    else:
        found = _turned(_with_basis(symmetric, np.linalg.eigh(rounded)[1]))
    with np.errstate(invalid="ignore"):
        return np.where(finite[..., None], found, found * np.nan)


def _with_basis(symmetric: Any, rounded: Any) -> Any:
    """The matrix in the basis that float64 found, made orthogonal: each step squares what is missing."""
    basis = rounded + 0 * symmetric
    three = 3 * np.eye(basis.shape[-1], dtype=int)
    for _ in range(3):
        basis = np.matmul(basis, three - np.matmul(np.swapaxes(basis, -1, -2), basis)) / 2
    return np.matmul(np.matmul(np.swapaxes(basis, -1, -2), symmetric), basis)


def _turned(a: Any) -> Any:
    d = a.shape[-1]
    one = a[..., :1, :1] * 0 + 1
    for _ in range(ROUNDS):
        diagonal = np.diagonal(a, axis1=-2, axis2=-1)
        whole = np.sqrt((a * a).sum(axis=-1).sum(axis=-1))
        off = np.abs(a - np.eye(d, dtype=int) * diagonal[..., None, :])
        if np.all(whole + off.max(axis=(-1, -2)) == whole):
            return diagonal
        for p in range(d - 1):
            for q in range(p + 1, d):
                _turn(a, p, q, one[..., 0])
    return np.diagonal(a, axis1=-2, axis2=-1)


def _turn(a: Any, p: int, q: int, one: Any) -> None:
    """Turn two coordinates so that the entry off the diagonal is zero."""
    half, off = (a[..., q, q] - a[..., p, p])[..., None] / 2, a[..., p, q][..., None]
    size = np.abs(half) + np.sqrt(half * half + off * off)
    tangent = np.where(half < 0, -off, off) / np.where(size > 0, size, one)
    cosine = 1 / np.sqrt(1 + tangent * tangent)
    sine = tangent * cosine
    for b in (a, np.swapaxes(a, -1, -2)):
        first, second = b[..., p, :].copy(), b[..., q, :].copy()
        b[..., p, :], b[..., q, :] = cosine * first - sine * second, sine * first + cosine * second


def inverted(entries: Any) -> Any:
    """Eliminate with the largest pivot of each column; not a number where a pivot is almost zero."""
    d = entries.shape[-1]
    whole = np.concatenate([entries, np.eye(d, dtype=int) + 0 * entries], axis=-1)
    largest = np.abs(entries).max(axis=-1).max(axis=-1)
    for j in range(d):
        best = j + np.argmax(np.abs(whole[..., j:, j]), axis=-1)
        place = np.broadcast_to(best[..., None, None], (*best.shape, 1, 2 * d))
        first = whole[..., j : j + 1, :].copy()
        row = np.take_along_axis(whole, place, axis=-2)
        np.put_along_axis(whole, place, first, axis=-2)
        pivot = row[..., 0, j]
        with np.errstate(invalid="ignore", over="ignore"):  # a case without an inverse
            pivot = np.where(np.abs(pivot) > SINGULAR * largest, pivot, pivot * np.nan)
            row = row / pivot[..., None, None]
        whole[..., j : j + 1, :] = row
        others = whole[..., :, j : j + 1] * (np.arange(d) != j)[:, None]
        whole = whole - others * row
    return whole[..., d:]
