"""ALS-DPFL: displayed relations of its proofs that do not follow, and the budgets of Algorithm 2."""

from fractions import Fraction

from bounds.language.finding import FindingClass
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
    """F = x^2/2 near w* = 0, eta = 1/2; v is 32 with chance 1/64 and 0 else, the noise 1 or -1.

    Its variance 1 is one that Lemma 4 allows, both before the step and after it.
    """
    before = [Fraction(32), *[Fraction(0)] * 63]
    after = [v - HALF * (v + sign) for v in before for sign in (1, -1)]
    squares = [_mean([x**2 for x in models]) for models in (before, after)]
    allowed = all(HALF * (1 - HALF) * square >= 1 for square in squares)
    return Measured(
        left=float(_mean([abs(x) for x in after])),
        right=float(_mean(before)),
        applicable=allowed and squares[1] <= squares[0],
    )


def noise_against_the_gradient() -> Measured:
    """Gradient 1 and noise -1/2."""
    return Measured(left=1.0, right=0.5, applicable=True)


def gap_after_noise() -> Measured:
    """F = x^2/2 from 1 with eta = 1/2 against the noise -4: the step leads to 5/2."""
    after = 1 - HALF * (1 - 4)
    return Measured(left=float(after**2 / 2), right=0.5, applicable=True)


def lost_sign() -> Measured:
    """Gaps 1/2 and 3/4 with lambda = 1/2, below 1 as C.thm2.4 has it: 4/3 - 2 against the printed 1."""
    first, second, lam = 0.5, 0.75, 0.5
    return Measured(
        left=(second - first) / lam**2,
        right=1 / second - 1 / first,
        applicable=lam <= min(first, second) and lam < 1,
    )


def lost_sign_at_the_end() -> Measured:
    """Gaps 1/2 of v(T) and 3/4 of w(T) with lambda = 1/2: -(1/4)/(3/8) against the lower bound 1.

    C.thm2.4 asks for a gap of w(T) below 1.
    """
    v, w, lam = 0.5, 0.75, 0.5
    return Measured(left=-(v - w) / lam**2, right=(v - w) / (w * v), applicable=lam <= min(v, w) and w < 1)


def identical_clients() -> Measured:
    """No noise and identical clients, for which xi_i = 1 is allowed: eta = beta = 1, at t = (k-1) tau + 2."""
    eta, beta, xi, x = 1.0, 1.0, 1.0, 2
    change = eta * xi * ((eta * beta + 1) ** (x - 1) - 1)
    return Measured(left=0.0, right=change, applicable=True, equality=True)


def jensen() -> Measured:
    """Gaps 1/2 and 1/10, equally likely: the printed display is turned round to `left <= right`."""
    gaps = [HALF, Fraction(1, 10)]
    reciprocal = _mean([1 / gap**3 for gap in gaps])
    return Measured(
        left=float(reciprocal), right=float(1 / _mean([gap**3 for gap in gaps])), applicable=max(gaps) < 1
    )


def drawn_batch() -> Measured:
    """Samples with gradients 1 and -1, each drawn with probability 1/2, B = 1, no noise: E||g~ - g||."""
    outcomes = [0, 1, -1, 0]
    return Measured(left=sum(map(abs, outcomes)) / 4, right=0.0, applicable=True)


def two_gradients_at_one_point() -> Measured:
    """Clients with gradients 1 and -1 at the point where both are, and the auxiliary sequence too."""
    gradients, distance, beta = [1, -1], 0, 1
    mean = sum(gradients) / 2
    apart = sum(abs(g - mean) for g in gradients) / 2
    return Measured(left=apart, right=float(beta * distance), applicable=True)


def later_interval() -> Measured:
    """xi_i = eta = beta = 1, no noise, a = k = 1, tau = 2: g_i(a + (k+1) tau) for the g_i(a) put in next."""
    return Measured(left=2.0 ** (1 + 2 * 2) - 1, right=2.0**1 - 1, applicable=True, equality=True)


