"""One round of FedAVG with local steps: the recursion (39) for eta <= 1/(18 H L).

The way is not the printed one: the drift is bounded by an induction over the local steps h, with the sums
over earlier steps as sequences, and the descent at theta_{r+1} uses the mean of the local gradients as it is.
"""

from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import GRADIENT_DIVERGENCE, UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Point, Summand, a_square, because, fact
from bounds.language.proof.lemmas import bound_square_of_sum

INDEPENDENCE = "D.indep"  # of the draws over agents, local steps and rounds


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The two ends of a round and what is proved of it. `earlier` is what the round itself depends on."""

    value: Scalar  # F(theta_r)
    next_value: Scalar  # E[F(theta_{r+1}) | theta_r]
    client_value: Scalar
    gradient: Vector  # of F at theta_r
    client_gradient: Vector
    recursion: str  # (39)
    dissimilarity: str  # FL-3 at theta_r


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """The local steps of the agents, as they are declared; sums are over the earlier steps and over all."""

    count: Scalar
    start: Point
    local: Point
    y_H: Vector
    noise: Vector
    N: tuple[Vector, Vector]  # sum of the noise
    moved: tuple[Vector, Vector]  # sum of grad f(y_l) - grad f(theta)
    R: Scalar  # sum of the squares of these differences
    Q: tuple[Scalar, Scalar]  # sum of ||y_l - theta||^2


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Mean:
    """The mean over the agents at the end of the round."""

    gradient: Vector
    noise: Vector
    moved: Vector
    after: Point


def describe(proof: MachineForm, earlier: tuple[str, ...] = ()) -> Round:
    """One round from theta_r; proves (39)."""
    proof.operator("c"), proof.operator("E"), proof.index("h")
    proof.positive("L", "eta", "M", "H"), proof.non_negative("sigma", "zeta")
    proof.domain("H"), proof.condition("D.F2")
    steps = _declare_steps(proof, earlier)
    mean = _declare_mean(proof, steps)
    bounds = _prove_sums(proof, steps)
    drift = _prove_drift(proof, steps, bounds)
    value = over("c", steps.start.value)
    next_value = over("c", over("E", mean.after.value))
    lower = _prove_descent(proof, steps, mean, bounds)
    recursion = _prove_recursion(proof, mean.gradient, value - next_value, (lower, *drift))
    return Round(
        value=value,
        next_value=next_value,
        client_value=steps.start.value,
        gradient=mean.gradient,
        client_gradient=steps.start.gradient,
        recursion=recursion,
        dissimilarity="FL-3",
    )


def _declare_steps(proof: MachineForm, earlier: tuple[str, ...]) -> _Steps:
    L, eta, H, sigma = (Scalar(name) for name in ("L", "eta", "H", "sigma"))
    count, drawn = proof.scalar("h_now", ">=", ["h"]), ("c", "E", *earlier)
    proof.sequence("h", count, count + 1, 0, H)
    f, theta = proof.function("f", ["c"], smooth=L), proof.vector("theta", earlier)
    start = proof.point("start", f, theta)
    y, y_H = proof.vector("y", ["h", *drawn]), proof.vector("y_H", drawn)
    local, noise = proof.point("local", f, y), proof.vector("noise", ["h", *drawn])
    proof.sequence("h", y, y - eta * (local.gradient + noise), theta, y_H)
    N, N_H = proof.vector_recursion("N", "h", Vector((("N", Scalar("1")),)) + noise, ZERO, drawn)
    proof.assume("noise", sigma**2 - over("E", square(noise)), source=UNBIASED_NOISE.name)
    # N has the noise of the earlier steps alone
    proof.assume("noise is new", over("E", inner(N, noise)), "= 0", source=UNBIASED_NOISE.name)
    g0 = start.gradient
    R, _ = proof.sum("turns", "h", square(local.gradient - g0), drawn)
    return _Steps(
        count=count,
        start=start,
        local=local,
        y_H=y_H,
        noise=noise,
        N=(N, N_H),
        moved=((theta - y) / eta - count * g0 - N, (theta - y_H) / eta - H * g0 - N_H),
        R=R,
        Q=proof.sum("moves", "h", square(y - theta), drawn),
    )


def _declare_mean(proof: MachineForm, steps: _Steps) -> _Mean:
    eta, M, H, zeta = (Scalar(name) for name in ("eta", "M", "H", "zeta"))
    g0, (_, N_H) = steps.start.gradient, steps.N
    gradient = proof.average("gradient", "c", g0)
    noise, following = proof.average("N.mean", "c", N_H), proof.average("theta.next", "c", steps.y_H)
    proof.mean_is("E", noise, ZERO, source=UNBIASED_NOISE.name)
    scattered = over("c", over("E", square(N_H)))
    independent = scattered - M * over("E", square(noise))
    proof.assume("agents are independent", independent, "= 0", source=INDEPENDENCE)
    near = zeta**2 - over("c", square(g0 - gradient))
    proof.assume("FL-3", near, source=GRADIENT_DIVERGENCE.name)
    return _Mean(
        gradient=gradient,
        noise=noise,
        moved=(steps.start.at - following) / eta - H * gradient - noise,
        after=proof.point("after", "f", following),
    )


def _prove_sums(proof: MachineForm, steps: _Steps) -> dict[str, tuple[str, str]]:
    """Bounds on the sums, at every step and at the end."""
    L, sigma, (N, _), (Q, _) = Scalar("L"), Scalar("sigma"), steps.N, steps.Q
    turn, far = steps.local.gradient - steps.start.gradient, steps.local.at - steps.start.at
    noise_step = proof.search(
        "noise, one step",
        sigma**2 - over("E", square(steps.noise)) - 2 * over("E", inner(N, steps.noise)),
        because("noise"),
        Equality("noise is new"),
    )
    lipschitz = because(fact("lipschitz_gradient", steps.local, steps.start))
    count = steps.count
    return {
        "jensen": bound_square_of_sum(proof, "turns", "h", count, steps.R, steps.moved[0], turn),
        "smooth": proof.induct("smoothness", "h", L**2 * Q - steps.R, lipschitz),
        "noise": proof.induct(
            "noise so far", "h", count * sigma**2 - over("E", square(N)), because(noise_step)
        ),
        "positive": proof.induct("drift >= 0", "h", Q, a_square(far)),
    }


def _prove_drift(proof: MachineForm, steps: _Steps, bounds: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """E Q_H <= eta^2 ((H-1)H(2H-1)/3 (||g||^2 + zeta^2) + 2 L^2 H(H-1) E Q_H + 2 H(H-1) sigma^2).

    Also E Q_H >= 0.
    """
    L, eta, H, sigma, zeta = (Scalar(name) for name in ("L", "eta", "H", "sigma", "zeta"))
    count, g0, far = steps.count, steps.start.gradient, steps.local.at - steps.start.at
    (N, _), (moved, _), (Q, Q_H) = steps.N, steps.moved, steps.Q
    distance = proof.claim(
        "distance, one step",
        eta**2 * (2 * count**2 * square(g0) + 4 * L**2 * count * over("E", Q) + 4 * count * sigma**2)
        - over("E", square(far)),
        a_square(count * g0 - moved - N, times=eta**2, over=["E"]),
        a_square(moved - N, times=2 * eta**2, over=["E"]),
        because(bounds["jensen"][0], times=4 * eta**2, over=["E"]),
        because(bounds["smooth"][0], times=4 * eta**2 * count, over=["E"]),
        because(bounds["noise"][0], times=4 * eta**2),
    )
    before = count * (count - 1)
    agent = before * (2 * count - 1) / 3 * square(g0)
    _, drifted = proof.induct(
        "drift",
        "h",
        eta**2 * (agent + 2 * L**2 * before * over("E", Q) + 2 * before * sigma**2) - over("E", Q),
        because(distance),
        a_square(far, times=2 * L**2 * eta**2 * (count**2 + count), over=["E"]),
    )
    total, gradient = over("c", over("E", Q_H)), Vector((("gradient", Scalar("1")),))
    mean = proof.claim(
        "mean drift",
        eta**2 * (H * (H - 1) * (2 * H - 1) / 3 * (square(gradient) + zeta**2) + 2 * H * (H - 1) * sigma**2)
        - (1 - 2 * eta**2 * L**2 * H * (H - 1)) * total,
        because(drifted, over=["c"]),
        because("domain of H", "FL-3", "domain of H", times=eta**2 * H / 3),
        because("domain of H", "FL-3", times=eta**2 * H**2 / 3),
    )
    positive = proof.claim("mean drift >= 0", total, because(bounds["positive"][1], over=["c", "E"]))
    return mean, positive


def _prove_descent(proof: MachineForm, steps: _Steps, mean: _Mean, bounds: dict[str, tuple[str, str]]) -> str:
    """The descent from theta_r to theta_{r+1}, with the mean of the local gradients as it is."""
    L, eta, M, H, sigma = (Scalar(name) for name in ("L", "eta", "M", "H", "sigma"))
    total, moved = over("c", over("E", steps.Q[1])), mean.moved
    way, fallen = H * mean.gradient + moved, over("c", steps.start.value - over("E", mean.after.value))
    mean_moved = proof.claim(
        "the mean of the turns",
        H * L**2 * total - over("E", square(moved)),
        a_square(steps.moved[1] - moved, over=["c", "E"]),
        because(bounds["jensen"][1], over=["c", "E"]),
        because(bounds["smooth"][1], times=H, over=["c", "E"]),
    )
    descent = proof.claim(
        "descent",
        fallen
        - eta * over("E", inner(mean.gradient, way))
        + L * eta**2 / 2 * over("E", square(way + mean.noise)),
        because(fact("smooth", mean.after, steps.start), over=["c", "E"]),
    )
    noise_mean = proof.search(
        "noise of the mean",
        H * sigma**2 / M - over("E", square(mean.noise)),
        because(bounds["noise"][1], over=["c"]),
        Equality("agents are independent"),
    )
    proof.claim("18 eta H L <= 1", 1 - 18 * eta * H * L, because("D.F2", times=1 / (18 * H * L)))
    return proof.claim(
        "one round",
        fallen - eta * H / 2 * square(mean.gradient) + eta * L**2 / 2 * total + L * eta**2 * H * sigma**2 / M,
        because(descent),
        a_square(way - mean.noise, times=L * eta**2 / 2, over=["E"]),
        because(noise_mean, times=L * eta**2),
        because(mean_moved, times=eta / (2 * H)),
        a_square(way, times=eta / (2 * H) * Scalar("8/9"), over=["E"]),
        a_square(way, "18 eta H L <= 1", times=eta / (18 * H), over=["E"]),
    )


def _prove_recursion(
    proof: MachineForm, gradient: Vector, fallen: Scalar, found: tuple[str, str, str]
) -> str:
    """(39), by the bound on the drift."""
    L, eta, M, H, sigma, zeta = (Scalar(name) for name in ("L", "eta", "M", "H", "sigma", "zeta"))
    lower, drift, positive = found
    small, at_least_one = "18 eta H L <= 1", "domain of H"
    short = proof.claim(
        "2 eta^2 L^2 H (H - 1) is small",
        1 - 162 * eta**2 * L**2 * H * (H - 1) * 2,
        because(small),
        because(small, times=18 * eta * H * L),
        Summand(324 * eta**2 * L**2 * H),
    )
    return proof.search(
        "D.eq39",
        fallen
        - eta * H / 4 * square(gradient)
        + eta * H * zeta**2
        + 4 * eta**2 * H * L * sigma**2 / M
        + 3 * eta**3 * H * (H - 1) * L**2 * sigma**2,
        because(lower),
        because(drift, times=eta * L**2),
        because(short, positive, times=eta * L**2),
        because(at_least_one, times=eta**3 * L**2 * H * sigma**2),
        Summand(eta**2 * L * H * sigma**2 / M),
        *(
            term
            for size in (square(gradient), zeta**2)
            for term in (
                Summand(eta * H * size),
                because(small, times=eta * H * size),
                because(small, times=eta**2 * H**2 * L * size),
                because(at_least_one, times=eta**3 * L**2 * H * size),
                Summand(eta**3 * L**2 * H * size),
            )
        ),
    )
