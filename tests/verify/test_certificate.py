"""The reader of certificates: it accepts what proves, and nothing else."""

import ast
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify.infeasibility.checker
from verify.infeasibility.checker import (
    ANY,
    NON_NEGATIVE,
    POSITIVE,
    Certificate,
    Constraint,
    NotACertificate,
    Polynomial,
    Product,
    System,
    read,
    refutes,
    sign_of,
    written,
)
from verify.infeasibility.finder import certify

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


def test_rejects_a_strict_product_that_may_have_either_sign() -> None:
    # -z > 0 holds at z = -1, and -(z - 1)^3 > 0 at z = 0: that the product is above 0 contradicts nothing.
    assert not refutes(system(({Z: -ONE}, True)), (Product(ONE, (0,)),))
    cube = {(("z", 3),): -ONE, (("z", 2),): Fraction(3), Z: Fraction(-3), (): ONE}
    assert not refutes(system((cube, True)), (Product(ONE, (0,)),))
    # Nor is -x z > 0, though x is above 0.
    assert not refutes(system(({(("x", 1), ("z", 1)): -ONE}, True)), (Product(ONE, (0,)),))


def test_a_weight_of_zero_proves_nothing() -> None:
    # 0 times (x > 0) is 0, and not above 0.
    assert not refutes(system(({X: ONE}, True)), (Product(Fraction(0), (0,)),))
    assert not refutes(system(), (Product(Fraction(0), ()),))


@pytest.mark.parametrize("exponent", [0, -1, -2, 1.0, 1e17, float("nan"), Fraction(1, 2)], ids=repr)
def test_a_power_is_a_whole_number_above_0(exponent: Any) -> None:
    """Other powers have no sign: y^-1 has no value at 0, and a float forgets."""
    signs = system()
    for name in SIGNS:
        assert sign_of(signs, ((name, exponent),)) == ANY
    # Even where the sum would be below 0 by itself, as -x times 1/x is.
    power: Any = (("x", exponent),)
    assert not refutes(system(({X: -ONE}, False)), (Product(ONE, (0,), power),))
    assert not refutes(system(({power: -ONE}, True)), (Product(ONE, (0,)),))


def test_the_sign_of_a_product() -> None:
    signs = system()
    assert [sign_of(signs, power) for power in ((), X, Y, Z)] == [POSITIVE, POSITIVE, NON_NEGATIVE, ANY]
    assert sign_of(signs, (("x", 1), ("z", 2))) == NON_NEGATIVE
    assert sign_of(signs, (("y", 1), ("z", 1))) == ANY


def test_an_unknown_sign_is_none() -> None:
    unknown = System({"x": "<="}, (Constraint("-x > 0", {X: -ONE}, True),))
    assert sign_of(unknown, X) == ANY
    assert not refutes(unknown, (Product(ONE, (0,)),))


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


def test_a_document_is_read_from_text() -> None:
    # 4/2 and 3/4 as `str` writes them, a power above 1, and every sign.
    whole = system(({(("x", 2), ("z", 4)): Fraction(-3, 4), Y: Fraction(2)}, True))
    certificate = (Product(Fraction(7, 2), (0, 0), (("y", 12),)),)
    text = json.dumps(written(whole, certificate))
    assert read(json.loads(text)) == (whole, certificate)
    assert json.dumps(written(*read(json.loads(text)))) == text


