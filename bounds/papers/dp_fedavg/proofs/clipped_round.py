"""One round of DP-FedAvg with clipping on convex smooth clients, for eta L E <= 1/4.

b is 1 for a client whose update is not clipped and else 0; kappa is what clipping multiplies its update by.
The mean over the draws of a round has the second moment of independent sampling, with s = (1 - r/n)/r.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import MINIMUM_ATTAINED
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Point, a_square, because, fact
from bounds.papers.dp_fedavg.proofs import local_steps

ALGORITHM = "B.alg1"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ClippedRound:
    """The means over the clients of a round, and what is proved of it."""

    gap: Scalar  # mean of b (f_i(w) - f_i(w*))
    norm: Scalar  # mean of (1 - b) ||u||
    delta: Scalar  # mean of b Delta_i
    recursion: str
    lowest_gap: str  # gap + delta >= 0
    delta_sign: str
    client: "Client"
    steps: local_steps.LocalSteps


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client of the round: its clipping, and the vectors of its reason."""

    b: Scalar
    kappa: Scalar
    s: Scalar
    C: Scalar
    n: Scalar
    u: Vector
    q: Vector  # E grad f_i(w*)
    away: Vector
    gap: Scalar
    delta: Scalar
    prepared: local_steps.Prepared


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...],
    noise: Scalar,
    prove_limits: Callable[[Scalar, Scalar, Scalar], None],
) -> ClippedRound:
    """One round. `prove_limits` is called between what is given and what is proved, with a Delta and the
    squared distances before and after; it proves what the conditions say of them."""
    eta, i, S = Scalar("eta"), proof.operator("i"), proof.operator("S")
    c = _declare_client(proof, i, earlier)
    mean = proof.average("g.mean", i, c.kappa * c.u)
    sent = proof.vector("a", [S, *earlier])
    proof.mean_is(i, c.prepared.star.gradient, ZERO, source=MINIMUM_ATTAINED.name)
    proof.mean_is(S, sent, mean, source=ALGORITHM)
    _assume_clipping(proof, c.b, c.kappa, c.n, c.C)
    moment = _assume_second_moment(proof, c, over(S, square(sent)) - square(mean), noise)
    proof.assume("largest Delta", Scalar("Delta_star_max") - c.delta, source="Delta_star_max")
    before, after = square(c.away), over(S, square(c.away - eta * sent))
    prove_limits(c.delta, before, after)
    steps = local_steps.prove(proof, c.prepared)
    per_client = _prove_client(proof, c, steps)
    gap, norm, delta = over(i, c.b * c.gap), over(i, (1 - c.b) * c.n), over(i, c.b * c.delta)
    recursion = proof.search(
        "one round",
        before - after + eta**2 * noise - gain(gap, norm, delta),
        because(per_client, over=[i]),
        a_square(c.kappa * c.u - mean, "s <= 1", times=eta**2, over=[i]),
        a_square(c.kappa * c.u - c.q - mean, times=eta**2 * c.s, over=[i]),
        Equality(moment, eta**2),
    )
    return ClippedRound(
        gap=gap,
        norm=norm,
        delta=delta,
        recursion=recursion,
        lowest_gap=_prove_sign(proof, "a gap is at least -Delta", gap + delta, c.b, c.prepared.start),
        delta_sign=_prove_sign(proof, "a Delta is at least 0", delta, c.b, c.prepared.star),
        client=c,
        steps=steps,
    )


def _assume_second_moment(proof: MachineForm, c: Client, spread: Scalar, noise: Scalar) -> str:
    """The spread of what is sent: that of the draws, at most the mean square, and the noise."""
    proof.assume("s <= 1", 1 - c.s, source=ALGORITHM)
    second = spread - c.s * over("i", square(c.kappa * c.u)) - noise
    return proof.assume("second moment", second, "= 0", source=ALGORITHM)


def _prove_sign(proof: MachineForm, name: str, mean: Scalar, b: Scalar, point: Point) -> str:
    return proof.claim(name, mean, because(fact("lowest_value", point), times=b, over=["i"]))


def _declare_client(proof: MachineForm, i: str, earlier: tuple[str, ...]) -> Client:
    own, E = (i, *earlier), Scalar("E")
    w, best, lowest = proof.vector("w", earlier), proof.vector("w_star"), proof.scalar("f_low", "real", [i])
    b, kappa, s = proof.scalar("b", ">=", own), proof.scalar("kappa", ">=", own), proof.scalar("s", ">=")
    steps = local_steps.prepare(proof, w, best, lowest, own, earlier)
    return Client(
        b=b,
        kappa=kappa,
        s=s,
        C=Scalar("C_hat") * E,
        n=proof.norm("norm.u", steps.update),
        u=steps.update,
        q=E * steps.star.gradient,
        away=w - best,
        gap=steps.start.value - steps.star.value,
        delta=steps.star.value - lowest,
        prepared=steps,
    )


