"""Theorem F.2 as amended: the contraction of a round, over all rounds. And steps of the printed proof."""

from fractions import Fraction
from functools import partial

from bounds.language.assumptions import GRADIENT_DIVERGENCE_AT_ITERATES
from bounds.language.proof.expression import Scalar, inner, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because, fact
from bounds.papers.fedavg_lojasiewicz import notation as n
from bounds.papers.fedavg_lojasiewicz.proofs import lojasiewicz_round, printed_round
from bounds.papers.fedavg_lojasiewicz.proofs.lojasiewicz_round import RATE
from bounds.papers.fedavg_lojasiewicz.proofs.one_round import AT_LEAST_ONE, ETA, SMALL, H, L

START, GAP, NEXT, POWER = (Scalar(name) for name in ("f0_gap", "s", "s.next", "power"))


def _prove() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.theorem_f2", "amended")
    proof.index("r"), proof.operator("past"), proof.non_negative("f0_gap")
    proof.scalar("s", over=["r"]), proof.scalar("s.next", over=["r"])
    proof.sequence("r", GAP, NEXT, START, proof.scalar("s.R"))
    found = lojasiewicz_round.describe(proof, ("past", "r"), divergence=GRADIENT_DIVERGENCE_AT_ITERATES.name)
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
    _, all_rounds = proof.induct(
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
    proof.conclude(because(all_rounds), because(positive, times=last / RATE), search=True)
    return proof


def _certify_steps() -> MachineForm:
    """The printed steps of the case H > 1 that are true, with beta^2 = 1/(eta H)."""
    proof = MachineForm("fedavg_lojasiewicz.theorem_f2")
    found = lojasiewicz_round.describe(proof, declare=partial(printed_round.declare, proof))
    steps, mean = found.round.steps, found.round.mean
    gradient, move, shift = mean.gradient, mean.following - steps.start.at, mean.middle - steps.start.at
    beta, error = 1 / (ETA * H), mean.error(steps.start)
    fact_smooth = fact("smooth", mean.after, steps.start)
    fallen = over("c", steps.start.value) - over("c", mean.after.value)
    along, length = inner(gradient, move), L / 2 * square(move)
    proof.claim("D.F2.s4", fallen + along + length, because(fact_smooth, over=["c"]))
    s5 = proof.claim("D.F2.s5", over("E", fallen + along + length), because("D.F2.s4", over=["E"]))
    far = over("E", length)
    proof.claim("D.F2.s5 (2)", over("E", fallen) + inner(gradient, shift) + far, because(s5))
    polar = (square(gradient + beta * shift) / beta - square(gradient) / beta - beta * square(shift)) / 2
    proof.claim("D.F2.s5 (3)", inner(gradient, shift) + far - (polar + far), relation="= 0")
    parts = square(error) / (2 * beta) - square(gradient) / (2 * beta), far - beta / 2 * square(shift)
    proof.claim("D.eq36", polar + far - (parts[0] + parts[1]), relation="= 0")
    turns, moves = over("c", over("E", Scalar("turns.last"))), over("c", Scalar("moves.last"))
    s7 = proof.claim("D.F2.s7 (2)", turns / H - square(error), because(found.round.turns, times=1 / H**2))
    smooth = because("smoothness of the steps", times=1 / H, over=["c"])
    proof.claim("D.eq37", L**2 / H * moves - square(error), because(s7), smooth)
    scatter = over("E", L / 2 * square(mean.middle - mean.following))
    last = scatter + L / 2 * square(shift) - beta / 2 * square(shift)
    proof.claim("D.F2.s10 (2)", far - beta / 2 * square(shift) - last, relation="= 0")
    collected = scatter + (L / 2 - beta / 2) * square(shift)
    proof.claim("D.F2.s10 (3)", last - collected, relation="= 0")
    printed_round.certify(proof, found.round)
    lojasiewicz_round.prove_printed(proof, found)
    return proof


AMENDED, PRINTED = _prove(), _certify_steps()
