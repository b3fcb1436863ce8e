"""SGD: `T.sgd.s1` by the contraction of one step, `T.sgd.s2` by induction and a geometric sum."""

from bounds.language.assumptions import UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Point, Summand, because
from bounds.papers.textbook.notation import K, q, squared_distance
from bounds.papers.textbook.proofs.gradient_descent_strongly_convex import prove_contraction


def _proof() -> MachineForm:
    proof = MachineForm("textbook.stochastic_gradient_descent")
    k, mean, now, star = _declare(proof)
    factor = 1 - Scalar("eta") * Scalar("mu")
    s1, below_one = _prove_one_step(proof, mean, now, star)
    power, power_K = proof.recursion("q^(2k)", k, factor**2 * Scalar("q^(2k)"), 1)
    noise = Scalar("eta") ** 2 * Scalar("sigma") ** 2
    _, s2 = proof.induct(
        "T.sgd.s2",
        k,
        (1 - factor**2) * (power * Scalar("D0") ** 2 - mean) + noise * (1 - power),
        because(s1, below_one),
        times=Summand(squares=(factor,)),
    )
    proof.reads = {squared_distance: Scalar("mean.K"), q ** (2 * K): power_K}
    proof.conclude(because(s2, below_one))
    return proof


def _declare(proof: MachineForm) -> tuple[str, Scalar, Point, Point]:
    """The index of the steps, the mean squared distance before a step, the iterate and the minimizer."""
    k, past, draw = proof.index("k"), proof.operator("past"), proof.operator("draw")
    smooth, strong, eta = proof.positive("L", "mu", "eta")
    sigma, start = proof.non_negative("sigma", "D0")
    f = proof.function("f", smooth=smooth, strongly_convex=strong)
    best, x = proof.vector("x_star"), proof.vector("x", [k, past])
    noise = proof.vector("noise", [k, past, draw])
    star = proof.minimizer("star", f, best, proof.scalar("f_star"))
    now = proof.point("now", f, x)
    following = x - eta * (now.gradient + noise)
    # the noise is unbiased and of bounded variance, given the past; past and draw together are everything
    proof.mean_is(draw, noise, ZERO, source=UNBIASED_NOISE.name)
    proof.assume("variance", sigma**2 - over(draw, square(noise)), source=UNBIASED_NOISE.name)
    mean, mean_next = proof.scalar("mean", over=[k]), proof.scalar("mean.next", over=[k])
    after = over(past, over(draw, square(following - best)))
    proof.assume("mean of the distance", mean - over(past, square(x - best)), "= 0", source=DEFINITION)
    proof.assume("tower", mean_next - after, "= 0", source=DEFINITION)
    proof.sequence(k, mean, mean_next, start**2, proof.scalar("mean.K"))
    proof.condition("T.sgd.constants"), proof.condition("T.sgd.step")
    return k, mean, now, star


def _prove_one_step(proof: MachineForm, mean: Scalar, now: Point, star: Point) -> tuple[str, str]:
    """`T.sgd.s1`, and 1 - q^2 > 0."""
    smooth, strong, eta, sigma = (Scalar(name) for name in ("L", "mu", "eta", "sigma"))
    factor = 1 - eta * strong
    room = proof.claim(
        "the step is small", 2 - eta * (smooth + strong), because("T.sgd.step"), times=smooth + strong
    )
    contraction = prove_contraction(proof, now, star, eta, room)
    s1 = proof.claim(
        "T.sgd.s1",
        factor**2 * mean + eta**2 * sigma**2 - Scalar("mean.next"),
        because(contraction, over=["past"]),
        because("variance", times=eta**2, over=["past"]),
        Equality("mean of the distance", factor**2),
        Equality("tower", -1),
    )
    not_negative = proof.claim(
        "q >= 0", factor, because(room, times=Scalar("1/2")), because("T.sgd.constants", times=eta / 2)
    )
    below_one = proof.claim(
        "1 - q^2 > 0",
        1 - factor**2,
        Summand(eta * strong),
        because(not_negative, times=eta * strong),
        relation="> 0",
    )
    return s1, below_one


PROOF = _proof()
