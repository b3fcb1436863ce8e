"""Lemma 4 as amended: co-coercivity pays for the square of the noise; and steps of the printed proof."""

from bounds.language.proof.expression import ZERO, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, because, fact
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
    smallest = proof.assume("mean square", over(past, square(now.gradient)) - least, source="gradient_square")
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


def _certify_steps() -> MachineForm:
    """The printed steps that are true: the update, and the means of the noise."""
    proof = MachineForm("als_dpfl.lemma_4")
    past, draw = proof.operator("past"), proof.operator("draw")
    beta, eta, d = proof.positive("beta", "eta", "d")
    (sigma,) = proof.non_negative("sigma_v")
    F = proof.function("F", convex=True, smooth=beta)
    v, noise = proof.vector("v", [past]), proof.vector("noise", [past, draw])
    star = proof.minimizer("star", F, proof.vector("w_star"), proof.scalar("F_star"))
    g, away = proof.point("now", F, v).gradient, v - star.at
    proof.mean_is(draw, noise, ZERO, source=STEP)
    variance = over(past, over(draw, square(noise))) - sigma**2 * d
    proof.assume("noise", variance, "= 0", source=STEP)
    step = away - eta * (g + noise)
    proof.claim("C.lem4.s1", square(v - eta * (g + noise) - star.at) - square(step), relation="= 0")
    proof.claim("C.lem4.s6", over(past, over(draw, inner(noise, away))), relation="= 0")
    proof.claim("C.lem4.s6 (2)", over(past, over(draw, inner(g, noise))), relation="= 0")
    proof.claim("C.lem4.s8", variance, Equality("noise"), relation="= 0")
    return proof


AMENDED, PRINTED = _proof(), _certify_steps()
