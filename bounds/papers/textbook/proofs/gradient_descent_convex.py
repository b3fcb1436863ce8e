r"""The tight bound of gradient descent, for every number of steps: `T.gd.convex.s1` to `s3`.

The derivation is one identity with two sums. Here it is an induction: with lambda = M/a - 1, M = 2N + 1, a =
M - i, tau = M/(a b), b = a - 1, the partial sums are the sequences S (of tau g) and W (of (M tau - 1)
||g||^2), and the sum of omega ||g_i - g_j||^2 over the earlier j is a multiple of C ||g||^2 - 2 <g, U> + W
with U = M S - L (x_0 - x) and C = M lambda - i. That expression is at least 0 for every vector in the place
of g.
"""

from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, a_square, because, fact
from bounds.papers.textbook.notation import final_gap


def prove(proof: MachineForm, steps: Scalar) -> tuple[Scalar, str, str]:
    """The gap after this many steps, the claim L D0^2 / (2 M) - gap >= 0, and the name of M = 2 steps + 1."""
    k, (L,) = proof.index("k"), proof.positive("L")
    M, half = proof.named("M", 2 * steps + 1), proof.named("h", steps + 1)
    # a = M - i and b = a - 1 for the step from i to i + 1
    a, b = proof.scalar("a", ">", [k]), proof.scalar("b", ">", [k])
    neighbors = proof.assume("b = a - 1", a - b - 1, "= 0", source=DEFINITION)
    started = proof.assume("i >= 0", M - a, source=DEFINITION)
    f = proof.function("f", smooth=L, convex=True)
    x, x0, xN, best = proof.vector("x", [k]), proof.vector("x0"), proof.vector("xN"), proof.vector("x_star")
    star = proof.minimizer("star", f, best, proof.scalar("f_star"))
    now, end, start = proof.point("now", f, x), proof.point("end", f, xN), proof.point("start", f, x0)
    following = proof.point("next", f, x - now.gradient / L)
    proof.sequence(k, a, b, M, half)
    proof.sequence(k, x, following.at, x0, xN)
    proof.sequence(k, now.value, following.value, start.value, end.value)
    proof.sequence(k, now.gradient, following.gradient, start.gradient, end.gradient)
    distance = proof.norm("D0", x0 - best)

    g, tau = now.gradient, M / (a * b)
    weight = M * tau - 1
    S, S_N = proof.vector_recursion("S", k, Vector((("S", Scalar("1")),)) + tau * g, ZERO)
    W, W_N = proof.recursion("W", k, Scalar("W") + weight * square(g), 0)
    equal = [Equality(neighbors)]
    falling = proof.claim(
        "T.gd.convex.s1",
        now.value - following.value - square(g) / (2 * L) - square(following.gradient) / (2 * L),
        because(fact("co_coercive", now, following)),
    )
    toward = {
        p.name: proof.claim(
            f"T.gd.convex.s2 at {p.name}",
            star.value - p.value + inner(p.gradient, p.at - best) - square(p.gradient) / (2 * L),
            because(fact("co_coercive", star, p)),
        )
        for p in (now, end)
    }
    next_lambda = proof.search("lambda >= 0", M / b - 1, because(started), Summand(1), *equal)
    positive = proof.search("M tau >= 1", weight, because(started), Summand(1), *equal)

    def spread(y: Vector, a: Scalar, S: Vector, W: Scalar, x: Vector) -> Scalar:
        count = M * (M / a - 1) - (M - a)
        return count * square(y) - 2 * inner(y, M * S - L * (x0 - x)) + W

    y = proof.arbitrary("y")
    before = proof.claim("spread at the start", spread(y, M, ZERO, Scalar("0"), x0))
    one = proof.search(
        "spread, one step",
        spread(y, b, S + tau * g, W + weight * square(g), following.at) - spread(y, a, S, W, x),
        a_square(y - g, positive),
        *equal,
    )
    of_now, of_end = spread(y, a, S, W, x), spread(y, half, S_N, W_N, xN)
    spreads = [
        proof.induction(f"spread {name}", k, of_now, base=before, step=one, claim=claim)
        for name, claim in (("now", of_now), ("at the end", of_end))
    ]
    spread_now = proof.instance("spread about g", spread(g, a, S, W, x), spreads[0], of_now, y, g)
    spread_end = proof.instance(
        "spread about the last g",
        spread(end.gradient, half, S_N, W_N, xN),
        spreads[1],
        of_end,
        y,
        end.gradient,
    )

    def partial(a: Scalar, value: Scalar, g: Vector, S: Vector, W: Scalar) -> Scalar:
        weight = M / a - 1
        rest = M * square(S) + (1 - weight) * W + weight * square(g)
        return weight * (star.value - value) + inner(S, x0 - best) - rest / (2 * L)

    here = partial(a, now.value, g, S, W)
    first = proof.claim("no step", partial(M, start.value, start.gradient, ZERO, Scalar("0")))
    step = proof.search(
        "one step",
        partial(b, following.value, following.gradient, S + tau * g, W + weight * square(g)) - here,
        because(next_lambda, falling),
        because(toward["now"], times=tau),
        because(spread_now, times=tau / L),
        *equal,
    )
    last = partial(half, end.value, end.gradient, S_N, W_N)
    summed = proof.induction("all steps", k, here, base=first, step=step, claim=last)
    gap = end.value - star.value
    whole = proof.search(
        "T.gd.convex.s3",
        L * distance**2 / (2 * M) - gap,
        because(summed),
        because(toward["end"], times=1 / half),
        because(spread_end, times=1 / (L * half)),
        a_square((x0 - best) - M / L * S_N - M / (L * half) * end.gradient, times=L / M),
        Equality("definition of M"),
        Equality("definition of h"),
    )
    return gap, whole, "definition of M"


def _proof() -> MachineForm:
    proof = MachineForm("textbook.gradient_descent_convex")
    (steps,) = proof.non_negative("N")
    gap, whole, definition = prove(proof, steps)
    proof.reads = {final_gap: gap}
    proof.conclude(because(whole), Equality(definition), search=True)
    return proof


PROOF = _proof()
