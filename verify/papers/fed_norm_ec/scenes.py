"""The interval that confines a run of Fed-alpha-NormEC on two clients that drift in opposite directions."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Final

from verify.papers.fed_norm_ec.witnesses import runs
from verify.papers.fed_norm_ec.witnesses.runs import UNIT, Run
from verify.scene import Path, Scene
from verify.witness import Measured

POINTS: Final = 120
# In the units of the description, in which L = 1: what is drawn on both sides of the interval.
AROUND: Final = 4


def _confined(
    run: Run, left: Fraction, right: Fraction, rounds: int, measure: Callable[[], Measured]
) -> Scene:
    found = measure()
    attained, allowed = found.left / UNIT, found.right / UNIT
    width = (right - left) * AROUND
    places = [left - width + (right - left + 2 * width) * k / POINTS for k in range(POINTS + 1)]
    paths = (
        Path(name="f'(x)", points=tuple((float(x), float(run.slope(x))) for x in places)),
        Path(
            name="mean local update P(x)", points=tuple((float(x), float(run.mean_update(x))) for x in places)
        ),
    )
    a, b = float(left), float(right)
    facts = (
        f"Two clients on the line, L = 1, everybody takes part, {runs.STEPS} local steps of gamma = "
        f"{float(run.gamma):g}, eta = {float(run.eta):.4g}, R = {float(run.R):.4g}, {rounds:,} rounds from "
        f"x = {float(run.start):g}.",
        f"The clients drift in opposite directions, so the mean update P changes its sign between {a:g} and "
        f"{b:g}, where the derivative of f is {attained:.4g} throughout.",
        "Around the left end P < -R and the server steps to the right; around the right end P > R and it "
        "steps to the left. A step has length eta, so the run never leaves, however many rounds it has.",
        f"So |f'(x^k)| is at least {attained:.4g} in every round, and the statement allows at most "
        f"{allowed:.4g}.",
        f"These are the numbers of f divided by {UNIT:.3g}. Multiplying f, R, alpha and beta by that factor, "
        "and dividing gamma by it, changes no iterate, but it loosens the printed limit on eta until it "
        "holds: the limit has Delta_inf where the proof needs the square root.",
    )
    return Scene(facts=facts, x="x", y="slope", paths=paths, attained=attained, allowed=allowed, stays=(a, b))


def _theorem(rounds_per_length: int, measure: Callable[[], Measured]) -> Scene:
    run, rounds = runs.of_theorem(rounds_per_length)
    return _confined(run, Fraction(-1, 5), Fraction(0), rounds, measure)


def _rate(measure: Callable[[], Measured]) -> Scene:
    run, given = runs.of_rate()
    return _confined(run, Fraction(-61, 2000), Fraction(0), int(given["K"]) + 1, measure)


SCENES: Final[Mapping[str, Callable[[], Scene]]] = {
    "fed_norm_ec.theorem_1.main": partial(_theorem, 520, runs.theorem_1_main),
    "fed_norm_ec.theorem_1.appendix": partial(_theorem, 520, runs.theorem_1_appendix),
    "fed_norm_ec.theorem_2": partial(_theorem, 780, runs.theorem_2),
    "fed_norm_ec.corollary_2": partial(_rate, runs.corollary_2),
    "fed_norm_ec.corollary_5": partial(_rate, runs.corollary_5),
}
