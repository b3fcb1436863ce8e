"""Theorem 2 as amended: reciprocals of mean gaps over an interval, and over the intervals."""

from bounds.language.proof.expression import Scalar, atom, over, square
from bounds.language.proof.form import (
    DEFINITION,
    Equality,
    MachineForm,
    Summand,
    a_square,
    because,
    cauchy_schwarz,
    fact,
)
from bounds.papers.als_dpfl import notation as n
from bounds.papers.als_dpfl.proofs import coupled_interval, printed_steps
from bounds.papers.als_dpfl.proofs.coupled_interval import (
    BATCH,
    BETA,
    DIVERGENCE,
    DRAWS,
    ETA,
    MILD,
    ROOT_2,
    ROOT_TAU,
    SHORT,
    SIZE,
    STEPS,
    VARIANCE,
    Step,
    average,
    expect,
)

GAP, NEXT, END, START, AFTER = (Scalar(name) for name in ("e", "e.next", "e.end", "z", "z.next"))
FAR, LAM, RHO, TAU, K, FIRST = (
    Scalar(name) for name in ("farthest_start_square", "lam", "rho", "tau", "K", "f0_gap")
)
PROGRESS, LOSS = ETA * (1 - ETA * BETA / 2), BETA * ETA**2 / 2 * VARIANCE
GROWTH = PROGRESS / FAR - LOSS / LAM**2  # eta phi: of the reciprocal of a mean gap in a step
DRIFT = DIVERGENCE * TAU + SIZE * ROOT_2 * ROOT_TAU
LENGTH = ETA**2 * BETA / 4 * DRIFT * (TAU - 1)
SPEED = TAU * GROWTH - RHO * LENGTH / LAM**2  # in an interval
NOISE = "C.lem4.gradient"


def _prove() -> MachineForm:
    proof = MachineForm("als_dpfl.theorem_2.theorem_omega", "amended")
    proof.positive("K", "f0_gap", "lam", "farthest_start_square", "z.K")
    step = coupled_interval.declare_step(proof)
    _declare(proof, step)
    drift = coupled_interval.prove_drift(proof, step)
    _prove_noise(proof, step)
    _prove_distance(proof, step)
    _prove_gaps(proof, step)
    _prove_growth(proof)
    _prove_interval(proof, drift)
    return _conclude(proof)


def _declare(proof: MachineForm, step: Step) -> None:
    """The mean gaps and squared distances, and the intervals."""
    proof.non_negative("gradient_square", "auxiliary_gap_mean", "averaged_gap_mean", "T")
    proof.reads |= {n.xi: DIVERGENCE, n.final_gap_mean: Scalar("z.K")}
    for condition in (SHORT, "C.thm2.2", "C.thm2.3", "C.thm2.4.lower", NOISE):
        proof.condition(condition)
    proof.domain("tau")
    ends = [proof.point(name, "f", proof.vector(f"{name}.at", ["before", "k"])) for name in ("ahead", "mean")]
    away = proof.norm("parted", ends[1].at - ends[0].at)
    proof.assume("parted in mean", Scalar("O.end") - over("before", away), "= 0", source=DEFINITION)
    lowest = step.star.value
    (
        proof.scalar("e", over=["k", "t"]),
        proof.scalar("e.next", over=["k", "t"]),
        proof.scalar("e.end", over=["k"]),
    )
    # a mean gap of the averaged model is at least lambda, and the one at the start is above 0
    proof.scalar("z", ">", ["k"]), proof.scalar("z.next", ">", ["k"])
    for name, value in (
        ("e", step.now.value),
        ("e.next", step.next.value),
        ("e.end", ends[0].value),
        ("z.next", ends[1].value),
    ):
        mean = expect(over("i", value - lowest))
        proof.assume(f"definition of {name}", Scalar(name) - mean, "= 0", source=DEFINITION)
    proof.sequence("t", GAP, NEXT, START, END)
    proof.sequence("k", START, AFTER, FIRST, Scalar("z.K"))
    proof.sequence("k", proof.scalar("k_now", ">=", ["k"]), Scalar("k_now") + 1, 0, K)
    _declare_distance(proof, step)
    proof.assume("smallest gap ahead", END - Scalar("auxiliary_gap_mean"), source="auxiliary_gap_mean")
    proof.assume("smallest averaged gap", AFTER - Scalar("averaged_gap_mean"), source="averaged_gap_mean")
    slope = over("before", square(step.slope))
    proof.assume("smallest slope", slope - Scalar("gradient_square"), source="gradient_square")
    proof.assume("whole intervals", Scalar("T") - K * TAU, "= 0", source="C.intervals")


