"""The rounds of DP-FedAvg with clipping, one after another: what Theorems 2 and 5 and (15) have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final


from sympy import sqrt

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Term, because
from bounds.papers.dp_fedavg.notation import (
    Delta_star_max,
    L,
    clipped_update_norm,
    rho,
    unclipped_delta,
    unclipped_gap,
)
from bounds.papers.dp_fedavg.proofs import clipped_round


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """All rounds: what a conclusion follows from."""

    whole: str
    last: Scalar  # the squared distance at the end
    sign: str  # the gaps are at least -Delta
    deltas: str


def describe(
    proof: MachineForm, eta: Scalar, conditions: tuple[str, ...], prove_small: Callable[[Scalar], str]
) -> Rounds:
    """K rounds of length eta. `prove_small` proves 1/4 - eta L E >= 0 from the last of the conditions."""
    smooth, E, C_hat, K, ratio = (Scalar(name) for name in ("L", "E", "C_hat", "K", "rho"))
    largest, start = proof.non_negative("Delta_star_max", "D0")
    eta = proof.let("eta", eta)
    k, past = proof.index("k"), proof.operator("past")
    root_L, root_Delta = proof.root("root.L", smooth), proof.root("root.Delta", largest)
    proof.reads |= {sqrt(L): root_L, sqrt(Delta_star_max): root_Delta, rho: ratio}
    threshold, *_ = [proof.condition(condition) for condition in conditions]
    at_least_one = proof.domain("E")
    count = proof.scalar("k_now", ">=", [k])
    proof.sequence(k, count, count + 1, 0, K)
    mean, mean_next = proof.scalar("e", "real", [k]), proof.scalar("e.next", "real", [k])
    mean_K = proof.scalar("e.K", ">=")
    proof.sequence(k, mean, mean_next, start**2, mean_K)

    def prove_limits(delta: Scalar, before: Scalar, after: Scalar) -> None:
        proof.assume("mean distance", mean - over(past, before), "= 0", source=DEFINITION)
        proof.assume("mean distance after", mean_next - over(past, after), "= 0", source=DEFINITION)
        small = prove_small(Scalar("1/4") - eta * smooth * E)
        proof.claim(
            "eta L <= 1/4", Scalar("1/4") - eta * smooth, because(small), because(at_least_one, times=eta * smooth)
        )
        proof.claim("eta L <= 1/2", Scalar("1/2") - eta * smooth, because("eta L <= 1/4"), Term(Scalar("1/4")))
        proof.claim(
            "Delta is small",
            C_hat**2 * E**2 - 16 * E**2 * smooth * delta,
            because(threshold, times=E**2 * (C_hat + 4 * root_L * root_Delta)),
            because("largest Delta", times=16 * E**2 * smooth),
        )

    noise = K * C_hat**2 * E**2 * ratio**2  # d sigma^2 with (3) and (5)
    found = clipped_round.describe(proof, (k, past), noise, prove_limits)
    gaps, gaps_K = proof.recursion("gaps", k, Scalar("gaps") + over(past, found.gap), 0)
    norms, norms_K = proof.recursion("norms", k, Scalar("norms") + over(past, found.norm), 0)
    deltas, deltas_K = proof.recursion("deltas", k, Scalar("deltas") + over(past, found.delta), 0)
    a = 2 * eta * smooth * E

    def telescoped(count: Scalar, mean: Scalar, gaps: Scalar, norms: Scalar, deltas: Scalar) -> Scalar:
        gained = eta * E * ((2 - a) * gaps - a * deltas) + 3 * eta * C_hat / (8 * smooth) * norms
        return start**2 - mean - gained + count * eta**2 * noise

    zero = proof.claim("no round", Scalar("0"))
    step = proof.claim(
        "mean of a round",
        telescoped(
            count + 1,
            mean_next,
            gaps + over(past, found.gap),
            norms + over(past, found.norm),
            deltas + over(past, found.delta),
        )
        - telescoped(count, mean, gaps, norms, deltas),
        because(found.recursion, over=[past]),
        Equality("mean distance", 1),
        Equality("mean distance after", -1),
    )
    last = telescoped(K, mean_K, gaps_K, norms_K, deltas_K)
    whole = proof.induction(
        "all rounds", k, telescoped(count, mean, gaps, norms, deltas), base=zero, step=step, claim=last
    )
    sign_step = proof.claim(
        "gaps are at least -Delta, one round",
        over(past, found.gap) + over(past, found.delta),
        because(found.lowest_gap, over=[past]),
    )
    sign = proof.induction(
        "gaps are at least -Delta", k, gaps + deltas, base=zero, step=sign_step, claim=gaps_K + deltas_K
    )
    proof.reads |= {
        unclipped_gap: gaps_K / K,
        clipped_update_norm: norms_K / K,
        unclipped_delta: deltas_K / K,
    }
    deltas_step = proof.claim(
        "Delta >= 0",
        over(past, found.delta),
        because(found.delta_sign, over=[past]),
    )
    sum_of_deltas = proof.induction("deltas >= 0", k, deltas, base=zero, step=deltas_step, claim=deltas_K)
    return Rounds(whole=whole, last=mean_K, sign=sign, deltas=sum_of_deltas)


def in_the_specific_form(proof: MachineForm, conditions: tuple[str, str]) -> MachineForm:
    """The whole proof for eta = rho/(2 alpha L), where E <= alpha/(2 rho) is 1/4 >= eta L E."""
    L, alpha, ratio, *_ = proof.positive("L", "alpha", "rho", "E", "C_hat", "K")

    def prove_small(small: Scalar) -> str:
        return proof.claim("eta L E <= 1/4", small, because(conditions[1], times=1 / (8 * alpha * ratio)))

    found = describe(proof, ratio / (2 * alpha * L), conditions, prove_small)
    proof.reads |= {rho: ratio}
    conclude(proof, found)
    return proof


def conclude(proof: MachineForm, found: Rounds) -> None:
    proof.conclude(
        because(found.whole),
        Term(found.last),
        because(found.sign),
        because(found.sign, "eta L E <= 1/4"),
        because(found.deltas, "eta L E <= 1/4"),
        search=True,
    )