def one_aggregation_too_many() -> Measured:
    """K = tau = 1, gaps 1 and 1/2 in the interval, 1/4 after it: what the steps telescope to."""
    start, end, after = 1, HALF, Fraction(1, 4)
    printed = 1 / end - Fraction(1, start) - (1 / after - 1 / end)
    return Measured(left=float(printed), right=float(1 / end - start), applicable=True, equality=True)


def batch_under_the_divergence() -> Measured:
    """The second summands of the two displays at eta = xi = 1, B = 2, no noise, three steps."""
    eta, xi, B, steps = 1.0, 1.0, 2, 3
    return Measured(left=eta * xi * steps, right=eta * xi / B * steps, applicable=True, equality=True)


def length_for_its_square() -> Measured:
    """F = x^2/2 from 2 with eta = 1 and no noise: F falls by 2, and -4 + ||2||/2 is -3."""
    before, slope = 2.0, 2.0
    after = before - slope
    return Measured(left=after**2 / 2 - before**2 / 2, right=-(slope**2) + slope / 2, applicable=True)


def farther_than_the_start() -> Measured:
    """From 1, F = x^2/2, eta = 1/2, noise -2 with chance 1/17 and 1/8 else: v(t) = 3/2 where it is -2.

    Mean 0 and variance 1/4, which Lemma 4 allows at the start. The display, turned round, is 1/1 <= 1/v(t)^2.
    """
    law = {Fraction(-2): Fraction(1, 17), Fraction(1, 8): Fraction(16, 17)}
    variance = sum((chance * n**2 for n, chance in law.items()), Fraction(0))
    centred = sum((chance * n for n, chance in law.items()), Fraction(0)) == 0
    farthest = max(1 - HALF * (1 + n) for n in law)
    allowed = centred and variance <= HALF * (1 - HALF)
    return Measured(left=1.0, right=float(1 / farthest**2), applicable=allowed)


def noise_in_a_factor_of_its_own() -> Measured:
    """F = x^2/2, eta = 1/2, v = 2, n = 1 or -1: E[grad F n/(theta(t+1) theta(t))], where 0 is printed."""
    v = Fraction(2)
    after = {n: v - HALF * (v + n) for n in (1, -1)}
    values = [v * n / ((after[n] ** 2 / 2) * (v**2 / 2)) for n in after]
    return Measured(left=float(_mean(values)), right=0.0, applicable=True, equality=True)


def budget_guard() -> Measured:
    """Ten steps of Algorithm 2 that consume 1 each of a budget of 5: how far the loop is from its stop."""
    budget, counter = 5, 0
    at_start = budget - counter
    for _ in range(10):
        budget += 1
    return Measured(left=float(budget - counter), right=float(at_start - 10), applicable=True)


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def index_out_of_the_summand() -> Measured:
    """Distances 0, 1 and 4 at the start of an interval and after its two steps: the sum and its end."""
    distances = (0.0, 1.0, 4.0)
    as_printed = sum(distances[2] - distances[1] for _ in (1, 2))
    return Measured(left=as_printed, right=distances[2] - distances[0], applicable=True, equality=True)


