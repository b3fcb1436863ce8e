"""One interval whose auxiliary sequence takes the clients' own batches and noises: how far both may part.

The operators are the mean over the clients, and the means over the past, a batch and a noise. All is about
one step; its mean numbers are the members of sequences.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from bounds.language.assumptions import BOUNDED_GRADIENTS, GRADIENT_DIVERGENCE, MINIMUM_ATTAINED
from bounds.language.proof.expression import ZERO, Scalar, Vector, atom, over, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Point,
    Summand,
    a_square,
    because,
)
from bounds.language.proof.lemmas import bound_norm_of_mean, bound_norm_of_sum

LOCAL_STEP, DRAWS = "C.eq6", ("before", "batch", "draw")
BETA, ETA, STEPS = Scalar("beta"), Scalar("eta"), Scalar("x_now")
CLIP, SIGMA, ROOT_B, ROOT_D = (Scalar(name) for name in ("C", "sigma", "root.B", "root.d"))
OF_BATCH, OF_NOISE = CLIP / ROOT_B, ROOT_D * SIGMA * CLIP / ROOT_B**2
VARIANCE, SIZE = OF_BATCH**2 + OF_NOISE**2, OF_BATCH + OF_NOISE  # s^2, and at least s
DIVERGENCE = over("i", Scalar("xi.i"))
SHORT, MILD = "C.thm2.1", "1 - eta beta/2 > 0"


@final
@dataclass(frozen=True, slots=True)
class Step:
    """The clients and the auxiliary sequence at a step, and after it."""

    local: Point
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


def declare_step(proof: MachineForm) -> Step:
    for name in ("i", *DRAWS):
        proof.operator(name)
    proof.index("k"), proof.index("t")
    proof.positive("beta", "eta", "C", "root.B", "rho"), proof.non_negative("sigma", "root.d")
    proof.scalar("xi.i", ">=", ["i"])
    mine, shared = ["i", "before", "k", "t"], ["before", "k", "t"]
    f = proof.function("f", ["i"], convex=True, smooth=BETA, lipschitz=Scalar("rho"))
    local, now = (
        proof.point("local", f, proof.vector("w", mine)),
        proof.point("now", f, proof.vector("v", shared)),
    )
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
        whole = proof.average(f"error.{name}.mean", "i", error)
        proof.mean_is(name, error, ZERO, source=LOCAL_STEP)
        proof.mean_is(name, whole, ZERO, source=LOCAL_STEP)
        proof.assume(f"second moment of {name}", size**2 - over(name, square(error)), source=source)
        errors.append(whole)
    noise = errors[0] + errors[1]
    proof.average("w.mean", "i", local.at)
    following = proof.point("next", f, now.at - ETA * (slope + noise))
    _declare_lengths(proof, local, now, slope, own_slope, noise)
    return Step(local, now, following, star, slope, noise)


def _declare_lengths(
    proof: MachineForm, local: Point, now: Point, slope: Vector, own_slope: Vector, noise: Vector
) -> None:
    """The norms of a step, and their means, which are the members of sequences."""
    turn, apart, off = local.gradient - now.gradient, local.at - now.at, atom("w.mean") - now.at
    error = atom("error.batch") + atom("error.draw")
    following = local.at - ETA * (local.gradient + error) - now.at + ETA * (slope + noise)
    bend = turn - BETA / 2 * apart
    for name, vector in {
        "apart": apart,
        "apart.next": following,
        "pulled": apart - ETA * turn,
        "gap": now.gradient - slope,
        "deviation": error - noise,
        "bend": bend,
        "bend.mean": own_slope - slope - BETA / 2 * off,
        "off": off,
        "off.next": off - ETA * (own_slope - slope),
    }.items():
        proof.norm(name, vector)
    proof.assume("divergence", Scalar("xi.i") - Scalar("gap"), source=GRADIENT_DIVERGENCE.name)
    proof.sequence("t", proof.scalar("x_now", ">=", ["t"]), STEPS + 1, 0, Scalar("tau"))
    for name, norm in (("D", "apart"), ("O", "off")):
        mean = proof.scalar(name, over=["k", "t"]), proof.scalar(f"{name}.next", over=["k", "t"])
        proof.sequence("t", *mean, 0, proof.scalar(f"{name}.end", over=["k"]))
        for one, of in zip(mean, (norm, f"{norm}.next"), strict=True):
            clients = over("i", Scalar(of)) if name == "D" else Scalar(of)
            proof.assume(f"mean of {of}", one - expect(clients), "= 0", source=DEFINITION)


def prove_drift(proof: MachineForm, step: Step) -> str:
    """(eta^2 beta/4) (xi + s) x (x - 1) bounds the mean distance of the averaged model; at the end."""
    proof.search(MILD, 1 - ETA * BETA / 2, because(SHORT, times=Fraction(1, 2)), Summand(1), relation="> 0")
    grown = _prove_clients(proof, step)
    half = _prove_bend(proof, step)
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
    drift = DIVERGENCE + SIZE
    return proof.induct(
        "drift",
        "t",
        ETA**2 * BETA / 4 * drift * STEPS * (STEPS - 1) - Scalar("O"),
        because(moved, over=DRAWS),
        because(half, times=ETA, over=DRAWS),
        because(grown, times=ETA * BETA / 2),
        Summand(ETA * BETA / 2 * over("before", off)),
        Equality("mean of off"),
        Equality("mean of off.next", -1),
        Equality("mean of apart", ETA * BETA / 2),
    )[1]


def _prove_clients(proof: MachineForm, step: Step) -> str:
    """The mean distance of a client from the auxiliary sequence is at most x eta (xi + s)."""
    apart, turn = step.local.at - step.now.at, step.local.gradient - step.now.gradient
    both = [["co_coercive", "local", "now"], ["co_coercive", "now", "local"]]
    lengths = [Scalar(name) for name in ("pulled", "gap", "deviation")]
    squares = proof.search(
        "a step does not part, squared",
        Scalar("apart") ** 2 - Scalar("pulled") ** 2,
        *(because(one, times=2 * ETA) for one in both),
        a_square(turn, SHORT, times=ETA),
        a_square(turn, times=ETA / BETA),
    )
    pulled = proof.larger_square("a step does not part", Scalar("apart"), Scalar("pulled"), squares)
    error = atom("error.batch") + atom("error.draw") - step.noise
    parts = [
        (apart - ETA * turn, lengths[0]),
        (-ETA * (step.now.gradient - step.slope), ETA * lengths[1]),
        (-ETA * error, ETA * lengths[2]),
    ]
    triangle = bound_norm_of_sum(proof, "triangle", Scalar("apart.next"), parts)
    everything, deviation = average(*DRAWS), _prove_deviation(proof, step)
    return proof.induct(
        "clients",
        "t",
        STEPS * ETA * (DIVERGENCE + SIZE) - Scalar("D"),
        because(triangle, over=everything),
        because(pulled, over=everything),
        because("divergence", times=ETA, over=everything),
        because(deviation, times=ETA),
        Equality("mean of apart"),
        Equality("mean of apart.next", -1),
    )[0]


def _prove_deviation(proof: MachineForm, step: Step) -> str:
    """The mean length of a client's error about their mean is at most s."""
    length = Scalar("deviation")
    whole, everything = expect(over("i", length)), average(*DRAWS)
    moments = [because(f"second moment of {name}", over=everything) for name in DRAWS[1:]]
    spread = proof.claim(
        "deviation, squared",
        SIZE**2 - whole**2,
        *moments,
        a_square(step.noise, over=DRAWS),
        a_square(length - whole, over=everything),
        Summand(2 * OF_BATCH * OF_NOISE),
    )
    return proof.larger_square("mean deviation", SIZE, whole, spread)


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
    whole = bound_norm_of_mean(proof, "mean bend", Scalar("bend.mean"), mean, part, Scalar("bend"), "i")
    return proof.claim(
        "mean bend, at most",
        BETA / 2 * over("i", Scalar("apart")) - Scalar("bend.mean"),
        because(whole),
        because(own, over=["i"]),
    )
