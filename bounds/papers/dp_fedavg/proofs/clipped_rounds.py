"""The rounds of DP-FedAvg with clipping, one after another: what Theorems 2 and 5 and (15) have in common."""

from collections.abc import Callable

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import Equality, MachineForm, Summand, because
from bounds.papers.dp_fedavg.notation import clipped_update_norm, unclipped_delta, unclipped_gap
from bounds.papers.dp_fedavg.proofs import clipped_round, frame


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
    rounds = frame.prepare(proof, eta, conditions, prove_small)
    k, past, L, E, C_hat, K = rounds.k, rounds.past, *(Scalar(n) for n in ("L", "E", "C_hat", "K"))
    found = clipped_round.describe(proof, (k, past), rounds.noise, rounds.prove_limits)
    sums = {}
    for name, part in (("gaps", found.gap), ("norms", found.norm), ("deltas", found.delta)):
        sums[name] = proof.recursion(name, k, Scalar(name) + over(past, part), 0)
    (gaps, gaps_K), (norms, norms_K), (deltas, deltas_K) = sums.values()
    a, eta = 2 * rounds.eta * L * E, rounds.eta

    def telescoped(count: Scalar, mean: Scalar, gaps: Scalar, norms: Scalar, deltas: Scalar) -> Scalar:
        gained = eta * E * ((2 - a) * gaps - a * deltas) + 3 * eta * C_hat / (8 * L) * norms
        return rounds.start**2 - mean - gained + count * eta**2 * rounds.noise

    now = telescoped(rounds.count, rounds.mean, gaps, norms, deltas)
    following = telescoped(
        rounds.count + 1,
        rounds.mean_next,
        gaps + over(past, found.gap),
        norms + over(past, found.norm),
        deltas + over(past, found.delta),
    )
    zero = proof.claim("no round", Scalar("0"))
    step = proof.claim(
        "mean of a round",
        following - now,
        because(found.recursion, over=[past]),
        Equality("mean distance", 1),
        Equality("mean distance after", -1),
    )
    last = telescoped(K, rounds.mean_K, gaps_K, norms_K, deltas_K)
    whole = proof.induction("all rounds", k, now, base=zero, step=step, claim=last)
    sign_step = proof.claim(
        "gaps are at least -Delta, one round",
        over(past, found.gap) + over(past, found.delta),
        because(found.lowest_gap, over=[past]),
    )
    sign = proof.induction(
        "gaps are at least -Delta", k, gaps + deltas, base=zero, step=sign_step, claim=gaps_K + deltas_K
    )
    delta_step = proof.claim("Delta >= 0", over(past, found.delta), because(found.delta_sign, over=[past]))
    positive = proof.induction("deltas >= 0", k, deltas, base=zero, step=delta_step, claim=deltas_K)
    proof.reads |= {
        unclipped_gap: gaps_K / K,
        clipped_update_norm: norms_K / K,
        unclipped_delta: deltas_K / K,
    }
    proof.conclude(
        because(whole),
        Summand(rounds.mean_K),
        because(sign),
        because(sign, "eta L E <= 1/4"),
        because(positive, "eta L E <= 1/4"),
        search=True,
    )
    return proof
