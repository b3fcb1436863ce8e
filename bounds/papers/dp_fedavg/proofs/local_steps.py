"""The local steps of a client, convex and smooth, for any number of them."""

from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import ZERO, Scalar, Vector, inner, square
from bounds.language.proof.form import MachineForm, Point, a_square, because, fact


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """The local steps as they are declared, before anything is proved of them."""

    t: str
    count: Scalar
    w: Vector
    best: Vector
    lowest: Scalar
    y: Vector
    update: Vector
    start: Point
    star: Point
    now: Point
    next: Point
    end: Point
    S: tuple[Scalar, Scalar]  # sum of ||g_t - g*||^2, so far and in the end
    T: tuple[Scalar, Scalar]  # sum of ||g_t||^2


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSteps:
    """What is proved of E steps of length eta from w, where the last iterate is w - eta u."""

    update: Vector
    start: Point
    star: Point
    descent: (
        str  # ||w - w*||^2 - ||w_E - w*||^2 - 2 eta E (f(w) - f(w*)) + E^2 eta^2 ||g_0||^2 - (eta/L) S >= 0
    )
    progress: (
        str  # the same with (eta/L - eta^2) ||u||^2/E - 2 eta E Delta + (eta/L) S in the place of the rest
    )
    jensen: str  # E S - ||u - E g*||^2 >= 0
    spread: Scalar  # S, the sum of ||g_t - g*||^2


