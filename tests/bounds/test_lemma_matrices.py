"""Matrices, sequences and nearest points of lemmas: values by hand, in three arithmetics, and refusals."""

from collections.abc import Callable

import numpy as np
import pytest
from mpmath import mp

from bounds.errors import MalformedStatement
from bounds.language.lemmas.spectra import eigenvalues, inverted
from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import (
    NATURAL,
    ONE,
    POSITIVE_INTEGER,
    another,
    at,
    convex_set,
    equals,
    expected,
    frobenius,
    function,
    identity,
    index,
    inner,
    inverse,
    largest,
    largest_eigenvalue,
    lemma,
    matrix,
    mean,
    mixed,
    mixing_matrix,
    nearest_minimizer,
    norm,
    number,
    outer,
    project,
    prox,
    random_subset,
    random_vector,
    sequence,
    smallest,
    smallest_eigenvalue,
    top,
    total,
    trace,
    vector,
)
from verify.objects.fifty_digits import in_digits

A, B = matrix("A"), matrix("B")
S = matrix("S", symmetric=True)
x, y = vector("x"), vector("y")
i = index("i")
K = number("K", NATURAL, ONE)
f, g = function("f", convex=True), function("g", bounded_below=True)
C = convex_set("C")
a = sequence("a", last=K)
W = random_subset("W", i, 2)
z, v = number("z", over=i), vector("v", over=i)
M, N = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 1.0], [5.0, 6.0]])
T = np.array([[2.0, 1.0], [1.0, 2.0]])  # eigenvalues 1 and 3
P, Q = np.array([1.0, 2.0]), np.array([3.0, -1.0])
PAIRS = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
FALLING = np.array([4.0, 2.0, 1.0])


def stated(claim: object) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    return lemma(paper, "it", claim)


MEASURED = [
    (trace(A @ B), {"A": M, "B": N}, 10 + 27),  # of ((10, 13), (20, 27))
    (inner(y, (A + 2 * B) @ x), {"A": M, "B": N, "x": P, "y": Q}, 3 * 9 - (13 + 32)),
    (inner(y, A.T @ x), {"A": M, "x": P, "y": Q}, 3 * 7 - 10),
    (trace(A**2), {"A": M}, 7 + 22),
    (trace(A**0), {"A": M}, 2),
    (trace(A**K), {"A": M, "K": 3}, 37 + 118),
    (trace(identity(x) - A), {"A": M, "x": P}, -3),
    (trace(outer(x, y) @ A), {"A": M, "x": P, "y": Q}, 3 * 5 - 11),
    (trace(inverse(A)), {"A": M}, -2.5),
    (frobenius(A - A.T), {"A": M}, np.sqrt(2)),
    (norm(S), {"S": T}, 3),
    (norm(A), {"A": np.array([[0.0, 2.0], [0.0, 0.0]])}, 2),
    (largest_eigenvalue(S), {"S": T}, 3),
    (smallest_eigenvalue(-2 * S), {"S": T}, -6),
    (smallest_eigenvalue(A + A.T), {"A": M}, 5 - np.sqrt(34)),
    (norm(top(x, 1), "1"), {"x": P}, 2),
    (largest(a) - smallest(a), {"a": FALLING, "K": 2}, 3),
    (expected(total(W * z, i)), {"W": PAIRS, "weights_of_outcomes_of_W": np.ones(3), "z": FALLING}, 14 / 3),
    (trace(mean(outer(v, v))), {"v": np.array([[1.0, 2.0], [3.0, 0.0]])}, 7),
    (largest_eigenvalue(total(outer(v, v))), {"v": np.array([[3.0, 0.0], [0.0, 2.0]])}, 9),
    (norm(prox(f, x, 2) - x), {"prox_of_f": lambda at, step: at + step, "x": P}, np.sqrt(8)),
    (norm(nearest_minimizer(g, x)), {"nearest_minimizer_of_g": lambda at: 3 * at, "x": P}, np.sqrt(45)),
    (norm(project(x, C)), {"C": lambda at: np.minimum(at, 1.0), "x": P}, np.sqrt(2)),
]


