"""Claims in words that speak of numbers: what each says of a small instance, as two exact sides.

Such a statement has no relation of its own that could be evaluated, or one between numbers that no problem
need have together. Here it has one under its reading, on instances in one dimension that rational arithmetic
follows to the end: half squares, Huber functions, quartics.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from math import ceil
from typing import Any, Final

from bounds.language.statement import AMENDED, Statement
from verify.papers.als_dpfl import paths_of_batches
from verify.papers.dp_fedavg.witnesses.many_rounds import Median
from verify.papers.fed_norm_ec import trapped_runs
from verify.search.claims import Claim, Claimed, Coordinates, Sides, Words
from verify.search.hard_problems import chosen, decades

PRINTED: Final = "printed"


def _number(u: float) -> Fraction:
    """Positive, over four decades."""
    return Fraction(decades(u, -2, 2, True))


def _place(u: float) -> Fraction:
    """A quarter of the range is 0, the rest positive and negative."""
    return Fraction(0) if u < 0.25 else _number(4 * (u - 0.25) / 3 % 0.5 * 2) * (1 if u < 0.625 else -1)


def _update(start: Fraction, curvature: Fraction, step: Fraction, steps: int) -> Fraction:
    """The sum of gradients of curvature x^2/2 along gradient descent."""
    return start * (1 - (1 - step * curvature) ** steps) / step


def _steps(u: Coordinates) -> tuple[int, int]:
    fewer = chosen(u[0], (1, 2, 3))
    return fewer, fewer + chosen(u[1], (1, 2, 3))


def thresholds(u: Coordinates) -> Claimed | None:
    """Consequence (c) of DP-FedAvg: with equal clipping more steps have no larger threshold."""
    (fewer, more), curvature, start = _steps(u), _number(u[2]), _number(u[3])
    step, first, second = Fraction(chosen(u[4], (1, 2, 5)), 10) / curvature, _number(u[5]), _number(u[6])
    clipped = [_update(start, curvature, step, n) > c * n for n, c in ((fewer, first), (more, second))]
    shown = {"curvature": curvature, "w": start, "eta": step, "E_1": fewer, "E_2": more}
    shown |= {"C_hat_1": first, "C_hat_2": second, "clipped": clipped[0]}
    return Claimed(left=second, right=first, shown=shown) if clipped[0] == clipped[1] else None


def smallest_thresholds(u: Coordinates) -> Claimed:
    """The same of the smallest thresholds that leave these two clients unclipped."""
    (fewer, more), curvatures, starts = (
        _steps(u),
        (_number(u[2]), _number(u[3])),
        (_number(u[4]), _place(u[5])),
    )
    step = Fraction(chosen(u[6], (1, 2, 5)), 10) / max(curvatures)
    smallest = [
        max(abs(_update(w, L, step, n)) / n for w, L in zip(starts, curvatures, strict=True))
        for n in (fewer, more)
    ]
    shown = {"curvatures": curvatures, "w": starts, "eta": step, "E_1": fewer, "E_2": more}
    return Claimed(left=smallest[1], right=smallest[0], shown=shown)


def lipschitz_threshold(u: Coordinates) -> Claimed:
    """No bias at C = G: updates of E steps on Huber functions, clipped at the slope of these."""
    curvature, bend = _number(u[0]), _number(u[1])
    places, steps = [_place(v) for v in u[2:4]], chosen(u[4], (1, 2, 3, 4))
    slope, step = curvature * bend, Fraction(chosen(u[5], (1, 2, 5)), 10) / curvature
    updates = []
    for place in places:
        x, update = Fraction(0), Fraction(0)
        for _ in range(steps):
            gradient = curvature * max(-bend, min(bend, x - place))
            x, update = x - step * gradient, update + gradient
        updates.append(update)
    clipped = [max(-slope, min(slope, update)) for update in updates]
    shown = {"curvature": curvature, "threshold": bend, "centers": places, "eta": step, "E": steps}
    bias = abs(sum(updates, Fraction(0)) - sum(clipped)) / 2
    return Claimed(left=bias, right=Fraction(0), shown=shown, equality=True)


def change_of_gradient(u: Coordinates) -> Claimed | None:
    """Eq. (10): at f' = a + b x + c x^3 the change along the gradient is of the order of eta |f'' f'|.

    Where f'' f' is not 0 it is, with constants 1/2 and 2, as eta goes to 0. Where it is 0 the change is a
    polynomial in eta: not 0 for one eta, it is not 0 for any small one, and no constant puts 0 above it.
    """
    a, b, c, w = _place(u[0]), _place(u[1]), _place(u[2]), _place(u[3])
    step = _number(u[4] / 2)

    def slope(x: Fraction) -> Fraction:
        return a + b * x + c * x * x * x

    second = b + 3 * c * w**2
    if slope(w) == 0:
        return None
    order = step * abs(second * slope(w))
    shown = {"a": a, "b": b, "c": c, "w": w, "eta": step}
    change = abs(slope(w - step * slope(w)) - slope(w)) if order == 0 else order
    return Claimed(left=change, right=2 * order, shown=shown)


def left_sides(u: Coordinates) -> Claimed | None:
    """The left sides of eqs. (15) and (16) at a point of two half squares; the claim orders them."""
    curvatures, centers, w = [_number(v) for v in u[:2]], [_place(v) for v in u[2:4]], _place(u[4])
    pairs, L = list(zip(curvatures, centers, strict=True)), max(curvatures)
    best = _minimiser(pairs)
    steps, share = chosen(u[5], (1, 2, 4)), Fraction(chosen(u[6], (1, 2, 5)), 10)  # share = rho E/alpha
    norms = [abs(_update(w - c, a, share / (2 * L * steps), steps)) for a, c in pairs]
    # At least 4 sqrt(L Delta): (x + s^2)/(2 s) is at least the root of x.
    square, s = L * max(a * (best - c) * (best - c) / 2 for a, c in pairs), _number(u[7])
    threshold = 2 * (square + s * s) / s
    if 0 in norms:
        return None
    gaps = [a * ((w - c) * (w - c) - (best - c) * (best - c)) / 2 for a, c in pairs]
    sides = [Fraction(0), Fraction(0)]
    for gap, norm in zip(gaps, norms, strict=True):
        if norm > threshold * steps:
            both = 3 * threshold * norm / (8 * L * steps)
            sides = [sides[0] + both / 2, sides[1] + both / 2]
        else:
            stretched = (2 - share * share) * threshold * steps / norm * gap
            sides = [sides[0] + (2 - share - share * share) * gap / 2, sides[1] + stretched / 2]
    shown = {"curvatures": curvatures, "centers": centers, "w": w, "E": steps, "C_hat": threshold}
    return Claimed(left=sides[0], right=sides[1], shown=shown | {"rho E/alpha": share, "gaps": gaps})


def _minimiser(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The minimizer of the mean of the half squares, (curvature, center) each."""
    return sum((a * c for a, c in pairs), Fraction(0)) / sum((a for a, _ in pairs), Fraction(0))


