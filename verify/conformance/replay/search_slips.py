"""Known slips of the adaptive part of ALS-DPFL: budgets, estimates and the search of tau."""

# ruff: noqa: E501  a table is read by its rows

import math
from collections.abc import Callable

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.listing import Part
from verify.conformance.replay.family import slip
from verify.conformance.replay.local_steps_search import (
    Values,
    distances,
    first_term,
    gap,
    noise_term,
    second_term,
)

P = Part
Gap = Callable[[Values, float, float, float, int], float]


def _rounds(v: Values) -> float:
    return float(v["communication_budget"] / v["communication_cost"])


def _steps(v: Values) -> float:
    return float(v["privacy_budget"] / v["privacy_cost"])


def _other_noise(factor: Callable[[Values, int], float]) -> Gap:
    """h with s times a factor."""

    def changed(v: Values, tau: float, beta: float, xi: float, d: int) -> float:
        other = {**v, "noise_multiplier": v["noise_multiplier"] * factor(v, d)}
        return gap(other, tau, beta, xi, d)

    return changed


def _largest(values: list[float]) -> int:
    """The index of the largest finite value; the first if none is."""
    finite = [value for value in values if math.isfinite(value)]
    return values.index(max(finite)) if finite else 0


_G = P.SEARCH
SEARCHES = (
    slip(_G, "fixed", "tau never grows: it is not renewed, T has no tau in it, or the index that counts from zero is taken", adapts=False),
    slip(_G, "first_two", "the first round has two local steps", first=2),
    slip(_G, "whole_range", "all tau up to the largest are tried, not only those up to twice the last", largest=lambda v, tau: v["search_limit"]),
    slip(_G, "one_more", "tau is tried up to tau* + 1, not up to twice tau*", largest=lambda v, tau: min(tau + 1, v["search_limit"])),
    slip(_G, "strictly_below", "the largest tau of the range is left out", largest=lambda v, tau: min(2 * tau, v["search_limit"]) - (tau > 1)),
    slip(_G, "from_two", "tau is tried from 2 on", least=2),
    slip(_G, "all_one_more", "every tau that is tried is larger by one", least=2, largest=lambda v, tau: min(2 * tau, v["search_limit"]) + 1),
    slip(_G, "no_limit", "tau is tried up to twice tau* beyond the limit", largest=lambda v, tau: 2 * tau),
    slip(_G, "largest_taken", "the tau that maximizes the objective is taken", pick=_largest),
    slip(_G, "last_of_range", "the largest tau of the range is taken, whatever the objective", pick=lambda values: len(values) - 1),
    slip(_G, "stays_without", "tau stays as it is where no tau makes the bracket positive", none=lambda tau, least: tau),
    slip(_G, "resources_exchanged", "the resources of the rounds and of the steps are exchanged", total=lambda v, tau: min(_steps(v) * tau, _rounds(v))),
    slip(_G, "rounds_only", "T is R_s tau, without the minimum", total=lambda v, tau: _rounds(v) * tau),
    slip(_G, "maximum", "T is the maximum of R_s tau and R_c", total=lambda v, tau: max(_rounds(v) * tau, _steps(v))),
    slip(_G, "costs_left_out", "T is made of the budgets, not divided by the costs", total=lambda v, tau: min(v["communication_budget"] * tau, v["privacy_budget"])),
    slip(_G, "gap_not_squared", "lambda is in the place of its square", bracket=lambda v, tau, rho, h: v["step"] * v["control"] - rho * h / (tau * v["smallest_gap"])),
    slip(_G, "not_over_tau", "rho h is not divided by tau", bracket=lambda v, tau, rho, h: v["step"] * v["control"] - rho * h / v["smallest_gap"] ** 2),
    slip(_G, "without_lipschitz", "h is not multiplied by rho", bracket=lambda v, tau, rho, h: v["step"] * v["control"] - h / (tau * v["smallest_gap"] ** 2)),
    slip(_G, "without_step", "phi is not multiplied by the local step", bracket=lambda v, tau, rho, h: v["control"] - rho * h / (tau * v["smallest_gap"] ** 2)),
    slip(_G, "plus", "rho h/(tau lambda^2) is added where it is to be subtracted", bracket=lambda v, tau, rho, h: v["step"] * v["control"] + rho * h / (tau * v["smallest_gap"] ** 2)),
    slip(_G, "first_term_only", "h lacks its second term", gap=first_term),
    slip(_G, "second_undivided", "the second term of h is not divided by the batch size", gap=lambda v, tau, beta, xi, d: first_term(v, tau, beta, xi, d) + v["batch_size"] * second_term(v, tau, xi, d)),
    slip(_G, "second_over_square", "the second term of h is divided by the batch size twice", gap=lambda v, tau, beta, xi, d: first_term(v, tau, beta, xi, d) + second_term(v, tau, xi, d) / v["batch_size"]),
    slip(_G, "second_not_times_tau", "the second term of h is not multiplied by tau", gap=lambda v, tau, beta, xi, d: first_term(v, tau, beta, xi, d) + second_term(v, 1, xi, d)),
    slip(_G, "power_less_one", "the power in h is x - 1", gap=lambda v, tau, beta, xi, d: first_term(v, tau - 1, beta, xi, d) + second_term(v, tau, xi, d)),
    slip(_G, "minus_left_out", "the power in h lacks the minus 1 after it", gap=lambda v, tau, beta, xi, d: gap(v, tau, beta, xi, d) + (float((xi + noise_term(v, d) / v["batch_size"]) / beta) if beta else 0.0)),
    slip(_G, "not_over_beta", "the power in h is not divided by beta", gap=lambda v, tau, beta, xi, d: first_term(v, tau, beta, xi, d) * (beta or 1.0) + second_term(v, tau, xi, d)),
    slip(_G, "first_order", "the power in h is replaced by its first order", gap=lambda v, tau, beta, xi, d: gap(v, tau, 0.0, xi, d)),
)  # fmt: skip
# without noise these change nothing
OF_NOISE = (
    slip(_G, "gap_without_threshold", "the noise in h lacks the threshold", gap=_other_noise(lambda v, d: 1 / v["clip_threshold"])),
    slip(_G, "gap_dimension_not_root", "the noise in h has d in the place of its square root", gap=_other_noise(lambda v, d: math.sqrt(d))),
    slip(_G, "gap_without_two", "the noise in h lacks the factor 2", gap=_other_noise(lambda v, d: 0.5)),
    slip(_G, "gap_without_dimension", "the noise in h lacks the square root of the dimension", gap=_other_noise(lambda v, d: 1 / math.sqrt(d))),
    slip(_G, "gap_without_noise", "h has no noise in it", gap=_other_noise(lambda v, d: 0.0)),
)  # fmt: skip


