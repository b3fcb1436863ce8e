"""What the rounds of both algorithms have in common: the step, the conditions and the mean distance to w*."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from sympy import sqrt

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, MachineForm, Summand, because
from bounds.papers.dp_fedavg.notation import Delta_star_max, L, rho

QUARTER, HALF = Scalar("1/4"), Scalar("1/2")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """K rounds of length eta; `mean` is E ||w_k - w*||^2, before a round, after it and in the end."""

    proof: MachineForm
    k: str
    past: str
    count: Scalar
    eta: Scalar
    noise: Scalar  # d sigma^2 with (3) and (5)
    start: Scalar
    mean: Scalar
    mean_next: Scalar
    mean_K: Scalar
    threshold: str
    prove_small: Callable[[Scalar], str]

    def prove_limits(self, delta: Scalar, before: Scalar, after: Scalar) -> None:
        """Prove what the conditions say of the step and of the threshold, for a Delta and both distances."""
        proof, smooth, E, C_hat = self.proof, Scalar("L"), Scalar("E"), Scalar("C_hat")
        proof.assume("mean distance", self.mean - over(self.past, before), "= 0", source=DEFINITION)
        proof.assume("mean distance after", self.mean_next - over(self.past, after), "= 0", source=DEFINITION)
        small = self.prove_small(QUARTER - self.eta * smooth * E)
        proof.claim(
            "eta L <= 1/4",
            QUARTER - self.eta * smooth,
            because(small),
            because("domain of E", times=self.eta * smooth),
        )
        proof.claim("eta L <= 1/2", HALF - self.eta * smooth, because("eta L <= 1/4"), Summand(QUARTER))
        factor = C_hat + 4 * Scalar("root.L") * Scalar("root.Delta")
        proof.claim(
            "Delta is small",
            C_hat**2 * E**2 - 16 * E**2 * smooth * delta,
            because(self.threshold, times=E**2 * factor),
            because("largest Delta", times=16 * E**2 * smooth),
        )


def prepare(
    proof: MachineForm, eta: Scalar, conditions: tuple[str, ...], prove_small: Callable[[Scalar], str]
) -> Frame:
    """`prove_small` proves 1/4 - eta L E >= 0 from the conditions, the first of which is on the threshold."""
    smooth, E, C_hat, K, ratio = (Scalar(name) for name in ("L", "E", "C_hat", "K", "rho"))
    largest, start = proof.non_negative("Delta_star_max", "D0")
    step = proof.let("eta", eta)
    k, past = proof.index("k"), proof.operator("past")
    root_L, root_Delta = proof.root("root.L", smooth), proof.root("root.Delta", largest)
    proof.reads |= {sqrt(L): root_L, sqrt(Delta_star_max): root_Delta, rho: ratio}
    for condition in conditions:
        proof.condition(condition)
    proof.domain("E")
    count = proof.scalar("k_now", ">=", [k])
    proof.sequence(k, count, count + 1, 0, K)
    mean, mean_next = proof.scalar("e", "real", [k]), proof.scalar("e.next", "real", [k])
    mean_K = proof.scalar("e.K", ">=")
    proof.sequence(k, mean, mean_next, start**2, mean_K)
    return Frame(
        proof=proof,
        k=k,
        past=past,
        count=count,
        eta=step,
        noise=K * C_hat**2 * E**2 * ratio**2,
        start=start,
        mean=mean,
        mean_next=mean_next,
        mean_K=mean_K,
        threshold=conditions[0],
        prove_small=prove_small,
    )


def small_in_the_specific_form(proof: MachineForm, condition: str) -> Callable[[Scalar], str]:
    """eta = rho/(2 alpha L), so that E <= alpha/(2 rho) is eta L E <= 1/4."""
    times = 1 / (8 * Scalar("alpha") * Scalar("rho"))
    return lambda small: proof.claim("eta L E <= 1/4", small, because(condition, times=times))


def small_in_the_general_form(proof: MachineForm, condition: str) -> Callable[[Scalar], str]:
    """eta = gamma/(C_hat L E K rho), so that K >= 4 gamma/(C_hat rho) is eta L E <= 1/4."""
    times = 1 / (Scalar("C_hat") ** 2 * Scalar("rho") ** 2 * Scalar("K"))
    return lambda small: proof.search("eta L E <= 1/4", small, because(condition, times=times))
