"""The rounds of DP-NormFedAvg, one after another: what the amended Theorems 4 and 6 have in common."""

from collections.abc import Callable
from functools import partial

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import MachineForm, Summand, because
from bounds.papers.dp_fedavg.notation import (
    clipped_update_norm,
    unclipped_scaled_delta,
    unclipped_scaled_gap,
    unclipped_share,
)
from bounds.papers.dp_fedavg.proofs import frame, normalized_round

SAMPLING = "B.alg2.sampling"


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
    found = normalized_round.describe(proof, (rounds.k, rounds.past), rounds.noise, s, prove_limits)
    observed = {
        "gap": (found.gap, unclipped_scaled_gap),
        "delta": (found.delta, unclipped_scaled_delta),
        "norm": (found.norm, clipped_update_norm),
        "share": (found.share, unclipped_share),
    }
    parts = {name: part for name, (part, _) in observed.items()}
    all_rounds, sums = rounds.add_up(found.recursion, parts, partial(normalized_round.gain, s))
    proof.reads |= {symbol: sums[name][1] / Scalar("K") for name, (_, symbol) in observed.items()}
    proof.conclude(because(all_rounds), Summand(rounds.mean_K), search=True)
    return proof
