"""One round of FedAVG with local steps, for eta <= 1/(18 H L): stronger than (39), which follows.

The way is that of docs/amended: the local paths are compared with those z of exact gradients. The squared
distance of a path from z is the second moment of its noise, and z is at most 36/35 h eta ||grad f|| away.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from bounds.language.assumptions import GRADIENT_DIVERGENCE, UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Point,
    Summand,
    a_square,
    because,
    fact,
)
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn, bound_square_of_sum

INDEPENDENCE = "D.indep"  # of the draws over agents, local steps and rounds
L, ETA, M, H, SIGMA, ZETA = (Scalar(name) for name in ("L", "eta", "M", "H", "sigma", "zeta"))
COUNT, U, X = Scalar("h_now"), L * ETA, ETA * H * L
SMALL, AT_LEAST_ONE = "18 eta H L <= 1", "domain of H"
SPREAD, DRIFT = Fraction(18, 17), Fraction(18, 35)  # h + SPREAD u h^2 and h + DRIFT u h^2 bound the sums
FAR = 1 + DRIFT / 18  # 36/35


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The local steps of an agent: its path y, the path z of exact gradients, and their ends."""

    exactly: tuple[str, ...]  # what a path of exact gradients depends on
    start: Point
    local: Point
    exact: Point
    y_H: Vector
    z_H: Vector
    turned: tuple[Vector, Vector]  # the sum of grad f(y_l) - grad f(theta)
    turns: Scalar  # the sum of their squares


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The means of the end of a path over the draws, over the agents, and over both."""

    gradient: Vector
    expected: Vector  # E y_H
    following: Vector  # theta_{r+1}
    middle: Vector  # E theta_{r+1}
    after: Point

    def error(self, start: Point) -> Vector:
        """How far the mean local gradient is from the gradient, which the descent has to bear."""
        return self.gradient + (self.middle - start.at) / (ETA * H)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The two ends of a round and what is proved of it. `earlier` is what the round itself depends on."""

    value: Scalar  # F(theta_r)
    next_value: Scalar  # E[F(theta_{r+1}) | theta_r]
    client_value: Scalar
    gradient: Vector  # of F at theta_r
    client_gradient: Vector
    recursion: str  # next_value <= value - 3/4 eta H ||gradient||^2 + 1/80 eta H zeta^2 + noise
    noise: Scalar
    dissimilarity: str  # FL-3 at theta_r
    steps: Steps
    mean: Mean
    turns: str  # H times the mean of all squared turns of the gradient >= ||H error||^2


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...] = (),
    short: tuple[Summand, ...] = (because("D.F2", times=1 / (18 * H * L)),),
    declare: Callable[[Steps, Mean], None] = lambda *_: None,
    divergence: str = GRADIENT_DIVERGENCE.name,
    **lowest: Scalar,
) -> Round:
    """One round from theta_r. `short` are the reasons of 18 eta H L <= 1, first a condition.

    `declare` describes what else is given, of agents that may have a lowest value. `divergence` names the
    assumption that gives FL-3, which is taken at theta_r only.
    """
    proof.operator("c"), proof.operator("E"), proof.index("h")
    proof.positive("L", "eta", "M", "H"), proof.non_negative("sigma", "zeta")
    proof.domain("H"), proof.condition(str(short[0].facts[0]))
    if lowest:
        proof.scalar("f_star", "real", ["c"])
    steps = _declare_steps(proof, earlier, lowest)
    mean = _declare_mean(proof, steps, divergence)
    declare(steps, mean)
    proof.claim(SMALL, 1 - 18 * X, *short)
    scattered = _prove_noise(proof, steps)
    drift = _add_up(proof, steps, _prove_exact_path(proof, steps), scattered[0])
    error = _prove_error(proof, steps, mean, drift)
    noise = Fraction(9, 16) * ETA**2 * H * L * SIGMA**2 / M
    noise = noise + Fraction(3, 4) * ETA**3 * H * (H - 1) * L**2 * SIGMA**2
    return Round(
        value=over("c", steps.start.value),
        next_value=over("c", over("E", mean.after.value)),
        client_value=steps.start.value,
        gradient=mean.gradient,
        client_gradient=steps.start.gradient,
        recursion=_prove_recursion(proof, steps, mean, (error, scattered[1]), noise),
        noise=noise,
        dissimilarity="FL-3",
        steps=steps,
        mean=mean,
        turns="Jensen of the error",
    )


