"""Listings and case distinctions carried out as they are printed, an index or a line out of its place."""

from verify.witness import Measured


def rounds_until_the_return() -> Measured:
    """Lines 2 to 14 for K = 3: the rounds that are carried out, with line 13 before the end of the loop."""
    rounds, loop, passed, line = 3, range(2, 15), 0, 2
    while line in loop and passed < rounds:
        if line == 12:
            passed += 1
        line = 15 if line == 13 else 2 if line == 14 else line + 1
    return Measured(left=float(passed), right=float(rounds), applicable=True, equality=True)


def aggregations_of_the_guard() -> Measured:
    """Lines 1, 2, 13 and 14 for K = 3, against T = K tau local steps, which are K intervals."""
    intervals, k, aggregations = 3, 1, 0
    while k < intervals:
        k += 1
        aggregations += 1
    return Measured(left=float(aggregations), right=float(intervals), applicable=True, equality=True)


def steps_of_the_auxiliary_sequence() -> Measured:
    """The interval k = 2 with tau = 3, t from 3 to 6: at how many points (8) has a value, and of how many."""
    k, tau = 2, 3
    interval = range((k - 1) * tau, k * tau + 1)
    defined = [t for t in interval if t >= k * tau]
    return Measured(left=float(len(defined)), right=float(len(interval)), applicable=True, equality=True)


def round_without_a_memory() -> Measured:
    """Fed-alpha-NormEC, M = 2, p = 1/2, all v_i^0 = 0: how likely line 15 divides by 0 in the first round."""
    clients, p = 2, 0.5
    return Measured(left=(1 - p) ** clients, right=0.0, applicable=True)


def update_of_a_client_at_its_minimum() -> Measured:
    """DP-NormFedAvg, w^2/2 from 0 with C = 1: every multiple of the update 0 is shorter than C."""
    update, C = 0.0, 1.0
    return Measured(left=1e6 * update, right=C, applicable=True, equality=True)
