"""Worst cases with noise in every local step, in values and over several rounds, and of the drift of a round.

The oracles are written out by hand: second moments of random quadratics, and two closed forms.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from verify.worst_case.errors import NoWorstCase
from verify.worst_case.noise import Noise
from verify.worst_case.question import setting_of
from verify.worst_case.setting import CENTRAL, DISTANCE, GAP, Setting
from verify.worst_case.worst import WorstCase, worst_case

Matrix = NDArray[np.float64]
pytest.importorskip("clarabel", reason="the extra `tight` brings the solver")


def setting(*, observable: str = GAP, convex: bool = True, **given: Any) -> Setting:
    numbers = {"n": 2, "E": 2, "K": 2, "local_step": "1/2", "L": 1} | given
    called = {name: Fraction(value) for name, value in numbers.items()}
    return setting_of("fedavg", called, observable=observable, convex=convex)


def ends(found: WorstCase) -> tuple[float, float]:
    assert found.lower is not None
    return float(found.lower), float(found.upper)


@pytest.mark.parametrize("observable", [GAP, DISTANCE])
def test_without_noise_it_is_the_exact_worst_case(observable: str) -> None:
    given = {"D0": 1, "zeta_star": 1, "observable": observable}
    exact = float(worst_case(setting(**given)).upper)
    assert float(worst_case(setting(**given, sigma="1/100000")).upper) == pytest.approx(exact, rel=1e-5)
    assert float(worst_case(setting(**given, sigma=1)).upper) > exact + 0.01


def moments(
    hessians: list[Matrix], slopes: list[Matrix], start: Matrix, noise: Matrix
) -> tuple[Matrix, Matrix]:
    """Mean and covariance after 2 rounds of 2 steps of 1/2 of client i along Q_i x + b_i plus its noise."""
    mean, spread, n = start, np.zeros((2, 2)), len(hessians)
    kept = [np.eye(2) - q / 2 for q in hessians]
    whole = sum(p @ p for p in kept) / n
    moved = sum(p @ b + b for p, b in zip(kept, slopes, strict=True)) / n / 2
    drawn = sum(p @ noise @ p.T + noise for p in kept) / n**2 / 4
    for _ in range(2):
        mean, spread = whole @ mean - moved, whole @ spread @ whole.T + drawn
    return mean, spread


def test_no_quadratic_clients_exceed_the_certified_end() -> None:
    """In the mean over noise of total variance 1 in a random direction; the best comes near the end."""
    upper = {
        o: float(worst_case(setting(observable=o, D0=1, zeta_star=1, sigma=1)).upper) for o in (GAP, DISTANCE)
    }
    rng, best = np.random.default_rng(5), {GAP: 0.0, DISTANCE: 0.0}
    for _ in range(4000):
        hessians = []
        for _ in range(2):
            turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
            hessians.append(turn @ np.diag(rng.choice([0.0, 0.0, rng.random(), 1.0], size=2)) @ turn.T)
        slope, start, along = (v / np.linalg.norm(v) for v in rng.normal(size=(3, 2)))
        mean, spread = moments(hessians, [slope, -slope], start, np.outer(along, along))
        of_gap = sum(hessians) / 4
        best[GAP] = max(best[GAP], mean @ of_gap @ mean + np.trace(of_gap @ spread))
        best[DISTANCE] = max(best[DISTANCE], mean @ mean + np.trace(spread))
    assert all(best[name] <= upper[name] for name in best)
    assert best[DISTANCE] > 0.9 * upper[DISTANCE]
    assert best[GAP] > 0.4 * upper[GAP]


def test_equal_quadratics_attain_the_lower_end() -> None:
    """On x^2/2 two noisy steps of 1/2 leave (1/4)^2 of the square and add (1 + 1/4)/4/2 of the variance."""
    for observable, factor in ((GAP, 0.5), (DISTANCE, 1.0)):
        found = worst_case(setting(observable=observable, K=1, D0=3, zeta_star=0, sigma=4))
        of_linear = 9 + 2 * 16 / 4 / 2 if observable == DISTANCE else 0
        of_square = factor * (9 / 16 + 16 * (1 + 1 / 4) / 4 / 2)
        lower, upper = ends(found)
        assert lower == pytest.approx(max(of_square, of_linear))
        assert lower <= upper


def test_drawn_clients_and_noise_of_the_server_are_in_one_program() -> None:
    given = {"n": 4, "E": 1, "D0": 1, "zeta_star": 1, "mu": "1/10", "observable": "min_gap"}
    plain = float(worst_case(setting(**given)).upper)
    for more in ({"cohort": 1}, {"server_noise": "1/2"}):
        lower, upper = ends(worst_case(setting(**given, **more)))
        assert lower <= upper
        assert upper > plain
    everyone = float(worst_case(setting(**given, cohort=4)).upper)
    assert everyone == pytest.approx(plain, rel=1e-6)


def test_noise_that_knows_the_past_would_be_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the equations that set products with the past to 0 the end is another one."""
    asked = setting(K=1, D0=1, zeta_star=1, sigma=1)
    known = float(worst_case(asked).upper)
    drawn = Noise._draw

    def forget_the_past(self: Noise, *given: Any) -> Any:
        vector = drawn(self, *given)
        self.moments = [form for form in self.moments if not form.is_equation]
        return vector

    monkeypatch.setattr(Noise, "_draw", forget_the_past)
    assert float(worst_case(asked).upper) > 1.2 * known


def test_a_long_noisy_run_is_refused() -> None:
    with pytest.raises(NoWorstCase, match="40 local steps"):
        setting(E=3, K=20, D0=1, zeta_star=1, sigma=1)


@pytest.mark.parametrize(
    ("convex", "share", "start"), [(True, Fraction(1, 2), {"D0": 2}), (False, Fraction(1), {"f0_gap": 5})]
)
def test_the_drift_of_two_steps_has_a_closed_form(
    convex: bool, share: Fraction, start: dict[str, int]
) -> None:
    """share eta^2 L zeta: gradients differ by zeta, and one step of eta turns them by L eta zeta.

    Convex clients turn them in one direction only, so that half of it is lost.
    """
    asked = setting(observable=CENTRAL, convex=convex, K=1, local_step="1/4", L=2, zeta=3, **start)
    lower, upper = ends(worst_case(asked))
    expected = float(share * Fraction(1, 16) * 2 * 3) ** 2
    assert lower == pytest.approx(expected, rel=1e-5)
    assert upper == pytest.approx(expected, rel=1e-5)
    assert lower <= upper


def test_h_of_als_dpfl_as_amended_is_above_the_drift() -> None:
    """Without noise and sampling it is eta^2 beta xi tau (tau - 1)/4: attained at 2, and 1.17 times at 3."""
    for tau, ratio in ((2, 1.0), (3, 1.174), (4, 1.346)):
        found = worst_case(setting(observable=CENTRAL, E=tau, K=1, zeta=1, D0=3))
        h = 0.25 * tau * (tau - 1) / 4
        assert h / float(found.upper) ** 0.5 == pytest.approx(ratio, abs=0.01)
