"""ALS-DPFL: displayed relations of its proofs that do not follow, and the budgets of Algorithm 2."""

from fractions import Fraction

from verify.witness import Measured

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