def _declare_distance(proof: MachineForm, step: Step) -> None:
    """The mean squared distance from the minimizer."""
    q, after = proof.scalar("q", over=["k", "t"]), proof.scalar("q.next", over=["k", "t"])
    proof.sequence("t", q, after, proof.scalar("q.start", over=["k"]), proof.scalar("q.end", over=["k"]))
    for name, point in (("q", step.now), ("q.next", step.next)):
        mean = expect(square(point.at - step.star.at))
        proof.assume(f"definition of {name}", Scalar(name) - mean, "= 0", source=DEFINITION)
    proof.assume("farthest start", FAR - Scalar("q.start"), source="farthest_start_square")


def _prove_noise(proof: MachineForm, step: Step) -> None:
    """E ||mean error||^2 <= s^2, and the condition on it at this step."""
    error = atom("error.batch") + atom("error.draw")
    proof.claim(
        "mean error",
        VARIANCE - expect(square(step.noise)),
        *(because(f"second moment of {name}", over=average(*DRAWS)) for name in DRAWS[1:]),
        a_square(error - step.noise, over=average(*DRAWS)),
    )
    proof.search(
        "the gradient is above the noise",
        (2 - ETA * BETA) * over("before", square(step.slope)) - ETA * BETA * VARIANCE,
        because(NOISE),
        because("smallest slope", MILD),
    )


def _prove_distance(proof: MachineForm, step: Step) -> None:
    """E ||v - w*||^2 does not grow."""
    turn = step.now.gradient - step.star.gradient
    proof.induct(
        "distance",
        "t",
        FAR - Scalar("q"),
        because(fact("co_coercive", step.now, step.star), times=2 * ETA, over=["before", "i"]),
        because(fact("co_coercive", step.star, step.now), times=2 * ETA, over=["before", "i"]),
        a_square(turn - step.slope, times=2 * ETA / BETA, over=["before", "i"]),
        because("the gradient is above the noise", times=ETA / BETA),
        because("mean error", times=ETA**2),
        Equality("definition of q"),
        Equality("definition of q.next", -1),
        start=[because("farthest start")],
    )


def _prove_gaps(proof: MachineForm, step: Step) -> None:
    """e.next <= e - PROGRESS E ||grad F||^2 + LOSS, and e >= lambda."""
    size = over("before", square(step.slope))
    proof.claim(
        "descent",
        GAP - PROGRESS * size + LOSS - NEXT,
        because(fact("smooth", step.next, step.now), over=average(*DRAWS)),
        because("mean error", times=BETA * ETA**2 / 2),
        Equality("definition of e"),
        Equality("definition of e.next", -1),
    )
    falls = proof.claim(
        "a mean gap falls",
        GAP - NEXT,
        because("descent"),
        because("the gradient is above the noise", times=ETA / 2),
    )
    proof.induct(
        "at least lambda",
        "t",
        GAP - LAM,
        because(falls),
        start=[because("smallest gap ahead"), because("C.thm2.3")],
        backward=True,
    )
    _prove_steepness(proof, step)


def _prove_steepness(proof: MachineForm, step: Step) -> None:
    """e^2 <= E ||grad F||^2 / omega, with names for the mean gaps, which may divide."""
    size = over("before", square(step.slope))
    for name, known in (("p", "at least lambda, at every member"), ("p.next", "at least lambda")):
        value = GAP if name == "p" else NEXT
        above = proof.claim(f"{name} > 0", value, because(known), Summand(LAM), relation="> 0")
        proof.named(name, value, above)
    gap, away = Scalar("p"), step.now.at - step.star.at
    proof.claim(
        "steepness",
        size - gap**2 / FAR,
        a_square(step.slope - gap / FAR * away, over=["before"]),
        because(fact("convex", step.star, step.now), times=2 * gap / FAR, over=["before", "i"]),
        because("distance, at every member", times=gap**2 / FAR**2),
        Equality("definition of q", gap**2 / FAR**2),
        Equality("definition of e", -2 * gap / FAR),
        Equality("definition of p", -2 * gap / FAR),
    )


