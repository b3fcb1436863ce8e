"""Smallest gradient of gradient descent: `T.gd.nonconvex.s1` to `s3`, by telescoping."""

from bounds.language.proof.expression import square
from bounds.language.proof.form import DEFINITION, MachineForm, because, fact
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
    proof.sequence(k, x, following.at, x0, xN)
    proof.sequence(k, now.value, following.value, start.value, end.value)
    least = [
        proof.assume(f"minimum at {p.name}", square(p.gradient) - smallest, source=DEFINITION)
        for p in (now, following, end)
    ]
    proof.reads = {min_squared_gradient: smallest, f0_gap: start.value - lowest}

    s1 = proof.claim(
        "T.gd.nonconvex.s1",
        now.value - following.value - square(now.gradient) / (2 * L) - square(following.gradient) / (4 * L),
        because(fact("interpolation", now, following)),
    )
    s2 = proof.claim(
        "T.gd.nonconvex.s2",
        end.value - lowest - square(end.gradient) / (2 * L),
        because(fact("lowest_value_by_gradient", end)),
    )
    fallen = start.value - now.value - 3 * step * smallest / (4 * L)
    base = proof.claim("no step", start.value - start.value)
    one = proof.claim(
        "one step",
        now.value - following.value - 3 * smallest / (4 * L),
        because(s1),
        because(least[0], times=1 / (2 * L)),
        because(least[1], times=1 / (4 * L)),
    )
    s3 = proof.induction(
        "T.gd.nonconvex.s3",
        k,
        fallen,
        base=base,
        step=one,
        claim=start.value - end.value - 3 * N * smallest / (4 * L),
    )
    proof.conclude(
        because(s3, times=4 * L * (3 * N + 2)),
        because(s2, times=4 * L * (3 * N + 2)),
        because(least[2], times=2 * (3 * N + 2)),
    )
    return proof


PROOF = _proof()
