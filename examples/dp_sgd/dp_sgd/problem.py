"""Logistic regression without a penalty: every data point's gradient is bounded."""

from fedbounds import Problem, build


def logistic(clients: int = 3, seed: int = 0) -> Problem:
    return build("logistic.small", clients=clients, samples=20, dimension=3, l2=0.0, seed=seed)


def one_client() -> Problem:
    return logistic(clients=1, seed=1)