def on_a_minimiser(u: Coordinates) -> Claimed:
    """Eq. (20), theta > 0: one noisy step on a half square; left is 1 where it fails."""
    curvature, start, noise = _number(u[0]), _number(u[1]), _place(u[2])
    step = Fraction(chosen(u[3], (1, 2, 3, 4)), 4) / curvature
    end = start - step * (curvature * start + noise)
    shown = {"beta": curvature, "w": start, "noise": noise, "eta": step}
    return Claimed(left=Fraction(end == 0), right=Fraction(0), shown=shown)


def rare_clients(u: Coordinates) -> Claimed:
    """The rule for noise in one round, for any constant c: at least this delta is spent, where it says delta.

    The rule claims that some c serves all p and delta, so p and delta are chosen after c: p = part/(100 c^3)
    with c >= 1, and delta = p/4. Both cases, with the client and without, are told apart by x > 1/2. Noise of
    variance s passes with probability 2 s at most (Chebyshev, one of two sides), and a client that is drawn,
    with probability p, fails to pass with as much.
    """
    epsilon, c = chosen(u[0], (1, 2, 3)), 1 + Fraction(decades(u[1], -2, 6, True))
    part = _number(u[2])
    p = min(part, Fraction(1)) / (100 * c**3)
    digits = len(str(ceil(4 / p)))  # 1/delta is below 10^digits, log 10 below 2.303, and e below 3
    square = (c * p / epsilon) ** 2 * digits * Fraction(2303, 1000)
    spent = p * (1 - 2 * square) - 3**epsilon * 2 * square
    shown = {"epsilon": epsilon, "delta": p / 4, "c": c, "p": p, "K": 0}
    return Claimed(left=spent, right=p / 4, shown=shown)


