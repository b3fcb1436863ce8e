"""The rounds of DP-NormFedAvg, one after another: what the amended Theorems 4 and 6 have in common."""

from collections.abc import Callable

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import Equality, MachineForm, Summand, because
from bounds.papers.dp_fedavg.notation import (
    clipped_update_norm,
    unclipped_scaled_delta,
    unclipped_scaled_gap,
    unclipped_share,
)
from bounds.papers.dp_fedavg.proofs import frame, normalized_round

SAMPLING = "B.alg2.sampling"


def in_the_specific_form(proof: MachineForm, conditions: tuple[str, str]) -> MachineForm:
    """The whole proof for eta = rho/(2 alpha L)."""
    L, alpha, ratio, *_ = proof.positive("L", "alpha", "rho", "E", "C_hat", "K")
    small = frame.small_in_the_specific_form(proof, conditions[1])
    return conclude(proof, ratio / (2 * alpha * L), conditions, small)


def in_the_general_form(proof: MachineForm, conditions: tuple[str, str]) -> MachineForm:
    """The whole proof for eta = gamma/(C_hat L E K rho)."""
    L, gamma, ratio, E, C_hat, K = proof.positive("L", "gamma", "rho", "E", "C_hat", "K")
    small = frame.small_in_the_general_form(proof, conditions[1])
    return conclude(proof, gamma / (C_hat * L * E * K * ratio), conditions, small)


def conclude(
    proof: MachineForm, eta: Scalar, conditions: tuple[str, ...], prove_small: Callable[[Scalar], str]
) -> MachineForm:
    r, n = proof.positive("r", "n")
    s = proof.let("s", (1 - r / n) / r)
    proof.condition(SAMPLING)
    proof.domain("r")

    def prove_limits(delta: Scalar, before: Scalar, after: Scalar) -> None:
        rounds.prove_limits(delta, before, after)
        proof.claim("s >= 0", s, because(SAMPLING, times=1 / (r * n)))
        proof.claim("s <= 1", 1 - s, because("domain of r", times=1 / r), Summand(1 / n))

    rounds = frame.prepare(proof, eta, conditions, prove_small)
    k, past, E, C_hat, K = rounds.k, rounds.past, *(Scalar(name) for name in ("E", "C_hat", "K"))
    found = normalized_round.describe(proof, (k, past), rounds.noise, s, prove_limits)
    sums = {}
    parts = (("gaps", found.gap), ("norms", found.norm), ("deltas", found.delta), ("shares", found.share))
    for name, part in parts:
        sums[name] = proof.recursion(name, k, Scalar(name) + over(past, part), 0)
    eta = rounds.eta

    def telescoped(count: Scalar, mean: Scalar, *sums: Scalar) -> Scalar:
        gained = normalized_round.gain(s, C_hat * E, *sums)
        return rounds.start**2 - mean - gained + count * eta**2 * rounds.noise

    order = ("gaps", "deltas", "norms", "shares")
    part_of = dict(parts)
    now = telescoped(rounds.count, rounds.mean, *(sums[name][0] for name in order))
    following = telescoped(
        rounds.count + 1, rounds.mean_next, *(sums[name][0] + over(past, part_of[name]) for name in order)
    )
    zero = proof.claim("no round", Scalar("0"))
    step = proof.claim(
        "mean of a round",
        following - now,
        because(found.recursion, over=[past]),
        Equality("mean distance", 1),
        Equality("mean distance after", -1),
    )
    last = telescoped(K, rounds.mean_K, *(sums[name][1] for name in order))
    whole = proof.induction("all rounds", k, now, base=zero, step=step, claim=last)
    observed = dict(
        zip(
            order,
            (unclipped_scaled_gap, unclipped_scaled_delta, clipped_update_norm, unclipped_share),
            strict=True,
        )
    )
    proof.reads |= {observed[name]: sums[name][1] / K for name in order}
    proof.conclude(because(whole), Summand(rounds.mean_K), search=True)
    return proof
