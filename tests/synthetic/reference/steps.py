"""The vector operations of the listings on rows (R, d), one client at a time."""

import numpy as np


def lengths(rows):
    return np.sqrt((rows * rows).sum(axis=1))[:, None]


def clip(rows, threshold):
    size = lengths(rows)
    return np.where(size > threshold, rows * (threshold / np.where(size == 0, 1.0, size)), rows)


def to_length(rows, length):
    size = lengths(rows)
    return np.where(size == 0, 0.0, length * rows / np.where(size == 0, 1.0, size))


def smoothed(rows, smoothing):
    size = smoothing + lengths(rows)
    return np.where(size == 0, 0.0, rows / np.where(size == 0, 1.0, size))


def descent(problem, client, start, step, steps):
    """All iterates of gradient descent on one client's function."""
    iterates = [start]
    for _ in range(steps):
        iterates.append(iterates[-1] - step * problem.client_gradient(client, iterates[-1]))
    return iterates


def pass_over_components(problem, client, start, length):
    """All iterates of one cyclic pass; the components are the clients of a problem of their own, in order."""
    iterates = [start]
    for j in range(problem.components):
        points = np.broadcast_to(iterates[-1], (problem.clients, *start.shape))
        gradient = problem.component_gradients(j, points)[client]
        iterates.append(iterates[-1] - length / problem.components * gradient)
    return iterates


def starting_rows(start, replicates, dimension):
    return np.broadcast_to(np.asarray(start, dtype=np.float64), (replicates, dimension)).copy()


def at(steps, k):
    return float(steps[k] if isinstance(steps, tuple) else steps)
