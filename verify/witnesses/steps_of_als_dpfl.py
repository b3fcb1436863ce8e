"""ALS-DPFL: displayed relations of its proofs that do not follow, and the budgets of Algorithm 2."""

from fractions import Fraction

from bounds.finding import FindingClass
from verify.witness import Measured, Witness

HALF = Fraction(1, 2)


def square_without_eta() -> Measured:
    """F = x^2/2, v - w* = 1, eta = 1/2, noise 1: the step leads to 1 - (1 + 1)/2 = 0."""
    eta, distance, slope, noise = HALF, 1, 1, 1
    after = (distance - eta * (slope + noise)) ** 2
    printed = (
        distance**2
        - 2 * eta * slope * distance
        + eta**2 * slope**2
        - 2 * eta * noise * distance
        + 2 * eta**2 * slope * noise
        + noise**2
    )
    return Measured(left=float(after), right=float(printed), applicable=True, equality=True)


def mean_from_mean_square() -> Measured:
    """F = x^2/2, eta = 1/2, w* = 0; v is 0 or 2, the noise 11/5 or -11/5, all equally likely."""
    before = [Fraction(0), Fraction(2)]
    after = [v - HALF * (v + sign * Fraction(11, 5)) for v in before for sign in (1, -1)]
    hypothesis = _mean([x**2 for x in after]) <= _mean([x**2 for x in before])
    return Measured(
        left=float(_mean([abs(x) for x in after])), right=float(_mean(before)), applicable=hypothesis
    )


def noise_against_the_gradient() -> Measured:
    """Gradient 1 and noise -1/2."""
    return Measured(left=1.0, right=0.5, applicable=True)


def gap_after_noise() -> Measured:
    """F = x^2/2 from 1 with eta = 1/2 against the noise -4: the step leads to 5/2."""
    after = 1 - HALF * (1 - 4)
    return Measured(left=float(after**2 / 2), right=0.5, applicable=True)


def lost_sign() -> Measured:
    """Gaps 1 and 2 with lambda = 1: 1/2 - 1 against the printed lower bound 2 - 1."""
    first, second, lam = 1.0, 2.0, 1.0
    return Measured(left=(second - first) / lam**2, right=1 / second - 1 / first, applicable=lam <= first)


def jensen() -> Measured:
    """Gaps 1/2 and 1/10, equally likely: the printed display is turned round to `left <= right`."""
    gaps = [HALF, Fraction(1, 10)]
    reciprocal = _mean([1 / gap**3 for gap in gaps])
    return Measured(
        left=float(reciprocal), right=float(1 / _mean([gap**3 for gap in gaps])), applicable=max(gaps) < 1
    )


def budget_guard() -> Measured:
    """Ten steps of Algorithm 2 that consume 1 each of a budget of 5: how far the loop is from its stop."""
    budget, counter = 5, 0
    at_start = budget - counter
    for _ in range(10):
        budget += 1
    return Measured(left=float(budget - counter), right=float(at_start - 10), applicable=True)


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


WITNESSES = (
    Witness(
        statement="als_dpfl.lemma_4",
        step="C.lem4.s1",
        display=2,
        measure=square_without_eta,
        why="expanding the square leaves eta^2 ||n||^2, and the display has ||n||^2",
        right="with eta^2 ||n||^2, so that the hypothesis may be eta^2 sigma^2 d on its right",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_4",
        step="C.lem4.s10",
        display=0,
        measure=mean_from_mean_square,
        why="a mean square that does not grow says nothing of the mean: noise evens out the distances",
        right="the squared distances only",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_6",
        step="C.lem6.s4",
        display=0,
        measure=noise_against_the_gradient,
        why="noise against the gradient shortens it",
        right="in mean square, for noise of mean zero",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_6",
        step="C.lem6.s9",
        display=0,
        measure=gap_after_noise,
        why="a noisy step can raise the gap",
        right="in mean, and only where the gradient outweighs the noise",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.theorem_2.theorem_omega",
        step="C.thm2.s5",
        display=4,
        measure=lost_sign,
        why="the minus before the reciprocal product is gone",
        right="-E|F(v') - F(v)|/lambda^2, from which the last display follows as printed",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.theorem_2.theorem_omega",
        step="C.thm2.s15",
        display=0,
        measure=jensen,
        why="1/x^3 is convex, so Jensen's inequality goes the other way",
        right="no lower bound on 1/E(gap^3) follows from one on E(1/gap): the end of the proof is open",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.algorithm_2",
        measure=budget_guard,
        why="lines 13 and 21 add what is consumed to the budgets P_b and C_b, and the guard compares these "
        "with counters p_b and c_b that nothing moves: each step leaves the loop farther from its stop",
        right="p_b <- p_b + pc and c_b <- c_b + cc, as the text has it: two counters",
        grade=FindingClass.INCONSISTENT,
    ),
)
