"""Quadratic clients that differ by a direction alone, beside their Hessians written out client by client."""

import numpy as np
import pytest

from synthetic import run
from synthetic.algorithms import fedavg
from synthetic.participation import Full
from synthetic.problems._directed_quadratics import DirectedQuadratics
from synthetic.problems.quadratic import quadratic

TURN = 2 * np.pi / 3
THREE = np.array([[np.cos(k * TURN), np.sin(k * TURN)] for k in range(3)])


def problem(directions=THREE, *, shared=2, own=1, curvature=0.25, slope=1.0):
    random = np.random.default_rng(3)
    factor = random.normal(size=(shared + own, shared + own))
    hessian = curvature * np.eye(shared + own) + factor @ factor.T
    return DirectedQuadratics(
        hessian=hessian,
        slope=slope * np.ones(own),
        directions=directions,
        curvature=curvature,
        smoothness=float(np.linalg.eigvalsh(hessian)[-1]),
    )


def written_out(made):
    """Hessians (n, d, d) and slopes (n, d): a map P_i takes x to z, and the rest of x has the curvature m."""
    s = len(made.slope)
    hessians, slopes = [], []
    for e in made.directions:
        seen = np.zeros((made.shared + s, made.dimension))
        seen[: made.shared, : made.shared] = np.eye(made.shared)
        for row in range(s):
            seen[made.shared + row, made.shared + row * len(e) : made.shared + (row + 1) * len(e)] = e
        unseen = np.eye(made.dimension) - seen.T @ seen
        hessians.append(seen.T @ made.hessian @ seen + made.curvature * unseen)
        slopes.append(seen.T @ np.concatenate([np.zeros(made.shared), made.slope]))
    return np.array(hessians), np.array(slopes)


@pytest.mark.parametrize(("shared", "own"), [(2, 1), (1, 2), (3, 0)])
def test_values_and_gradients_are_those_written_out(shared, own):
    made = problem(shared=shared, own=own)
    hessians, slopes = written_out(made)
    points = np.random.default_rng(0).normal(size=(3, 5, made.dimension))
    bent = np.einsum("nde,nre->nrd", hessians, points)
    values = (points * bent).sum(-1) / 2 + np.einsum("nd,nrd->nr", slopes, points)
    assert made.client_values(points) == pytest.approx(values)
    assert made.client_gradients(points) == pytest.approx(bent + slopes[:, None])
    for i in range(3):
        assert made.client_value(i, points[i]) == pytest.approx(values[i])
        assert made.client_gradient(i, points[i]) == pytest.approx(bent[i] + slopes[i])


def test_the_mean_has_its_minimum_at_0():
    made = problem()
    assert made.gradient(np.zeros((1, made.dimension))) == pytest.approx(0, abs=1e-15)
    assert (made.value(np.random.default_rng(1).normal(size=(50, made.dimension))) > 0).all()
    assert float(made.value(made.minimiser()[None])[0]) == made.minimum() == 0
    facts = made.facts()
    spectra = np.linalg.eigvalsh(written_out(made)[0])
    assert facts.strong_convexity - 1e-12 <= spectra.min() <= spectra.max() <= facts.smoothness + 1e-12


def test_a_run_is_that_of_the_usual_quadratic_clients():
    made = problem()
    hessians, slopes = written_out(made)
    centers = -np.linalg.solve(hessians, slopes[..., None])[..., 0]
    usual = quadratic((hessians + hessians.swapaxes(1, 2)) / 2, centers)
    asked = fedavg.Settings(
        start=np.ones(made.dimension), rounds=3, local_steps=4, local_step=0.1, participation=Full()
    )
    ends = [
        run("fedavg", one, asked, replicates=2, seed=0, stream="both").final_state for one in (made, usual)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
