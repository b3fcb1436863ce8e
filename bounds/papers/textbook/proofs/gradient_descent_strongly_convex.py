"""Gradient descent contracts: `T.gd.strong.s1` and `s2` for steps up to 2/(L + mu), then induction."""

from bounds.language.proof.expression import Scalar, inner, square
from bounds.language.proof.form import MachineForm, Point, Summand, a_square, because, fact
from bounds.papers.textbook.notation import L, N, mu, squared_distance


def prove_contraction(proof: MachineForm, now: Point, star: Point, eta: Scalar, room: str) -> str:
    """(1 - eta mu)^2 ||x - x*||^2 >= ||x - eta g - x*||^2, where `room` proves 2 - eta (L + mu) >= 0."""
    smooth, strong = Scalar("L"), Scalar("mu")
    away, gradient = now.at - star.at, now.gradient
    both = smooth + strong
    relation = proof.claim(
        "T.ineq.strong",
        both * inner(gradient, away) - strong * smooth * square(away) - square(gradient),
        because(fact("co_coercive_strongly", now, star)),
        because(fact("co_coercive_strongly", star, now)),
    )
    steep = proof.claim(
        "T.ineq.strong, second",
        square(gradient) - strong**2 * square(away),
        a_square(gradient - strong * away),
        because(fact("strongly_convex", now, star), times=2 * strong),
        because(fact("strongly_convex", star, now), times=2 * strong),
    )
    left = square(away - eta * gradient)
    proof.claim(
        "T.gd.strong.s1",
        (both - 2 * eta * strong * smooth) * square(away)
        - eta * (2 - eta * both) * square(gradient)
        - both * left,
        because(relation, times=2 * eta),
    )
    return proof.claim(
        "T.gd.strong.s2",
        (1 - eta * strong) ** 2 * square(away) - left,
        because(relation, times=2 * eta),
        because(room, steep, times=eta),
        times=both,
    )


def _proof() -> MachineForm:
    proof = MachineForm("textbook.gradient_descent_strongly_convex")
    k = proof.index("k")
    smooth, strong, _ = (*proof.positive("L", "mu"), *proof.non_negative("N"))
    f = proof.function("f", smooth=smooth, strongly_convex=strong)
    x, x0, xN, best = proof.vector("x", [k]), proof.vector("x0"), proof.vector("xN"), proof.vector("x_star")
    star = proof.minimizer("star", f, best, proof.scalar("f_star"))
    now = proof.point("now", f, x)
    eta = 1 / smooth
    proof.sequence(k, x, x - eta * now.gradient, x0, xN)
    distance = proof.norm("D0", x0 - best)
    condition = proof.condition("T.gd.strong")
    room = proof.claim("the step is small", 2 - eta * (smooth + strong), because(condition, times=1 / smooth))
    step = prove_contraction(proof, now, star, eta, room)

    q = (smooth - strong) / smooth
    power, power_N = proof.recursion("q^(2k)", k, q**2 * Scalar("q^(2k)"), 1)
    _, all_steps = proof.induct(
        "all steps",
        k,
        power * distance**2 - square(x - best),
        because(step),
        times=Summand(squares=(q,)),
    )
    proof.reads = {squared_distance: square(xN - best), ((L - mu) / L) ** (2 * N): power_N}
    proof.conclude(because(all_steps))
    return proof


PROOF = _proof()
