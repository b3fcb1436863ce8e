"""The printed steps of Theorems 1 and 2 that are true, in their order, under the printed conditions.

The printed gamma is 1/(2 L), and beta < alpha + R and eta <= beta R/(4 L (alpha + R)) are stronger than what
the amended forms ask. A display of several rows is one claim, which stands under the number of each row.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from sympy import sqrt

from bounds.language.assumptions import BOUNDED_BELOW
from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, a_square, because
from bounds.language.proof.lemmas import bound_norm_of_sum
from bounds.papers.fed_norm_ec import notation as n
from bounds.papers.fed_norm_ec.proofs import data_pass, gradient_pass
from bounds.papers.fed_norm_ec.proofs.memory import ALPHA, LEFT, MOVE, R
from bounds.papers.fed_norm_ec.proofs.numbers import prove_printed_beta
from bounds.papers.fed_norm_ec.proofs.passes import Pass
from bounds.papers.fed_norm_ec.proofs.server import ERROR, SIZE, UNIT, WALK
from bounds.papers.fed_norm_ec.proofs.theorem import (
    AWAY,
    BETA,
    CHANGE,
    ETA,
    MEMORY,
    Case,
    L,
    Limits,
    declare,
    prove_descent,
    prove_distance,
    prove_memories,
)

GAMMA, DRIFT, LENGTH, T = (Scalar(name) for name in ("gamma", "drift", "norm.unit", "T"))
SLOPE, GAP, ROOT_2L = over("i", Scalar("slope")), Scalar("root.gap"), Scalar("root.2") * Scalar("root.L")
SEVERAL = Scalar("several")  # 1 where T is not 1, else 0


@final
@dataclass(frozen=True, slots=True)
class Printed:
    """The ids of the conditions on beta and on eta, and the number before L in the latter."""

    beta: str
    eta: str
    divisor: int

    def declare(self, proof: MachineForm) -> None:
        proof.positive("eta", "beta", "gamma", "T", "p", "root.M"), proof.non_negative("f0_gap", "root.R")
        proof.assume("choice of gamma", 1 - 2 * L * GAMMA, "= 0", source=DEFINITION)
        for condition in (self.beta, self.eta):
            proof.condition(condition)
        proof.reads |= {sqrt(n.L): Scalar("root.L"), sqrt(2): Scalar("root.2"), n.R: R}

    def prove(self, proof: MachineForm) -> Limits:
        """What beta < alpha + R gives, and less than the step that is needed."""
        alpha_and_R = ALPHA + R
        short = proof.claim("2 L gamma <= 1", 1 - 2 * L * GAMMA, Equality("choice of gamma"))
        beta = prove_printed_beta(proof, self.beta)
        own, rest = self.divisor * L * alpha_and_R, self.divisor - Fraction(4, 3)
        move = Summand(rest * L * ETA * alpha_and_R * own)
        room = BETA * R - MOVE * alpha_and_R
        step = proof.claim("eta is small", room, because(self.eta), move, times=own)
        return Limits(beta, step, short)


def stand(proof: MachineForm, locator: str, rows: int, claim: Scalar, *reasons: Summand | Equality) -> str:
    """A display of several rows, under the number of each."""
    name = proof.claim(locator, claim, *reasons)
    for row in range(2, rows + 1):
        proof.claim(f"{locator} ({row})", claim, because(name))
    return name


def prove_start(proof: MachineForm, case: Case, at: str) -> tuple[Pass, Scalar, str]:
    """s2 to s12: the local result moves by 2 eta, the memories keep R, and the descent."""
    own, _ = declare(proof, case)
    small, remembered = prove_memories(proof, case, own)
    moved = [(-ETA * UNIT, ETA * LENGTH), (-GAMMA * CHANGE, GAMMA * Scalar("change"))]
    triangle = bound_norm_of_sum(proof, "triangle of the results", Scalar("apart.T"), moved)
    proof.claim(
        f"{at}.s2",
        2 * ETA - Scalar("apart.T"),
        because(triangle),
        because("a step of the server", times=GAMMA),
        because("unit length", times=ETA),
        because("2 L gamma <= 1", times=Fraction(2, 3) * ETA),
        Summand(ETA / 3),
    )
    proof.claim(f"{at}.s4", R - LEFT, because(remembered))
    descent, error = prove_descent(proof, case, own, small)
    fallen = over("i", own.value) - over("i", own.value_after) - ETA * SIZE + L * ETA**2 / 2
    proof.claim(f"{at}.s5", fallen + 2 * ETA * ERROR, because(descent))
    away, walk = 2 * ETA * AWAY, 2 * ETA * BETA * WALK
    s6 = stand(proof, f"{at}.s6", 2, fallen + away + walk, because(descent), because(error, times=2 * ETA))
    proof.claim(f"{at}.s7", AWAY**2 - proof.square(own.mean - MEMORY), relation="= 0")
    each, mean = prove_distance(proof, own)
    proof.claim(f"{at}.s8", over("i", Scalar("away")) - AWAY, because(mean))
    parts = over("i", LEFT) + over("i", DRIFT)
    rows = 2 if at == "A.thm2" else 1
    stand(proof, f"{at}.s9", rows, parts - AWAY, because(mean), because(each, over=["i"]))
    proof.claim(f"{at}.s10", over("i", LEFT) + over("i", GAMMA * DRIFT) / GAMMA - AWAY, because(f"{at}.s9"))
    drift = 2 * ETA * over("i", DRIFT)
    s11 = stand(
        proof,
        f"{at}.s11",
        2,
        fallen + 2 * ETA * over("i", LEFT) + drift + walk,
        because(s6),
        because(f"{at}.s10", times=2 * ETA),
    )
    residuals = because(f"{at}.s4", times=2 * ETA, over=["i"])
    s12 = stand(proof, f"{at}.s12", 2, fallen + 2 * ETA * R + drift + walk, because(s11), residuals)
    return own, fallen + 2 * ETA * R + walk, s12


def prove_theorem_1(member: str) -> MachineForm:
    proof = MachineForm(f"fed_norm_ec.theorem_1.{member}")
    numbers = Printed("A.thm1.h2", "A.thm1.h4.memory", 4)
    case = Case("A.thm1.h1", n.Delta_inf, gradient_pass, numbers.declare, numbers.prove)
    proof.scalar("several", ">=")
    own, rest, s12 = prove_start(proof, case, "A.thm1")
    only_if = SEVERAL * (T - 1) - (T - 1)
    proof.assume("several or one", only_if, "= 0", source=DEFINITION)
    proof.assume("0 or 1", SEVERAL**2 - SEVERAL, "= 0", source=DEFINITION)
    proof.assume("at most 1", 1 - SEVERAL, source=DEFINITION)
    gap = over("i", own.value) - Scalar("f_inf")
    proof.assume("f is bounded below", gap, source=BOUNDED_BELOW.name)
    gradient_pass.prove_mean_drift(proof, own)
    drifted, less = because("drift", times=2 * ETA, over=["i"]), Fraction(6, 5) * L * GAMMA * ETA * SLOPE
    slope_part = 4 * L * GAMMA * ETA * SLOPE
    exact = Equality("definition of T-1", -less / T)
    spare = Fraction(14, 5) * L * GAMMA * ETA * SLOPE + less / T
    stand(proof, "A.thm1.s14", 2, rest + slope_part, because(s12), drifted, exact, Summand(spare))
    none = Equality("several or one", less / T)
    s15 = stand(
        proof,
        "A.thm1.s15",
        2,
        rest + SEVERAL * slope_part,
        because(s12),
        drifted,
        exact,
        none,
        Summand(SEVERAL * spare),
    )
    proof.claim("A.thm1.s13", (1 - SEVERAL) * rest, because("at most 1", s15), Equality("0 or 1", slope_part))
    _prove_s16(proof, rest, s15)
    return proof


def _prove_s16(proof: MachineForm, rest: Scalar, s15: str) -> None:
    """Lemma 6 in s15. Delta > 0, as a step above 0 is allowed."""
    own = 4 * (Scalar("K") + 1)
    step = Summand(ETA * own**2)
    delta = Scalar("Delta_inf")
    allowed = because(proof.condition("A.thm1.h4.heterogeneity"))
    times = Scalar("root.2") / Scalar("root.L") * own
    positive = proof.claim("Delta > 0", delta, allowed, step, times=times, relation="> 0")
    root = proof.root("root.D", delta, positive)
    gap, both = GAP**2 - delta, (GAP**2 - delta) / root + root
    least = proof.claim("gap >= 0", gap, because("f is bounded below"))
    split = proof.claim("A.lem6.s6, squared", both**2 - GAP**2, a_square(gap / root), because(least))
    known = proof.claim("both parts", both, because(least, times=1 / root), Summand(root))
    larger = proof.larger_square("A.lem6.s6", both, GAP, split, known)
    rate = 4 * L * GAMMA * ETA
    stand(
        proof,
        "A.thm1.s16",
        2,
        rest + rate * ROOT_2L * (gap / root + SEVERAL * root),
        because(s15),
        because("A.lem6.s4", times=rate * SEVERAL),
        because(larger, times=rate * SEVERAL * ROOT_2L),
        because("at most 1", least, times=rate * ROOT_2L / root),
    )


def prove_theorem_2() -> MachineForm:
    proof = MachineForm("fed_norm_ec.theorem_2")
    numbers = Printed("A.thm2.h3", "A.thm2.h5.memory", 6)
    case = Case("A.thm2.h1", n.Delta_i_inf_mean, data_pass, numbers.declare, numbers.prove)
    own, rest, s12 = prove_start(proof, case, "A.thm2")
    data_pass.prove_mean_drift(proof, own)
    drift = 2 * ETA * L / T * over("i", Scalar("far.sum.last"))
    bent = because("drift, step by step", times=2 * ETA / GAMMA, over=["i"])
    stand(proof, "A.thm2.s13", 2, rest + drift, because(s12), bent)
    return proof