@pytest.mark.parametrize(("number", "objects", "value"), MEASURED)
def test_what_is_measured_is_what_is_computed_by_hand(number: object, objects: dict, value: float) -> None:
    assert stated(equals(number, 0)).on(**objects).left == pytest.approx(value, rel=1e-14)


SYMMETRIC = [
    A + A.T,
    A @ A.T,
    A.T @ S @ A,
    S**3,
    inverse(S),
    S @ S,
    identity(A),
    outer(x, x),
    S - A @ S @ A.T,
]
NOT_SYMMETRIC = [A, A @ A, A - A.T, S @ A, A @ S @ B.T, outer(x, y), inverse(A), A.T @ S]


def test_symmetry_is_read_off_the_form() -> None:
    assert all(matrix.symmetric for matrix in SYMMETRIC)
    assert not any(matrix.symmetric for matrix in NOT_SYMMETRIC)


V = random_vector("V")
COVARIANCE = expected(outer(V, V)) - outer(expected(V), expected(V))


def test_a_covariance_is_a_matrix() -> None:
    """V is 0 or 4 along one coordinate, 4 three times as likely: its variance is 3."""
    given = {"V": np.array([[0.0, 1.0], [4.0, 1.0]]), "weights_of_outcomes_of_V": np.array([1.0, 3.0])}
    assert stated(equals(trace(COVARIANCE), 0)).on(**given).left == pytest.approx(3)
    assert stated(equals(norm(COVARIANCE), 0)).on(**given).left == pytest.approx(3)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: norm(x) + A, "A is no number"),
    (lambda: A + x, "x is no matrix"),
    (lambda: x + A, "A is no vector"),
    (lambda: A**-1, "write inverse"),
    (lambda: largest_eigenvalue(A), "need not be one: say"),
    (lambda: largest_eigenvalue(A - A.T), "need not be one: say"),
    (lambda: identity(K), "identity takes a matrix or a vector, and K is neither"),
    (lambda: trace(x), "x is no matrix"),
    (lambda: norm(A, "1"), "A is no vector"),
    (lambda: stated(trace(A**K) <= 1).on(A=M, K=np.array([1, 2])), "K is one number for all cases"),
    (lambda: prox(function("g"), x, 1), "say convex=True or weakly_convex=rho of g"),
    (lambda: nearest_minimizer(f, x), "f need not have a minimizer"),
    (lambda: project(x, f), "f is no convex set"),
    (lambda: random_subset("W", index("j", 9), 2), "8 entries at most"),
    (lambda: random_subset("W", i, number("q")), "declare POSITIVE_INTEGER"),
    (lambda: number("o", increasing=True), "increasing numbers are numbered"),
    (lambda: mean(a), r"write total\(a\) / \(K \+ 1\)"),
    (lambda: sequence("b", last=K, equal_to=lambda: 1), "equal_to of b takes k"),
    (
        lambda: sequence("b", last=K, equal_to=lambda k: k, next_at_most=lambda b_k: b_k),
        "one of them is enough",
    ),
    (lambda: sequence("b", last=K, first=1, equal_to=lambda k: k), "first of b is what a recursion starts"),
    (lambda: sequence("b", last=K, first=a[K], next_equal_to=lambda b: b), "or a\\[0\\] of another one"),
    (lambda: another(another(i)), "another index is like one of index"),
    (lambda: at(v, i), "i is no second index: write j = another"),
    (lambda: at(x, another(i)), "needs what depends on i and not yet on i2"),
    (lambda: at(at(v, another(i)), another(i)), "needs what depends on i and not yet on i2"),
    (lambda: stated(total(norm(v - at(v, another(i, "j"))), i) <= 1), "still depends on j"),
    (lambda: mixing_matrix("P", 3), "mixes the entries of an index"),
    (lambda: mixed(mixing_matrix("P", i), x), "P mixes numbers or vectors of i, not x"),
    (lambda: mixed(A, v), "A is no mixing matrix"),
    (lambda: function("h", curvature_growth=1), "say smooth=L0 of where it is flat"),
    (lambda: stated(total(sequence("b", last=K, equal_to=lambda k: a[k + 2])) <= 1), "or at the next, as a"),
    (lambda: stated(total(sequence("b", last=K, equal_to=lambda k: a[k + 1])) <= 1), r"let a end at K \+ 1"),
]


