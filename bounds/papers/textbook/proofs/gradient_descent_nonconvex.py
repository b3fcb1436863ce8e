"""Smallest gradient of gradient descent: `T.gd.nonconvex.s1` to `s3`, by telescoping."""

from bounds.language.proof.expression import Scalar, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point, because, fact
from bounds.papers.textbook.notation import f0_gap, min_squared_gradient


def _proof() -> MachineForm:
    proof = MachineForm("textbook.gradient_descent_nonconvex")
    k = proof.index("k")
    L, N = *proof.positive("L"), *proof.non_negative("N")
    step = proof.scalar("k_now", ">=", [k])
    lowest, smallest = proof.scalar("f_inf"), proof.scalar("smallest")
    f = proof.function("f", smooth=L, lowest=lowest)
    x, x0, xN = proof.vector("x", [k]), proof.vector("x0"), proof.vector("xN")
    now = proof.point("now", f, x)
    following = proof.point("next", f, now.at - now.gradient / L)
    start, end = proof.point("start", f, x0), proof.point("end", f, xN)
    proof.sequence(k, step, step + 1, 0, N)
    proof.path(k, now, following, start, end)
    least = [
        proof.assume(f"minimum at {p.name}", square(p.gradient) - smallest, source=DEFINITION)
        for p in (now, following, end)
    ]
    proof.reads = {min_squared_gradient: smallest, f0_gap: start.value - lowest}

    fallen = _prove_fall(proof, now, following)
    s2 = proof.claim(
        "T.gd.nonconvex.s2",
        end.value - lowest - square(end.gradient) / (2 * L),
        because(fact("lowest_value_by_gradient", end)),
    )
    _, s3 = proof.induct(
        "T.gd.nonconvex.s3", k, start.value - now.value - 3 * step * smallest / (4 * L), because(fallen)
    )
    proof.conclude(
        because(s3, times=4 * L * (3 * N + 2)),
        because(s2, times=4 * L * (3 * N + 2)),
        because(least[2], times=2 * (3 * N + 2)),
    )
    return proof


def _prove_fall(proof: MachineForm, now: Point, following: Point) -> str:
    L, smallest, g = Scalar("L"), Scalar("smallest"), now.gradient
    between = proof.point("between", "f", now.at - g / L + following.gradient / (2 * L))
    s1 = proof.claim(
        "T.gd.nonconvex.s1",
        now.value - following.value - square(now.gradient) / (2 * L) - square(following.gradient) / (4 * L),
        because(fact("smooth", between, now)),
        because(fact("smooth_below", between, following)),
    )
    return proof.claim(
        "one step",
        now.value - following.value - 3 * smallest / (4 * L),
        because(s1),
        because("minimum at now", times=1 / (2 * L)),
        because("minimum at next", times=1 / (4 * L)),
    )


PROOF = _proof()