def large_budgets(u: Coordinates) -> Claimed:
    """Theorem 1 with everyone drawn: at least this delta is spent, where the theorem says delta.

    The clients are linear, and one client's update is C or 0: in deviations of its noise a step is m = C/(n
    sigma) or 0 long, K m^2 = epsilon^2/(q log(1/delta)). What is returned, an iterate drawn from K, is told
    apart by being above K m/2: in the second half of the rounds with probability 1/2 at least; without that
    client with exp(-K m^2/8)/2 at most, and exp(-y) <= 1/(1 + y).
    """
    digits, q, c = chosen(u[0], (2, 3, 5, 8)), _number(u[1]), _number(u[2])
    epsilon = Fraction(decades(u[3], -1, 6, True))
    K = 2 * ceil(epsilon / c)
    y = epsilon**2 / (8 * q * digits * Fraction(2303, 1000)) - epsilon  # log 10 is below 2.303
    spent = (1 - 2 / (1 + y)) / 4 if y > 0 else Fraction(0)
    shown = {"epsilon": epsilon, "delta": f"1e-{digits}", "q": q, "c_epsilon": c, "K": K, "r": "n"}
    return Claimed(left=spent, right=Fraction(1, 10**digits), shown=shown)


def _lowest(curvatures: Sequence[Fraction], centers: Sequence[Fraction]) -> Fraction:
    """The lowest value of the mean of the half squares."""
    pairs = list(zip(curvatures, centers, strict=True))
    at = _minimiser(pairs)
    return sum((a * (at - c) * (at - c) / 2 for a, c in pairs), Fraction(0)) / len(centers)


def _half_squares(u: Coordinates) -> tuple[Fraction, dict[str, Any]]:
    curvatures, centers = [_number(v) for v in u[:2]], [_place(v) for v in u[2:4]]
    return _lowest(curvatures, centers), {"curvatures": curvatures, "centers": centers}


def shared_infimum(u: Coordinates) -> Claimed:
    """Delta_inf of clients whose infimum is 0 each."""
    lowest, shown = _half_squares(u)
    return Claimed(left=lowest, right=Fraction(0), shown=shown, equality=True)


def shared_minimiser(u: Coordinates) -> Claimed:
    """Delta_inf is 0 exactly where the minimisers agree: the left side indicates where not."""
    lowest, shown = _half_squares(u)
    agree = shown["centers"][0] == shown["centers"][1]
    return Claimed(left=Fraction(agree != (lowest == 0)), right=Fraction(0), shown=shown, equality=True)


def shared_infima_of_data_points(u: Coordinates) -> Claimed:
    """The mean of f^inf - mean_j f_ij^inf, where the data points of a client share the infimum b_i."""
    lowest, shown = _half_squares(u)
    offsets = [_place(v) for v in u[4:6]]
    mean = sum(offsets, Fraction(0)) / 2
    return Claimed(left=lowest + mean - mean, right=Fraction(0), shown=shown | {"b": offsets}, equality=True)


def after_many_rounds(u: Coordinates) -> Claimed | None:
    """Normalization is said to come nearer: its mean gap at least, and that of clipping at most."""
    b, C_hat, rho = _number(u[0]), _number(u[1]), Fraction(decades(u[2], -6, 0, True))
    alpha, start = Fraction(chosen(u[3], (1, 2, 5, 10))), _place(u[4])
    # Of the K that a gamma between a hundredth and a hundred prescribes.
    K = max(1, round(2 * alpha * _number(u[5]) / (C_hat * rho**2)))
    run = Median(b=b, start=start, C_hat=C_hat, K=K, alpha=alpha, rho=rho)
    shown = {"b": b, "w_0 - w*": start, "C_hat": C_hat, "rho": rho, "alpha": alpha, "K": K}
    return Claimed(left=run.normalized(), right=run.clipped(), shown=shown) if run.applicable() else None


