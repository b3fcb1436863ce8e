"""Fed-alpha-NormEC."""

from fractions import Fraction
from math import cos

import numpy as np

from verify.witness import Measured, measured_on


def lemma_8() -> Measured:
    """Clients (x-1)^2/2 and (x+1)^2/2 at x = 0, each with three equal data points, gamma = 1000."""
    return measured_on(
        "fed_norm_ec.lemma_8",
        gradients=[[lambda x: x - 1] * 3, [lambda x: x + 1] * 3],
        x=np.array([0.0]),
        f=0.5,
        f_inf=0.5,
        f_i_inf=np.zeros(2),
        f_ij_inf=np.zeros((2, 3)),
        gamma=1000.0,
        L=1.0,
    )


def squares_of_lemma_8() -> Measured:
    """The same clients: the mean of the squared distances from x = 0 along their passes."""
    N, gamma, L = 3, Fraction(1000), 1
    squares = []
    for center in (1, -1):
        point = Fraction(0)
        for _ in range(N):
            squares.append(point**2)
            point -= gamma / N * (point - center)
    f = f_inf = within = Fraction(1, 2)  # f^inf less the infima of the f_ij, and of the f_i, which are 0
    right = 4 * L * gamma**2 * (f - f_inf) + 2 * gamma**2 * L * f_inf + 2 * gamma**2 * L * within
    return Measured(left=float(sum(squares) / len(squares)), right=float(right), applicable=True)


def two_data_points(part: str) -> Measured:
    """f_i1, f_i2 = x^2/2 +- 100 sin x, bounded below: their mean x^2/2 is 1-smooth. From 0 and from 1."""
    return measured_on(
        f"fed_norm_ec.lemma_9.{part}",
        gradients=[[lambda x: x + 100 * np.cos(x), lambda x: x - 100 * np.cos(x)]],
        x=np.array([0.0]),
        x_next=np.array([1.0]),
        gamma=0.5,
        L=1.0,
        eta=1.0,
    )


def one_pass() -> Measured:
    """The same two data points from -2.5: one step along the first, and the second has another slope."""
    return measured_on(
        "fed_norm_ec.lemma_9.c4",
        gradients=[[lambda x: x + 100 * np.cos(x), lambda x: x - 100 * np.cos(x)]],
        x=np.array([-2.5]),
        x_next=np.array([-2.5]),
        gamma=0.5,
        L=1.0,
        eta=1.0,
    )


def smoothness_of_data(step: str) -> Measured:
    """A.lem9.s3 (j = 1), s12 and s20 on the same data points: passes from 0 and 1, and in s20 from -2.5."""
    N, gamma, L = 2, 0.5, 1.0

    def slope(j: int, x: float) -> float:
        return x + (100 if j == 0 else -100) * cos(x)

    def points(x: float) -> tuple[float, float]:
        return x, x - gamma / N * slope(0, x)

    here, there = points(0.0 if step != "s20" else -2.5), points(1.0)
    if step == "s3":
        left, right = abs(there[1] - here[1]), abs(there[0] - here[0]) * (1 + gamma * L / N)
        return Measured(left=left, right=right, applicable=gamma <= 1 / (2 * L))
    others = there if step == "s12" else (here[0], here[0])
    moved = abs(there[0] - here[0]) if step == "s12" else 0.0
    pairs = [*zip(range(N), here, others, strict=True)]
    left = moved + gamma / N * sum(abs(slope(j, b) - slope(j, a)) for j, a, b in pairs)
    right = moved + gamma * L / N * sum(abs(b - a) for _, a, b in pairs)
    return Measured(left=left, right=right, applicable=gamma <= 1 / (2 * L))


def two_clients() -> Measured:
    """f_1 = (x-1)^2/2 and f_2 = (x+1)^2/2: each has the infimum 0, their mean (x^2+1)/2 has 1/2."""
    x = np.linspace(-2, 2, 401)
    clients = np.array([(x - 1) ** 2 / 2, (x + 1) ** 2 / 2])
    delta = clients.mean(axis=0).min() - clients.min(axis=1).mean()
    return Measured(left=float(delta), right=0.0, applicable=True, equality=True)


def two_data_points_c2() -> Measured:
    return two_data_points("c2")


def two_data_points_c3() -> Measured:
    return two_data_points("c3")


def smoothness_of_data_s3() -> Measured:
    return smoothness_of_data("s3")


def smoothness_of_data_s12() -> Measured:
    return smoothness_of_data("s12")


def smoothness_of_data_s20() -> Measured:
    return smoothness_of_data("s20")
