"""One round of DP-NormFedAvg on convex smooth clients, for eta L E <= 1/4.

b is 1 for a client whose update is at most C long and else 0; every update is scaled by kappa = C/||u||.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import Scalar, Vector, inner, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, a_square, because, fact
from bounds.papers.dp_fedavg.proofs import local_steps

ALGORITHM = "B.alg2"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedRound:
    gap: Scalar  # mean of b kappa (f_i(w) - f_i(w*))
    norm: Scalar  # mean of (1 - b) ||u||
    delta: Scalar  # mean of b kappa Delta_i
    share: Scalar  # mean of b
    recursion: str


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...],
    noise: Scalar,
    s: Scalar,
    prove_limits: Callable[[Scalar, Scalar, Scalar], None],
) -> NormalizedRound:
    """One round; s is (1 - r/n)/r. `prove_limits` is called between what is given and what is proved."""
    eta, E, C_hat = (Scalar(name) for name in ("eta", "E", "C_hat"))
    i, S = proof.operator("i"), proof.operator("S")
    own = (i, *earlier)
    w, best, lowest = proof.vector("w", earlier), proof.vector("w_star"), proof.scalar("f_low", "real", [i])
    b, kappa = proof.scalar("b", ">=", own), proof.scalar("kappa", ">=", own)
    C = C_hat * E
    steps = local_steps.prepare(proof, w, best, lowest, own, earlier)
    u = steps.update
    n = proof.norm("norm.u", u)
    mean = proof.average("g.mean", i, kappa * u)
    sent = proof.vector("a", [S, *earlier])
    proof.mean_is(S, sent, mean, source=ALGORITHM)
    proof.assume("b <= 1", 1 - b, source=DEFINITION)
    proof.assume("longer", (1 - b) * (n - C), source=DEFINITION)
    normalized = proof.assume("normalized", kappa * n - C, "= 0", source=ALGORITHM)
    scattered = square(mean) + s * over(i, square(kappa * u)) + noise
    moment = proof.assume("second moment", over(S, square(sent)) - scattered, "= 0", source=ALGORITHM)
    gap, delta = steps.start.value - steps.star.value, steps.star.value - lowest
    proof.assume("largest Delta", Scalar("Delta_star_max") - delta, source=DEFINITION)
    after = over(S, square(w - eta * sent - best))

    prove_limits(delta, square(w - best), after)
    found = local_steps.prove(proof, steps)
    short = _stretched(proof, steps, w - best, gap, delta)
    cut = _shortened(proof, found, b, kappa, s, C, n, w - best)
    gained = gain(s, C, b * kappa * gap, b * kappa * delta, (1 - b) * n, b)
    one = proof.search(
        "one client",
        2 * eta * kappa * inner(u, w - best) - (1 + s) * eta**2 * kappa**2 * square(u) - gained,
        because(short, times=b * kappa),
        because(cut),
        Equality(normalized, kappa * n * eta**2),
        Equality(normalized, C * eta**2),
    )
    recursion = proof.search(
        "one round",
        square(w - best)
        - after
        + eta**2 * noise
        - gain(s, C, over(i, b * kappa * gap), over(i, b * kappa * delta), over(i, (1 - b) * n), over(i, b)),
        because(one, over=[i]),
        a_square(kappa * u - mean, times=eta**2, over=[i]),
        Equality(moment, eta**2),
    )
    return NormalizedRound(
        gap=over(i, b * kappa * gap),
        norm=over(i, (1 - b) * n),
        delta=over(i, b * kappa * delta),
        share=over(i, b),
        recursion=recursion,
    )


def gain(s: Scalar, C: Scalar, gap: Scalar, delta: Scalar, norm: Scalar, share: Scalar) -> Scalar:
    """eta E ((2 - a^2) gap - a^2 delta) + 3 eta C/(8 L E) norm - (1 + s) eta^2 C^2 share, a = 2 eta L E."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    a = 2 * eta * L * E
    short = eta * E * ((2 - a**2) * gap - a**2 * delta) - (1 + s) * eta**2 * C**2 * share
    return short + 3 * eta * C / (8 * L * E) * norm


