"""One interval whose auxiliary sequence takes the clients' own batches and noises: how far both may part.

The operators are the mean over the clients, and the means over the past, a batch and a noise. All is about
one step; its mean numbers are the members of sequences.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from sympy import sqrt

from bounds.language.assumptions import BOUNDED_GRADIENTS, GRADIENT_DIVERGENCE, MINIMUM_ATTAINED
from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, over, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Point,
    Reference,
    Summand,
    a_square,
    because,
    fact,
)
from bounds.language.proof.lemmas import bound_norm_of_mean, bound_norm_of_sum
from bounds.papers.als_dpfl import notation as n

LOCAL_STEP, DRAWS = "C.eq6", ("before", "batch", "draw")
BETA, ETA, STEPS = Scalar("beta"), Scalar("eta"), Scalar("x_now")
CLIP, SIGMA, BATCH, DIMENSION = (Scalar(name) for name in ("C", "sigma", "B", "d"))
SIZE = CLIP * Scalar("root.s") / BATCH  # s, of which root.s^2 is B + d sigma^2
OF_BATCH, OF_NOISE = CLIP**2 / BATCH, DIMENSION * SIGMA**2 * CLIP**2 / BATCH**2
VARIANCE = OF_BATCH + OF_NOISE  # s^2
DIVERGENCE = over("i", Scalar("xi.i"))
ROOT_2, ROOT_X, ROOT_TAU = (Scalar(name) for name in ("root.2", "root.x", "root.tau"))
SHORT, MILD = "C.thm2.1", "1 - eta beta/2 > 0"


@final
@dataclass(frozen=True, slots=True)
class Step:
    """The clients and the auxiliary sequence at a step, and after it."""

    local: Point
    free: Point
    now: Point
    next: Point
    star: Point
    slope: Vector  # the gradient of the mean loss at the auxiliary sequence
    noise: Vector  # the mean of the clients' errors


def average(*names: str) -> tuple[str, ...]:
    """The operators of a mean over all that is random, and the mean over the clients."""
    return ("i", *names)


def expect(value: Scalar) -> Scalar:
    """The mean over all that is random."""
    return over("before", over("batch", over("draw", value)))


def declare_roots(proof: MachineForm) -> None:
    """The roots of h(tau), and how the statement writes them."""
    size = proof.root("root.s", BATCH + DIMENSION * SIGMA**2)
    proof.root("root.2", Scalar("2")), proof.root("root.tau", Scalar("tau"))
    proof.reads |= {sqrt(2): ROOT_2, sqrt(n.tau): ROOT_TAU, sqrt(n.B + n.sigma**2 * n.d): size}


def declare_step(proof: MachineForm) -> Step:
    for name in ("i", *DRAWS):
        proof.operator(name)
    proof.index("k"), proof.index("t")
    proof.positive("beta", "eta", "C", "B", "rho", "tau"), proof.non_negative("sigma", "d")
    declare_roots(proof)
    proof.scalar("xi.i", ">=", ["i"])
    mine, shared = ["i", "before", "k", "t"], ["before", "k", "t"]
    f = proof.function("f", ["i"], convex=True, smooth=BETA, lipschitz=Scalar("rho"))
    vectors = {"local": proof.vector("w", mine), "free": proof.vector("u", mine)}
    local, free = (proof.point(name, f, at) for name, at in vectors.items())
    now = proof.point("now", f, proof.vector("v", shared))
    star = proof.point("star", f, proof.vector("w_star"))
    proof.mean_is("i", star.gradient, ZERO, source=MINIMUM_ATTAINED.name)
    slope, own_slope = (
        proof.average("slope", "i", now.gradient),
        proof.average("slope.w", "i", local.gradient),
    )
    errors = list[Vector]()
    for name, size, source in (
        ("batch", OF_BATCH, BOUNDED_GRADIENTS.name),
        ("draw", OF_NOISE, LOCAL_STEP),
    ):
        error = proof.vector(f"error.{name}", [*mine, name])
        mean_error = proof.average(f"error.{name}.mean", "i", error)
        proof.mean_is(name, error, ZERO, source=LOCAL_STEP)
        proof.mean_is(name, mean_error, ZERO, source=LOCAL_STEP)
        proof.assume(f"second moment of {name}", size - over(name, square(error)), source=source)
        errors.append(mean_error)
    noise = errors[0] + errors[1]
    proof.average("w.mean", "i", local.at)
    following = proof.point("next", f, now.at - ETA * (slope + noise))
    step = Step(local, free, now, following, star, slope, noise)
    _declare_lengths(proof, step, own_slope)
    return step


def _declare_lengths(proof: MachineForm, step: Step, own_slope: Vector) -> None:
    """The norms of a step, and their means, which are the members of sequences.

    A client is led away by its divergence from `free`, the model that takes its steps without that, and this
    one strays from the auxiliary sequence by the client's error.
    """
    (local, free, now), error = (step.local, step.free, step.now), atom("error.batch") + atom("error.draw")
    off = atom("w.mean") - now.at
    for name, vector in {
        "apart": local.at - now.at,
        "bend": local.gradient - now.gradient - BETA / 2 * (local.at - now.at),
        "bend.mean": own_slope - step.slope - BETA / 2 * off,
        "off": off,
        "off.next": off - ETA * (own_slope - step.slope),
        "led": local.at - free.at,
        "pulled": local.at - free.at - ETA * (local.gradient - free.gradient),
        "gap": now.gradient - step.slope,
        "led.next": _after(local, free, now.gradient - step.slope),
        "strayed": free.at - now.at,
        "strayed.next": _after(free, now, error - step.noise),
    }.items():
        proof.norm(name, vector)
    proof.assume("divergence", Scalar("xi.i") - Scalar("gap"), source=GRADIENT_DIVERGENCE.name)
    proof.sequence("t", proof.scalar("x_now", ">=", ["t"]), STEPS + 1, 0, Scalar("tau"))
    proof.sequence("t", proof.root("root.x", STEPS), proof.root("root.x.next", STEPS + 1), 0, ROOT_TAU)
    for name, norm in (("G", "led"), ("S", "strayed"), ("O", "off")):
        mean = proof.scalar(name, over=["k", "t"]), proof.scalar(f"{name}.next", over=["k", "t"])
        proof.sequence("t", *mean, 0, proof.scalar(f"{name}.end", over=["k"]))
        for one, of in zip(mean, (norm, f"{norm}.next"), strict=True):
            value = Scalar(of) ** 2 if name == "S" else Scalar(of)
            mean_value = expect(value) if name == "O" else over("i", expect(value))
            proof.assume(f"mean of {of}", one - mean_value, "= 0", source=DEFINITION)


def _after(one: Point, other: Point, moved: Vector) -> Vector:
    """The difference of two points after their gradient steps and one more move."""
    return one.at - other.at - ETA * (one.gradient - other.gradient + moved)


def prove_drift(proof: MachineForm, step: Step) -> str:
    """(eta^2 beta/4) (x - 1) (xi x + s sqrt(2 x)) bounds the averaged model's mean distance; at the end."""
    proof.search(MILD, 1 - ETA * BETA / 2, because(SHORT, times=Fraction(1, 2)), Summand(1), relation="> 0")
    grown = _prove_clients(proof, step)
    half = _prove_bend(proof, step)
    roots = _prove_roots(proof)
    off, bend = Scalar("off"), Scalar("bend.mean")
    total, mean = (1 - ETA * BETA / 2) * off + ETA * bend, atom("w.mean") - step.now.at
    turned = atom("slope.w") - step.slope - BETA / 2 * mean
    both = ["cauchy_schwarz", mean.form, off.form, (-turned).form, bend.form]
    facts = [
        proof.claim(
            "averaged step, squared", total**2 - Scalar("off.next") ** 2, because(MILD, both, times=2 * ETA)
        ),
        proof.claim("averaged step, a length", total, because(MILD, times=off), Summand(ETA * bend)),
    ]
    moved = proof.larger_square("averaged step", total, Scalar("off.next"), *facts)
    return proof.induct(
        "drift",
        "t",
        ETA**2 * BETA / 4 * (STEPS - 1) * (DIVERGENCE * STEPS + SIZE * ROOT_2 * ROOT_X) - Scalar("O"),
        because(moved, over=DRAWS),
        because(half, times=ETA, over=DRAWS),
        because(grown, times=ETA * BETA / 2),
        because(roots, times=ETA**2 * BETA / 4 * SIZE * ROOT_2),
        Summand(ETA * BETA / 2 * over("before", off)),
        Equality("mean of off"),
        Equality("mean of off.next", -1),
    )[1]