def _claim(family: str, size: int, sides_of: Callable[[Coordinates], Claimed | None]) -> Claim:
    """Both sides are what is said here: the form is asked for none."""

    @wraps(sides_of)
    def sides(_: Statement, u: Coordinates) -> Claimed | None:
        return sides_of(u)

    return Claim(family=family, size=size, sides=sides)


_ROUNDS: Final = "three half squares, two with one minimizer"
_SQUARES: Final = "two half squares"
CLAIMS: Final[Mapping[tuple[str, str], Claim]] = {
    ("dp_fedavg.claims.many_rounds", PRINTED): _claim(_ROUNDS, 6, after_many_rounds),
    ("dp_fedavg.claims.smaller_threshold", PRINTED): _claim("half squares", 7, thresholds),
    ("dp_fedavg.claims.smaller_threshold", AMENDED): _claim(_SQUARES, 7, smallest_thresholds),
    ("dp_fedavg.claims.lipschitz_threshold", PRINTED): _claim("two Huber functions", 6, lipschitz_threshold),
    ("dp_fedavg.equation_10", PRINTED): _claim("quartics", 5, change_of_gradient),
    ("dp_fedavg.equation_16_comparison.left_sides", PRINTED): _claim(_SQUARES, 8, left_sides),
    ("als_dpfl.equation_20", PRINTED): _claim("half squares", 4, on_a_minimiser),
    ("dp_fedavg.theorem_1", PRINTED): _claim("a budget above log(1/delta)", 4, large_budgets),
    ("fed_norm_ec.noise_rule", PRINTED): _claim("a client seldom drawn, whatever c is", 3, rare_clients),
    # Half squares are losses that are not negative.
    ("fed_norm_ec.claims.nonneg", PRINTED): _claim(_SQUARES, 4, shared_infimum),
    ("fed_norm_ec.claims.sameinf", PRINTED): _claim(_SQUARES, 4, shared_infimum),
    ("fed_norm_ec.claims.sameinf", AMENDED): _claim(_SQUARES, 4, shared_minimiser),
    ("fed_norm_ec.claims.ig0", PRINTED): _claim(_SQUARES, 6, shared_infima_of_data_points),
}


def _followed(
    sides_of: Callable[[Statement, Coordinates], tuple[Fraction, Fraction, Mapping[str, Any]] | None],
) -> Sides:
    """Whose right side is the form's own."""

    @wraps(sides_of)
    def sides(statement: Statement, u: Coordinates) -> Claimed | None:
        found = sides_of(statement, u)
        return None if found is None else Claimed(left=found[0], right=found[1], shown=found[2])

    return sides


# Runs that fractions follow to their end, whatever the number of rounds.
FOLLOWED: Final[Mapping[str, Claim]] = {
    identity: Claim(
        family="two clients that trap a run",
        size=trapped_runs.size_of(identity),
        sides=_followed(trapped_runs.sides),
    )
    for identity in trapped_runs.FORMS
} | {
    identity: Claim(
        family="every path of random batches",
        size=paths_of_batches.SIZE,
        sides=_followed(paths_of_batches.sides),
    )
    for identity in paths_of_batches.FORMS
}


def in_words(shown: Any) -> Any:
    """Fractions as they are written."""
    if isinstance(shown, Mapping):
        return {name: in_words(entry) for name, entry in shown.items()}
    if isinstance(shown, list | tuple):
        return [in_words(entry) for entry in shown]
    return str(shown) if isinstance(shown, Fraction) else shown


def claim_of(statement: Statement) -> Claim | None:
    claim = CLAIMS.get((statement.id, statement.variant))
    return claim or (FOLLOWED.get(statement.id) if statement.variant == PRINTED else None)


def families(statement: Statement) -> list[Words]:
    claim = claim_of(statement)
    return [] if claim is None else [Words(statement=statement, claim=claim)]
