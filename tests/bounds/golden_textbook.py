"""The textbook controls beyond the two of golden.py, typed by hand from its transcription at 50 digits.

Stands alone: it needs mpmath and nothing of this project.
"""

from mpmath import mpf


def gradient_descent_strongly_convex(q):
    factor, distance = 1 - q.mu / q.L, q.D0
    for _ in range(int(q.N)):
        distance = factor * distance
    return {"initialization": distance**2}, {"eta": 1 / q.L}, [(q.mu, "<=", q.L)]


def gradient_descent_nonconvex(q):
    """One half of the gap to L times a square for the last iterate, three quarters for each one before."""
    weight = mpf(1) / 2 + mpf(3) / 4 * q.N
    return {"initialization": q.L * q.f0_gap / weight}, {"eta": 1 / q.L}, []


def federated_averaging_one_client(q):
    steps = q.rounds * q.E
    return {"initialization": q.L * q.D0**2 / (4 * steps + 2)}, {"eta": 1 / q.L}, []


POINTS = {
    "T.gd.strong": (
        gradient_descent_strongly_convex,
        [
            dict(L=3, mu=0.5, D0=2, N=7),
            dict(L=1, mu=1, D0=1, N=0),
            dict(L=10, mu=0.001, D0=0.5, N=300),
        ],
    ),
    "T.gd.nonconvex": (
        gradient_descent_nonconvex,
        [dict(L=3, f0_gap=2, N=7), dict(L=0.25, f0_gap=0, N=0), dict(L=100, f0_gap=0.3, N=999)],
    ),
    "T.fedavg.one": (
        federated_averaging_one_client,
        [dict(L=3, D0=2, rounds=7, E=4), dict(L=1, D0=1, rounds=0, E=1), dict(L=0.1, D0=9, rounds=33, E=30)],
    ),
}