def _prove_roots(proof: MachineForm) -> str:
    """x sqrt(x + 1) >= sqrt(x) (x - 1 + sqrt(2)): the roots of 1, ..., x - 1 add up to (x - 1) sqrt(x/2)."""
    sum_of_roots = proof.induct("x (x - 1)", "t", STEPS * (STEPS - 1), Summand(2 * STEPS))[0]
    half = proof.claim("3/2 and the root of 2, squared", Fraction(9, 4) - ROOT_2**2, Summand(Fraction(1, 4)))
    above = proof.larger_square("3/2 and the root of 2", Scalar("3/2"), ROOT_2, half)
    larger, smaller = STEPS * Scalar("root.x.next"), ROOT_X * (STEPS - 1 + ROOT_2)
    squares = proof.claim("roots, squared", larger**2 - smaller**2, because(sum_of_roots, above, times=2))
    return proof.larger_square("roots", larger, smaller, squares)


def _prove_clients(proof: MachineForm, step: Step) -> str:
    """The mean distance of a client from the auxiliary sequence is at most eta (xi x + s sqrt(x))."""
    led, strayed = _prove_led(proof, step), _prove_strayed(proof, step)
    everything, root = average(*DRAWS), ETA * SIZE * ROOT_X
    mean = over("i", expect(Scalar("strayed")))
    squares = proof.claim(
        "mean strayed, squared",
        root**2 - mean**2,
        because(strayed),
        a_square(Scalar("strayed") - mean, over=everything),
        Equality("mean of strayed"),
    )
    root_of_it = proof.larger_square("mean strayed", root, mean, squares)
    parts = [
        (step.local.at - step.free.at, Scalar("led")),
        (step.free.at - step.now.at, Scalar("strayed")),
    ]
    triangle = bound_norm_of_sum(proof, "apart by both", Scalar("apart"), parts)
    return proof.claim(
        "clients",
        ETA * (DIVERGENCE * STEPS + SIZE * ROOT_X) - over("i", expect(Scalar("apart"))),
        because(triangle, over=everything),
        because(led),
        because(root_of_it),
        Equality("mean of led"),
    )


