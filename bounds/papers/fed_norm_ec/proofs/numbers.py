"""The steps of the theorems, which are free up to their limits, and those that the corollaries prescribe."""

from dataclasses import dataclass
from typing import final

from sympy import Rational, sqrt

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.fed_norm_ec import notation as n
from bounds.papers.fed_norm_ec.proofs.memory import ALPHA, MOVE, ROOT_A, ROOT_R, R
from bounds.papers.fed_norm_ec.proofs.theorem import Limits

L, BETA, GAMMA = (Scalar(name) for name in ("L", "beta", "gamma"))


@final
@dataclass(frozen=True, slots=True)
class Free:
    """The ids of the conditions on beta, on gamma and on eta."""

    beta: str
    gamma: str
    eta: str

    def declare(self, proof: MachineForm) -> None:
        proof.positive("eta", "beta", "gamma", "T", "p", "root.M"), proof.non_negative("f0_gap", "root.R")
        for condition in (self.beta, self.gamma, self.eta):
            proof.condition(condition)
        proof.reads |= {n.R: R, sqrt(n.R): ROOT_R}
        proof.reads |= {n.L ** Rational(3, 2): L * Scalar("root.L"), sqrt(2): Scalar("root.2")}

    def prove(self, proof: MachineForm) -> Limits:
        short = proof.claim("2 L gamma <= 1", 1 - 2 * L * GAMMA, because(self.gamma, times=1 / (2 * L)))
        room, third = BETA * R - MOVE * (ALPHA + R), because(self.eta, times=Scalar("1/3"))
        step = proof.claim("eta is small", room, third, times=4 * L * (ALPHA + R))
        return Limits(self.beta, step, short)


def prove_printed_beta(proof: MachineForm, condition: str) -> str:
    """(root.a + root.R)^2 - beta >= 0, as beta < alpha + R is stronger."""
    alpha_and_R, room = ALPHA + R, (ROOT_A + ROOT_R) ** 2 - BETA
    spare = Summand(2 * ROOT_A * ROOT_R * alpha_and_R)
    return proof.claim("beta is small", room, because(condition), spare, times=alpha_and_R)


def conclude(proof: MachineForm, last: str, *definitions: Equality) -> None:
    proof.conclude(because(last), *definitions, search=True)


D_1, D_2, TWELFTH, SIXTH, FULL = (Scalar(name) for name in ("D_1", "D_2", "twelfth", "sixth", "alpha+D_1"))
ETA_HAT = 3 * D_1 * D_2 / (4 * L * FULL)
PRINTED_ETA_HAT = ETA_HAT / 3


@final
@dataclass(frozen=True, slots=True)
class Powers:
    """The numbers of Corollaries 2, 4 and 5: powers of K + 1, whose twelfth root has a name."""

    beta: str  # the id of the condition
    gamma: Scalar
    one_step: str = ""  # where the corollary says that there is one local step
    eta_hat: Scalar = ETA_HAT

    def declare(self, proof: MachineForm) -> None:
        proof.positive("D_1", "D_2", "T", "twelfth", "p", "root.M"), proof.non_negative("f0_gap")
        if self.one_step:
            proof.assume("one local step", Scalar("T") - 1, "= 0", source=self.one_step)
        rounds = Scalar("K") + 1
        proof.let("sixth", TWELFTH**2)
        proof.assume("twelfth root", TWELFTH**12 - rounds, "= 0", source=DEFINITION)
        proof.let("root.R", proof.root("root.D_1", D_1) / TWELFTH)
        proof.named("alpha+D_1", ALPHA + D_1)
        if self.one_step:  # a name, so that 1 - 2 L gamma is not 0 as written
            proof.positive("gamma")
            proof.assume("choice of gamma", GAMMA - self.gamma, "= 0", source=DEFINITION)
        else:
            proof.let("gamma", self.gamma)
        proof.let("beta", D_2 / SIXTH**4)
        proof.let("eta", self.eta_hat / SIXTH**5)
        proof.condition(self.beta)
        proof.reads |= {(n.K + 1) ** Rational(e, 12): TWELFTH**e for e in range(1, 12)}
        proof.reads |= {
            sqrt(n.D_1): Scalar("root.D_1"),
            sqrt(n.L): Scalar("root.L"),
            sqrt(2): Scalar("root.2"),
        }

    def prove(self, proof: MachineForm) -> Limits:
        powers = sum((TWELFTH**e for e in range(1, 12)), Scalar("1"))
        many = (Summand(Scalar("K")), Equality("twelfth root"))
        above = proof.claim("twelfth >= 1", TWELFTH - 1, *many, times=powers)
        sixth = proof.claim("sixth >= 1", SIXTH - 1, because(above, times=TWELFTH + 1))
        choice = [Equality("choice of gamma")] if self.one_step else []
        short = proof.search("2 L gamma <= 1", 1 - 2 * L * GAMMA, because(sixth), *choice)
        step = proof.search(
            "eta is small",
            BETA * R - MOVE * (ALPHA + R),
            because(sixth, times=D_1**2 * D_2 / (SIXTH**6 * FULL)),
            Summand(2 * MOVE * (ALPHA + R)),
            Equality("definition of alpha+D_1"),
        )
        return Limits(self._prove_beta(proof), step, short)

    def _prove_beta(self, proof: MachineForm) -> str:
        """As amended, the condition itself; as printed, beta < alpha + R."""
        room = (ROOT_A + ROOT_R) ** 2 - BETA
        if self.eta_hat == ETA_HAT:
            return proof.search("beta is small", room, because(self.beta))
        return prove_printed_beta(proof, self.beta)


def conclude_powers(proof: MachineForm, last: str, above: Scalar, *definitions: Equality) -> None:
    """Divide by (K + 1) eta, which is the sixth root times eta_hat."""
    twice = Scalar("root.2") * TWELFTH**6
    squares = twice**2 - Scalar("root.n") ** 2
    reasons = Summand(Scalar("K")), Equality("twelfth root", 2)
    root_n = proof.search("root of K + 2, squared", squares, *reasons)
    noise = proof.larger_square("root of K + 2", twice, Scalar("root.n"), root_n)
    divided = proof.claim(
        "divided by (K + 1) eta",
        Scalar("f0_gap") / (SIXTH * ETA_HAT) - above,
        because(last),
        Equality("twelfth root", -Scalar("eta") * above),
        times=SIXTH * ETA_HAT,
    )
    own = Equality("definition of alpha+D_1")
    proof.conclude(because(divided), because(noise), own, *definitions, search=True)
