"""Problems on which usual bounds are reached: a false theorem falls there, and the true one does not.

Sampled cells err with probability LEVEL each.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from published_theorems import PUBLISHED
from sharp_theorems import APART, EXAMPLE, KINK, SLOPES, SMALL_STEPS, TRIALS, Trial
from theorems_of_integers import DRIFT, EVERYWHERE, INTEGERS

from bounds import discovery
from bounds.language.statement import Statement
from synthetic.outside.algorithm import Algorithm
from synthetic.outside.algorithms import adopt
from synthetic.problems import build
from verify import check
from verify.matching.cells.sharp import TIMES
from verify.matching.cells.sharp_problems import PULL, SHARP
from verify.matching.cells.standard import cells
from verify.runs.check import run_cell

LEVEL = 1e-6
LATER = PUBLISHED | INTEGERS
CASES = [(name, *twin) for name, trial in TRIALS.items() for twin in trial.twins]
MORE = [(name, *twin) for name, trial in LATER.items() for twin in trial.twins]


def find_cell(algorithm: Algorithm, statement: Statement, role: str) -> Any:
    adopted = discovery.adopt(replace(statement, algorithm=adopt(algorithm)))
    return next(cell for cell in cells(adopted) if cell.role == role)


@pytest.mark.thinned(10)
@pytest.mark.parametrize(("name", "role", "twin"), CASES, ids=[f"{case[0]}, {case[1]}" for case in CASES])
def test_a_twin_falls_where_the_bound_has_no_slack(name: str, role: str, twin: Statement) -> None:
    separates(TRIALS[name], role, twin)


@pytest.mark.thinned(9)
@pytest.mark.parametrize(("name", "role", "twin"), MORE, ids=[f"{case[0]}, {case[1]}" for case in MORE])
def test_a_twin_of_a_published_theorem_falls_in_its_cell(name: str, role: str, twin: Statement) -> None:
    separates(LATER[name], role, twin)


def separates(trial: Trial, role: str, twin: Statement) -> None:
    """The cell refutes the twin, and the true theorem not."""
    for statement, falls in ((trial.true, False), (twin, True)):
        found = run_cell(find_cell(trial.algorithm, statement, role), level=LEVEL, seed=1, replicates=512)
        assert (found.verdict.value == "violated") == falls, found.sentence


@pytest.mark.slow("random runs of every cell; the cells that show the twins are in the first tier")
@pytest.mark.parametrize("name", [*TRIALS, *LATER])
def test_a_true_theorem_stays_in_every_cell(name: str) -> None:
    algorithm, true, _ = (TRIALS | LATER)[name]
    answer = check(true, algorithm=algorithm, quick=True, search=0, level=LEVEL)
    assert not answer.refuted
    assert not [cell for cell in answer.cells if cell["verdict"] == "refused"]


def test_the_problems_are_what_their_titles_say() -> None:
    """Noise in every coordinate alike, a kink of slope 1, at the minimizer slopes of nearly the longest."""
    made = {sharp.title: build(sharp.name, **sharp.arguments) for sharp in SHARP}
    quadratics, kink, slopes = made[APART], made[KINK], made[SLOPES]
    pulls = quadratics.client_gradients(np.zeros((1, 8)))[:, 0]
    assert np.allclose(pulls.T @ pulls, 2 * PULL**2 * np.eye(8))
    assert np.allclose(quadratics.minimiser(), 0)
    everywhere, drift = made[EVERYWHERE], made[DRIFT]
    pulls = everywhere.client_gradients(np.zeros((1, 15)))[:, 0]
    assert np.allclose(pulls.T @ pulls, 16 * PULL**2 * np.eye(15))
    assert np.array_equal(np.abs(pulls), np.full((16, 15), PULL))
    assert (np.sign(pulls[:8, 7]) == -np.sign(pulls[8:, 7])).all()
    # of what the slopes at the minimizer and the curvatures have in common, nearly all that is possible
    slopes_there = drift.client_gradients(drift.minimiser()[None])[:, 0, 0]
    assert np.isclose(
        np.mean(slopes_there * [1, 0.05]), np.std([1, 0.05]) * np.std(slopes_there) * np.sign(slopes_there[0])
    )
    assert kink.facts().lipschitz == 1
    assert np.linalg.norm(slopes.minimiser()) < 1e-15
    lengths = np.asarray(slopes.constants()["client_gradient_norms_at_minimiser"].value)
    assert (lengths > 0.95 * float(slopes.facts().lipschitz)).all()


def test_what_is_told_to_the_algorithm_shows_its_powers() -> None:
    """One client where noise is to be large, many where a power of their number is; momentum nearer to 1."""
    algorithm, true, _ = TRIALS["a batch of clients"]
    drawn_clients = {role: find_cell(algorithm, true, role).parameters["b"] for role in (APART, SMALL_STEPS)}
    assert drawn_clients == {APART: 1, SMALL_STEPS: TIMES * EXAMPLE["b"]}
    algorithm, true, _ = TRIALS["clients without replacement"]
    drawn_clients = {role: find_cell(algorithm, true, role).parameters["S"] for role in (APART, SMALL_STEPS)}
    assert drawn_clients == {APART: 1, SMALL_STEPS: 8}
    algorithm, true, _ = TRIALS["momentum"]
    assert find_cell(algorithm, true, APART).parameters["beta"] == 1 - (1 - EXAMPLE["beta"]) / TIMES
    algorithm, true, twins = TRIALS["a private sum"]
    assert find_cell(algorithm, true, KINK).parameters["C"] >= 1
    assert find_cell(algorithm, twins[0][1], KINK).parameters["C"] < 1