def _largest_of(estimates: Floats, weights: Floats) -> float:
    return float(estimates.max())


def _median_of(estimates: Floats, weights: Floats) -> float:
    return float(np.median(estimates))


def _sum_of(estimates: Floats, weights: Floats) -> float:
    return float(estimates.sum())


def _root_mean_square(estimates: Floats, weights: Floats) -> float:
    return float(np.sqrt(weights @ estimates**2))


def _norms(gradients: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(gradients, axis=1)
    return lengths


OF_CLIENTS = (
    slip(P.LOCAL_START, "late_tau", "the clients receive the tau* of the round before", late=True),
    slip(P.ESTIMATE, "largest_smoothness", "the largest smoothness of the clients is taken, not their mean", smoothness=_largest_of),
    slip(P.ESTIMATE, "largest_lipschitz", "the largest Lipschitz constant of the clients is taken, not their mean", lipschitz=_largest_of),
    slip(P.ESTIMATE, "sum_smoothness", "the smoothness of the clients is summed, not averaged", smoothness=_sum_of),
    slip(P.ESTIMATE, "sum_lipschitz", "the Lipschitz constants of the clients are summed, not averaged", lipschitz=_sum_of),
    slip(P.ESTIMATE, "largest", "the largest estimates of the clients are taken, not their means", lipschitz=_largest_of, smoothness=_largest_of),
    slip(P.ESTIMATE, "median", "the medians of the clients' estimates are taken, not their means", lipschitz=_median_of, smoothness=_median_of),
    slip(P.ESTIMATE, "sum", "the estimates of the clients are summed, not averaged", lipschitz=_sum_of, smoothness=_sum_of),
    slip(P.ESTIMATE, "new_average", "the estimates are those between the models of the round and their own average", fresh=True),
    slip(P.ESTIMATE, "own_start", "the estimates are those between the models of the round and the average that they started from", fresh=True, between=lambda before, after: before),
    slip(P.ESTIMATE, "signed", "differences of values are averaged with their signs", values_at=lambda differences: differences),
    slip(P.ESTIMATE, "bend_over_square", "the difference of the gradients is divided by the squared distance", bend=lambda bends, away: bends / away**2),
    slip(P.ESTIMATE, "slope_over_square", "the difference of the values is divided by the squared distance", slope=lambda values, away, gradients: values / away**2),
    slip(P.ESTIMATE, "bend_undivided", "the difference of the gradients is not divided by the distance", bend=lambda bends, away: bends),
    slip(P.ESTIMATE, "slope_undivided", "the difference of the values is not divided by the distance", slope=lambda values, away, gradients: values),
    slip(P.ESTIMATE, "exchanged", "the Lipschitz constant and the smoothness are exchanged", ordered=lambda rho, beta: (beta, rho)),
    slip(P.ESTIMATE, "gradient_for_lipschitz", "the gradient's norm is in the place of the Lipschitz constant", slope=lambda values, away, gradients: _norms(gradients)),
    slip(P.ESTIMATE, "averages", "the estimates are those between two successive averages, not to the clients' models", ended=lambda models, before: np.array([before] * len(models))),
    slip(P.DIVERGENCE, "largest_divergence", "the largest divergence of the clients is taken, not their mean", divergence=_largest_of),
    slip(P.DIVERGENCE, "squared_divergence", "the root of the mean square of the divergences is taken", divergence=_root_mean_square),
    slip(P.DIVERGENCE, "mean_square", "the squares of the differences are averaged, without a root", apart=lambda gradients: distances(gradients) ** 2),
    slip(P.DIVERGENCE, "no_divergence", "the divergence is zero", apart=lambda gradients: 0 * _norms(gradients)),
    slip(P.DIVERGENCE, "gradient_norms", "norms of gradients are taken, not of their differences to the mean", apart=_norms),
    slip(P.DIVERGENCE, "sum_divergence", "the divergences are summed, not averaged", divergence=_sum_of),
    slip(P.DIVERGENCE, "old_average", "the divergence is that at the average before the round", place=lambda before, after: before),
)  # fmt: skip
BUDGETS = (
    slip(P.BUDGET, "or", "the loop goes on while one of the budgets is left", guard=lambda c, p, v: c < v["communication_budget"] or p < v["privacy_budget"]),
    slip(P.BUDGET, "communication_only", "the loop looks at the communication alone", guard=lambda c, p, v: c < v["communication_budget"]),
    slip(P.BUDGET, "privacy_only", "the loop looks at the privacy alone", guard=lambda c, p, v: p < v["privacy_budget"]),
    slip(P.BUDGET, "at_most", "the loop goes on when a budget is spent exactly", guard=lambda c, p, v: c <= v["communication_budget"] and p <= v["privacy_budget"]),
    slip(P.BUDGET, "communication_at_most", "the loop goes on when the communication is spent exactly", guard=lambda c, p, v: c <= v["communication_budget"] and p < v["privacy_budget"]),
    slip(P.BUDGET, "privacy_at_most", "the loop goes on when the privacy is spent exactly", guard=lambda c, p, v: c < v["communication_budget"] and p <= v["privacy_budget"]),
    slip(P.BUDGET, "endless", "the loop never ends", guard=lambda c, p, v: True),
    slip(P.BUDGET, "next_round_fits", "a round is left out if it would overshoot a budget by its first step", guard=lambda c, p, v: c + v["communication_cost"] <= v["communication_budget"] and p + v["privacy_cost"] <= v["privacy_budget"]),
    slip(P.PRIVACY_COST, "per_round", "privacy is counted in rounds, not in local steps", privacy=lambda v, tau, n: v["privacy_cost"]),
    slip(P.PRIVACY_COST, "next_tau", "privacy is counted with the tau* of the next round", paid=lambda tau, found: found),
    slip(P.PRIVACY_COST, "per_client", "privacy is counted for every client", privacy=lambda v, tau, n: v["privacy_cost"] * tau * n),
    slip(P.PRIVACY_COST, "not_counted", "no privacy is counted", privacy=lambda v, tau, n: 0.0),
    slip(P.COMMUNICATION_COST, "per_step", "communication is counted in local steps, not in rounds", communication=lambda v, tau, n: v["communication_cost"] * tau),
    slip(P.COMMUNICATION_COST, "per_client", "communication is counted for every client", communication=lambda v, tau, n: v["communication_cost"] * n),
    slip(P.COMMUNICATION_COST, "not_counted", "no communication is counted", communication=lambda v, tau, n: 0.0),
)  # fmt: skip
SLIPS = (*SEARCHES, *OF_CLIENTS, *BUDGETS)