def gain(gap: Scalar, norm: Scalar, delta: Scalar) -> Scalar:
    """eta E ((2 - a) gap - a delta) + 3 eta C_hat/(8 L) norm, with a = 2 eta L E."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    a = 2 * eta * L * E
    return eta * E * ((2 - a) * gap - a * delta) + 3 * eta * Scalar("C_hat") / (8 * L) * norm


def _assume_clipping(proof: MachineForm, b: Scalar, kappa: Scalar, n: Scalar, C: Scalar) -> None:
    """The map clip(u, C) = kappa u with kappa = min(1, C/||u||), and b = 1 where ||u|| <= C."""
    for name, expression in (("b <= 1", 1 - b), ("kappa <= 1", 1 - kappa), ("longer", (1 - b) * (n - C))):
        proof.assume(name, expression, source=ALGORITHM)
    for name, expression in (("as it is", b * (1 - kappa)), ("clipped", (1 - b) * (kappa * n - C))):
        proof.assume(name, expression, "= 0", source=ALGORITHM)


def _prove_client(proof: MachineForm, c: Client, steps: local_steps.LocalSteps) -> str:
    """A client adds at most minus its gain to the squared distance, with its share of the scatter."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    unclipped = proof.claim(
        "a client that is not clipped",
        2 * eta * inner(c.u, c.away)
        - eta**2 * square(c.u)
        - c.s * eta**2 * square(c.u - c.q)
        - gain(c.gap, Scalar("0"), c.delta),
        because(steps.descent),
        because(fact("lowest_value_by_gradient", steps.start), times=2 * E**2 * eta**2 * L),
        because(steps.jensen, times=eta / (L * E)),
        a_square(c.u - c.q, "s <= 1", times=eta / (L * E)),
        a_square(c.u - c.q, "eta L E <= 1/4", times=c.s * eta / (L * E)),
        a_square(c.u - c.q, times=Scalar("3/4") * c.s * eta / (L * E)),
    )
    cut = _prove_clipped_client(proof, c, steps)
    sent = c.kappa * c.u
    return proof.search(
        "one client",
        2 * eta * inner(sent, c.away)
        - eta**2 * square(sent)
        - c.s * eta**2 * square(sent - c.q)
        - gain(c.b * c.gap, (1 - c.b) * c.n, c.b * c.delta),
        because(unclipped, times=c.b),
        because(cut),
        Equality("as it is"),
    )


def _prove_clipped_client(proof: MachineForm, c: Client, steps: local_steps.LocalSteps) -> str:
    """The claim of one client, times 1 - b, without the gain of a client that is not clipped."""
    L, eta, E, kappa = Scalar("L"), Scalar("eta"), Scalar("E"), c.kappa
    sent, unit = kappa * c.u, eta / (L * E)
    small_gradient = proof.claim(
        "the gradient at w* is short",
        c.C**2 - 8 * square(c.q),
        because("Delta is small"),
        because(fact("lowest_value_by_gradient", steps.star), times=16 * E**2 * L),
    )
    return proof.search(
        "a clipped client",
        (1 - c.b)
        * (
            2 * eta * inner(sent, c.away)
            - eta**2 * square(sent)
            - c.s * eta**2 * square(sent - c.q)
            - gain(Scalar("0"), c.n, Scalar("0"))
        ),
        because("b <= 1", steps.progress, times=kappa),
        a_square(c.u, "b <= 1", "kappa <= 1", times=eta**2 * kappa),
        because("b <= 1", steps.jensen, times=kappa * unit),
        a_square(sent - c.q, "b <= 1", "eta L E <= 1/4", times=c.s * unit),
        a_square(sent - c.q, "b <= 1", "s <= 1", times=unit),
        a_square(sent - 2 * c.q, "b <= 1", times=unit),
        a_square(c.q, "b <= 1", times=unit * kappa),
        because("b <= 1", small_gradient, times=unit),
        because("b <= 1", "Delta is small", times=unit * kappa),
        because("longer", times=unit * c.C),
        because("b <= 1", "kappa <= 1", times=unit * c.C**2),
        because("b <= 1", "eta L <= 1/4", times=unit * c.C * c.n),
        because("b <= 1", times=unit * c.C**2),
        Equality("clipped"),
    )
