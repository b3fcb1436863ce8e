"""What the rounds of both algorithms share: the step, the conditions, the mean distance to w*, the sum."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from sympy import sqrt

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
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

    def add_up(
        self, recursion: str, parts: dict[str, Scalar], gain: Callable[..., Scalar]
    ) -> tuple[str, dict[str, tuple[Scalar, Scalar]]]:
        """||w_0 - w*||^2 - e_K - gain + K eta^2 noise >= 0, with the gain of the parts summed over rounds.

        Also the sums by name, over the rounds before the present one and over all.
        """
        proof, k, past = self.proof, self.k, self.past
        sums = {name: proof.sum(name, k, over(past, part)) for name, part in parts.items()}
        gained = gain(**{name: now for name, (now, _) in sums.items()})
        _, all_rounds = proof.induct(
            "all rounds",
            k,
            self.start**2 - self.mean - gained + self.count * self.eta**2 * self.noise,
            because(recursion, over=[past]),
            Equality("mean distance", 1),
            Equality("mean distance after", -1),
        )
        return all_rounds, sums

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


Rounds = Callable[[MachineForm, Scalar, tuple[str, ...], Callable[[Scalar], str]], MachineForm]


def prove_specific_form(rounds: Rounds, proof: MachineForm, conditions: tuple[str, ...]) -> MachineForm:
    """The proof for eta = rho/(2 alpha L), so that E <= alpha/(2 rho) is eta L E <= 1/4."""
    L, alpha, ratio, *_ = proof.positive("L", "alpha", "rho", "E", "C_hat", "K")
    times = 1 / (8 * alpha * ratio)
    return rounds(
        proof,
        ratio / (2 * alpha * L),
        conditions,
        lambda small: proof.claim("eta L E <= 1/4", small, because(conditions[1], times=times)),
    )


def prove_general_form(rounds: Rounds, proof: MachineForm, conditions: tuple[str, ...]) -> MachineForm:
    """The proof for eta = gamma/(C_hat L E K rho), so that K >= 4 gamma/(C_hat rho) is eta L E <= 1/4."""
    L, gamma, ratio, E, C_hat, K = proof.positive("L", "gamma", "rho", "E", "C_hat", "K")
    times = 1 / (C_hat**2 * ratio**2 * K)
    return rounds(
        proof,
        gamma / (C_hat * L * E * K * ratio),
        conditions,
        lambda small: proof.search("eta L E <= 1/4", small, because(conditions[1], times=times)),
    )
