"""The error level on runs of the engine: bounds that are exactly the true value, and bounds a tenth too low.

Quadratics have exact moments, so a cell can be planted whose bound is true with equality. Each is a random
problem with random noise (Gaussian, on a sphere, two points), participation, observable and number of
replicates. `make soak` does the same with 1,000 cells.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from bounds.language.finding import Verdict
from synthetic import run
from synthetic.algorithms import fedavg, stochastic_gradient_descent
from synthetic.moments.fedavg import fedavg_moments
from synthetic.moments.gradient_descent import Moments, exact_moments
from synthetic.oracles import AdditiveOracle, Gaussian, Sphere, TwoPoint
from synthetic.participation import FixedSize, Full, Independent, Participation
from synthetic.problems.quadratic import Quadratic, small
from verify.matching.linear_bound import LinearBound
from verify.matching.measurements.measurement import Sampled
from verify.runs.check import REPLICATES
from verify.runs.judge import Judged, judge

LEVEL: Final = 0.05
ERROR: Final = 1e-6
IN_CI: Final = 200
NARROW: Final = "at most 1"
# Observable, and the power of the mean Hessian that it weighs the deviation with: 1/2 for the gap.
OBSERVABLES: Final = {"squared_distance": 0, "gap": 1, "squared_gradient_norm": 2}
Floats = NDArray[np.float64]


def largest_number(cells: int, level: float = LEVEL) -> int:
    """A valid test makes more false verdicts than this with probability below ERROR."""
    return int(binom.isf(ERROR, cells, level))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """Samples of an observable whose mean is known, as the judge gets them."""

    truth: float
    samples: Floats
    ceiling: float | None
    second_moment: float | None
    replicates: int
    law: str

    def judged(self, bound: float, replicates: int) -> Judged:
        measured = Sampled(
            observables={"o": self.samples[:replicates]},
            ceiling=None if self.ceiling is None else np.array(self.ceiling),
            second_moment=self.second_moment,
        )
        linear = LinearBound(left={"o": 1}, right={}, constant=bound, lowest={"o": 0}, highest={})
        return judge(linear, lambda *_: measured, replicates, LEVEL)


def planted(number: int) -> Planted:
    """The cell of this number: equal numbers plant equal cells."""
    random = np.random.default_rng([77, number])
    clients, d = int(random.integers(1, 5)), int(random.integers(1, 5))
    problem = small(clients=clients, dimension=d, heterogeneity=float(random.uniform(0, 2)), seed=number)
    oracle: AdditiveOracle = random.choice([Gaussian, Sphere, TwoPoint])(
        scale=float(10 ** random.uniform(-1, 0.3))
    )
    of_all = random.random() < 0.5
    laws = [Full(), Independent(probability=0.6), FixedSize(count=(clients + 1) // 2)]
    participation: Participation = Full() if of_all else random.choice(laws)
    rounds, step = int(random.integers(1, 8)), float(random.uniform(0.1, 1))
    start = problem.minimiser() + random.standard_normal(d) * float(random.choice([0.0, 1.0, 3.0]))
    name = str(random.choice(list(OBSERVABLES)))
    common: dict[str, Any] = {"replicates": REPLICATES, "seed": 5, "stream": f"planted/{number}"}
    if of_all:  # noise on the mean gradient: one client, as far as the noise is concerned
        settings: Any = stochastic_gradient_descent.Settings(
            start=start, steps=rounds, step=step, oracle=oracle
        )
        trace = run("stochastic_gradient_descent", problem, settings, observe=[name], **common)
        moments = _moments_of_the_mean(problem, oracle, start, rounds, step)
    else:
        settings = fedavg.Settings(
            start=start, rounds=rounds, local_steps=1 + number % 3, local_step=step,
            participation=participation, oracle=oracle,
        )  # fmt: skip
        trace = run("fedavg", problem, settings, observe=[name], **common)
        moments = fedavg_moments(
            problem, start=start, rounds=rounds, local_steps=1 + number % 3, local_step=step,
            participation=participation, gradient_noise=_covariance(oracle, d),
        )  # fmt: skip
    gaussian = isinstance(oracle, Gaussian) and isinstance(participation, Full)
    return Planted(
        truth=float(getattr(moments, name)[-1]),
        samples=np.asarray(trace.measurements[name], dtype=float)[:, -1],
        ceiling=_ceiling(problem, name, settings) if of_all else None,
        second_moment=_second_moment(problem, name, moments) if gaussian else None,
        replicates=int(random.choice([64, 256, 1024, REPLICATES])),
        law=type(oracle).__name__,
    )


def _covariance(oracle: AdditiveOracle, d: int) -> Any:
    """Of one gradient: two points lie on a line, the other laws are round."""
    total = oracle.scale**2
    return np.full((d, d), total / d) if isinstance(oracle, TwoPoint) else total / d


def _moments_of_the_mean(
    problem: Quadratic, oracle: AdditiveOracle, start: Floats, steps: int, step: float
) -> Moments:
    return exact_moments(
        problem, start=start, steps=steps, step=step, noise_covariance=_covariance(oracle, problem.dimension)
    )


def _weight(problem: Quadratic, name: str) -> Floats:
    """The observable is x' W x for the deviation x from the minimizer."""
    hessian = np.asarray(problem.hessians, dtype=float).mean(axis=0)
    return {0: np.eye(len(hessian)), 1: hessian / 2, 2: hessian @ hessian}[OBSERVABLES[name]]