def _declare_steps(proof: MachineForm, earlier: tuple[str, ...], lowest: dict[str, Scalar]) -> Steps:
    exactly, drawn = ("c", *earlier), ("c", "E", *earlier)
    proof.sequence("h", proof.scalar("h_now", ">=", ["h"]), COUNT + 1, 0, H)
    proof.assume("another step", H - COUNT - 1, source=DEFINITION)
    f, theta = proof.function("f", ["c"], smooth=L, **lowest), proof.vector("theta", earlier)
    start = proof.point("start", f, theta)
    y, y_H = proof.vector("y", ["h", *drawn]), proof.vector("y_H", drawn)
    z, z_H = proof.vector("z", ["h", *exactly]), proof.vector("z_H", exactly)
    local, exact = proof.point("local", f, y), proof.point("exact", f, z)
    noise = proof.vector("noise", ["h", *drawn])
    proof.sequence("h", y, y - ETA * (local.gradient + noise), theta, y_H)
    proof.sequence("h", z, z - ETA * exact.gradient, theta, z_H)
    far, far_next = proof.norm("far", z - theta), proof.norm("far.next", z - ETA * exact.gradient - theta)
    proof.sequence("h", far, far_next, 0, proof.norm("far.H", z_H - theta))
    proof.norm("slope", start.gradient), proof.norm("turn", exact.gradient - start.gradient)
    N, N_H = proof.vector_recursion("N", "h", Vector((("N", Scalar("1")),)) + noise, ZERO, drawn)
    proof.assume("noise", SIGMA**2 - over("E", square(noise)), source=UNBIASED_NOISE.name)
    # Both paths at this step, and the difference of their gradients, depend on the past alone.
    for name, past in (("path", y - z), ("gradient", local.gradient - exact.gradient)):
        proof.assume(
            f"noise is new to the {name}", over("E", inner(past, noise)), "= 0", source=UNBIASED_NOISE.name
        )
    g0 = start.gradient
    turned = ((theta - y) / ETA - COUNT * g0 - N, (theta - y_H) / ETA - H * g0 - N_H)
    return Steps(
        exactly=exactly,
        start=start,
        local=local,
        exact=exact,
        y_H=y_H,
        z_H=z_H,
        turned=turned,
        turns=proof.sum("turns", "h", square(local.gradient - g0), drawn)[0],
    )


def _declare_mean(proof: MachineForm, steps: Steps, divergence: str) -> Mean:
    g0 = steps.start.gradient
    gradient = proof.average("gradient", "c", g0)
    expected, following = proof.average("y_H.E", "E", steps.y_H), proof.average("theta.next", "c", steps.y_H)
    middle = proof.average("theta.next.E", "c", expected)
    proof.mean_is("E", following, middle, source=DEFINITION)  # both means, in the other order
    proof.mean_is("E", Vector((("N.last", Scalar("1")),)), ZERO, source=UNBIASED_NOISE.name)
    apart = over("c", over("E", square(steps.y_H - expected))) - M * over("E", square(following - middle))
    proof.assume("agents are independent", apart, "= 0", source=INDEPENDENCE)
    near = ZETA**2 - over("c", square(g0 - gradient))
    proof.assume("FL-3", near, source=divergence)
    after = proof.point("after", "f", following)
    return Mean(gradient=gradient, expected=expected, following=following, middle=middle, after=after)


def _prove_room(proof: MachineForm) -> str:
    """1 - 18 u (h + 1) >= 0 at every step."""
    later = because("another step", times=18 * U)
    return proof.claim("18 u h <= 1", 1 - 18 * U * (COUNT + 1), because(SMALL), later)


