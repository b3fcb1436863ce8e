"""One round of FedAVG with local steps: the recursion (39) for eta <= 1/(18 H L).

The way is not the printed one: the drift is bounded by an induction over the local steps h, with the sums
over earlier steps as sequences, and the descent at theta_{r+1} uses the mean of the local gradients as it is.
"""

from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import GRADIENT_DIVERGENCE, UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because, fact

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


def describe(proof: MachineForm, earlier: tuple[str, ...] = ()) -> Round:
    """One round from theta_r; proves (39)."""
    c, E, h = proof.operator("c"), proof.operator("E"), proof.index("h")
    L, eta, M, H = proof.positive("L", "eta", "M", "H")
    sigma, zeta = proof.non_negative("sigma", "zeta")
    count = proof.scalar("h_now", ">=", [h])
    proof.sequence(h, count, count + 1, 0, H)
    at_least_one = proof.domain("H")
    step_size = proof.condition("D.F2")
    drawn = (c, E, *earlier)

    f = proof.function("f", [c], smooth=L)
    theta = proof.vector("theta", earlier)
    start = proof.point("start", f, theta)
    g0 = start.gradient
    y, y_H = proof.vector("y", [h, *drawn]), proof.vector("y_H", drawn)
    local = proof.point("local", f, y)
    noise = proof.vector("noise", [h, *drawn])
    proof.sequence(h, y, y - eta * (local.gradient + noise), theta, y_H)
    N, N_H = proof.vector_recursion("N", h, Vector((("N", Scalar("1")),)) + noise, ZERO, drawn)
    variance = proof.assume("noise", sigma**2 - over(E, square(noise)), source=UNBIASED_NOISE.name)
    martingale = proof.assume(
        "noise is new", over(E, inner(N, noise)), "= 0", source=UNBIASED_NOISE.name
    )  # N has the noise of the earlier steps alone
    gradient = proof.average("gradient", c, g0)
    mean_noise, theta_next = proof.average("N.mean", c, N_H), proof.average("theta.next", c, y_H)
    proof.mean_is(E, mean_noise, ZERO, source=UNBIASED_NOISE.name)
    agents = proof.assume(
        "agents are independent",
        over(c, over(E, square(N_H))) - M * over(E, square(mean_noise)),
        "= 0",
        source=INDEPENDENCE,
    )
    dissimilarity = proof.assume(
        "FL-3", zeta**2 - over(c, square(g0 - gradient)), source=GRADIENT_DIVERGENCE.name
    )
    after = proof.point("after", f, theta_next)

    moved = (
        (theta - y) / eta - count * g0 - N
    )  # the sum of grad f(y_l) - grad f(theta) over the earlier steps
    moved_H = (theta - y_H) / eta - H * g0 - N_H
    turn = local.gradient - g0
    R, R_H = proof.recursion("turns", h, Scalar("turns") + square(turn), 0, over=drawn)
    Q, Q_H = proof.recursion("moves", h, Scalar("moves") + square(y - theta), 0, over=drawn)

    # Jensen for the sum over the earlier steps: h R >= ||moved||^2
    v = proof.arbitrary("v")
    zero = proof.claim("nothing yet", Scalar("0"))

    def spread(v: Vector) -> Scalar:
        return count * square(v) - 2 * inner(v, moved) + R

    one = proof.claim("spread, one step", square(v) - 2 * inner(v, turn) + square(turn), a_square(v - turn))
    around = proof.induction("spread", h, spread(v), base=zero, step=one, claim=spread(v))
    about = proof.instance("spread about the turn", spread(turn), around, spread(v), v, turn)
    jensen_step = proof.claim(
        "Jensen, one step", R + count * square(turn) - 2 * inner(moved, turn), because(about)
    )
    jensen = [
        proof.induction(
            f"Jensen {name}", h, count * R - square(moved), base=zero, step=jensen_step, claim=claim
        )
        for name, claim in (("now", count * R - square(moved)), ("at the end", H * R_H - square(moved_H)))
    ]
    smooth_step = proof.claim(
        "smoothness, one step",
        L**2 * square(y - theta) - square(turn),
        because(fact("lipschitz_gradient", local, start)),
    )
    smooth = [
        proof.induction(f"smoothness {name}", h, L**2 * Q - R, base=zero, step=smooth_step, claim=claim)
        for name, claim in (("now", L**2 * Q - R), ("at the end", L**2 * Q_H - R_H))
    ]
    noise_step = proof.search(
        "noise, one step",
        sigma**2 - over(E, square(noise)) - 2 * over(E, inner(N, noise)),
        because(variance),
        Equality(martingale),
    )
    grown = [
        proof.induction(
            f"noise {name}", h, count * sigma**2 - over(E, square(N)), base=zero, step=noise_step, claim=claim
        )
        for name, claim in (
            ("now", count * sigma**2 - over(E, square(N))),
            ("at the end", H * sigma**2 - over(E, square(N_H))),
        )
    ]

    # The drift: E Q_H <= eta^2 ((H-1)H(2H-1)/3 ||g||^2 + 2 L^2 H(H-1) E Q_H + 2 H(H-1) sigma^2)
    distance = proof.claim(
        "distance, one step",
        eta**2 * (2 * count**2 * square(g0) + 4 * L**2 * count * over(E, Q) + 4 * count * sigma**2)
        - over(E, square(y - theta)),
        a_square(count * g0 - moved - N, times=eta**2, over=[E]),
        a_square(moved - N, times=2 * eta**2, over=[E]),
        because(jensen[0], times=4 * eta**2, over=[E]),
        because(smooth[0], times=4 * eta**2 * count, over=[E]),
        because(grown[0], times=4 * eta**2),
    )

    def drift(count: Scalar, Q: Scalar) -> Scalar:
        before = count * (count - 1)
        agent = before * (2 * count - 1) / 3 * square(g0)
        return eta**2 * (agent + 2 * L**2 * before * over(E, Q) + 2 * before * sigma**2) - over(E, Q)

    drift_step = proof.claim(
        "drift, one step",
        drift(count + 1, Q + square(y - theta)) - drift(count, Q),
        because(distance),
        Summand(2 * L**2 * eta**2 * (count**2 + count), (), (y - theta,), (E,)),
    )
    positive_step = proof.claim("drift is a sum of squares", square(y - theta), a_square(y - theta))
    positive = proof.induction("drift >= 0", h, Q, base=zero, step=positive_step, claim=Q_H)
    no_drift = proof.claim("no drift", Scalar("0"))
    drifted = proof.induction(
        "drift", h, drift(count, Q), base=no_drift, step=drift_step, claim=drift(H, Q_H)
    )
    small = proof.claim("18 eta H L <= 1", 1 - 18 * eta * H * L, because(step_size, times=1 / (18 * H * L)))
    short = proof.claim(
        "2 eta^2 L^2 H (H - 1) is small",
        1 - 162 * eta**2 * L**2 * H * (H - 1) * 2,
        because(small),
        because(small, times=18 * eta * H * L),
        Summand(324 * eta**2 * L**2 * H),
    )

    # The descent at theta_{r+1}
    total = over(c, over(E, Q_H))
    value = over(c, start.value)
    next_value = over(c, over(E, after.value))
    moved_mean = (theta - theta_next) / eta - H * gradient - mean_noise
    mean_moved = proof.claim(
        "the mean of the turns",
        H * L**2 * total - over(E, square(moved_mean)),
        a_square(moved_H - moved_mean, over=[c, E]),
        because(jensen[1], over=[c, E]),
        because(smooth[1], times=H, over=[c, E]),
    )
    descent = proof.claim(
        "descent",
        value
        - next_value
        - eta * over(E, inner(gradient, H * gradient + moved_mean))
        + L * eta**2 / 2 * over(E, square(H * gradient + moved_mean + mean_noise)),
        because(fact("smooth", after, start), over=[c, E]),
    )
    noise_mean = proof.search(
        "noise of the mean",
        H * sigma**2 / M - over(E, square(mean_noise)),
        because(grown[1], over=[c]),
        Equality(agents),
    )
    way = H * gradient + moved_mean
    lower = proof.claim(
        "one round",
        value
        - eta * H / 2 * square(gradient)
        + eta * L**2 / 2 * total
        + L * eta**2 * H * sigma**2 / M
        - next_value,
        because(descent),
        a_square(way - mean_noise, times=L * eta**2 / 2, over=[E]),
        because(noise_mean, times=L * eta**2),
        because(mean_moved, times=eta / (2 * H)),
        Summand(eta / (2 * H) * Scalar("8/9"), (), (way,), (E,)),
        Summand(eta / (18 * H), (small,), (way,), (E,)),
    )
    positive_mean = proof.claim("mean drift >= 0", total, because(positive, over=[c, E]))
    drift_mean = proof.claim(
        "mean drift",
        eta**2 * (H * (H - 1) * (2 * H - 1) / 3 * (square(gradient) + zeta**2) + 2 * H * (H - 1) * sigma**2)
        - (1 - 2 * eta**2 * L**2 * H * (H - 1)) * total,
        because(drifted, over=[c]),
        Summand(eta**2 * H / 3, (at_least_one, dissimilarity, at_least_one), (), ()),
        Summand(eta**2 * H**2 / 3, (at_least_one, dissimilarity), (), ()),
    )
    recursion = proof.search(
        "D.eq39",
        value
        - eta * H / 4 * square(gradient)
        + eta * H * zeta**2
        + 4 * eta**2 * H * L * sigma**2 / M
        + 3 * eta**3 * H * (H - 1) * L**2 * sigma**2
        - next_value,
        because(lower),
        because(drift_mean, times=eta * L**2),
        because(short, positive_mean, times=eta * L**2),
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
    return Round(
        value=value,
        next_value=next_value,
        client_value=start.value,
        gradient=gradient,
        client_gradient=g0,
        recursion=recursion,
        dissimilarity=dissimilarity,
    )