def prepare(
    proof: MachineForm,
    w: Vector,
    best: Vector,
    lowest: Scalar,
    depends: tuple[str, ...],
    earlier: tuple[str, ...],
) -> Prepared:
    """E steps from w; `depends` are the operators of the client, `earlier` those of the round."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    t = proof.index("t")
    count = proof.scalar("t_now", ">=", [t])
    proof.sequence(t, count, count + 1, 0, E)
    own = tuple(o for o in depends if o not in earlier)
    f = proof.function("f", own, convex=True, smooth=L, lowest=lowest)
    start, star = proof.point("start", f, w), proof.point("star", f, best)
    y, u = proof.vector("y", [t, *depends]), proof.vector("u", depends)
    now = proof.point("now", f, y)
    g = now.gradient
    following = proof.point("next", f, y - eta * g)
    end = proof.point("end", f, w - eta * u)
    proof.sequence(t, y, following.at, w, end.at)
    proof.sequence(t, now.gradient, following.gradient, start.gradient, end.gradient)
    proof.sequence(t, now.value, following.value, start.value, end.value)

    turn = g - star.gradient
    S, S_E = proof.recursion("turns", t, Scalar("turns") + square(turn), 0, over=depends)
    T, T_E = proof.recursion("squares", t, Scalar("squares") + square(g), 0, over=depends)
    return Prepared(
        t=t,
        count=count,
        w=w,
        best=best,
        lowest=lowest,
        y=y,
        update=u,
        start=start,
        star=star,
        now=now,
        next=following,
        end=end,
        S=(S, S_E),
        T=(T, T_E),
    )


def prove(proof: MachineForm, steps: Prepared) -> LocalSteps:
    """Needs the claim `eta L <= 1/2`."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    t, count, w, best, lowest = steps.t, steps.count, steps.w, steps.best, steps.lowest
    y, u, start, star, now, following, end = (
        steps.y, steps.update, steps.start, steps.star, steps.now, steps.next, steps.end
    )  # fmt: skip
    (S, S_E), (T, T_E) = steps.S, steps.T
    g, turn = now.gradient, now.gradient - star.gradient
    sum_now = (w - y) / eta
    zero = proof.claim("nothing yet", Scalar("0"))
    co_coercive = proof.claim(
        "B.lem3",
        square(g) - square(following.gradient) - (2 / (eta * L) - 1) * square(following.gradient - g),
        because(fact("co_coercive", now, following), times=2 / eta),
        because(fact("co_coercive", following, now), times=2 / eta),
    )
    shrinking = proof.search(
        "gradients shrink",
        square(g) - square(following.gradient),
        because(co_coercive),
        a_square(following.gradient - g, times=1 / (eta * L)),
        a_square(following.gradient - g, "eta L <= 1/2", times=1 / (eta * L)),
    )
    size = square(start.gradient)
    shrunk = proof.induction(
        "gradients are largest at the start",
        t,
        size - square(g),
        base=zero,
        step=shrinking,
        claim=size - square(g),
    )
    falling = proof.claim(
        "one step does not fall far",
        following.value - now.value + eta * square(g),
        because(fact("convex", following, now)),
    )
    fallen_step = proof.claim(
        "f falls, one step",
        following.value - now.value + eta * size,
        because(falling),
        because(shrunk, times=eta),
    )
    fallen_now = now.value - start.value + eta * count * size
    fallen = proof.induction(
        "f does not fall far", t, fallen_now, base=zero, step=fallen_step, claim=fallen_now
    )

    away = fact("co_coercive", star, now)
    gap = start.value - star.value

    def descent(count: Scalar, y: Vector, S: Scalar) -> Scalar:
        moved = square(w - best) - square(y - best)
        return moved - 2 * eta * count * gap + count**2 * eta**2 * size - eta / L * S

    descent_step = proof.claim(
        "descent, one step",
        descent(count + 1, following.at, S + square(turn)) - descent(count, y, S),
        because(away, times=2 * eta),
        because(fallen, times=2 * eta),
        because(shrunk, times=eta**2),
    )
    descended = proof.induction(
        "descent", t, descent(count, y, S), base=zero, step=descent_step, claim=descent(E, end.at, S_E)
    )

    def progress(count: Scalar, y: Vector, T: Scalar, S: Scalar) -> Scalar:
        moved = square(w - best) - square(y - best)
        return moved - (eta / L - eta**2) * T + 2 * eta * count * (star.value - lowest) - eta / L * S

    progress_step = proof.claim(
        "progress, one step",
        progress(count + 1, following.at, T + square(g), S + square(turn)) - progress(count, y, T, S),
        because(away, times=2 * eta),
        because(fact("lowest_value_by_gradient", now), times=2 * eta),
    )
    progressed = proof.induction(
        "progress",
        t,
        progress(count, y, T, S),
        base=zero,
        step=progress_step,
        claim=progress(E, end.at, T_E, S_E),
    )
    around = {
        name: _jensen(proof, name, t, count, E, sum_now, u, total, total_E, part, center)
        for name, total, total_E, part, center in (
            ("S", S, S_E, turn, star.gradient),
            ("T", T, T_E, g, ZERO),
        )
    }
    whole = proof.search(
        "progress by the update",
        square(w - best)
        - square(end.at - best)
        - (eta / L - eta**2) * square(u) / E
        + 2 * eta * E * (star.value - lowest)
        - eta / L * S_E,
        because(progressed),
        because(around["T"], times=eta / (L * E)),
        because(around["T"], "eta L <= 1/2", times=eta / (L * E)),
    )
    return LocalSteps(
        update=u,
        start=start,
        star=star,
        descent=descended,
        progress=whole,
        jensen=around["S"],
        spread=S_E,
    )


def _jensen(
    proof: MachineForm,
    name: str,
    t: str,
    count: Scalar,
    E: Scalar,
    sum_now: Vector,
    u: Vector,
    total: Scalar,
    total_E: Scalar,
    part: Vector,
    center: Vector,
) -> str:
    """E sum ||part||^2 >= ||sum of part||^2; a part is a gradient minus the center."""
    v = proof.arbitrary(f"v.{name}")
    moved = sum_now - count * center

    def spread(v: Vector) -> Scalar:
        return count * square(v) - 2 * inner(v, moved) + total

    one = proof.claim(f"spread of {name}, one step", square(v - part), a_square(v - part))
    base = proof.claim(f"spread of {name} at the start", Scalar("0"))
    around = proof.induction(f"spread of {name}", t, spread(v), base=base, step=one, claim=spread(v))
    about = proof.instance(f"spread of {name} about its part", spread(part), around, spread(v), v, part)
    step = proof.claim(
        f"Jensen of {name}, one step", total + count * square(part) - 2 * inner(moved, part), because(about)
    )
    statement = count * total - square(moved)
    return proof.induction(
        f"Jensen of {name}", t, statement, base=base, step=step, claim=E * total_E - square(u - E * center)
    )
