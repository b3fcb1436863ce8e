"""Theorem F.2 as amended: the contraction of a round, over all rounds."""

from fractions import Fraction

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz import notation as n
from bounds.papers.fedavg_lojasiewicz.proofs import lojasiewicz_round
from bounds.papers.fedavg_lojasiewicz.proofs.lojasiewicz_round import RATE
from bounds.papers.fedavg_lojasiewicz.proofs.one_round import AT_LEAST_ONE, ETA, SMALL, H, L

START, GAP, NEXT, POWER = (Scalar(name) for name in ("f0_gap", "s", "s.next", "power"))


def _prove() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.theorem_f2", "amended")
    proof.index("r"), proof.operator("past"), proof.non_negative("f0_gap")
    proof.scalar("s", over=["r"]), proof.scalar("s.next", over=["r"])
    proof.sequence("r", GAP, NEXT, START, proof.scalar("s.R"))
    found = lojasiewicz_round.describe(proof, ("past", "r"))
    proof.condition("D.FL2")
    return _conclude(proof, found)


def _conclude(proof: MachineForm, found: lojasiewicz_round.Contraction) -> MachineForm:
    proof.assume("mean gap", GAP - over("past", found.gap), "= 0", source=DEFINITION)
    proof.assume("mean gap after", NEXT - over("past", found.next_gap), "= 0", source=DEFINITION)
    # RATE is 3/4 eta H mu <= 3/2 eta H L <= 1/12
    small = proof.claim(
        "a round keeps the sign",
        1 - RATE,
        because("D.FL2", times=Fraction(3, 4) * ETA * H),
        because(SMALL, times=Fraction(1, 12)),
        Summand(Fraction(11, 12)),
    )
    keeps = proof.named("keeps", 1 - RATE, small)
    _, last = proof.recursion("power", "r", lambda power: keeps * power, 1, ">=")
    floor = found.added / RATE
    _, whole = proof.induct(
        "rounds",
        "r",
        POWER * START + floor * (1 - POWER) - GAP,
        because(found.recursion, over=["past"]),
        Equality("mean gap", keeps),
        Equality("mean gap after", -1),
        Equality("definition of keeps", over("past", found.gap) - floor),
        times=keeps,
    )
    proof.reads = {n.final_gap: Scalar("s.R"), n.f0_gap: START}
    proof.reads[(1 - 3 * n.eta * n.H * n.mu_1 / 4) ** n.R] = last
    noise = Fraction(3, 4) * ETA**3 * H * L**2 * Scalar("sigma") ** 2
    positive = proof.search("added >= 0", found.added, because(AT_LEAST_ONE, times=noise), Summand(1))
    proof.conclude(because(whole), because(positive, times=last / RATE), search=True)
    return proof


AMENDED = _prove()
