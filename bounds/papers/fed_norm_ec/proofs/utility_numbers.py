"""The numbers of Corollaries 1 and 3: noise for privacy, and a memory step that balances it.

The start's gap is what beta_hat says it is, so that neither is 0: f0_gap = gamma (beta_hat level)^2 / 3,
where level^4 = d B_2/M. The noise of all coordinates together has d times the variance of one.
"""

from dataclasses import dataclass
from typing import final

from sympy import Rational, log, sqrt

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.fed_norm_ec import notation as n
from bounds.papers.fed_norm_ec.proofs.memory import ALPHA, MOVE, ROOT_A, ROOT_R, R
from bounds.papers.fed_norm_ec.proofs.numbers import BETA, GAMMA, L, prove_printed_beta
from bounds.papers.fed_norm_ec.proofs.server import ROOT_B, ROOT_M, ROOT_N, SIGMA, P
from bounds.papers.fed_norm_ec.proofs.theorem import Case, Limits, prove_theorem

BETA_HAT, FOURTH_D, FOURTH_B, FOURTH_M = (
    Scalar(name) for name in ("beta_hat", "fourth.d", "fourth.B_2", "fourth.M")
)
LEVEL = FOURTH_D * FOURTH_B / FOURTH_M
ROOT_B_1, ROOT_GAMMA = Scalar("root.B_1"), Scalar("root.gamma")
ROOT_2, ROOT_ROUNDS = Scalar("root.2"), Scalar("root.rounds")


@final
@dataclass(frozen=True, slots=True)
class Utility:
    """The ids of the conditions on beta and, where gamma is free, on gamma; where T = 1 is said, if it is."""

    beta: str
    gamma: str = ""
    one_step: str = ""
    printed: bool = False  # the noise that is printed, of all coordinates together

    def declare(self, proof: MachineForm) -> None:
        proof.positive("beta_hat", "gamma", "T", "c", "epsilon", "p", "fourth.M", "log")
        proof.let("fourth.d", Scalar("1")) if self.printed else proof.positive("fourth.d")
        proof.root("root.3", Scalar("3"))
        proof.let("root.M", FOURTH_M**2)
        if self.one_step:
            proof.assume("one local step", Scalar("T") - 1, "= 0", source=self.one_step)
            proof.assume("choice of gamma", GAMMA - 1 / (2 * L), "= 0", source=DEFINITION)
        elif self.gamma:
            proof.condition(self.gamma)
        noise = 2 * Scalar("c") ** 2 * P * Scalar("log") / Scalar("epsilon") ** 2
        proof.root("fourth.B_2", proof.root("root.B_2", noise))
        gap = BETA_HAT * LEVEL * proof.root("root.gamma", GAMMA) * Scalar("root.3") / 3
        proof.let("root.f0_gap", gap), proof.let("f0_gap", Scalar("root.f0_gap") ** 2)
        rounds = proof.named("rounds", Scalar("K") + 1)
        proof.root("root.rounds", Scalar("K") + 1)
        proof.let("root.R", ROOT_A), proof.let("beta", BETA_HAT / rounds), proof.let("eta", GAMMA * BETA / 4)
        proof.condition(self.beta)
        self._read(proof)

    def _read(self, proof: MachineForm) -> None:
        quarter, half = Rational(1, 4), Rational(1, 2)
        proof.reads |= {
            n.R: R,
            sqrt(n.R): ROOT_R,
            n.gamma: GAMMA,
            n.beta_hat: BETA_HAT,
            n.beta: BETA,
            n.d: FOURTH_D**4,
        }
        proof.reads |= {n.eta: Scalar("eta"), n.B_hat: P * ROOT_M**2, log(1 / n.delta): Scalar("log")}
        proof.reads |= {sqrt(2): ROOT_2, sqrt(3): Scalar("root.3")}
        proof.reads[n.L ** Rational(3, 2)] = L * Scalar("root.L")
        for base, root, power in (
            (n.d, FOURTH_D, quarter),
            (n.B_2, FOURTH_B, quarter),
            (n.M, FOURTH_M, quarter),
            (n.gamma, ROOT_GAMMA, half),
            (n.f0_gap, Scalar("root.f0_gap"), half),
            (n.B_1, ROOT_B_1, half),
            (n.L, Scalar("root.L"), half),
            (n.K + 1, ROOT_ROUNDS, half),
        ):
            proof.reads |= {base**power: root}

    def prove(self, proof: MachineForm) -> Limits:
        noise = FOURTH_D**4 * Scalar("root.B_2") ** 2 * P * ROOT_ROUNDS**2 / 2
        proof.assume("noise of all coordinates", SIGMA**2 - noise, "= 0", source=DEFINITION)
        proof.root("root.B_1", 2 * Scalar("rest") / P)
        if self.one_step:
            short = proof.claim("2 L gamma <= 1", 1 - 2 * L * GAMMA, Equality("choice of gamma", -2 * L))
        else:
            short = proof.search("2 L gamma <= 1", 1 - 2 * L * GAMMA, because(self.gamma))
        room, times = BETA * R - MOVE * (ALPHA + R), BETA * R / 3
        step = proof.claim("eta is small", room, because(short, times=times), Summand(2 * times), times=1)
        if self.printed:
            return Limits(prove_printed_beta(proof, self.beta), step, short)
        beta = proof.search("beta is small", (ROOT_A + ROOT_R) ** 2 - BETA, because(self.beta))
        return Limits(beta, step, short)


