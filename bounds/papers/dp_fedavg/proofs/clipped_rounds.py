"""The rounds of DP-FedAvg with clipping, one after another: what Theorems 2 and 5 and (15) have in common."""

from collections.abc import Callable

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm, Summand, because
from bounds.papers.dp_fedavg.notation import clipped_update_norm, unclipped_delta, unclipped_gap
from bounds.papers.dp_fedavg.proofs import clipped_round, frame


def conclude(
    proof: MachineForm, eta: Scalar, conditions: tuple[str, ...], prove_small: Callable[[Scalar], str]
) -> MachineForm:
    rounds = frame.prepare(proof, eta, conditions, prove_small)
    k, past, K = rounds.k, rounds.past, Scalar("K")
    found = clipped_round.describe(proof, (k, past), rounds.noise, rounds.prove_limits)
    parts = {"gap": found.gap, "norm": found.norm, "delta": found.delta}
    all_rounds, sums = rounds.add_up(found.recursion, parts, clipped_round.gain)
    (gaps, gaps_K), (_, norms_K), (deltas, deltas_K) = (sums[name] for name in ("gap", "norm", "delta"))
    lowest = because(found.lowest_gap, over=[past])
    _, sign = proof.induct("gaps are at least -Delta", k, gaps + deltas, lowest)
    _, positive = proof.induct("deltas >= 0", k, deltas, because(found.delta_sign, over=[past]))
    proof.reads |= {
        unclipped_gap: gaps_K / K,
        clipped_update_norm: norms_K / K,
        unclipped_delta: deltas_K / K,
    }
    proof.conclude(
        because(all_rounds),
        Summand(rounds.mean_K),
        because(sign),
        because(sign, "eta L E <= 1/4"),
        because(positive, "eta L E <= 1/4"),
        search=True,
    )
    return proof
