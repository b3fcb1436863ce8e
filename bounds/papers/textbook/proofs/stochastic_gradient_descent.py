"""SGD: `T.sgd.s1` by the contraction of one step, `T.sgd.s2` by induction and a geometric sum."""

from bounds.language.assumptions import UNBIASED_NOISE
from bounds.language.proof.expression import ZERO, Scalar, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.textbook.notation import K, q, squared_distance
from bounds.papers.textbook.proofs.gradient_descent_strongly_convex import prove_contraction


def _proof() -> MachineForm:
    proof = MachineForm("textbook.stochastic_gradient_descent")
    k, past, draw = proof.index("k"), proof.operator("past"), proof.operator("draw")
    smooth, strong, eta = proof.positive("L", "mu", "eta")
    sigma, start = proof.non_negative("sigma", "D0")
    f = proof.function("f", smooth=smooth, strongly_convex=strong)
    best, x, noise = (
        proof.vector("x_star"),
        proof.vector("x", [k, past]),
        proof.vector("noise", [k, past, draw]),
    )
    star = proof.minimizer("star", f, best, proof.scalar("f_star"))
    now = proof.point("now", f, x)
    following = x - eta * (now.gradient + noise)
    # the noise is unbiased and of bounded variance, given the past; past and draw together are everything
    proof.mean_is(draw, noise, ZERO, source=UNBIASED_NOISE.name)
    variance = proof.assume("variance", sigma**2 - over(draw, square(noise)), source=UNBIASED_NOISE.name)
    mean, mean_next, mean_K = (
        proof.scalar("mean", over=[k]),
        proof.scalar("mean.next", over=[k]),
        proof.scalar("mean.K"),
    )
    tower = [
        proof.assume("mean of the distance", mean - over(past, square(x - best)), "= 0", source=DEFINITION),
        proof.assume(
            "tower", mean_next - over(past, over(draw, square(following - best))), "= 0", source=DEFINITION
        ),
    ]
    proof.sequence(k, mean, mean_next, start**2, mean_K)
    conditions = [proof.condition("T.sgd.constants"), proof.condition("T.sgd.step")]

    room = proof.claim(
        "the step is small", 2 - eta * (smooth + strong), because(conditions[1]), times=smooth + strong
    )
    contraction = prove_contraction(proof, now, star, eta, room)
    factor = 1 - eta * strong
    s1 = proof.claim(
        "T.sgd.s1",
        factor**2 * mean + eta**2 * sigma**2 - mean_next,
        because(contraction, over=[past]),
        because(variance, times=eta**2, over=[past]),
        Equality(tower[0], factor**2),
        Equality(tower[1], -1),
    )
    # q >= 0 and q < 1, so 1 - q^2 > 0
    not_negative = proof.claim(
        "q >= 0",
        factor,
        because(room, times=Scalar("1/2")),
        because(conditions[0], times=eta / 2),
    )
    below_one = proof.claim(
        "1 - q^2 > 0",
        1 - factor**2,
        Summand(eta * strong),
        because(not_negative, times=eta * strong),
        relation="> 0",
    )
    power, power_K = proof.recursion("q^(2k)", k, factor**2 * Scalar("q^(2k)"), 1)
    rest = 1 - factor**2

    def unrolled(powers: Scalar, value: Scalar) -> Scalar:
        return rest * (powers * start**2 - value) + eta**2 * sigma**2 * (1 - powers)

    base = proof.claim("no step", rest * (start**2 - start**2))
    one = proof.claim(
        "one step", rest * (factor**2 * mean + eta**2 * sigma**2 - mean_next), because(s1, below_one)
    )
    s2 = proof.induction(
        "T.sgd.s2",
        k,
        unrolled(power, mean),
        base=base,
        step=one,
        claim=unrolled(power_K, mean_K),
        times=Summand(squares=(factor,)),
    )
    proof.reads = {squared_distance: mean_K, q ** (2 * K): power_K}
    proof.conclude(because(s2, below_one))
    return proof


PROOF = _proof()
