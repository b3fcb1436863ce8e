"""The mean over the Gaussian noise of an author's run: an equality is then decided on both sides.

On f_i(x) = ||x - c_i||^2 a step eta = 1/4 along a gradient with noise of deviation 1 in each coordinate
halves x - x* and adds noise of deviation 1/4. So E||x_K - x*||^2 = D^2/4^K + d/16 (1 + 1/4 + ...), with K
terms in the sum, which is D^2/4^K + (1 - 1/4^K) d/12.
"""

from typing import Any

import numpy as np
import pytest
from strangers import enter, paper
from sympy import Rational

from bounds import discovery
from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import X
from bounds.language.finding import Verdict
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Kind, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.outside.claims import given_at_most
from synthetic.outside.followed import Unlisted
from synthetic.outside.normals import Hander, Noise
from synthetic.outside.own_problem import OwnProblem
from synthetic.outside.problems import adopt_problem
from verify.cell import Cell
from verify.matching.measurements.means import _is_quadratic, _lines
from verify.runs.check import CellResult, run_cell

NOTATION = Notation()
K, eta, d, D = enter(NOTATION, "K", "eta", "d", "D")
distance = NOTATION.observable("far", "f", "", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("noisy", NOTATION)
CENTERS = np.array([[1.0, 0.0, 0.5], [-1.0, 0.0, -0.5]])
BOWLS: dict[str, Any] = {
    "clients": 2,
    "dimension": 3,
    "value": lambda i, x: float(((x - CENTERS[i]) ** 2).sum()),
    "gradient": lambda i, x: 2 * (x - CENTERS[i]),
    "minimizer": np.zeros(3),
    "constants": {"smoothness": given_at_most(2, because="the Hessian is 2 I")},
    "convex": True,
    "bounded_below": True,
}


BEND = 2.0**-33


def stated(noise: Any, algorithm: str) -> Statement:
    kept = Rational(1, 4) ** K
    return Statement(
        locator="noisy",
        kind=Kind.EQUALITY,
        paper=PAPER,
        title="noisy steps",
        algorithm=algorithm,
        printed=("x",),
        reading="",
        left=distance,
        terms=(Term("start", kept * D**2, ""), Term("noise", noise * (1 - kept) * d / 12, "")),
        assumptions=(SMOOTH_CLIENTS,),
        example={"K": 20, "D": 2, "d": 3},
        run_with={"step": 0.25},
    )


def noisy(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * (clients.gradient(x) + random.standard_normal(x.shape))


def draw_by_scale(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return random.normal(x - settings.step * clients.gradient(x), settings.step)


def clipped(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """The same unless the noise is longer than 5, which comes once in 60,000 rounds."""
    noise = random.standard_normal(x.shape)
    noise = noise * np.minimum(1.0, 5.0 / np.linalg.norm(noise, axis=-1, keepdims=True))
    return x - settings.step * (clients.gradient(x) + noise)


def bent(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Noise z + b z^3 with E(z + b z^3)^2 = 1 + 6b + 15b^2, too near to z for the lines to part them."""
    noise = random.standard_normal(x.shape)
    return x - settings.step * (clients.gradient(x) + noise + BEND * noise**3)


def scaled(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Noise of length sqrt(3) in a random direction has the same covariance; zero has no direction."""
    noise = random.standard_normal(x.shape)
    noise = np.sqrt(3) * noise / np.linalg.norm(noise, axis=-1, keepdims=True)
    return x - settings.step * (clients.gradient(x) + noise)


def drawing_again(state: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Twice the variance in half of the last rounds; what is drawn again is 0 where nothing more is told."""
    x, left = state["x"], state["left"] - 1
    noise = random.standard_normal(x.shape)
    if not left and noise[0] > 0:
        noise = noise + random.standard_normal(x.shape)
    return {"x": x - settings.step * (clients.gradient(x) + noise), "left": left}


def hiding(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """Its second source of noise is too small to be seen in third differences."""
    return noisy(x, clients, settings, random) + 1e-13 * np.random.default_rng().standard_normal(x.shape)


def judged(
    noise: Any, round: Any = noisy, *, batched: bool = True, quadratic: bool = True, begin: Any = None
) -> CellResult:
    """Three rounds, judged with 512 replicates at a level of 1e-5."""
    adopt(Algorithm(round=round, settings={"step": REQUIRED}, batched=batched, begin=begin))
    adopt_problem(OwnProblem(**BOWLS, quadratic=quadratic), "bowls")
    statement = discovery.adopt(stated(noise, f"here.{round.__name__}"))
    cell = Cell(
        statement=statement.id,
        variant=statement.variant,
        algorithm=str(statement.algorithm),
        role="heterogeneous",
        problem="here.bowls",
        problem_arguments={},
        parameters={"K": 3, "D": 2.0, "d": 3},
        engine={"start": [2.0, 0.0, 0.0]},
    )
    return run_cell(cell, level=1e-5, seed=1, replicates=512)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(("round", "batched"), [(noisy, False), (noisy, True), (draw_by_scale, True)])
def test_an_equality_with_gaussian_noise_is_decided_on_both_sides(round: Any, batched: bool) -> None:
    true = judged(1, round, batched=batched)
    assert true.verdict is Verdict.HOLDS
    assert "over 9 Gaussian numbers" in true.sentence
    for wrong in (2, Rational(1, 2), Rational(1001, 1000), Rational(999, 1000)):
        assert judged(wrong, round, batched=batched).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("round", [clipped, scaled])
def test_a_run_that_is_not_quadratic_in_its_noise_is_sampled(round: Any) -> None:
    true = judged(1, round)
    assert true.verdict is Verdict.HOLDS
    assert "Gaussian" not in true.sentence
    assert judged(2, round).verdict is Verdict.INCONCLUSIVE  # samples alone do not show it


def test_a_run_that_draws_more_for_some_noise_is_sampled() -> None:
    """All runs that are tried are those of `noisy`, for which the equality holds."""
    false = judged(1, drawing_again, batched=False, begin=lambda x0, *_: {"x": x0, "left": 3})
    assert "Gaussian" not in false.sentence
    assert false.verdict is not Verdict.HOLDS


def test_a_second_source_of_noise_is_seen_before_a_mean_is_computed() -> None:
    for batched in (True, False):
        assert judged(1, hiding, batched=batched).verdict is Verdict.REFUSED


def test_what_is_nearly_quadratic_refutes_no_true_equality() -> None:
    """Its mean, taken as that of a quadratic, is off by some 1e-8: far above roundings of float64."""
    bend = Rational(BEND)
    true = judged(1 + 6 * bend + 15 * bend**2, bent)
    assert "Gaussian" in true.method
    assert true.verdict is Verdict.HOLDS
    assert judged(Rational(999, 1000), bent).verdict is Verdict.VIOLATED


def test_clients_that_are_not_known_to_be_quadratic_are_sampled() -> None:
    assert "Gaussian" not in judged(1, quadratic=False).sentence


def test_other_draws_and_shared_rows_leave_what_is_told() -> None:
    drawn = Hander(Noise(np.arange(6.0)))
    assert drawn.standard_normal() == 0.0
    assert drawn.normal(10.0, 2.0) == 12.0
    assert drawn.standard_normal((2, 2)).tolist() == [[2.0, 3.0], [4.0, 5.0]]
    assert drawn.standard_normal(2).tolist() == [0.0, 0.0]  # beyond what is given
    for draw in (
        lambda random: random.random(),
        lambda random: random.standard_normal(2, dtype=np.float32),
        lambda random: random.multivariate_normal([0.0], [[1.0]]),
        lambda random: random.bit_generator,
    ):
        with pytest.raises(Unlisted):
            draw(Hander(Noise(np.zeros(4))))
    block = Hander(Noise(np.arange(8.0).reshape(2, 4)))
    assert block.standard_normal((2, 3)).tolist() == [[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]]
    with pytest.raises(Unlisted):
        block.standard_normal(3)


@pytest.mark.parametrize(
    ("function", "quadratic"),
    [
        (lambda z: 3.0 + z[..., 0] - 2 * z[..., 0] * z[..., 1] + (z**2).sum(axis=-1), True),
        (lambda z: 1e6 + 1e-3 * z[..., 0] ** 2, True),
        (lambda z: np.abs(z[..., 0]), False),
        (lambda z: z[..., 0] ** 2 + 1e-3 * z[..., 1] ** 3, False),
        (lambda z: np.sqrt((z**4).sum(axis=-1)), False),  # quadratic on every line through zero
        (lambda z: np.minimum((z**2).sum(axis=-1), 25.0), False),
        (lambda z: np.where((z**2).sum(axis=-1) > 150, np.nan, z[..., 0]), False),
        (lambda z: ((z**2).sum(axis=-1) > 37.0) * 1.0, False),  # rare events: at 0 near, at 1 far away
        (lambda z: ((z**2).sum(axis=-1) > 5.3) * 1.0, False),
        (lambda z: ((z**2).sum(axis=-1) < 0.5) * 1.0, False),
        (lambda z: (z[..., 0] > 5.0) * 1.0, False),
    ],
)
def test_the_third_difference_tells_quadratics(function: Any, quadratic: bool) -> None:
    with np.errstate(invalid="ignore"):
        assert _is_quadratic(function(_lines(4))) is quadratic