def _prove_noise(proof: MachineForm, steps: Steps) -> tuple[str, str]:
    """The second moment around z, eta^2 sigma^2 (h + 18/17 u h^2), at every step and at the end."""
    room = _prove_room(proof)
    apart, turn = steps.local.at - steps.exact.at, steps.local.gradient - steps.exact.gradient
    c, unit = SPREAD, ETA**2 * SIGMA**2 * U
    return proof.induct(
        "noise of a path",
        "h",
        ETA**2 * SIGMA**2 * (COUNT + c * U * COUNT**2) - over("E", square(apart)),
        a_square(turn + L * apart, times=ETA / L, over=["E"]),
        because(fact("lipschitz_gradient", steps.local, steps.exact), times=(U + U**2) / L**2, over=["E"]),
        because("noise", times=ETA**2),
        Equality("noise is new to the path", 2 * ETA),
        Equality("noise is new to the gradient", -2 * ETA**2),
        because(room, times=unit * c * COUNT * (2 + U) / 18),
        Summand(unit * (c + U * COUNT * (2 * c - 1 - c / 18) + c * U**2 * COUNT)),
        times=(1 + U) ** 2,
    )


def _prove_exact_path(proof: MachineForm, steps: Steps) -> str:
    """||z_h - theta|| is at most 36/35 h eta ||grad f||, squared."""
    far, slope, moved = Scalar("far"), Scalar("slope"), steps.exact.at - steps.start.at
    turn, g0 = steps.exact.gradient - steps.start.gradient, steps.start.gradient
    smooth = bound_norm_of_turn(proof, "smoothness", L, (far, Scalar("turn")), (steps.exact, steps.start))
    parts = [(moved, far), (-ETA * turn, ETA * Scalar("turn")), (-ETA * g0, ETA * slope)]
    triangle = bound_norm_of_sum(proof, "triangle", Scalar("far.next"), parts)
    d, unit = DRIFT, ETA * slope * U
    away, _ = proof.induct(
        "exact path",
        "h",
        ETA * slope * (COUNT + d * U * COUNT**2) - far,
        because(triangle),
        because(smooth, times=ETA),
        because("18 u h <= 1", times=unit * COUNT * d / 18),
        Summand(unit * COUNT * (2 * d - 1 - d / 18)),
        Summand(unit * d),
        Summand(unit * COUNT * d * U),
        times=1 + U,
    )
    near = proof.claim(
        "exact path, at most",
        ETA * slope * FAR * COUNT - far,
        because(away),
        because("18 u h <= 1", times=ETA * slope * d * COUNT / 18),
        Summand(ETA * slope * d * COUNT * U),
    )
    return proof.claim(
        "exact path, squared",
        (ETA * FAR * COUNT) ** 2 * slope**2 - square(moved),
        because(near, times=ETA * slope * FAR * COUNT),
        because(near, times=far),
    )


def _add_up(proof: MachineForm, steps: Steps, squares: str, scattered: str) -> str:
    """The sum of E ||y_h - theta||^2 over the steps, by 9 and 9/8 times the two parts."""
    moved, apart = steps.exact.at - steps.start.at, steps.local.at - steps.exact.at
    distances, _ = proof.sum("moves", "h", over("E", square(moved + apart)), steps.exactly)
    noise, size = Fraction(9, 8) * ETA**2 * SIGMA**2 * SPREAD, square(steps.start.gradient)
    return proof.induct(
        "moves",
        "h",
        3 * (ETA * FAR) ** 2 * COUNT**3 * size + noise * COUNT * (COUNT - 1) / 2 - distances,
        a_square(moved - apart / 8, times=8, over=["E"]),
        because(squares, times=9),
        because(scattered, times=Fraction(9, 8)),
        because("18 u h <= 1", times=noise * COUNT / 18),
        Summand(noise * COUNT * U),
        Summand(3 * (ETA * FAR) ** 2 * (3 * COUNT + 1) * size),
    )[1]