@pytest.mark.parametrize(("act", "sentence"), REFUSED)
def test_what_has_no_meaning_is_refused_in_one_sentence(act: Callable[[], object], sentence: str) -> None:
    with pytest.raises(MalformedStatement, match=sentence):
        act()


def test_formulas_of_sequences_in_a_circle_and_of_other_lengths_are_refused() -> None:
    other = number("N", POSITIVE_INTEGER)
    r = sequence("r", last=K, equal_to=lambda k: 1 + s[k])
    s = sequence("s", last=K, equal_to=lambda k: r[k] / 2)
    with pytest.raises(MalformedStatement, match="rules of s and r name each other in a circle"):
        stated(total(r) <= 1)
    longer = sequence("longer", last=other, next_at_most=lambda b_k, k: a[k] * b_k)
    with pytest.raises(MalformedStatement, match="longer names a, and they end at N and K"):
        stated(longer[other] <= 1)


def test_a_reading_has_the_recursions() -> None:
    u = sequence("u", last=K, next_at_most=lambda u_k, k: u_k + v[k])
    v = sequence("v", last=K, equal_to=lambda k: 1 / (k + 1))
    reading = stated(u[K] <= u[0] + K).reading
    assert "u_(k+1) <= u_k + v_k" in reading.replace("v_k + u_k", "u_k + v_k")
    assert "v_k = 1/(k + 1)" in reading


# In 50 digits from the same floats: one with equal eigenvalues, one that is singular up to roundings.
RANDOM = np.random.default_rng(3).standard_normal((3, 5, 5))
TURN = np.linalg.qr(RANDOM[0])[0]
HARD = np.stack([RANDOM[1] + RANDOM[1].T, np.eye(5) * 2, (TURN * np.array([0, 0, 1, 1, 3.0])) @ TURN.T])


def test_eigenvalues_have_the_digits_of_their_entries() -> None:
    symmetric = (HARD + np.swapaxes(HARD, -1, -2)) / 2
    with mp.workdps(50):
        found = eigenvalues(in_digits(symmetric))
        for entries, mine in zip(symmetric, found, strict=True):
            by_mpmath = mp.eigsy(mp.matrix(entries.tolist()), eigvals_only=True)
            pairs = zip(sorted(by_mpmath), sorted(value.value for value in mine), strict=True)
            assert all(abs(first - second) < mp.mpf(10) ** -46 for first, second in pairs)
    for dtype, allowed in ((np.float64, 1e-14), (np.longdouble, 64 * np.finfo(np.longdouble).eps)):
        rounded = np.sort(eigenvalues(symmetric.astype(dtype)), axis=-1)
        exact = np.sort(
            np.array([[np.longdouble(mp.nstr(v.value, 25)) for v in row] for row in found]), axis=-1
        )
        assert rounded.dtype == dtype
        assert np.abs(rounded - exact).max() <= allowed * 4


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble])
def test_a_case_that_is_not_defined_has_no_eigenvalues_and_leaves_the_others_theirs(dtype: type) -> None:
    pair = np.stack([T, np.full((2, 2), np.nan)]).astype(dtype)
    found = eigenvalues(pair)
    assert np.sort(found[0]) == pytest.approx(np.array([1, 3]), rel=1e-15)
    assert np.isnan(found[1]).all()
    assert np.isnan(eigenvalues(pair[1:])).all()


def test_an_inverse_has_the_digits_of_its_entries_and_is_none_of_a_singular_matrix() -> None:
    with mp.workdps(50):
        left = np.matmul(in_digits(RANDOM), inverted(in_digits(RANDOM))) - np.eye(5, dtype=int)
        assert max(abs(entry.value) for entry in left.ravel()) < mp.mpf(10) ** -46
    extended = RANDOM.astype(np.longdouble)
    assert np.abs(np.matmul(extended, inverted(extended)) - np.eye(5)).max() < 1e-14
    assert np.isnan(inverted(np.array([[[1.0, 2.0], [2.0, 4.0]], [[2.0, 0.0], [0.0, 1.0]]]))).tolist() == [
        [[True, True], [True, True]],
        [[False, False], [False, False]],
    ]
