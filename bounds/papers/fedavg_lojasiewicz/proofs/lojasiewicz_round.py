"""The recursion of Theorem F.2: (39) and the Lojasiewicz inequality with exponent 1 at theta_r."""

from dataclasses import dataclass
from typing import final

from bounds.language.assumptions import LOJASIEWICZ
from bounds.language.proof.expression import Scalar, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz.proofs import one_round


@final
@dataclass(frozen=True, slots=True)
class Contraction:
    gap: Scalar
    next_gap: Scalar
    rate: Scalar  # eta H mu/4
    added: Scalar  # what a round adds
    recursion: str  # (1 - rate) gap + added - next_gap >= 0


def describe(proof: MachineForm, earlier: tuple[str, ...] = ()) -> Contraction:
    found = one_round.describe(proof, earlier)
    (mu,) = proof.positive("mu_1")
    lowest, agent_lowest = proof.scalar("F_star"), proof.scalar("f_star", "real", ["c"])
    mean_lowest = proof.assume("F* is a mean", over("c", agent_lowest) - lowest, "= 0", source=DEFINITION)
    steep = proof.assume(
        "FL-2",
        square(found.client_gradient) - mu * (found.client_value - agent_lowest),
        source=LOJASIEWICZ.name,
    )
    L, eta, M, H, sigma, zeta = (Scalar(n) for n in ("L", "eta", "M", "H", "sigma", "zeta"))
    gap, next_gap = found.value - lowest, found.next_value - lowest
    proof.claim(
        "D.eq19",
        square(found.gradient) + zeta**2 - mu * gap,
        because(steep, over=["c"]),
        because(found.dissimilarity),
        Equality(mean_lowest, -mu),
    )
    rate = eta * H * mu / 4
    noise = 4 * eta**2 * H * L * sigma**2 / M + 3 * eta**3 * H * (H - 1) * L**2 * sigma**2
    added = 2 * eta * H * zeta**2 + noise
    recursion = proof.claim(
        "D.F2.s15",
        (1 - rate) * gap + added - next_gap,
        because(found.recursion),
        because("D.eq19", times=eta * H / 4),
        Summand(Scalar("3/4") * eta * H * zeta**2),
    )
    return Contraction(gap, next_gap, rate, added, recursion)
