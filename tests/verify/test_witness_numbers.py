"""What a witness returns is numbers and truth values, and nothing that Python would take for them."""

from typing import Any

import numpy as np
import pytest

from bounds.errors import OutOfDomain
from bounds.language.lemmas.declaration import assume
from bounds.language.lemmas.expressions import equals
from bounds.language.lemmas.lemma import lemma
from bounds.language.lemmas.measures import norm
from bounds.language.lemmas.objects import vector
from bounds.language.quantity import Notation
from bounds.language.statement import Paper
from verify import witness
from verify.witness import Measured, measured_on

PAPER = Paper(key="w", title="", authors="", bibtex="", package="w", notation=Notation())
x, y = vector("x"), vector("y")
SIZES = np.array([[1.0], [10.0]])


def measured(**changed: Any) -> Measured:
    return Measured(**({"left": 1.0, "right": 0.0, "applicable": True} | changed))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"applicable": "no"}, "applicable must be True or False, but is 'no'"),
        ({"applicable": 1}, "applicable must be True or False"),
        ({"equality": None}, "equality must be True or False"),
        ({"left": "1"}, "left must be a number of float64, but is '1'"),
        ({"left": True}, "left must be a number"),
        ({"left": np.array([1.0, 2.0])}, "left must be a number"),
        ({"left": 10**400}, "left must be a number of float64"),
        ({"right": None}, "right must be a number of float64, but is None"),
        ({"right": 1j}, "right must be a number"),
    ],
)
def test_another_thing_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        measured(**changed)


def test_numbers_of_numpy_are_numbers() -> None:
    assert measured(left=np.float32(2), right=np.int64(1), applicable=np.True_).refutes
    assert not measured(left=float("nan")).refutes


@pytest.mark.parametrize(
    ("claim", "left", "right"),
    [
        (norm(x + y) <= norm(x) + norm(y), None, None),
        (equals(norm(x + y), norm(x) + norm(y)), None, None),
        (norm(x + y) ** 2 <= 20 * norm(x), 400.0, 200.0),  # 4 against 20, and 400 against 200
    ],
)
def test_both_sides_are_of_one_case(
    claim: Any, left: float | None, right: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lengths 1 and 10: the largest left side, 20, is above the smallest right side, 2."""
    monkeypatch.setattr(witness.bounds, "get", lambda _: lemma(PAPER, "w", claim))
    found = measured_on("w", **dict.fromkeys(("x", "y"), SIZES))
    assert found.refutes is (left is not None)
    assert left is None or (found.left, found.right) == (left, right)


def test_a_case_that_meets_no_condition_counts_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    claim, short = norm(x) <= 5 + 0 * norm(x), [norm(x) <= 2]
    monkeypatch.setattr(witness.bounds, "get", lambda _: lemma(PAPER, "w", claim, conditions=short))
    assert not measured_on("w", x=SIZES).refutes
    monkeypatch.setattr(witness.bounds, "get", lambda _: lemma(PAPER, "w", claim))
    assert measured_on("w", x=SIZES).refutes


def test_an_assumption_is_asked_for_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    near = assume("y is longer", lambda x, y: (x**2).sum(axis=-1) <= (y**2).sum(axis=-1))
    statement = lemma(PAPER, "w", 2 * norm(x) <= norm(y), assumptions=[near])
    monkeypatch.setattr(witness.bounds, "get", lambda _: statement)
    assert measured_on("w", x=SIZES, y=SIZES).refutes
    with pytest.raises(OutOfDomain, match="does not hold"):
        measured_on("w", x=SIZES, y=SIZES[::-1])
