"""The reader of certificates: it accepts what proves, and nothing else."""

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify.certificate
from verify.certificate import (
    ANY,
    NON_NEGATIVE,
    POSITIVE,
    Certificate,
    Constraint,
    Polynomial,
    Product,
    System,
    read,
    refutes,
    written,
)
from verify.satisfiability.certify import certify

ONE = Fraction(1)
X, Y, Z = (("x", 1),), (("y", 1),), (("z", 1),)
SIGNS = {"x": POSITIVE, "y": NON_NEGATIVE, "z": ANY}


def system(*constraints: tuple[Polynomial, bool]) -> System:
    return System(SIGNS, tuple(Constraint(str(n), p, strict) for n, (p, strict) in enumerate(constraints)))


# 1 - x - y >= 0 and x + y - 1 - y^2/4 > 0: together -y^2/4 > 0.
LOW: Polynomial = {(): ONE, X: -ONE, Y: -ONE}
HIGH: Polynomial = {(): -ONE, X: ONE, Y: ONE, (("y", 2),): Fraction(-1, 4)}
CONTRADICTION = system((LOW, False), (HIGH, True))
PROOF: Certificate = (Product(ONE, (0,)), Product(ONE, (1,)))


def test_accepts_a_proof() -> None:
    assert refutes(CONTRADICTION, PROOF)


def test_needs_something_strict() -> None:
    assert not refutes(system((LOW, False), (HIGH, False)), PROOF)
    # With x^2 in the place of y^2 the sum is below 0 by itself, since x is above 0.
    strictly = {**HIGH, (("x", 2),): Fraction(-1, 4)} | {(("y", 2),): Fraction(0)}
    assert refutes(system((LOW, False), (strictly, False)), PROOF)


@pytest.mark.parametrize(
    "forged",
    [
        (),
        PROOF[:1],
        (replace(PROOF[0], coefficient=Fraction(-1)), PROOF[1]),
        (replace(PROOF[0], coefficient=Fraction(2)), PROOF[1]),
        (Product(ONE, (2,)), PROOF[1]),
        (Product(ONE, (-1,)), PROOF[0]),
        (replace(PROOF[0], monomial=Z), PROOF[1]),
        (replace(PROOF[0], monomial=(("x", -1),)), PROOF[1]),
    ],
    ids=[
        "nothing",
        "half",
        "negative",
        "another weight",
        "no such constraint",
        "from the end",
        "no sign",
        "1/x",
    ],
)
def test_rejects_what_proves_nothing(forged: Certificate) -> None:
    assert not refutes(CONTRADICTION, forged)


def test_rejects_a_coefficient_that_may_have_either_sign() -> None:
    # -z >= 0 is no contradiction for a real z; -z^2 > 0 is one.
    assert not refutes(system(({Z: -ONE}, False)), (Product(ONE, (0,)),))
    assert refutes(system(({(("z", 2),): -ONE}, True)), (Product(ONE, (0,)),))


def test_products_of_constraints() -> None:
    # x - 2 > 0 and 1 - x >= 0: their product -x^2 + 3x - 2 alone is none, with (x - 2)^2 it is.
    above, below = {X: ONE, (): Fraction(-2)}, {(): ONE, X: -ONE}
    both = system((above, True), (below, False))
    assert refutes(both, (Product(ONE, (0, 0)), Product(ONE, (0, 1)), Product(ONE, (0,))))
    assert not refutes(both, (Product(ONE, (0, 1)),))


def test_the_finder_and_the_reader_agree() -> None:
    found = certify(CONTRADICTION)
    assert found is not None
    assert refutes(CONTRADICTION, found)


small = st.integers(-3, 3).map(Fraction)
monomials = st.sampled_from([(), X, Y, Z, (("x", 2),), (("y", 2),), (("x", 1), ("y", 1)), (("z", 2),)])
polynomials = st.dictionaries(monomials, small, min_size=1, max_size=4)


@given(
    st.lists(st.tuples(polynomials, st.booleans()), min_size=1, max_size=4),
    st.tuples(st.integers(1, 5), st.integers(0, 5), st.integers(-5, 5)),
)
def test_no_certificate_where_a_point_is_known(
    constraints: list[tuple[Polynomial, bool]], point: tuple[int, int, int]
) -> None:
    """Each constraint is shifted until the point satisfies it: then the finder must come back empty."""
    values = dict(zip("xyz", point, strict=True))
    shifted = []
    for polynomial, strict in constraints:
        at = sum(c * _value(m, values) for m, c in polynomial.items())
        need = (1 if strict else 0) - at
        moved = {**polynomial, (): polynomial.get((), Fraction(0)) + max(need, Fraction(0))}
        shifted.append((moved, strict))
    assert certify(system(*shifted)) is None


def _value(monomial: Any, values: dict[str, int]) -> Fraction:
    out = ONE
    for name, exponent in monomial:
        out *= Fraction(values[name]) ** exponent
    return out


def test_written_and_read_again() -> None:
    assert read(written(CONTRADICTION, PROOF)) == (CONTRADICTION, PROOF)


def test_the_reader_is_short_and_needs_no_solver() -> None:
    source = Path(verify.certificate.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) < 150
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [a.name for a in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert imported == {"collections", "dataclasses", "fractions", "typing"}
