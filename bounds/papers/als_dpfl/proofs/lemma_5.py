"""Lemma 5: the descent lemma along a noisy gradient, for any noise."""

from bounds.language.proof.expression import inner, square
from bounds.language.proof.form import MachineForm, because, fact
from bounds.papers.als_dpfl.notation import next_theta, noise_alignment, noisy_gradient_norm, theta


def _proof() -> MachineForm:
    proof = MachineForm("als_dpfl.lemma_5")
    beta, eta = proof.positive("beta", "eta")
    F, lowest = proof.function("F", smooth=beta), proof.scalar("F_star")
    v, noise = proof.vector("v"), proof.vector("noise")
    now = proof.point("now", F, v)
    way = now.gradient + noise
    following = proof.point("next", F, v - eta * way)
    length = proof.norm("length", way)
    x, y = proof.point("x", F, proof.vector("any.x")), proof.point("y", F, proof.vector("any.y"))
    proof.claim(
        "C.lem5.s1",
        y.value + inner(y.gradient, x.at - y.at) + beta / 2 * square(x.at - y.at) - x.value,
        because(fact("smooth", x, y)),
    )
    move = following.at - now.at
    along = inner(now.gradient, move) + beta / 2 * square(move)
    proof.claim("C.lem5.s2", now.value + along - following.value, because(fact("smooth", following, now)))
    last = proof.claim(
        "the chain",
        -eta * (1 - beta * eta / 2) * square(way) + eta * inner(noise, way) + now.value - following.value,
        because(fact("smooth", following, now)),
    )
    proof.reads = {
        next_theta: following.value - lowest,
        theta: now.value - lowest,
        noisy_gradient_norm: length,
        noise_alignment: inner(noise, way),
    }
    proof.conclude(because(last), search=True)
    return proof


PROOF = _proof()
