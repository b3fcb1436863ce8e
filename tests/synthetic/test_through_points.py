"""A function through points: it has their values and gradients, and elsewhere the least of its minimum."""

import numpy as np

from synthetic.problems._through_points import through_points

SMOOTHNESS, CURVATURE, WIDTH = 2.0, -0.5, 2.5


def test_it_has_its_values_and_gradients_and_no_weights_give_less_elsewhere():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(1, 6, 3))
    scales = np.array([1.8, 0.4, -0.3])  # a quadratic of the class
    gradients, values = scales * points, (scales * points**2).sum(axis=-1) / 2
    made = through_points(points, gradients, values, smoothness=SMOOTHNESS, curvature=CURVATURE, lowest=-1e3)
    np.testing.assert_allclose(made.client_values(points[0])[0], values[0], atol=1e-9)
    np.testing.assert_allclose(made.client_gradients(points[0])[0], gradients[0], atol=1e-9)
    weights = rng.dirichlet(np.full(6, 0.3), size=5000)
    supports, costs = made.supports[0], made.costs[0]
    for x in rng.normal(size=(20, 3)):
        away = x - weights @ supports
        tried = weights @ costs + WIDTH / 2 * (away**2).sum(axis=1) + CURVATURE / 2 * x @ x
        assert made.client_values(x[None])[0, 0] <= tried.min() + 1e-12
