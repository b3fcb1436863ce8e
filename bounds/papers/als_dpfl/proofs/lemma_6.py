"""Lemma 6: the printed steps before the one that drops the noise from a length."""

from bounds.language.proof.expression import inner, square
from bounds.language.proof.form import MachineForm, because, cauchy_schwarz, fact


def _certify_steps() -> MachineForm:
    proof = MachineForm("als_dpfl.lemma_6")
    beta, eta = proof.positive("beta", "eta")
    F, lowest = proof.function("F", convex=True, smooth=beta), proof.scalar("F_star")
    v, noise = proof.vector("v"), proof.vector("noise")
    now, star = proof.point("now", F, v), proof.minimizer("star", F, proof.vector("w_star"), lowest)
    way, away = now.gradient + noise, v - star.at
    following = proof.point("next", F, v - eta * way)
    gap, slope, far = now.value - lowest, proof.norm("slope", now.gradient), proof.norm("far", away)
    after = gap - eta * (1 - beta * eta / 2) * square(way) + eta * inner(noise, way)
    proof.claim("C.lem6.s2", after - (following.value - lowest), because(fact("smooth", following, now)))
    proof.claim("C.lem6.s3", gap - (now.value - lowest), relation="= 0")
    along = inner(now.gradient, away)
    proof.claim("C.lem6.s3 (2)", along - gap, because(fact("convex", star, now)))
    longest = cauchy_schwarz(now.gradient, slope, away, far)
    proof.claim("C.lem6.s3 (3)", slope * far - along, because(longest))
    return proof


PRINTED = _certify_steps()