WITNESSES = (
    Witness(
        statement="als_dpfl.lemma_3.lemma",
        step="C.lem3.s4",
        display=2,
        measure=drawn_batch,
        why="a batch drawn at random is not its client's data, even without noise",
        right="with the deviation of the batch, and the auxiliary noise on its own; in the last display with "
        "eta before the last length too, and at most in place of equal; of the gradients at a + (k - 1) tau, "
        "as the models are, not at a",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_3.lemma",
        step="C.lem3.s6",
        display=0,
        measure=later_interval,
        why="the induction hypothesis is of g_i at a, and k and tau do not enter it",
        right="g_i(a)",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.theorem_2.theorem_omega",
        step="C.thm2.s3",
        display=0,
        measure=one_aggregation_too_many,
        why="K intervals have K - 1 aggregations between them, and the sum has K; (28) has K - 1 again",
        right="the sum up to K - 1, here and in (25)",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.theorem_1.distance",
        step="C.thm1.s2",
        display=2,
        measure=two_gradients_at_one_point,
        why="beta times a distance bounds two gradients of one function, not those of a client and of F",
        right="after the mean over the clients, in which the divergences cancel, and with the noises",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.theorem_1.distance",
        step="C.thm1.s5",
        display=0,
        measure=index_out_of_the_summand,
        why="the sum runs over y, and its summand has t: it is the same for every y, and nothing telescopes",
        right="y in the place of t in the summand, here and in the power of C.thm1.s6",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.theorem_1.distance",
        step="C.thm1.s6",
        display=1,
        measure=batch_under_the_divergence,
        why="B divides the noise alone in the display before, and xi as well in this one; in both the -1 of "
        "every summand has come back as a plus",
        right="with xi outside the fraction, and with a minus before it",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_5",
        step="C.lem5.s2",
        display=1,
        measure=length_for_its_square,
        why="the second-order term has the length of the gradient where smoothness gives its square",
        right="with the square, as in the last display; and with grad F(v) + n, where the third and the "
        "fourth have grad F(v + n): for x^2/4 at 2 with n = 1 that is 2 and 3/2",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.lemma_6",
        step="C.lem6.s6",
        display=0,
        measure=farther_than_the_start,
        why="a noisy step can lead away from the minimizer; Lemma 4 speaks of a mean",
        right="of the mean squared distance, under Lemma 4 as amended",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_6",
        step="C.lem6.s11",
        display=0,
        measure=noise_in_a_factor_of_its_own,
        why="theta(t+1) holds the noise, and may not be parted from it",
        right="for means of gaps, where the cross term vanishes",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_6",
        step="C.lem6.s12",
        display=0,
        measure=gap_after_noise,
        why="a noisy step can raise the loss: lambda at the end of the interval bounds no gap before it",
        right="in mean, and only where the gradient outweighs the noise",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.theorem_2.theorem_omega",
        step="C.thm2.s6",
        display=0,
        measure=gap_after_noise,
        why="the loss may rise, as in C.lem6.s12, on which the bound of the products rests",
        right="in mean, and only where the gradient outweighs the noise",
        grade=FindingClass.PROOF_BROKEN,
    ),
    Witness(
        statement="als_dpfl.lemma_4",
        step="C.lem4.s1",
        display=2,
        measure=square_without_eta,
        why="expanding the square leaves eta^2 ||n||^2, and the display has ||n||^2",
        right="with eta^2 ||n||^2, so that the hypothesis may be eta^2 sigma^2 d on its right; the display "
        "before lacks -2 eta n^T (v - w*): it is 1 on this instance, where the left side is 0",
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
        right="-E|F(v') - F(v)|/lambda^2, from which the last display follows as printed; the sum meant is "
        "that of (25), not of (29), and in C.thm2.s7 two equality signs are printed as minus",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.theorem_2.theorem_omega",
        step="C.thm2.s10",
        display=2,
        measure=lost_sign_at_the_end,
        why="a lower bound on the product of the gaps bounds a quotient whose numerator may be negative from "
        "below by its absolute value only",
        right="-E|F(v) - F(w)|/lambda^2, which C.thm2.s11 bounds by Theorem 1 as printed",
        grade=FindingClass.TYPO,
    ),
    Witness(
        statement="als_dpfl.theorem_1.distance",
        step="C.thm1.s4",
        display=0,
        measure=identical_clients,
        why="the chain before it is of bounds, and its ends are joined by an equality sign",
        right="at most, as the sums after it need",
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
        display=0,
        measure=budget_guard,
        why="lines 13 and 21 add what is consumed to the budgets P_b and C_b, and the guard compares these "
        "with counters p_b and c_b that nothing moves: each step leaves the loop farther from its stop",
        right="p_b <- p_b + pc and c_b <- c_b + cc, as the text has it: two counters",
        grade=FindingClass.INCONSISTENT,
    ),
)
