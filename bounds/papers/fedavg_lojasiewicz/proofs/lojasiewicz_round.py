"""One round under the Lojasiewicz inequality with exponent 1 at theta_r: as amended, and D.F2.s15."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from bounds.language.assumptions import GRADIENT_DIVERGENCE, LOJASIEWICZ
from bounds.language.proof.expression import Scalar, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, because
from bounds.papers.fedavg_lojasiewicz.proofs import one_round
from bounds.papers.fedavg_lojasiewicz.proofs.one_round import ETA, ZETA, H, L, M, Round

MU = Scalar("mu_1")
RATE = Fraction(3, 4) * ETA * H * MU


@final
@dataclass(frozen=True, slots=True)
class Contraction:
    gap: Scalar
    next_gap: Scalar
    added: Scalar  # what a round adds
    recursion: str  # (1 - RATE) gap + added - next_gap >= 0
    round: Round


def describe(
    proof: MachineForm,
    earlier: tuple[str, ...] = (),
    declare: Callable[[one_round.Steps, one_round.Mean], None] = lambda *_: None,
    divergence: str = GRADIENT_DIVERGENCE.name,
) -> Contraction:
    found = one_round.describe(proof, earlier, declare=declare, divergence=divergence)
    proof.positive("mu_1")
    lowest, agent_lowest = proof.scalar("F_star"), proof.scalar("f_star", "real", ["c"])
    mean_lowest = proof.assume("F* is a mean", over("c", agent_lowest) - lowest, "= 0", source="F_star")
    steep = proof.assume(
        "FL-2",
        square(found.client_gradient) - MU * (found.client_value - agent_lowest),
        source=LOJASIEWICZ.name,
    )
    gap, next_gap = found.value - lowest, found.next_value - lowest
    proof.claim(
        "D.eq19",
        square(found.gradient) + ZETA**2 - MU * gap,
        because(steep, over=["c"]),
        because(found.dissimilarity),
        Equality(mean_lowest, -MU),
    )
    added = Fraction(61, 80) * ETA * H * ZETA**2 + found.noise
    recursion = proof.claim(
        "one round of gaps",
        (1 - RATE) * gap + added - next_gap,
        because(found.recursion),
        because("D.eq19", times=Fraction(3, 4) * ETA * H),
    )
    return Contraction(gap, next_gap, added, recursion, found)


def prove_printed(proof: MachineForm, found: Contraction) -> str:
    """The recursion that (39) gives."""
    sigma = Scalar("sigma")
    noise = 4 * ETA**2 * H * L * sigma**2 / M + 3 * ETA**3 * H * (H - 1) * L**2 * sigma**2
    return proof.claim(
        "D.F2.s15",
        (1 - ETA * H * MU / 4) * found.gap + 2 * ETA * H * ZETA**2 + noise - found.next_gap,
        because(one_round.prove_eq39(proof, found.round)),
        because("D.eq19", times=ETA * H / 4),
        Summand(Fraction(3, 4) * ETA * H * ZETA**2),
    )
