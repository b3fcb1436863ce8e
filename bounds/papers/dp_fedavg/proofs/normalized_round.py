"""One round of DP-NormFedAvg on convex smooth clients, for eta L E <= 1/4.

b is 1 for a client whose update is at most C long and else 0; every update is scaled by kappa = C/||u||.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import Scalar, Vector, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because, fact
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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Client:
    """A client of the round: its scaling, and the vectors of its reason."""

    b: Scalar
    kappa: Scalar
    s: Scalar
    C: Scalar
    n: Scalar
    away: Vector
    gap: Scalar
    delta: Scalar
    steps: local_steps.Prepared


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...],
    noise: Scalar,
    s: Scalar,
    prove_limits: Callable[[Scalar, Scalar, Scalar], None],
) -> NormalizedRound:
    """One round; s is (1 - r/n)/r. `prove_limits` is called between what is given and what is proved."""
    eta, i, S = Scalar("eta"), proof.operator("i"), proof.operator("S")
    c = _declare_client(proof, i, earlier, s)
    u, b, kappa = c.steps.update, c.b, c.kappa
    mean = proof.average("g.mean", i, kappa * u)
    sent = proof.vector("a", [S, *earlier])
    proof.mean_is(S, sent, mean, source=ALGORITHM)
    proof.assume("b <= 1", 1 - b, source=ALGORITHM)
    proof.assume("longer", (1 - b) * (c.n - c.C), source=ALGORITHM)
    proof.assume("normalized", kappa * c.n - c.C, "= 0", source=ALGORITHM)
    scattered = square(mean) + s * over(i, square(kappa * u)) + noise
    moment = proof.assume("second moment", over(S, square(sent)) - scattered, "= 0", source=ALGORITHM)
    proof.assume("largest Delta", Scalar("Delta_star_max") - c.delta, source="Delta_star_max")
    before, after = square(c.away), over(S, square(c.away - eta * sent))
    prove_limits(c.delta, before, after)
    one = _prove_client(proof, c, local_steps.prove(proof, c.steps))
    parts = {
        "gap": over(i, b * kappa * c.gap),
        "delta": over(i, b * kappa * c.delta),
        "norm": over(i, (1 - b) * c.n),
        "share": over(i, b),
    }
    recursion = proof.search(
        "one round",
        before - after + eta**2 * noise - gain(s, **parts),
        because(one, over=[i]),
        a_square(kappa * u - mean, times=eta**2, over=[i]),
        Equality(moment, eta**2),
    )
    return NormalizedRound(recursion=recursion, **parts)


def _declare_client(proof: MachineForm, i: str, earlier: tuple[str, ...], s: Scalar) -> _Client:
    own = (i, *earlier)
    w, best, lowest = proof.vector("w", earlier), proof.vector("w_star"), proof.scalar("f_low", "real", [i])
    b, kappa = proof.scalar("b", ">=", own), proof.scalar("kappa", ">=", own)
    steps = local_steps.prepare(proof, w, best, lowest, own, earlier)
    return _Client(
        b=b,
        kappa=kappa,
        s=s,
        C=Scalar("C_hat") * Scalar("E"),
        n=proof.norm("norm.u", steps.update),
        away=w - best,
        gap=steps.start.value - steps.star.value,
        delta=steps.star.value - lowest,
        steps=steps,
    )


def gain(s: Scalar, gap: Scalar, delta: Scalar, norm: Scalar, share: Scalar) -> Scalar:
    """eta E ((2 - a^2) gap - a^2 delta) + 3 eta C/(8 L E) norm - (1 + s) eta^2 C^2 share, a = 2 eta L E."""
    L, eta, E, C_hat = (Scalar(name) for name in ("L", "eta", "E", "C_hat"))
    a = 2 * eta * L * E
    short = eta * E * ((2 - a**2) * gap - a**2 * delta) - (1 + s) * eta**2 * (C_hat * E) ** 2 * share
    return short + 3 * eta * C_hat / (8 * L) * norm


def _prove_client(proof: MachineForm, c: _Client, found: local_steps.LocalSteps) -> str:
    """A client adds at most minus its gain to the squared distance, with its share of the scatter."""
    eta, b, kappa, u = Scalar("eta"), c.b, c.kappa, c.steps.update
    stretched = _prove_stretched(proof, c, _prove_along(proof, c, found))
    shortened = _prove_shortened(proof, c, found)
    gained = gain(c.s, b * kappa * c.gap, b * kappa * c.delta, (1 - b) * c.n, b)
    return proof.search(
        "one client",
        2 * eta * kappa * inner(u, c.away) - (1 + c.s) * eta**2 * kappa**2 * square(u) - gained,
        because(stretched, times=b * kappa),
        because(shortened),
        Equality("normalized", kappa * c.n * eta**2),
        Equality("normalized", c.C * eta**2),
    )


def _prove_along(proof: MachineForm, c: _Client, found: local_steps.LocalSteps) -> str:
    """2 eta <u, w - w*> - 2 eta E gap + eta^3 L E (E - 1) (2 E - 1)/3 ||grad f(w)||^2 >= 0."""
    L, eta, steps = Scalar("L"), Scalar("eta"), c.steps
    count, now, moved = steps.count, steps.now, steps.w - steps.y
    size = square(steps.start.gradient)
    all_squares, _ = proof.induct(
        "squares are at most those at the start", steps.t, count * size - steps.T, because(found.shrunk)
    )
    near = proof.claim(
        "the local iterate is near",
        eta**2 * count**2 * size - square(moved),
        because(found.long, times=eta**2),
        because(all_squares, times=eta**2 * count),
    )
    cubes = count * (count - 1) * (2 * count - 1) / 3
    return proof.induct(
        "along",
        steps.t,
        2 * inner(moved, c.away) - 2 * eta * count * c.gap + eta**3 * L * cubes * size,
        because(fact("convex", steps.star, now), times=2 * eta),
        because(fact("convex", now, steps.start), times=2 * eta),
        because(fact("smooth", now, steps.start), times=2 * eta),
        because(fact("smooth", steps.start, now), times=2 * eta),
        because(near, times=2 * eta * L),
    )[1]


def _prove_stretched(proof: MachineForm, c: _Client, along: str) -> str:
    """2 eta <u, w - w*> - eta E ((2 - a^2) gap - a^2 Delta) >= 0, for every client."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    size, a = square(c.steps.start.gradient), 2 * eta * L * E
    return proof.search(
        "a client that is stretched",
        2 * eta * inner(c.steps.update, c.away) - eta * E * ((2 - a**2) * c.gap - a**2 * c.delta),
        because(along),
        because(fact("lowest_value_by_gradient", c.steps.start), times=8 * eta**3 * L**2 * E**3),
        Summand(eta**3 * L * E**3 * size),
        because("domain of E", times=eta**3 * L * E * size),
        because("domain of E", times=eta**3 * L * E**2 * size),
        Summand(eta**3 * L * E * size),
    )


def _prove_shortened(proof: MachineForm, c: _Client, found: local_steps.LocalSteps) -> str:
    """The claim of a client that is longer than C, times 1 - b."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    b, kappa, s, C, n = c.b, c.kappa, c.s, c.C, c.n
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
            2 * eta * kappa * inner(found.update, c.away)
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