def _second_moment(problem: Quadratic, name: str, moments: Moments) -> float:
    """Of a quadratic form of a Gaussian vector: (E X)^2 + 2 tr(W S W S) + 4 m' W S W m."""
    W, S = _weight(problem, name), np.asarray(moments.covariance[-1], dtype=float)
    m = np.asarray(moments.mean[-1], dtype=float) - problem.minimiser()
    mean = float(getattr(moments, name)[-1])
    return (mean**2 + 2 * float(np.trace(W @ S @ W @ S)) + 4 * float(m @ W @ S @ W @ m)) * (1 + 1e-9)


def _ceiling(problem: Quadratic, name: str, settings: Any) -> float | None:
    """||x+ - x*|| <= ||I - step H|| ||x - x*|| + step ||noise||, where the noise is bounded."""
    error, step = settings.oracle.scale, settings.step
    if error > 0 and not isinstance(settings.oracle, TwoPoint | Sphere):
        return None
    hessian = np.asarray(problem.hessians, dtype=float).mean(axis=0)
    shrink = float(np.linalg.norm(np.eye(len(hessian)) - step * hessian, 2))
    distance = float(np.linalg.norm(settings.start - problem.minimiser()))
    for _ in range(settings.steps):
        distance = shrink * distance + step * error
    return float(np.linalg.norm(_weight(problem, name), 2)) * distance**2 * (1 + 1e-9)


def tally(count: int) -> Counter[str]:
    """Verdicts at the true value, and at nine tenths of it with the default number of replicates."""
    found: Counter[str] = Counter()
    for number in range(count):
        cell = planted(number)
        at_truth = cell.judged(cell.truth, cell.replicates)
        found["false violated"] += at_truth.verdict is Verdict.VIOLATED
        missed = at_truth.measured.upper is not None and at_truth.measured.upper < cell.truth
        found["upper limit missed, certified"] += missed and at_truth.certified
        found["upper limit missed, asymptotic"] += missed and not at_truth.certified
        found["certified upper limit exists"] += cell.ceiling is not None or cell.second_moment is not None
        caught = cell.judged(0.9 * cell.truth, REPLICATES).verdict is Verdict.VIOLATED
        spread = _spread(cell)
        found[f"relative deviation {spread}"] += 1
        found[f"relative deviation {spread}, caught"] += caught
        found[cell.law] += 1
    return found


def _spread(cell: Planted) -> str:
    """How far the samples spread, beside their mean: what decides how many a test of this power needs."""
    relative = float(cell.samples.std()) / cell.truth
    return NARROW if relative <= 1 else "above 1"


def test_the_limit_of_false_verdicts() -> None:
    assert largest_number(1000) == 86
    assert largest_number(200) == 27
    assert binom.sf(largest_number(200), 200, LEVEL) < ERROR <= binom.sf(largest_number(200) - 1, 200, LEVEL)


@pytest.mark.slow("200 judged cells; its planted defect is in tier one")
def test_false_verdicts_stay_within_the_level_and_a_tenth_is_seen() -> None:
    """Of a mean of wider samples no test of this level sees a tenth with so few: docs/error_level.md."""
    found = tally(IN_CI)
    assert found["false violated"] <= largest_number(IN_CI)
    assert found["upper limit missed, certified"] <= largest_number(IN_CI)
    assert found["certified upper limit exists"] > IN_CI / 2
    narrow = f"relative deviation {NARROW}"
    assert found[narrow] > IN_CI / 2
    assert found[f"{narrow}, caught"] >= 0.99 * found[narrow]


def test_a_limit_that_is_too_narrow_would_be_seen() -> None:
    """A planted defect: a limit of half a standard error instead of what the level asks."""
    wrong = 0
    for number in range(IN_CI // 2):
        cell = planted(number)
        samples = cell.samples[:64]
        wrong += bool(samples.mean() - 0.5 * samples.std() / 8 > cell.truth)
    assert wrong > largest_number(IN_CI // 2)