def _prove_led(proof: MachineForm, step: Step) -> str:
    """The divergence leads a client by eta xi_i in a step, as gradient steps do not part two points."""
    turn = step.local.gradient - step.free.gradient
    squares = proof.search(
        "a step does not part, squared",
        Scalar("led") ** 2 - Scalar("pulled") ** 2,
        *(because(one, times=2 * ETA) for one in _both(step.local, step.free)),
        a_square(turn, SHORT, times=ETA),
        a_square(turn, times=ETA / BETA),
    )
    pulled = proof.larger_square("a step does not part", Scalar("led"), Scalar("pulled"), squares)
    parts = [
        (step.local.at - step.free.at - ETA * turn, Scalar("pulled")),
        (-ETA * (step.now.gradient - step.slope), ETA * Scalar("gap")),
    ]
    triangle = bound_norm_of_sum(proof, "led by both", Scalar("led.next"), parts)
    everything = average(*DRAWS)
    return proof.induct(
        "led",
        "t",
        ETA * DIVERGENCE * STEPS - Scalar("G"),
        because(triangle, over=everything),
        because(pulled, over=everything),
        because("divergence", times=ETA, over=everything),
        Equality("mean of led"),
        Equality("mean of led.next", -1),
    )[0]


def _prove_strayed(proof: MachineForm, step: Step) -> str:
    """The errors about their mean add up in the mean square: at most eta^2 s^2 x."""
    turn, everything = step.free.gradient - step.now.gradient, average(*DRAWS)
    error = atom("error.batch") + atom("error.draw") - step.noise
    moved = step.free.at - step.now.at - ETA * turn
    squares = proof.search(
        "a free step does not part, squared",
        Scalar("strayed") ** 2 - square(moved),
        *(because(one, times=2 * ETA) for one in _both(step.free, step.now)),
        a_square(turn, SHORT, times=ETA),
        a_square(turn, times=ETA / BETA),
    )
    spread = proof.claim(
        "deviation, squared",
        VARIANCE - over("i", expect(square(error))),
        *(because(f"second moment of {name}", over=everything) for name in DRAWS[1:]),
        a_square(step.noise, over=DRAWS),
    )
    return proof.induct(
        "strayed",
        "t",
        ETA**2 * VARIANCE * STEPS - Scalar("S"),
        because(squares, over=everything),
        because(spread, times=ETA**2),
        Equality("mean of strayed"),
        Equality("mean of strayed.next", -1),
    )[0]


def _both(one: Point, other: Point) -> list[Reference]:
    return [fact("co_coercive", one, other), fact("co_coercive", other, one)]


def _prove_bend(proof: MachineForm, step: Step) -> str:
    """The mean of g - beta/2 d is no longer than beta/2 times the mean of the lengths of d."""
    squares = proof.claim(
        "bend, squared",
        (BETA / 2 * Scalar("apart")) ** 2 - Scalar("bend") ** 2,
        because(["co_coercive", "local", "now"], times=BETA),
        because(["co_coercive", "now", "local"], times=BETA),
    )
    own = proof.larger_square("bend", BETA / 2 * Scalar("apart"), Scalar("bend"), squares)
    part = step.local.gradient - step.now.gradient - BETA / 2 * (step.local.at - step.now.at)
    mean = atom("slope.w") - step.slope - BETA / 2 * (atom("w.mean") - step.now.at)
    mean_bend = bound_norm_of_mean(proof, "mean bend", Scalar("bend.mean"), mean, part, Scalar("bend"), "i")
    return proof.claim(
        "mean bend, at most",
        BETA / 2 * over("i", Scalar("apart")) - Scalar("bend.mean"),
        because(mean_bend),
        because(own, over=["i"]),
    )
