"""(19) with exponent 1, from FL-2 of every agent and FL-3."""

from bounds.language.assumptions import GRADIENT_DIVERGENCE, LOJASIEWICZ
from bounds.language.proof.expression import over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import gap_at_point, gradient_norm


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.equation_19.exponent_one")
    c, (mu,), (zeta,) = proof.operator("c"), proof.positive("mu_1"), proof.non_negative("zeta")
    g, value, own = proof.vector("g", [c]), proof.scalar("value", over=[c]), proof.scalar("f_star", over=[c])
    lowest, mean = proof.scalar("F_star"), proof.average("gradient", c, g)
    exact = proof.assume("F* is a mean", over(c, own) - lowest, "= 0", source=DEFINITION)
    steep = proof.assume("FL-2", square(g) - mu * (value - own), source=LOJASIEWICZ.name)
    near = proof.assume("FL-3", zeta**2 - over(c, square(g - mean)), source=GRADIENT_DIVERGENCE.name)
    proof.reads = {gap_at_point: over(c, value) - lowest, gradient_norm: proof.norm("gradient_norm", mean)}
    proof.conclude(because(steep, over=[c]), because(near), Equality(exact, -mu), search=True)
    return proof


PROOF = _proof()
