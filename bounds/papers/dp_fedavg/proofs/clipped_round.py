"""One round of DP-FedAvg with clipping on convex smooth clients, for eta L E <= 1/4.

b is 1 for a client whose update is not clipped and else 0; kappa is what clipping multiplies its update by.
The mean over the draws of a round has the second moment of independent sampling, with s = (1 - r/n)/r.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import MINIMUM_ATTAINED
from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, a_square, because, fact
from bounds.papers.dp_fedavg.proofs import local_steps

ALGORITHM = "B.alg1"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ClippedRound:
    """The means over the clients of a round, and what is proved of it."""

    before: Scalar  # ||w - w*||^2
    after: Scalar  # its mean after the round
    gap: Scalar  # mean of b (f_i(w) - f_i(w*))
    norm: Scalar  # mean of (1 - b) ||u||
    delta: Scalar  # mean of b Delta_i
    recursion: str
    lowest_gap: str  # gap + delta >= 0
    delta_sign: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Client:
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
    steps: local_steps.LocalSteps


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...],
    noise: Scalar,
    prove_limits: Callable[[Scalar, Scalar, Scalar], None],
) -> ClippedRound:
    """One round. `prove_limits` is called between what is given and what is proved.

    It gets a Delta and the squared distances before and after the round, and proves what the conditions say
    of the step and of the threshold.
    """
    eta, E, C_hat = (Scalar(name) for name in ("eta", "E", "C_hat"))
    i, S = proof.operator("i"), proof.operator("S")
    own = (i, *earlier)
    w, best, lowest = proof.vector("w", earlier), proof.vector("w_star"), proof.scalar("f_low", "real", [i])
    b, kappa, s = proof.scalar("b", ">=", own), proof.scalar("kappa", ">=", own), proof.scalar("s", ">=")
    C = C_hat * E
    steps = local_steps.prepare(proof, w, best, lowest, own, earlier)
    u, q = steps.update, E * steps.star.gradient
    n = proof.norm("norm.u", u)
    mean = proof.average("g.mean", i, kappa * u)
    sent = proof.vector("a", [S, *earlier])
    proof.mean_is(i, steps.star.gradient, ZERO, source=MINIMUM_ATTAINED.name)
    proof.mean_is(S, sent, mean, source=ALGORITHM)
    _clipping(proof, b, kappa, n, C)
    proof.assume("s <= 1", 1 - s, source=DEFINITION)
    scattered = square(mean) + s * over(i, square(kappa * u)) + noise
    moment = proof.assume("second moment", over(S, square(sent)) - scattered, "= 0", source=ALGORITHM)
    gap, delta = steps.start.value - steps.star.value, steps.star.value - lowest
    proof.assume("largest Delta", Scalar("Delta_star_max") - delta, source=DEFINITION)

    after = over(S, square(w - eta * sent - best))
    prove_limits(delta, square(w - best), after)
    found = local_steps.prove(proof, steps)
    client = _Client(
        b=b, kappa=kappa, s=s, C=C, n=n, u=u, q=q, away=w - best, gap=gap, delta=delta, steps=found
    )
    per_client = _client(proof, client)
    recursion = proof.search(
        "one round",
        square(w - best)
        - after
        + eta**2 * noise
        - _gain(client, over(i, b * gap), over(i, b * delta), over(i, (1 - b) * n)),
        because(per_client, over=[i]),
        a_square(kappa * u - mean, "s <= 1", times=eta**2, over=[i]),
        a_square(kappa * u - q - mean, times=eta**2 * s, over=[i]),
        Equality(moment, eta**2),
    )
    lowest_gap = proof.claim(
        "a gap is at least -Delta", over(i, b * gap) + over(i, b * delta),
        because(fact("lowest_value", steps.start), times=b, over=[i]),
    )  # fmt: skip
    delta_sign = proof.claim(
        "a Delta is at least 0",
        over(i, b * delta),
        because(fact("lowest_value", steps.star), times=b, over=[i]),
    )
    return ClippedRound(
        before=square(w - best),
        after=after,
        gap=over(i, b * gap),
        norm=over(i, (1 - b) * n),
        delta=over(i, b * delta),
        recursion=recursion,
        lowest_gap=lowest_gap,
        delta_sign=delta_sign,
    )


def _clipping(proof: MachineForm, b: Scalar, kappa: Scalar, n: Scalar, C: Scalar) -> None:
    """The map clip(u, C) = kappa u with kappa = min(1, C/||u||), and b = 1 where ||u|| <= C."""
    for name, expression in (("b <= 1", 1 - b), ("kappa <= 1", 1 - kappa), ("longer", (1 - b) * (n - C))):
        proof.assume(name, expression, source=ALGORITHM)
    for name, expression in (("as it is", b * (1 - kappa)), ("clipped", (1 - b) * (kappa * n - C))):
        proof.assume(name, expression, "= 0", source=ALGORITHM)


def _gain(client: _Client, gap: Scalar, delta: Scalar, norm: Scalar) -> Scalar:
    """eta E ((2 - a) gap - a delta) + 3 eta C/(8 L E) norm, with a = 2 eta L E."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    a = 2 * eta * L * E
    return eta * E * ((2 - a) * gap - a * delta) + 3 * eta * client.C / (8 * L * E) * norm


def _client(proof: MachineForm, c: _Client) -> str:
    """A client adds at most minus its gain to the squared distance, with its share of the scatter."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    whole = proof.claim(
        "a client that is not clipped",
        2 * eta * inner(c.u, c.away)
        - eta**2 * square(c.u)
        - c.s * eta**2 * square(c.u - c.q)
        - _gain(c, c.gap, c.delta, Scalar("0")),
        because(c.steps.descent),
        because(fact("lowest_value_by_gradient", c.steps.start), times=2 * E**2 * eta**2 * L),
        because(c.steps.jensen, times=eta / (L * E)),
        a_square(c.u - c.q, "s <= 1", times=eta / (L * E)),
        a_square(c.u - c.q, "eta L E <= 1/4", times=c.s * eta / (L * E)),
        a_square(c.u - c.q, times=Scalar("3/4") * c.s * eta / (L * E)),
    )
    cut = _clipped_client(proof, c)
    sent = c.kappa * c.u
    return proof.search(
        "one client",
        2 * eta * inner(sent, c.away)
        - eta**2 * square(sent)
        - c.s * eta**2 * square(sent - c.q)
        - _gain(c, c.b * c.gap, c.b * c.delta, (1 - c.b) * c.n),
        because(whole, times=c.b),
        because(cut),
        Equality("as it is"),
    )


def _clipped_client(proof: MachineForm, c: _Client) -> str:
    """The claim of one client, times 1 - b, without the gain of a client that is not clipped."""
    L, eta, E, kappa = Scalar("L"), Scalar("eta"), Scalar("E"), c.kappa
    sent, unit = kappa * c.u, eta / (L * E)
    small_gradient = proof.claim(
        "the gradient at w* is short",
        c.C**2 - 8 * square(c.q),
        because("Delta is small"),
        because(fact("lowest_value_by_gradient", c.steps.star), times=16 * E**2 * L),
    )
    return proof.search(
        "a clipped client",
        (1 - c.b)
        * (
            2 * eta * inner(sent, c.away)
            - eta**2 * square(sent)
            - c.s * eta**2 * square(sent - c.q)
            - 3 * eta * c.C / (8 * L * E) * c.n
        ),
        because("b <= 1", c.steps.progress, times=kappa),
        a_square(c.u, "b <= 1", "kappa <= 1", times=eta**2 * kappa),
        because("b <= 1", c.steps.jensen, times=kappa * unit),
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
