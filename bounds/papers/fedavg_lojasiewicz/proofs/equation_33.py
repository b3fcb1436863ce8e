"""(33): the variance of the mean gradient, from independent agents."""

from bounds.language.assumptions import UNBIASED_NOISE
from bounds.language.proof.expression import over, square
from bounds.language.proof.form import Equality, MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import estimator_variance


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.equation_33.bound")
    c, E, (M,), (sigma,) = (
        proof.operator("c"),
        proof.operator("E"),
        proof.positive("M"),
        proof.non_negative("sigma"),
    )
    noise = proof.vector("noise", [c, E])
    mean = proof.average("noise.mean", c, noise)
    small = proof.assume("FL-4", sigma**2 - over(E, square(noise)), source=UNBIASED_NOISE.name)
    apart = over(c, over(E, square(noise))) - M * over(E, square(mean))
    proof.assume("agents are independent", apart, "= 0", source="D.indep")
    proof.reads = {estimator_variance: over(E, square(mean))}
    proof.conclude(because(small, over=[c]), Equality("agents are independent"), search=True)
    return proof


PROOF = _proof()