def _stretched(
    proof: MachineForm, steps: local_steps.Prepared, away: Vector, gap: Scalar, delta: Scalar
) -> str:
    """2 eta <u, w - w*> - eta E ((2 - a^2) gap - a^2 Delta) >= 0, for every client."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    t, count, now = steps.t, steps.count, steps.now
    size = square(steps.start.gradient)
    moved = steps.w - steps.y
    all_squares = proof.induction(
        "squares are at most those at the start",
        t,
        count * size - Scalar("squares"),
        base="nothing yet",
        step=proof.claim(
            "a square is at most that at the start",
            size - square(now.gradient),
            because("gradients are largest at the start"),
        ),
        claim=count * size - Scalar("squares"),
    )
    near = proof.claim(
        "the local iterate is near",
        eta**2 * count**2 * size - square(moved),
        because(_jensen_now(proof, steps), times=eta**2),
        because(all_squares, times=eta**2 * count),
    )
    cubes = count * (count - 1) * (2 * count - 1) / 3

    def along(count: Scalar, moved: Vector, cubes: Scalar) -> Scalar:
        return 2 * inner(moved, away) - 2 * eta * count * gap + eta**3 * L * cubes * size

    step = proof.claim(
        "along, one step",
        2 * eta * inner(now.gradient, away) - 2 * eta * gap + 2 * eta**3 * L * count**2 * size,
        because(fact("convex", steps.star, now), times=2 * eta),
        because(fact("convex", now, steps.start), times=2 * eta),
        because(fact("smooth", now, steps.start), times=2 * eta),
        because(fact("smooth", steps.start, now), times=2 * eta),
        because(near, times=2 * eta * L),
    )
    last = E * (E - 1) * (2 * E - 1) / 3
    whole = proof.induction(
        "along",
        t,
        along(count, moved, cubes),
        base="nothing yet",
        step=step,
        claim=along(E, eta * steps.update, last),
    )
    a = 2 * eta * L * E
    return proof.search(
        "a client that is stretched",
        2 * eta * inner(steps.update, away) - eta * E * ((2 - a**2) * gap - a**2 * delta),
        because(whole),
        because(fact("lowest_value_by_gradient", steps.start), times=8 * eta**3 * L**2 * E**3),
        Summand(eta**3 * L * E**3 * size),
        because("domain of E", times=eta**3 * L * E * size),
        because("domain of E", times=eta**3 * L * E**2 * size),
        Summand(eta**3 * L * E * size),
    )


def _jensen_now(proof: MachineForm, steps: local_steps.Prepared) -> str:
    """t times the sum of ||g||^2 so far is at least the square of the sum of g so far."""
    eta = Scalar("eta")
    statement = steps.count * Scalar("squares") - square((steps.w - steps.y) / eta)
    return proof.induction(
        "Jensen of T now",
        steps.t,
        statement,
        base="nothing yet",
        step="Jensen of T, one step",
        claim=statement,
    )


def _shortened(
    proof: MachineForm,
    found: local_steps.LocalSteps,
    b: Scalar,
    kappa: Scalar,
    s: Scalar,
    C: Scalar,
    n: Scalar,
    away: Vector,
) -> str:
    """The claim of a client that is longer than C, times 1 - b."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    unit = eta / (L * E)
    scaled = proof.search(
        "kappa C <= ||u|| for a longer client",
        (1 - b) * (n - kappa * C),
        because("longer"),
        because("longer", times=kappa),
        Equality("normalized"),
    )
    return proof.search(
        "a shortened client",
        (1 - b)
        * (
            2 * eta * kappa * inner(found.update, away)
            - (1 + s) * eta**2 * C**2
            - 3 * eta * C / (8 * L * E) * n
        ),
        because("b <= 1", found.progress, times=kappa),
        because("b <= 1", found.jensen, times=kappa * unit),
        a_square(found.update - E * found.star.gradient, "b <= 1", times=kappa * unit),
        because("b <= 1", "Delta is small", times=unit * kappa),
        because(scaled, times=unit * C),
        because("longer", times=eta**2 * C),
        because("longer", "s >= 0", times=eta**2 * C),
        because("b <= 1", "eta L <= 1/4", times=unit * C * n),
        because("b <= 1", "eta L E <= 1/4", "s >= 0", times=unit * C * n),
        because("b <= 1", "s <= 1", times=unit * C * n),
        Equality("normalized"),
    )