Where = tuple[Any, ...]
CONSTRAINT: Where = ("constraints", 0)
TERM: Where = (*CONSTRAINT, "polynomial", 0)
FACTOR: Where = ("products", 0)
NAN = float("nan")
POWERS = (1.0, 1e17, NAN, float("inf"), True, "1", None, 0, -1, 1001, 10**5000, [1])
WORDS = (
    *("", "x", "nan", "inf", "1.0", "1e9", "1e999999999", " 1", "1_0", "+1", "-0", "2/4", "1/0", "1/", "/2"),
    *("1/-2", "1/2/3", "9" * 5000),
)
# Where something else is written, what it is, and what the sentence says.
REFUSED: tuple[tuple[Where, tuple[Any, ...], str], ...] = (
    ((*TERM, 1, "x"), POWERS, "the exponent of x must be a whole number from 1 to 1000"),
    ((*FACTOR, "monomial", "x"), POWERS, "the exponent of x must be a whole number from 1 to 1000"),
    ((*TERM, 0), (*WORDS, 1, 1.0, True, None, NAN), "a coefficient must be text like '-3/4', in lowest"),
    ((*FACTOR, "coefficient"), WORDS, "a coefficient must be text like '-3/4', in lowest terms"),
    ((*FACTOR, "coefficient"), (1, 1.0, True, None, NAN), "coefficient must be of type str"),
    (("signs", "x"), ("any", "<=", "<", "", "=", None, True, 1, ["real"]), "the sign of x must be '>', '>='"),
    (("signs",), ({}, {"y": ">"}), "the variable x has no sign"),
    (("signs",), ({"x": ">", "y": ">=", "z": "real", 1: ">"},), "the name of a variable must be text"),
    (("signs",), ([], None, ">"), "signs must be of type dict"),
    (("constraints",), ({}, None), "constraints must be of type list"),
    (("products",), ({}, None), "products must be of type list"),
    (CONSTRAINT, (None, [], "", {}, {"name": ""}), "an object with name, strict, polynomial is needed"),
    (FACTOR, (None, [], "", {}, {"factors": []}), "an object with coefficient, factors, monomial is needed"),
    ((*CONSTRAINT, "strict"), ("false", "", 0, 1, None), "strict must be of type bool"),
    ((*CONSTRAINT, "name"), (None, 1, []), "name must be of type str"),
    ((*CONSTRAINT, "polynomial"), ({}, None), "polynomial must be of type list"),
    (TERM, ([], ["1"], ["1", {}, {}], "1{", {}), "a term must be a coefficient and its powers"),
    ((*TERM, 1), ([["x", 1]], None), "a monomial must be an object"),
    ((*TERM, 1), ({}, {"y": 1}), "a monomial may stand there only once"),
    ((*FACTOR, "factors"), ([False], [True], [0.0], ["0"], [None]), "the factors must be whole numbers"),
    ((*FACTOR, "factors"), ("0", 0, None), "factors must be of type list"),
    ((*FACTOR, "monomial"), ([], None), "monomial must be of type dict"),
)  # fmt: skip


def inside(document: Any, where: Where) -> Any:
    for key in where:
        document = document[key]
    return document


def honest() -> Any:
    """The document of `CONTRADICTION`, with a term of x as the first of all, and a power of x."""
    document = written(CONTRADICTION, (replace(PROOF[0], monomial=X), PROOF[1]))
    document["constraints"][0]["polynomial"].sort(key=lambda term: "x" not in term[1])
    return document


@pytest.mark.parametrize(("where", "values", "why"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_what_is_not_written_so(where: Where, values: tuple[Any, ...], why: str) -> None:
    assert read(honest())[0] == CONTRADICTION
    for value in values:
        document = honest()
        inside(document, where[:-1])[where[-1]] = value
        with pytest.raises(NotACertificate) as refused:
            read(document)
        assert why in str(refused.value)


@pytest.mark.parametrize("where", [(), CONSTRAINT, FACTOR], ids=["document", "constraint", "product"])
def test_refuses_missing_and_unknown_keys(where: Where) -> None:
    for key in inside(honest(), where):
        lacking = honest()
        del inside(lacking, where)[key]
        with pytest.raises(NotACertificate, match="and no other key"):
            read(lacking)
    more = honest()
    inside(more, where)["why"] = "no such key"
    with pytest.raises(NotACertificate, match="and no other key"):
        read(more)


@pytest.mark.parametrize("document", [None, [], "", 1, True, (("signs", {}),)], ids=repr)
def test_refuses_what_is_no_object(document: object) -> None:
    with pytest.raises(NotACertificate, match="an object with signs, constraints, products"):
        read(document)


def test_a_power_that_absorbs_another_is_refused() -> None:
    """x > 1 has solutions; with the float 1e17, x^1e17 times x - 1 would be x^1e17 - x^1e17."""
    plain = written(system(({X: ONE, (): -ONE}, True)), (Product(ONE, (0,)),))
    plain["products"][0]["monomial"] = {"x": 1e17}
    with pytest.raises(NotACertificate, match="whole number"):
        read(plain)
    plain["products"][0]["monomial"] = {"x": 1000}
    assert not refutes(*read(plain))


def test_the_reader_is_short_and_needs_no_solver() -> None:
    source = Path(verify.infeasibility.checker.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 200
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [a.name for a in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert imported == {"collections", "dataclasses", "fractions", "typing"}
