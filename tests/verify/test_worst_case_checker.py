"""The checker by itself: it needs no solver, and refuses what proves nothing."""

import ast
import math
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from operator import mul
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from verify.worst_case import checker, matrix_polynomial, square_below
from verify.worst_case.checker import (
    Form,
    NotACertificate,
    Program,
    attained_value,
    certified_bound,
    is_semidefinite,
)
from verify.worst_case.free_vectors import without_unmeasured
from verify.worst_case.verdict import HOLDS, OPEN, TIGHT, VIOLATED, judged
from verify.worst_case.worst import is_promising

ONE = Fraction(1)


def form(name: str, constant: int = 0, values: object = None, entries: object = None) -> Form:
    return Form(
        name=name,
        constant=Fraction(constant),
        values={k: Fraction(v) for k, v in dict(values or {}).items()},
        entries={k: Fraction(v) for k, v in dict(entries or {}).items()},
    )


# The largest value v with v <= 2 <x, g> - <g, g> and <x, x> <= 1: it is 1, at g = x.
SMALL = Program(
    blocks=(2,),
    values=1,
    objective=form("v", values={0: 1}),
    constraints=(
        form("v below", values={0: -1}, entries={(0, 0, 1): 2, (0, 1, 1): -1}),
        form("start", 1, entries={(0, 0, 0): -1}),
    ),
)


def test_a_certificate_of_a_program_that_can_be_done_by_hand() -> None:
    assert certified_bound(SMALL, {0: ONE, 1: ONE}) == 1
    assert certified_bound(SMALL, {0: ONE, 1: Fraction(3, 2)}) == Fraction(3, 2)


@pytest.mark.parametrize(
    ("multipliers", "reason"),
    [
        ({0: ONE, 1: Fraction(99, 100)}, "not positive semidefinite"),
        ({0: ONE, 1: -ONE}, "not >= 0"),
        ({0: Fraction(2), 1: Fraction(2)}, "does not cancel"),
        ({1: ONE}, "does not cancel"),
        ({0: ONE, 2: ONE}, "no constraint 2"),
        ({0: ONE, -1: ONE}, "no constraint -1"),
        ({0: 1.0, 1: 1.0}, "not >= 0"),
    ],
)
def test_forged_multipliers_are_refused(multipliers: dict[int, Fraction], reason: str) -> None:
    with pytest.raises(NotACertificate, match=reason):
        certified_bound(SMALL, multipliers)


def test_an_instance_is_evaluated_exactly() -> None:
    rows = ((ONE, Fraction(0)), (ONE, Fraction(0)))
    assert attained_value(SMALL, (rows,), (ONE,)) == 1
    with pytest.raises(NotACertificate, match="violates: v below"):
        attained_value(SMALL, (rows,), (Fraction(10**12 + 1, 10**12),))
    nothing = replace(form("nothing", values={0: 1}), is_equation=True)
    with pytest.raises(NotACertificate, match="violates: nothing"):
        attained_value(replace(SMALL, constraints=(*SMALL.constraints, nothing)), (rows,), (ONE,))
    with pytest.raises(NotACertificate, match="violates: start"):
        attained_value(SMALL, (((Fraction(11, 10), ONE), rows[1]),), (Fraction(0),))
    with pytest.raises(NotACertificate, match="another number"):
        attained_value(SMALL, (rows[:1],), (ONE,))
    with pytest.raises(NotACertificate, match="one dimension"):
        attained_value(SMALL, (((ONE,), rows[0]),), (ONE,))


@pytest.mark.parametrize(
    ("matrix", "semidefinite"),
    [
        ([], True),
        ([[0]], True),
        ([[-1]], False),
        ([[1, 1], [1, 1]], True),
        ([[1, 2], [2, 1]], False),
        ([[0, 1], [1, 0]], False),
        ([[0, 0, 0], [0, 2, 1], [0, 1, 1]], True),
        ([[1, 1, 0], [1, 1, 1], [0, 1, 5]], False),
        ([[4, 2, 2], [2, 1, 1], [2, 1, 2]], True),
        ([[2, -1, 0], [-1, 2, -1], [0, -1, 2]], True),
    ],
)
def test_semidefinite_matrices(matrix: list[list[int]], semidefinite: bool) -> None:
    scaled = [[Fraction(entry, 7) for entry in row] for row in matrix]
    assert is_semidefinite(scaled) is semidefinite


def determinant(matrix: list[list[Fraction]]) -> Fraction:
    if not matrix:
        return ONE
    first, *rest = matrix
    parts = [[row[:j] + row[j + 1 :] for row in rest] for j in range(len(first))]
    return sum(((-1) ** j * first[j] * determinant(part) for j, part in enumerate(parts)), Fraction(0))


@pytest.mark.parametrize("decide", [is_semidefinite, square_below._is_eliminated])
def test_small_matrices_are_decided_by_their_principal_minors(
    decide: Callable[[list[list[Fraction]]], bool],
) -> None:
    """Singular ones among them, which no square below shows."""
    random, seen = Random(3), Counter[bool]()
    for trial in range(400):
        n = trial % 4 + 1
        vectors = [[random.randint(-2, 2) for _ in range(max(1, n - 1))] for _ in range(n)]
        matrix = [[Fraction(sum(map(mul, u, v)), 3) for v in vectors] for u in vectors]
        i, j = random.randrange(n), random.randrange(n)
        matrix[i][j] += Fraction(random.choice((0, 0, -1, 1)), 3)
        matrix[j][i] = matrix[i][j]
        among = [rows for size in range(n) for rows in combinations(range(n), size + 1)]
        right = all(determinant([[matrix[r][c] for c in rows] for r in rows]) >= 0 for rows in among)
        assert decide(matrix) is right
        seen[right] += 1
    assert min(seen.values()) > 80