def _prove_error(proof: MachineForm, steps: Steps, mean: Mean, drift: str) -> str:
    """||error||^2 <= 3 (36/35)^2 x^2 (||grad F||^2 + zeta^2) + 9/16 18/17 u^2 (H - 1) sigma^2."""
    turn, error = steps.local.gradient - steps.start.gradient, mean.error(steps.start)
    jensen = bound_square_of_sum(proof, "turns", "h", COUNT, steps.turns, steps.turned[0], turn)[1]
    lipschitz = because(fact("lipschitz_gradient", steps.local, steps.start), over=["E"])
    turns = L**2 * Scalar("moves") - over("E", steps.turns)
    _, smooth = proof.induct("smoothness of the steps", "h", turns, lipschitz)
    spread = proof.claim(
        "Jensen of the error",
        H * over("c", over("E", Scalar("turns.last"))) - H**2 * square(error),
        a_square(steps.turned[1] + H * error, over=["c", "E"]),
        because(jensen, over=["c", "E"]),
    )
    return proof.claim(
        "error of the mean gradient",
        3 * (X * FAR) ** 2 * (square(mean.gradient) + ZETA**2)
        + Fraction(9, 16) * SPREAD * U**2 * (H - 1) * SIGMA**2
        - square(error),
        because(spread),
        because(smooth, times=H, over=["c"]),
        because(drift, times=H * L**2, over=["c"]),
        because("FL-3", times=3 * (X * FAR) ** 2 * H**2),
        times=H**2,
    )


def _prove_recursion(
    proof: MachineForm, steps: Steps, mean: Mean, found: tuple[str, str], noise: Scalar
) -> str:
    """The descent at theta_{r+1}, with the square of the mean move."""
    wrong, scattered = found
    variance = proof.claim(
        "scatter of a round",
        ETA**2 * SIGMA**2 * (H + SPREAD * U * H**2) / M - over("E", square(mean.following - mean.middle)),
        because(scattered, times=1 / M, over=["c"]),
        a_square(mean.expected - steps.z_H, times=1 / M, over=["c"]),
        Equality("agents are independent", 1 / M),
    )
    fallen = over("c", steps.start.value - over("E", mean.after.value))
    gradient, error = mean.gradient, mean.error(steps.start)
    young, unit, k = gradient - Fraction(5, 2) * error, ETA * H, Fraction(15, 4) * FAR**2
    spread = ETA**2 * H * L * SIGMA**2 / M
    spare = Fraction(1, 30) - k / 324, Fraction(1, 80) - k / 324, Fraction(1, 16) - SPREAD / 36
    behind = ETA**3 * L**2 * H * SIGMA**2 * (Fraction(3, 4) - Fraction(45, 64) * SPREAD)
    return proof.claim(
        "one round",
        fallen - Fraction(3, 4) * unit * square(gradient) + unit * ZETA**2 / 80 + noise,
        because(fact("smooth", mean.after, steps.start), over=["c", "E"]),
        because(variance, times=L / 2),
        because(wrong, times=Fraction(5, 4) * unit),
        a_square(young, SMALL, times=unit / 90),
        a_square(young, times=Fraction(17, 90) * unit),
        a_square(error, times=Fraction(3, 4) * unit * X),
        a_square(gradient, SMALL, times=unit * (Fraction(1, 60) + k / 324 + k * X / 18)),
        a_square(gradient, times=unit * spare[0]),
        because(SMALL, times=unit * ZETA**2 * (k / 324 + k * X / 18)),
        Summand(unit * ZETA**2 * spare[1]),
        because(SMALL, times=spread * SPREAD / 36),
        Summand(spread * spare[2]),
        because(AT_LEAST_ONE, times=behind),
    )


def prove_eq39(proof: MachineForm, found: Round) -> str:
    """(39), whose constants are larger."""
    unit, spread, drift = ETA * H, ETA**2 * H * L * SIGMA**2 / M, ETA**3 * H * L**2 * SIGMA**2
    size = square(found.gradient)
    fallen = found.value - found.next_value - unit / 4 * size + unit * ZETA**2
    return proof.claim(
        "D.eq39",
        fallen + 4 * spread + 3 * (H - 1) * drift,
        because(found.recursion),
        Summand(unit * size / 2),
        Summand(Fraction(79, 80) * unit * ZETA**2),
        Summand(Fraction(55, 16) * spread),
        because(AT_LEAST_ONE, times=Fraction(9, 4) * drift),
    )
