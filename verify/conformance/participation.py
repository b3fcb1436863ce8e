"""Participation and the divisor of the sum: clients with orthogonal linear functions.

A client that takes part moves its own coordinate and no other, so the state shows the set of every round.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.instance import instance
from verify.conformance.lab import ROUNDING, Lab, is_near
from verify.conformance.laws import Mean, first_rejected, successive
from verify.conformance.listing import Part, Point
from verify.conformance.verdict import Observation, Verdict, agrees, differs, not_observable

ROUNDS = 2600  # a probability that is 10% off is noticed
CLIENTS, WANTED = 5, 2  # no multiple of each other: n // r is not n/r
LONE = 32  # rounds of a single client: what leaves it out at random is alike in two runs by chance below 1e-3
# rounds of so many clients, of whom all but one are wanted: a rate 5% off was noticed in 200 of 200 trials
DENSE_CLIENTS, DENSE = 20, 140
ALL = 100  # rounds in which all are wanted: one that leaves out a client in 50 draws is missed below 1e-3
REPEATED = 24  # rounds whose sets are compared between two seeds: equal by chance below 1e-13
RATE_ERRORS = 9.0
BECAUSE = f"{ROUNDS} rounds of {CLIENTS} clients with orthogonal gradients, clients_per_round {WANTED}"


def read_participation(lab: Lab) -> list[Observation]:
    """Observations of the sampling, and of the divisor if it is not r."""
    if lab.listing.law == "full":
        return []
    at = lab.listing.point(n=CLIENTS, r=WANTED, d=CLIENTS, E=2, C=3.0)
    slopes = np.diag(np.linspace(0.8, 1.9, CLIENTS))
    sizes = instance(slopes).sizes
    units = np.array(
        [lab.alone(slope, at, size)[i] for i, (slope, size) in enumerate(zip(slopes, sizes, strict=True))]
    )
    if not (np.abs(units) > 0).all():
        return [not_observable(Part.SAMPLING, "a client alone does not move the state")]
    states = lab.states(instance(slopes), at, rounds=ROUNDS)
    shares = (states[:-1] - states[1:]) / units
    bits = np.abs(shares) > 1e-7
    times, divisor = _divisor(lab, at, shares, bits)
    sampling = _sampling(lab, times, bits)
    if sampling.verdict is Verdict.AGREES:
        again = lab.states(instance(slopes), at, rounds=REPEATED)
        if ((np.diff(again, axis=0) != 0) == bits[:REPEATED]).all():
            because = f"the sets of {REPEATED} rounds in two runs with different seeds"
            sampling = differs(Part.SAMPLING, "the same sets", "other sets", because, "draws_repeated")
    if sampling.verdict is Verdict.AGREES and lab.listing.law == "independent":
        sampling = read_dense(lab, sampling) or _tell_noticed(sampling, bits, WANTED / CLIENTS)
    if divisor is None:
        return [sampling]
    if divisor.slip is None and not lab.found.trusted:
        divisor = not_observable(Part.AVERAGE, "a difference that no known slip explains hides it")
    elif divisor.slip is None and lab.listing.bounding == "clip" and _is_right_of_equal(lab, at):
        divisor = differs(
            Part.BOUNDING, "bounded in common", "bounded by its own length", BECAUSE, "bound_in_common"
        )
    if lab.listing.law == "fixed size" and sampling.verdict is Verdict.DIFFERS and divisor.slip == "came":
        # as many come as are wanted, so that both divisors are the same there
        divisor = not_observable(
            Part.AVERAGE, f"the difference at the line of the {sampling.part.noun} hides it"
        )
    return [sampling, divisor]


def read_dense(lab: Lab, sampling: Observation) -> Observation | None:
    """Many clients of whom all but one are wanted, where a wrong probability shows soonest.

    A median or a mean without extremes moves nothing there, and a server may take in a few of so many: both
    are differences of the average, which other experiments name. They show where all are wanted.
    """
    n, wanted = DENSE_CLIENTS, DENSE_CLIENTS - 1
    at = lab.listing.point(n=n, r=n, d=n, E=1, C=3.0)
    shown = instance(np.diag(np.linspace(0.8, 1.9, n)))
    if not _moved(lab.states(shown, at)).all():
        return None
    bits, p = _moved(lab.states(shown, replace(at, r=wanted), rounds=DENSE)), wanted / n
    wrong = first_rejected([claim_on_draws(bits, p), _claim_on_all(bits, p)])
    seen = replace(
        sampling, because=f"{sampling.because}; {DENSE} rounds of {n} clients, clients_per_round {wanted}"
    )
    if wrong is None:
        return _tell_noticed(seen, bits, p)
    lab.found.law = None
    sizes = bits.sum(axis=1)
    measured = f"{sizes.min():.0f} to {sizes.max():.0f} clients, {sizes.mean():.4g} in the mean"
    expected = f"{lab.listing.law}, probability {p:.4g}"
    because = f"{seen.because}: {wrong.name} {wrong.measured():.4g}, not {wrong.mean:.4g}"
    return differs(Part.SAMPLING, measured, expected, because, wrong.slip)


def _moved(states: Floats) -> Floats:
    """Which coordinates move in each round, by more than the rounding of a mean of equal numbers."""
    sizes = np.abs(np.diff(states, axis=0))
    return np.asarray(sizes > 1e-7 * sizes.max(), dtype=np.float64)


def _claim_on_all(bits: Floats, p: float) -> Mean:
    """How often all of the clients come: never, where sets are cut off below their number."""
    every = np.asarray(bits.all(axis=1), dtype=np.float64)
    slip = "blocks" if every.any() else "capped"
    return _claim("the share of rounds with all clients", every, p ** bits.shape[1], slip)


def _divisor(lab: Lab, at: Point, shares: Floats, bits: Floats) -> tuple[Floats, Observation | None]:
    """How often each client was counted in each round, and a difference if the divisor is not r."""
    weights, ones = lab.found.weights, bits.astype(np.float64)
    came = bits.sum(axis=1, keepdims=True)
    shares_of_one = shares * at.r / (1.0 if weights is None else weights.mean() * len(weights))
    times = np.rint(shares_of_one)
    if weights is None:  # a difference hides them
        return times if _is_close(shares_of_one, times) else ones, None
    if _is_close(shares_of_one, times):
        lab.found.divisor_agrees = is_near(weights * len(weights), 1.0)
        return times, None
    if not is_near(weights * len(weights), 1.0):
        return ones, None  # the weights have a verdict already
    asked = "1/r"
    if _is_close(shares * came, ones):
        return ones, differs(Part.AVERAGE, "1/(number that came)", asked, BECAUSE, "came")
    if _is_close(shares * np.maximum(came, at.r), ones):
        return ones, differs(Part.AVERAGE, "1/max(r, number that came)", asked, BECAUSE, "came_or_wanted")
    if _is_close(shares * at.n, np.rint(shares * at.n)):
        return np.rint(shares * at.n), differs(Part.AVERAGE, 1 / at.n, 1 / at.r, BECAUSE, "all_clients")
    if _is_close(shares * came * at.n / at.r, ones):
        return ones, differs(Part.AVERAGE, "1/(number that came), rescaled", asked, BECAUSE, "came")
    slip = "by_rank" if _is_by_rank(shares, bits) else None
    return ones, differs(Part.AVERAGE, float(shares[bits].mean()), 1 / at.r, BECAUSE, slip)


def _is_by_rank(shares: Floats, bits: Floats) -> bool:
    """Whether a client counts by how many of those before it have come, and by nothing else.

    Each client by itself, since a threshold may bind for some of them.
    """
    ranks, varies = np.cumsum(bits, axis=1), False
    for own, came, rank in zip(shares.T, bits.T, ranks.T, strict=True):
        groups = [own[came & (rank == k)] for k in np.unique(rank[came])]
        if not all(_is_close(one, one.mean()) for one in groups):
            return False
        varies = varies or not _is_close(np.array([one.mean() for one in groups]), groups[0].mean())
    return varies


def _is_right_of_equal(lab: Lab, at: Point) -> bool:
    """Whether clients count as listed where their updates are all of one length."""
    slopes = np.eye(CLIENTS)
    shown = instance(slopes)
    alone = lab.alone(slopes[0], at, shown.sizes[0])[0]
    states = lab.states(shown, at, rounds=REPEATED)
    shares = (states[:-1] - states[1:]) / alone * at.r
    return _is_close(shares, np.rint(shares))


def _is_close(one: Floats, other: Floats) -> bool:
    # states add up over the rounds, and so does their rounding
    return bool(np.abs(one - other).max() <= ROUNDS * ROUNDING)


def _sampling(lab: Lab, times: Floats, bits: Floats) -> Observation:
    law, part = lab.listing.law, Part.SAMPLING
    sizes, n, r = bits.sum(axis=1), CLIENTS, WANTED
    expected = f"{law}, probability {r / n:.4g}"
    measured = f"{sizes.min()} to {sizes.max()} clients, {sizes.mean():.4g} in the mean"
    if bits.all():
        lab.found.law = "full"
        return differs(part, measured, expected, BECAUSE, "everybody")
    if (bits == bits[0]).all():
        lab.found.law = None
        return differs(part, measured, expected, BECAUSE, "same_set")
    for other, known in ((r - 1, "one_less"), (r + 1, "one_more")):
        if (sizes == other).all():
            return differs(part, measured, expected, BECAUSE, known)
    if times.max() > 1 or (lab.found.repeats and sizes.max() <= r):
        return differs(part, measured, expected, BECAUSE, "replacement")
    fixed = bool((sizes == r).all())
    lab.found.law = "fixed size" if fixed else "independent"
    if law == "independent" and fixed:
        return differs(part, measured, expected, BECAUSE, _fixed_slip(bits))
    claims = claims_on_sets(bits, WANTED, fixed=fixed)
    if law == "fixed size" and not fixed:
        slip = "independent" if first_rejected(claims) is None else None
        return differs(part, measured, expected, BECAUSE, slip)
    wrong = first_rejected(claims)
    if wrong is None and lab.found.repeats and not fixed:
        return _some_of_all(lab, expected)
    if wrong is None:
        because = f"{BECAUSE}; {len(claims)} tests at level 1e-6 together"
        return agrees(part, measured, expected, because)
    lab.found.law = None
    because = f"{BECAUSE}: {wrong.name} {wrong.measured():.4g}, not {wrong.mean:.4g}"
    return differs(part, measured, expected, because, name_slip(wrong, bits))


def _some_of_all(lab: Lab, expected: str) -> Observation:
    """Clients that are left out where all are wanted: as many in every round, or at random."""
    sizes = _taken_of_all(lab, ALL).sum(axis=1)
    cut = bool((sizes == sizes[0]).all())
    because = f"where all clients are wanted, {'as many' if cut else 'some'} are left out "
    because += "in every round" if cut else "at random"
    slip = "capped" if cut else "rate"
    return differs(Part.SAMPLING, "not every client if r = n", expected, because, slip)


def _tell_noticed(sampling: Observation, bits: Floats, p: float) -> Observation:
    return replace(sampling, because=f"{sampling.because}; {rate_noticed(bits, p)}")


def rate_noticed(bits: Floats, p: float) -> str:
    """Which wrong probability the test of the share notices in so many draws, in words.

    By this many standard errors, one was noticed in 311 of 320 trials with 2,000 to 4,800 draws.
    """
    least = RATE_ERRORS * ((1 - p) / (p * bits.size)) ** 0.5
    return f"a probability that is {least:.0%} higher or lower is noticed; a smaller error is not decided"


def name_slip(wrong: Mean, bits: Floats) -> str:
    """The cause of a wrong law: clients that come at different rates change the mean rate, and pairs, too."""
    rates, rounds = bits.mean(axis=0), len(bits)
    spread = float(((rates - rates.mean()) ** 2).sum()) * rounds / (rates.mean() * (1 - rates.mean()))
    uneven = spread > len(rates) + 6 * (2 * len(rates)) ** 0.5  # six deviations of a chi-square
    return "same_clients" if wrong.slip in ("blocks", "rate", "never_empty") and uneven else wrong.slip


def _fixed_slip(bits: Floats) -> str:
    """Why a set of fixed size was seen where clients are to be drawn independently."""
    wrong = first_rejected(claims_on_sets(bits, WANTED, fixed=True))
    return "fixed_size" if wrong is None else wrong.slip


def claims_on_sets(bits: Floats, r: int, *, fixed: bool) -> list[Mean]:
    """Claims on sets (rounds, n) of mean size r that hold in every round if their law is right."""
    taken, n = bits.astype(np.float64), bits.shape[1]
    p = r / n
    together = p * (r - 1) / (n - 1) if fixed else p * p
    first, second = successive(taken)
    again = (first * second).mean(axis=1)
    slip = "passes" if again.mean() < p * p else "same_round"
    claims = [claim_on_rate(taken, p)]
    claims += [_claim(f"the rate of client {i}", taken[:, i], p, "same_clients") for i in range(n)]
    claims.append(_claim("the share in two rounds", again, p * p, slip))
    if not fixed:
        empty = np.asarray(~bits.any(axis=1), dtype=np.float64)
        slip = "blocks" if empty.any() else "never_empty"
        claims.append(_claim("the share of rounds without clients", empty, (1 - p) ** n, slip))
        claims += _claims_on_numbers(bits.sum(axis=1), r, n)
        spread = (taken.sum(axis=1) - r) ** 2
        claims.append(_claim("the variance of their number", spread, n * p * (1 - p), "blocks", high=n * n))
    claims += [
        _claim(f"the rate of clients {i} and {j} together", taken[:, i] * taken[:, j], together, "blocks")
        for i, j in combinations(range(n), 2)
    ]
    return claims


def claim_on_rate(bits: Floats, p: float) -> Mean:
    return _claim("the share of clients", bits.mean(axis=1), p, "rate")


def claim_on_draws(bits: Floats, p: float) -> Mean:
    """The same of every draw by itself: a bet on a rate near 1 can then win, as one on means cannot."""
    return _claim("the share of clients", bits.ravel(), p, "rate")


def _claims_on_numbers(numbers: Floats, r: int, n: int) -> list[Mean]:
    """How often more than m of n have come, for each m from the mean r on: never, where sets are cut off.

    Whether all n ever come is not asked here: an average that leaves out its extremes looks like nobody then.
    """
    from scipy.stats import binom

    rates = {m: float(binom.sf(m, n, r / n)) for m in range(r, n - 1)}
    slip = "blocks" if numbers.max() == n else "capped"
    return [
        _claim(
            f"the share of rounds with more than {m}",
            np.asarray(numbers > m, dtype=np.float64),
            rate,
            slip if m >= numbers.max() else "blocks",
        )
        for m, rate in rates.items()
    ]


def _claim(name: str, samples: Floats, mean: float, slip: str, *, high: float = 1) -> Mean:
    return Mean(name=name, samples=samples, mean=mean, low=0, high=high, slip=slip)


def is_everybody(lab: Lab) -> bool:
    """Whether every client takes part if as many are wanted as there are."""
    return bool(_taken_of_all(lab, ALL).all())


def read_absent(lab: Lab) -> list[Observation]:
    """The difference of code that leaves out clients at random where the listing has all of them.

    It leaves out a client that is alone too, or counts it twice, which hides every other line. Clients that
    are always left out are a matter of the average.
    """
    if lab.listing.law != "full":
        return _read_lone_client(lab)
    taken, again = (_taken_of_all(lab) for _ in range(2))
    moving = taken[taken.any(axis=1)]  # the first round, or the last, may be left out by another slip
    if np.array_equal(taken, again) and (moving == moving[:1]).all():
        return []
    part = Part.SAMPLING if lab.listing.line(Part.SAMPLING) else Part.AVERAGE
    because = "16 rounds of four clients with orthogonal gradients"
    wrong = differs(part, "not every client", "every client", because, "some_clients")
    return [find_lone_client(lab) or wrong]


def _read_lone_client(lab: Lab) -> list[Observation]:
    """The only client, if one is wanted, that moves the state so many times, others in other runs."""
    at = lab.listing.point(C=3.0)
    shown = instance(np.linspace(0.8, 1.6, at.d))
    moves, again = (np.diff(lab.states(shown, at, rounds=LONE), axis=0) for _ in range(2))
    if is_near(moves, again):
        return []
    every = np.array([*moves, *again])
    along = every @ every[np.abs(every).sum(axis=1).argmax()]
    if (along < 0).any():  # it goes back, which nobody's coming does
        return []
    shares = np.linalg.norm(every, axis=1)
    times = np.rint(shares / shares[shares > 0].min())
    if not _is_close(shares, times * shares[shares > 0].min()):
        return []
    measured = f"{times.min():.0f} to {times.max():.0f} times in a round"
    because = f"{LONE} rounds of one client, of one that is wanted"
    return [differs(Part.SAMPLING, measured, "once", because, "replacement" if times.max() > 1 else "rate")]


def find_lone_client(lab: Lab) -> Observation | None:
    """The difference of code that takes a single client's update in each round, where all four take part."""
    taken = _taken_of_all(lab)
    if not (taken.sum(axis=1) == 1).all():
        return None
    because = "four clients that all take part"
    return differs(Part.AVERAGE, "1 client in each round", "(1/r) times the sum", because, "one_client")


def find_choice(lab: Lab) -> Observation | None:
    """The difference of a median and its kin: of four orthogonal updates it takes none, of equal ones one."""
    at = lab.listing.point(n=4, r=4, d=4, E=2, C=3.0)
    if _taken_of_all(lab).any() or not lab.movement(instance(np.full((4, 4), 0.7)), at).any():
        return None
    because = "four clients that all take part, with orthogonal gradients, and with equal ones"
    return differs(Part.AVERAGE, "no movement, and one", "(1/r) times the sum", because, "no_sum")


def _taken_of_all(lab: Lab, rounds: int = 16) -> Floats:
    """Which of four clients move the state in each round, if as many are wanted."""
    at = lab.listing.point(n=4, r=4, d=4, E=2, C=3.0)
    states = lab.states(instance(np.diag([0.8, 1.1, 1.4, 1.7])), at, rounds=rounds)
    return np.asarray(np.abs(states[:-1] - states[1:]) > 0, dtype=np.float64)