@pytest.mark.parametrize(("last", "proves"), [(-1, True), (1, False)])
def test_a_certificate_on_an_interval_needs_the_whole_slack_polynomial(last: int, proves: bool) -> None:
    """v + 3 - v - m(0) + last m(1) with two scalar blocks: the slack has the coefficients 1 and -last."""
    bound = form("bound", 3, values={0: -1}, entries={(0, 0, 0): -1, (1, 0, 0): last})
    program = Program(
        blocks=(1, 1), values=1, objective=form("v", values={0: 1}), constraints=(bound,), on_interval=True
    )
    if proves:
        assert certified_bound(program, {0: ONE}) == 3
    else:
        with pytest.raises(NotACertificate, match="slack polynomial"):
            certified_bound(program, {0: ONE})


def test_semidefinite_to_the_last_digit() -> None:
    """Products of a matrix with its transpose are; a part in 10^30 less on the diagonal, and they are not."""
    rows = [[Fraction((i * 7 + j * 3) % 11 - 5, j + 1) for j in range(4)] for i in range(5)]
    gram = [[sum((a * b for a, b in zip(p, q, strict=True)), Fraction(0)) for q in rows] for p in rows]
    assert is_semidefinite(gram)
    gram[4][4] -= Fraction(1, 10**30)
    assert not is_semidefinite(gram)


def test_a_factor_of_floats_accepts_only_what_dominates() -> None:
    """The factor decides without elimination, and a part in 10^9 below the edge it does not."""
    size = 30
    path = [[Fraction(2 * (i == j) - (abs(i - j) == 1)) for j in range(size)] for i in range(size)]
    lowest = 4 * math.sin(math.pi / (2 * (size + 1))) ** 2

    def shifted(shift: float) -> list[list[Fraction]]:
        return [[a - Fraction(shift) * (i == j) for j, a in enumerate(row)] for i, row in enumerate(path)]

    assert square_below.has_a_square_below(shifted(lowest - 1e-9))
    assert not square_below.has_a_square_below(shifted(lowest + 1e-9))
    assert not is_semidefinite(shifted(lowest + 1e-9))
    assert not square_below._is_dominant([[Fraction(1)]], [[2**60 + 1]])
    assert not is_semidefinite([[Fraction(10) ** 400, Fraction(10) ** 401], [Fraction(10) ** 401, ONE]])


@pytest.mark.parametrize("module", [checker, matrix_polynomial, square_below])
def test_the_checker_imports_the_standard_library_alone(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    names = [
        n for node in ast.walk(tree) if isinstance(node, ast.Import) for n in (a.name for a in node.names)
    ]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert names
    own = {matrix_polynomial.__name__, square_below.__name__}
    assert all(name in own or name.split(".")[0] in sys.stdlib_module_names for name in names)


def test_products_of_a_vector_without_length_become_numbers() -> None:
    free = Program(
        blocks=(2,),
        values=0,
        objective=form("o", entries={(0, 0, 0): 1}),
        constraints=(form("c", 1, entries={(0, 0, 0): -1, (0, 0, 1): 1}), form("d", entries={(0, 0, 1): -1})),
    )
    small = without_unmeasured(free)
    assert (small.blocks, small.values) == ((1,), 1)
    assert certified_bound(small, {0: ONE, 1: ONE}) == 1


def test_a_bound_is_tight_only_with_an_instance_below_it() -> None:
    """A bound that may be false by 1e-7 is left open if no instance is known."""
    upper, bound = ONE, 1 - Fraction(1, 10**7)
    ends = {None: OPEN, Fraction(9, 10): TIGHT, bound + Fraction(1, 10**8): VIOLATED}
    for lower, verdict in ends.items():
        assert judged(bound, upper, lower, exact_class=True) == verdict
    assert judged(1 - Fraction(1, 10**5), upper, Fraction(9, 10), exact_class=True) == OPEN
    assert judged(ONE, upper, None, exact_class=True) == HOLDS


def test_an_instance_of_a_larger_class_violates_nothing() -> None:
    """What is asked at the points of the run alone may exclude the instance where it is asked everywhere."""
    for exact_class, verdict in ((True, VIOLATED), (False, OPEN)):
        assert judged(ONE, 3 * ONE, 2 * ONE, exact_class=exact_class) == verdict


@pytest.mark.parametrize(("diagonal", "promising"), [(10**9, True), (10**9 - 1, False), (10**400, False)])
def test_large_entries_of_a_slack_matrix_are_compared_with_their_size(diagonal: int, promising: bool) -> None:
    """The slack matrix is 10^9 times the ones matrix, which is singular, with another last entry."""
    size = 5
    ones = {(0, i, j): -(10**9) * (1 + (i < j)) for i in range(size) for j in range(i, size)}
    entries = ones | {(0, size - 1, size - 1): -diagonal}
    program = Program(blocks=(size,), values=0, objective=form("O", entries=entries), constraints=())
    assert is_promising(program, {}) is promising
    if promising:
        assert certified_bound(program, {}) == 0


def test_what_floats_round_away_beside_the_diagonal_counts_in_both_rows() -> None:
    """Float64 has 2^58 for 2^58 + 31: (2, -1, -1) gives 4 N - 8 (N + 31) + 4 N + 190, which is below 0."""
    n = Fraction(2**58)
    matrix = [[n, n + 31, n + 31], [n + 31, n + 95, n], [n + 31, n, n + 95]]
    vector = (2, -1, -1)
    form = sum(a * b * matrix[i][j] for i, a in enumerate(vector) for j, b in enumerate(vector))
    assert form < 0
    assert not square_below.has_a_square_below(matrix)
    assert not is_semidefinite(matrix)
