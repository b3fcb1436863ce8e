"""The local steps of a client, convex and smooth, for any number of them."""

from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import Scalar, Vector, square
from bounds.language.proof.form import MachineForm, Point, a_square, because, fact
from bounds.language.proof.lemmas import bound_square_of_sum


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
    T: Scalar  # sum of ||g_t||^2, so far


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
    shrunk: str  # no gradient is longer than that at the start
    long: str  # t T - ||sum of g so far||^2 >= 0


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
    following = proof.point("next", f, y - eta * now.gradient)
    end = proof.point("end", f, w - eta * u)
    proof.path(t, now, following, start, end)
    turns = proof.sum("turns", t, square(now.gradient - star.gradient), depends)
    squares, _ = proof.sum("squares", t, square(now.gradient), depends)
    return Prepared(
        t=t, count=count, w=w, best=best, lowest=lowest, y=y, update=u,
        start=start, star=star, now=now, next=following, end=end, S=turns, T=squares,
    )  # fmt: skip


def prove(proof: MachineForm, steps: Prepared) -> LocalSteps:
    """Needs the claim `eta L <= 1/2`."""
    L, eta, E = (Scalar(name) for name in ("L", "eta", "E"))
    w, u, start, star, end, S_E = steps.w, steps.update, steps.start, steps.star, steps.end, steps.S[1]
    shrunk = _prove_shrinking(proof, steps)
    descended, progressed = _prove_descent(proof, steps, shrunk, _prove_fall(proof, steps, shrunk))
    sum_now, turn = (w - steps.y) / eta, steps.now.gradient - star.gradient
    _, jensen = bound_square_of_sum(
        proof, "S", steps.t, steps.count, steps.S[0], sum_now - steps.count * star.gradient, turn
    )
    long, of_update = bound_square_of_sum(
        proof, "T", steps.t, steps.count, steps.T, sum_now, steps.now.gradient
    )
    progress = proof.search(
        "progress by the update",
        square(w - steps.best)
        - square(end.at - steps.best)
        - (eta / L - eta**2) * square(u) / E
        + 2 * eta * E * (star.value - steps.lowest)
        - eta / L * S_E,
        because(progressed),
        because(of_update, times=eta / (L * E)),
        because(of_update, "eta L <= 1/2", times=eta / (L * E)),
    )
    return LocalSteps(
        update=u, start=start, star=star, descent=descended, progress=progress, jensen=jensen, spread=S_E,
        shrunk=shrunk, long=long,
    )  # fmt: skip


def _prove_shrinking(proof: MachineForm, steps: Prepared) -> str:
    """No gradient is longer than that at the start."""
    L, eta = Scalar("L"), Scalar("eta")
    now, following = steps.now, steps.next
    g, h = now.gradient, following.gradient
    co_coercive = proof.claim(
        "B.lem3",
        square(g) - square(h) - (2 / (eta * L) - 1) * square(h - g),
        because(fact("co_coercive", now, following), times=2 / eta),
        because(fact("co_coercive", following, now), times=2 / eta),
    )
    shrinking = proof.search(
        "gradients shrink",
        square(g) - square(h),
        because(co_coercive),
        a_square(h - g, times=1 / (eta * L)),
        a_square(h - g, "eta L <= 1/2", times=1 / (eta * L)),
    )
    largest = "gradients are largest at the start"
    return proof.induct(largest, steps.t, square(steps.start.gradient) - square(g), because(shrinking))[0]


def _prove_fall(proof: MachineForm, steps: Prepared, shrunk: str) -> str:
    """f(y_t) is at least f(w) - eta t ||grad f(w)||^2."""
    eta, now, following = Scalar("eta"), steps.now, steps.next
    size = square(steps.start.gradient)
    falling = proof.claim(
        "one step does not fall far",
        following.value - now.value + eta * square(now.gradient),
        because(fact("convex", following, now)),
    )
    fallen = now.value - steps.start.value + eta * steps.count * size
    return proof.induct("f does not fall far", steps.t, fallen, because(falling), because(shrunk, times=eta))[
        0
    ]


def _prove_descent(proof: MachineForm, steps: Prepared, shrunk: str, fallen: str) -> tuple[str, str]:
    """The two bounds on the squared distance to w* after E steps, by the value and by the gradients."""
    L, eta = Scalar("L"), Scalar("eta")
    count, star, now, start, (S, _), T = steps.count, steps.star, steps.now, steps.start, steps.S, steps.T
    moved = square(steps.w - steps.best) - square(steps.y - steps.best) - eta / L * S
    size, away = square(start.gradient), fact("co_coercive", star, now)
    _, descended = proof.induct(
        "descent",
        steps.t,
        moved - 2 * eta * count * (start.value - star.value) + count**2 * eta**2 * size,
        because(away, times=2 * eta),
        because(fallen, times=2 * eta),
        because(shrunk, times=eta**2),
    )
    _, progressed = proof.induct(
        "progress",
        steps.t,
        moved - (eta / L - eta**2) * T + 2 * eta * count * (star.value - steps.lowest),
        because(away, times=2 * eta),
        because(fact("lowest_value_by_gradient", now), times=2 * eta),
    )
    return descended, progressed
