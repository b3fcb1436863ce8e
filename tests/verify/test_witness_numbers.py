"""What a witness returns is numbers and truth values, and nothing that Python would take for them."""

from typing import Any

import numpy as np
import pytest

from verify.witness import Measured


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
