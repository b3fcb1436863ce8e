r"""The tight bound of gradient descent, for every number of steps: `T.gd.convex.s1` to `s3`.

The derivation is one identity with two sums. Here it is an induction: with lambda = M/a - 1, M = 2N + 1, a =
M - i, tau = M/(a b), b = a - 1, the partial sums are the sequences S (of tau g) and W (of (M tau - 1)
||g||^2), and the sum of omega ||g_i - g_j||^2 over the earlier j is a multiple of C ||g||^2 - 2 <g, U> + W
with U = M S - L (x_0 - x) and C = M lambda - i. That expression is at least 0 for every vector in the place
of g.
"""

from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Point,
    Summand,
    a_square,
    because,
    fact,
)
from bounds.papers.textbook.notation import final_gap


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    """The steps as they are declared, with M, a, b, the tau of a step, and the partial sums S and W."""

    M: Scalar
    half: Scalar
    a: Scalar
    tau: Scalar
    x0: Vector
    star: Point
    now: Point
    next: Point
    end: Point
    S: tuple[Vector, Vector]
    W: tuple[Scalar, Scalar]


NEIGHBORS = Equality("b = a - 1")


def prove(proof: MachineForm, steps: Scalar) -> tuple[Scalar, str, str]:
    """The gap after this many steps, the claim L D0^2 / (2 M) - gap >= 0, and the name of M = 2 steps + 1."""
    L, path = proof.positive("L")[0], _declare(proof, steps)
    distance = proof.norm("D0", path.x0 - path.star.at)
    toward = {p.name: _prove_direction(proof, p, path.star) for p in (path.now, path.end)}
    summed, spread_end = _prove_sum(proof, path, toward["now"])
    gap, g, (_, S_N), M, half = path.end.value - path.star.value, path.end.gradient, path.S, path.M, path.half
    progress = proof.search(
        "T.gd.convex.s3",
        L * distance**2 / (2 * M) - gap,
        because(summed),
        because(toward["end"], times=1 / half),
        because(spread_end, times=1 / (L * half)),
        a_square((path.x0 - path.star.at) - M / L * S_N - M / (L * half) * g, times=L / M),
        Equality("definition of M"),
        Equality("definition of h"),
    )
    return gap, progress, "definition of M"


def _declare(proof: MachineForm, steps: Scalar) -> _Path:
    L, k = Scalar("L"), proof.index("k")
    M, half = proof.named("M", 2 * steps + 1), proof.named("h", steps + 1)
    # a = M - i and b = a - 1 for the step from i to i + 1
    a, b = proof.scalar("a", ">", [k]), proof.scalar("b", ">", [k])
    proof.assume("b = a - 1", a - b - 1, "= 0", source=DEFINITION)
    proof.assume("i >= 0", M - a, source=DEFINITION)
    f = proof.function("f", smooth=L, convex=True)
    x, x0, xN, best = proof.vector("x", [k]), proof.vector("x0"), proof.vector("xN"), proof.vector("x_star")
    star = proof.minimizer("star", f, best, proof.scalar("f_star"))
    now, end, start = proof.point("now", f, x), proof.point("end", f, xN), proof.point("start", f, x0)
    following = proof.point("next", f, x - now.gradient / L)
    proof.sequence(k, a, b, M, half)
    proof.path(k, now, following, start, end)
    tau = M / (a * b)
    S = proof.vector_recursion("S", k, Vector((("S", Scalar("1")),)) + tau * now.gradient, ZERO)
    W = proof.sum("W", k, (M * tau - 1) * square(now.gradient))
    return _Path(M=M, half=half, a=a, tau=tau, x0=x0, star=star, now=now, next=following, end=end, S=S, W=W)


def _prove_direction(proof: MachineForm, p: Point, star: Point) -> str:
    """The minimizer lies in the direction of -grad f(p)."""
    return proof.claim(
        f"T.gd.convex.s2 at {p.name}",
        star.value - p.value + inner(p.gradient, p.at - star.at) - square(p.gradient) / (2 * Scalar("L")),
        because(fact("co_coercive", star, p)),
    )


def _prove_spread(proof: MachineForm, path: _Path) -> tuple[str, str]:
    """C ||y||^2 - 2 <y, U> + W >= 0 with the last gradients in the place of y: now, and at the end."""
    L, M, (S, S_N), (W, W_N) = Scalar("L"), path.M, path.S, path.W

    def spread(y: Vector, a: Scalar, S: Vector, W: Scalar, x: Vector) -> Scalar:
        count = M * (M / a - 1) - (M - a)
        return count * square(y) - 2 * inner(y, M * S - L * (path.x0 - x)) + W

    positive = proof.search("M tau >= 1", M * path.tau - 1, because("i >= 0"), Summand(1), NEIGHBORS)
    y, g = proof.arbitrary("y"), path.now.gradient
    of_now = spread(y, path.a, S, W, path.now.at)
    one = a_square(y - g, positive)
    now, end = proof.induct("spread", "k", of_now, one, NEIGHBORS, search=True)
    of_end = spread(y, path.half, S_N, W_N, path.end.at)
    about_end = spread(path.end.gradient, path.half, S_N, W_N, path.end.at)
    return (
        proof.instance("spread about g", spread(g, path.a, S, W, path.now.at), now, of_now, y, g),
        proof.instance("spread about the last g", about_end, end, of_end, y, path.end.gradient),
    )


def _prove_sum(proof: MachineForm, path: _Path, toward: str) -> tuple[str, str]:
    """The sum over all steps, and the spread about the last gradient."""
    L, M, now, following, star = Scalar("L"), path.M, path.now, path.next, path.star
    falling = proof.claim(
        "T.gd.convex.s1",
        now.value - following.value - square(now.gradient) / (2 * L) - square(following.gradient) / (2 * L),
        because(fact("co_coercive", now, following)),
    )
    next_lambda = proof.search("lambda >= 0", M / Scalar("b") - 1, because("i >= 0"), Summand(1), NEIGHBORS)
    spread_now, spread_end = _prove_spread(proof, path)
    weight, (S, _), (W, _) = M / path.a - 1, path.S, path.W
    rest = M * square(S) + (1 - weight) * W + weight * square(now.gradient)
    _, summed = proof.induct(
        "all steps",
        "k",
        weight * (star.value - now.value) + inner(S, path.x0 - star.at) - rest / (2 * L),
        because(next_lambda, falling),
        because(toward, times=path.tau),
        because(spread_now, times=path.tau / L),
        NEIGHBORS,
        search=True,
    )
    return summed, spread_end


def _proof() -> MachineForm:
    proof = MachineForm("textbook.gradient_descent_convex")
    (steps,) = proof.non_negative("N")
    gap, progress, definition = prove(proof, steps)
    proof.reads = {final_gap: gap}
    proof.conclude(because(progress), Equality(definition), search=True)
    return proof


PROOF = _proof()