def _bound_root_of_rounds(proof: MachineForm, rounds: Scalar) -> str:
    """K + 2 <= 2 (K + 1), under the root."""
    proof.claim(
        "root of the rounds",
        ROOT_ROUNDS / rounds - 1 / ROOT_ROUNDS,
        Equality("definition of rounds", -1 / rounds),
        relation="= 0",
        times=ROOT_ROUNDS,
    )
    twice = ROOT_2 * ROOT_ROUNDS
    longer = proof.search("root of K + 2, squared", twice**2 - ROOT_N**2, Summand(Scalar("K")))
    return proof.larger_square("root of K + 2", twice, ROOT_N, longer)


def conclude_utility(proof: MachineForm, case: Case, drift: Scalar, *definitions: Equality) -> MachineForm:
    """Divide by (K + 1) eta, which is gamma beta_hat/4, and part the root of B."""
    last, above = prove_theorem(proof, case)
    divisor, rounds, spread = GAMMA * BETA_HAT / 4, Scalar("rounds"), BETA_HAT / ROOT_M
    divided = proof.claim(
        "divided by (K + 1) eta",
        Scalar("f0_gap") / divisor - above,
        because(last, times=1 / divisor),
        Equality("definition of rounds", -above / rounds),
    )
    longer = _bound_root_of_rounds(proof, rounds)
    parts = ROOT_B_1 + ROOT_ROUNDS * (FOURTH_D * FOURTH_B) ** 2
    squares = proof.search(
        "root of B, squared",
        parts**2 - ROOT_B**2,
        Summand(ROOT_B_1 * ROOT_ROUNDS * FOURTH_D**2 * FOURTH_B**2),
        Equality("noise of all coordinates"),
    )
    parted = proof.larger_square("root of B", parts, ROOT_B, squares)
    sampling, step = ROOT_2 * spread * ROOT_B_1 / ROOT_ROUNDS, L * divisor / (2 * rounds)
    utility = proof.claim(
        "with B in two parts",
        (Scalar("4") / 3 + ROOT_2) * BETA_HAT * LEVEL**2 + 2 * R + sampling + step + drift - Scalar("least"),
        because(divided),
        because(parted, times=spread * ROOT_N / rounds),
        because(longer, times=spread * parts / rounds),
        Equality("root of the rounds", -spread * ROOT_2 * parts),
        *definitions,
    )
    n_rounds = Scalar("K") + 1
    own = Equality("definition of rounds", n_rounds / rounds)
    proof.conclude(because(utility, times=n_rounds**2), own, search=True)
    return proof
