"""Theorem F.2 as amended: D.F2.s15 in every round, unrolled by induction."""

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz.notation import H, R, eta, f0_gap, final_gap, mu_1
from bounds.papers.fedavg_lojasiewicz.proofs import lojasiewicz_round


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.theorem_f2", "amended")
    r, past = proof.index("r"), proof.operator("past")
    found = lojasiewicz_round.describe(proof, (r, past))
    mean, mean_next = proof.scalar("s", "real", [r]), proof.scalar("s.next", "real", [r])
    start, end = proof.scalar("s_0", ">="), proof.scalar("s_R")
    now = proof.assume("mean gap", mean - over(past, found.gap), "= 0", source=DEFINITION)
    tower = proof.assume("mean gap after", mean_next - over(past, found.next_gap), "= 0", source=DEFINITION)
    proof.sequence(r, mean, mean_next, start, end)
    curvature = proof.condition("D.FL2")

    s15 = proof.claim(
        "mean of D.F2.s15",
        (1 - found.rate) * mean + found.added - mean_next,
        because(found.recursion, over=[past]),
        Equality(now, 1 - found.rate),
        Equality(tower, -1),
    )
    length, mu, L, M = (Scalar(n) for n in ("eta", "mu_1", "L", "M"))
    local, sigma, zeta = (Scalar(n) for n in ("H", "sigma", "zeta"))
    floor = (
        8 * zeta**2 / mu
        + 16 * length * L * sigma**2 / (M * mu)
        + 12 * length**2 * (local - 1) * L**2 * sigma**2 / mu
    )
    contracts = proof.claim(
        "1 - q >= 0",
        1 - found.rate,
        because(curvature, times=length * local / 4),
        because("18 eta H L <= 1", times=Scalar("1/36")),
        Summand(Scalar("35/36")),
    )
    power, power_R = proof.recursion("q^r", r, (1 - found.rate) * Scalar("q^r"), 1)
    base = proof.claim(
        "no round",
        floor,
        Summand(8 * zeta**2 / mu),
        Summand(16 * length * L * sigma**2 / (M * mu)),
        because("domain of H", times=12 * length**2 * L**2 * sigma**2 / mu),
    )
    step = proof.claim(
        "one round, floor included", (1 - found.rate) * mean + found.rate * floor - mean_next, because(s15)
    )
    whole = proof.induction(
        "all rounds",
        r,
        power * start + floor - mean,
        base=base,
        step=step,
        claim=power_R * start + floor - end,
        times=Summand(facts=(contracts,)),
    )
    proof.reads = {f0_gap: start, final_gap: end, (1 - eta * H * mu_1 / 4) ** R: power_R}
    proof.conclude(because(whole), search=True)
    return proof


AMENDED = _proof()
