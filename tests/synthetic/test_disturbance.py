"""Shares of roundings are the numbers of one generator in its order, however they are asked for."""

import numpy as np
import pytest

from synthetic.engine import disturbance
from synthetic.engine.disturbance import SCALE, UNIT, disturbed, magnitudes, moved, moved_number


@pytest.mark.parametrize("ahead", [1, 7, 4096])
def test_shares_come_in_the_order_of_their_generator(ahead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each product drew its own: records made so are measured again."""
    monkeypatch.setattr(disturbance, "_AHEAD", ahead)
    shapes = [(3,), (), (2, 5), (0,), (9000,), (4,)]
    generator = np.random.default_rng([disturbance._SEED, 2])
    with disturbed(2):
        for shape in shapes:
            product = np.full(shape, 0.3)
            share = 2.0 * generator.random(shape) - 1.0
            expected = product + SCALE * UNIT * 5 * abs(product) * share
            assert np.array_equal(moved(product, 5, lambda product=product: abs(product)), expected)
            number = 0.7 + SCALE * UNIT * 0.7 * (2.0 * generator.random() - 1.0)
            assert moved_number(0.7) == number


def test_magnitudes_are_kept_of_what_nobody_writes_to() -> None:
    fixed, free = np.array([[-1.0, 2.0]]), np.array([[-1.0, 2.0]])
    fixed.flags.writeable = False
    with disturbed():
        assert magnitudes(fixed) is magnitudes(fixed)
        assert np.array_equal(magnitudes(free), [[1.0, 2.0]])
        free[0, 0] = -5.0
        assert np.array_equal(magnitudes(free), [[5.0, 2.0]])
        assert np.array_equal(magnitudes(fixed[:, 1:]), [[2.0]])
    assert magnitudes(fixed) is not magnitudes(fixed)