def _prove_growth(proof: MachineForm) -> None:
    """1/e grows by eta phi in a step, and so in an interval: z >= e (1 + x eta phi z)."""
    p, after = Scalar("p"), Scalar("p.next")
    equal = Equality("definition of p"), Equality("definition of p.next")
    above = [
        proof.claim(f"{name} >= lambda", Scalar(name) - LAM, because(known), equality)
        for name, known, equality in (
            ("p", "at least lambda, at every member", equal[0]),
            ("p.next", "at least lambda", equal[1]),
        )
    ]
    falls = proof.claim(
        "p falls", p - after, because("a mean gap falls"), equal[0], Equality("definition of p.next", -1)
    )
    grown = proof.claim(
        "growth",
        p - after - GROWTH * p * after,
        because("descent"),
        because("steepness", MILD, times=ETA),
        because(falls, MILD, times=ETA * p / FAR),
        because(*above, times=LOSS / LAM**2),
        because(above[0], times=LOSS / LAM),
        because(above[1], times=LOSS / LAM),
        equal[0],
        Equality("definition of p.next", -1),
    )
    proof.induct(
        "interval",
        "t",
        START - GAP * (1 + STEPS * GROWTH * START),
        because(grown, times=START / p),
        Equality("definition of p", -(after / p) * (1 + STEPS * GROWTH * START)),
        Equality("definition of p.next", 1 + (STEPS + 1) * GROWTH * START),
        times=after / p,
    )


def _prove_interval(proof: MachineForm, drift: str) -> None:
    """z >= z.next (1 + SPEED z): an aggregation adds rho h at most, and both gaps are at least lambda."""
    ahead, mean = atom("ahead.at"), atom("mean.at")
    slope, parted = proof.norm("steep", atom("grad.mean")), Scalar("parted")
    squares = proof.claim("Lipschitz, squared", RHO**2 - slope**2, because(["bounded_gradient", "mean"]))
    steep = proof.larger_square("Lipschitz", RHO, slope, squares)
    gradient = atom("grad.mean")
    added = proof.claim(
        "aggregation",
        END + RHO * LENGTH - AFTER,
        because(["convex", "ahead", "mean"], over=["before", "i"]),
        because(cauchy_schwarz(gradient, slope, mean - ahead, parted), over=["before", "i"]),
        because(steep, times=parted, over=["before", "i"]),
        because(drift, times=RHO),
        Equality("parted in mean", RHO),
        Equality("definition of e.end"),
        Equality("definition of z.next", -1),
    )
    least = [
        proof.claim("e.end >= lambda", END - LAM, because("smallest gap ahead"), because("C.thm2.3")),
        proof.claim(
            "z.next >= lambda", AFTER - LAM, because("smallest averaged gap"), because("C.thm2.4.lower")
        ),
    ]
    above = proof.claim("e.end > 0", END, because(least[0]), Summand(LAM), relation="> 0")
    end = proof.named("p.end", END, above)
    near = RHO * START / LAM**2 * ETA**2 * BETA / 4 * DRIFT
    equal = -(AFTER + AFTER * START * (TAU * GROWTH - RHO * LENGTH / LAM**2)) + START
    proof.claim(
        "one interval",
        START - AFTER * (1 + SPEED * START),
        because("interval", times=AFTER),
        because(added, times=START),
        because(*least, "domain of tau", times=near),
        because(least[0], "domain of tau", times=near * LAM),
        because(least[1], "domain of tau", times=near * LAM),
        Equality("definition of p.end", equal),
        times=end,
    )


def _conclude(proof: MachineForm) -> MachineForm:
    count = Scalar("k_now")
    _, all_intervals = proof.induct(
        "intervals",
        "k",
        FIRST - START * (1 + count * SPEED * FIRST),
        because("one interval", times=FIRST / START),
        times=AFTER / START,
    )
    steps, speed, cleared = Scalar("T"), SPEED / TAU, (4 * BATCH**2 * FAR * LAM**2 * TAU) ** 2
    proof.conclude(
        because(all_intervals, times=cleared),
        because(all_intervals, "C.thm2.2", times=FIRST * steps),
        Equality("whole intervals", -cleared * Scalar("z.K") * FIRST * speed * (1 + FIRST * steps * speed)),
    )
    return proof


AMENDED = _prove()
PRINTED = printed_steps.THEOREM_2
