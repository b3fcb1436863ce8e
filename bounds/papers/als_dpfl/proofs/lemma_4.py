"""Lemma 4 as amended: co-coercivity pays for the square of the noise."""

from bounds.language.proof.expression import ZERO, over, square
from bounds.language.proof.form import DEFINITION, MachineForm, because, fact
from bounds.papers.als_dpfl.notation import distance_square, next_distance_square

STEP = "C.eq8"  # one noisy gradient step of the auxiliary sequence


def _proof() -> MachineForm:
    proof = MachineForm("als_dpfl.lemma_4", "amended")
    past, draw = proof.operator("past"), proof.operator("draw")
    beta, eta, d = proof.positive("beta", "eta", "d")
    sigma, least = proof.non_negative("sigma_v", "gradient_square")
    F = proof.function("F", convex=True, smooth=beta)
    v, noise = proof.vector("v", [past]), proof.vector("noise", [past, draw])
    star = proof.minimizer("star", F, proof.vector("w_star"), proof.scalar("F_star"))
    now = proof.point("now", F, v)
    condition = proof.condition("C.lem4.gradient")
    proof.mean_is(draw, noise, ZERO, source=STEP)
    variance = proof.assume("noise", d * sigma**2 - over(draw, square(noise)), source=STEP)
    smallest = proof.assume("mean square", over(past, square(now.gradient)) - least, source=DEFINITION)
    step = proof.condition("C.lem4.step")
    following = v - eta * (now.gradient + noise)
    before, after = over(past, square(v - star.at)), over(past, over(draw, square(following - star.at)))
    proof.reads = {distance_square: before, next_distance_square: after}
    proof.conclude(
        because(fact("co_coercive", now, star), times=2 * eta, over=[past]),
        because(fact("co_coercive", star, now), times=2 * eta, over=[past]),
        because(variance, times=eta**2, over=[past]),
        because(condition, times=eta),
        because(condition, times=eta / beta),
        because(smallest, step, times=eta),
        because(smallest, times=eta / beta),
        search=True,
    )
    return proof


AMENDED = _proof()
