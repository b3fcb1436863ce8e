"""Equal quadratics by hand: what the worse of them attains, with noise and where a run moves away."""

from dataclasses import replace
from fractions import Fraction

import pytest

from verify.worst_case.equal_quadratics import equal_quadratics
from verify.worst_case.setting import (
    DISTANCE,
    GAP,
    GRADIENT,
    MEAN_GAP,
    SMALLEST_GAP,
    SMALLEST_GRADIENT,
    Setting,
)

HALF = Fraction(1, 2)
# A round halves c = 1 in distance, and c = 1/2 by 3/4; noise adds 4 to the squared distance.
NOISY = Setting(
    clients=2,
    local_steps=1,
    rounds=2,
    local_step=HALF,
    L=Fraction(1),
    curvature=HALF,
    D0=Fraction(4),
    server_noise=Fraction(2),
)
FLAT, STEEP = [16, 13, Fraction(181, 16)], [16, 8, 6]


@pytest.mark.parametrize(
    ("observable", "curvature", "value"),
    [
        (DISTANCE, HALF, FLAT[2]),  # the noise stays where little pulls back
        (GAP, 1, Fraction(STEEP[2]) / 2),
        (GRADIENT, 1, STEEP[2]),
        (MEAN_GAP, 1, Fraction(16 + 8, 2) / 2),
        (SMALLEST_GAP, 1, Fraction(STEEP[2]) / 2),
        (SMALLEST_GRADIENT, 1, STEEP[2]),
    ],
)
def test_the_worse_of_two_curvatures(observable: str, curvature: Fraction, value: Fraction) -> None:
    found = equal_quadratics(replace(NOISY, observable=observable))
    assert [found.curvature, found.observable, found.squared_start] == [curvature, value, 16]


@pytest.mark.parametrize(
    ("observable", "value"),
    [
        (DISTANCE, 16),
        (GAP, 8),
        (GRADIENT, 16),
        (MEAN_GAP, Fraction(1 + 4, 2) / 2),
        (SMALLEST_GAP, HALF),
        (SMALLEST_GRADIENT, 1),
    ],
)
def test_the_smallest_of_a_run_that_moves_away_is_at_its_start(observable: str, value: Fraction) -> None:
    """Each round of step 3/L multiplies the state by -2: the squared distances are 1, 4 and 16."""
    away = replace(NOISY, local_step=Fraction(3), curvature=Fraction(1), D0=Fraction(1), server_noise=None)
    assert equal_quadratics(replace(away, observable=observable)).observable == value
