"""One round of the server: the descent along a unit vector, and the error of the direction.

G is the mean memory after the update plus the walk of sampling and noise, W + beta z. `unit` is any vector of
length at most 1 with <unit, G> = ||G||, so that G = 0 needs no case.
"""

from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, a_square, because, cauchy_schwarz
from bounds.language.proof.lemmas import bound_norm_of_sum

L, ETA, BETA, K, COUNT = (Scalar(name) for name in ("L", "eta", "beta", "K", "k_now"))
P, SIGMA, ROOT_M, ROOT_N, ROOT_B = (Scalar(name) for name in ("p", "sigma_DP", "root.M", "root.n", "root.B"))
SIZE, AWAY, ERROR, WALK = Scalar("norm.grad"), Scalar("norm.away"), Scalar("norm.error"), Scalar("norm.walk")
NOISE = ROOT_B * ROOT_N / (2 * ROOT_M)  # of the mean round
OWN_NOISE = ROOT_B / ROOT_M * ((COUNT + 1) / (2 * ROOT_N) + ROOT_N / 4)  # of round k, above the root of k + 1
UNIT, WALKED, INCREMENT = atom("unit"), atom("walk"), atom("z.mean")


def declare_walk(proof: MachineForm, update: Vector, source: str) -> None:
    """The walk of the server's memory, with the second moments of sampling and noise."""
    proof.non_negative("sigma_DP")
    at_most = proof.domain("p", upper=True)
    rest = proof.named("rest", 1 - P, at_most)
    proof.root("root.B", (2 * rest + 2 * SIGMA**2) / P)
    each = proof.vector("z", ["i", "k", "E"])
    mean = proof.average("z.mean", "i", each)
    walked, _ = proof.vector_recursion("walk", "k", WALKED + mean, ZERO, ["E"])
    own = over("E", square(each))
    proof.assume("noise is new", over("E", inner(walked, mean)), "= 0", source=source)
    proof.assume("clients apart", ROOT_M**2 * over("E", square(mean)) - over("i", own), "= 0", source=source)
    moment = P * own - rest * over("E", square(update)) - SIGMA**2
    proof.assume("second moment", moment, "= 0", source=source)
    proof.norm("norm.walk", walked + mean)


def prove_moments(proof: MachineForm, update: Vector, short: str) -> tuple[str, str, str]:
    """The second moments of an increment, and of the walk before any round and after the last.

    `short` is a claim 1 - ||update||^2 >= 0.
    """
    variance = ROOT_B**2 / (2 * ROOT_M**2)
    second = proof.search(
        "second moment of a round",
        variance - over("E", square(INCREMENT)),
        because(short, times=Scalar("rest") / (P * ROOT_M**2), over=["i", "E"]),
        Equality("clients apart"),
        Equality("second moment", over=("i",)),
    )
    excess = COUNT * variance - over("E", square(WALKED))
    return second, *proof.induct("walk", "k", excess, because(second), Equality("noise is new", -2))


def prove_walk(proof: MachineForm, update: Vector, short: str) -> str:
    """`OWN_NOISE - E norm.walk >= 0`; `short` is a claim 1 - ||update||^2 >= 0."""
    second, before, _ = prove_moments(proof, update, short)
    mean = over("E", WALK)
    squares = proof.claim(
        "variance of the walk",
        OWN_NOISE**2 - mean**2,
        because(before),
        because(second),
        a_square(ROOT_B / ROOT_M * ((COUNT + 1) / (2 * ROOT_N) - ROOT_N / 4)),
        Equality("noise is new", -2),
        a_square(WALK - mean, over=["E"]),
    )
    return proof.larger_square("mean length of the walk", OWN_NOISE, mean, squares)


def declare_step(proof: MachineForm, gradient: Vector, direction: Vector, source: str) -> None:
    """The step of length eta at most, against the direction G."""
    length = proof.norm("norm.G", direction)
    proof.assume("along G", inner(UNIT, direction) - length, "= 0", source=source)
    proof.assume("length of the step", 1 - square(UNIT), source=source)
    proof.norm("norm.unit", UNIT), proof.norm("norm.grad", gradient)
    proof.norm("norm.error", gradient - direction)


def prove_descent(
    proof: MachineForm, gradient: Vector, direction: Vector, fallen: Scalar, smooth: str, at_most: str
) -> str:
    """`f(x) - f(x') - eta ||grad f(x)|| + 2 eta error + L eta^2/2 >= 0`; `smooth` is about a client."""
    unit, length = Scalar("norm.unit"), Scalar("norm.G")
    parts = [(direction, length), (gradient - direction, ERROR)]
    triangle = bound_norm_of_sum(proof, "triangle of the gradient", SIZE, parts)
    turned = cauchy_schwarz(direction - gradient, ERROR, UNIT, unit)
    return proof.claim(
        "descent",
        fallen - ETA * SIZE + 2 * ETA * ERROR + L * ETA**2 / 2,
        because(smooth, over=("i",)),
        because(turned, times=ETA),
        because(at_most, times=ETA * ERROR),
        because(triangle, times=ETA),
        because("length of the step", times=L * ETA**2 / 2),
        Equality("along G", ETA),
    )
