"""Algorithms 1 and 2 of the ALS-DPFL paper, as listings whose states are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.lab import Lab
from verify.conformance.listing import Line, Part
from verify.conformance.replay import adaptive_cases, noisy_cases, noisy_laws, noisy_slips, search_slips
from verify.conformance.replay.explain import explain, is_close
from verify.conformance.replay.family import Case, Family
from verify.conformance.replay.local_steps_search import Search
from verify.conformance.replay.noisy_steps import Lines, predict
from verify.conformance.verdict import Observation, Verdict, not_observable

FIXED = {
    "local_steps": 2,
    "step": 0.13,
    "clip_threshold": 2.9,
    "noise_multiplier": 0.0,
    "batch_size": 2,
}
BOUNDED = (Part.BOUNDING, "gradients of data points", "C")
EQUAL = "the code never asks for data points: it was shown clients of equal size"


def _lines(locator: str, numbered: Sequence[tuple[Part, str, str]]) -> tuple[Line, ...]:
    return tuple(Line(part=part, locator=f"{locator}.{line}", text=text) for part, line, text in numbered)


def _changed(lines: Lines, changes: Mapping[str, Any]) -> Lines:
    """The lines with these functions; those of the search are replaced in the search."""
    own = {field.name for field in fields(Search)}
    search = {name: value for name, value in changes.items() if name in own}
    rest = {name: value for name, value in changes.items() if name not in own}
    return replace(lines, search=replace(lines.search, **search), **rest)


def _cases(lab: Lab, example: Mapping[str, Any], adaptive: bool) -> Sequence[Case]:
    equal = not noisy_cases.asks_for_data(lab, example)
    build = adaptive_cases.adaptive if adaptive else noisy_cases.fixed
    return build(example, equal=equal)


def _laws(lab: Lab, lines: Lines | None, example: Mapping[str, Any], adaptive: bool) -> list[Observation]:
    """The laws of what is random; for code without data points, the lines on them are not observable."""
    one = {**example, **({} if adaptive else {"local_steps": 1})}
    equal = not noisy_cases.asks_for_data(lab, one)
    steady = adaptive_cases.steady(one) if adaptive else one
    everybody = noisy_laws.read_clients(lab, lines, steady)
    noise = noisy_laws.read_noise(lab, lines, one)
    search = _search(lab, lines, equal) if adaptive and noise[0].verdict is Verdict.AGREES else []
    if equal:
        silent = [not_observable(Part.BATCH, noisy_laws.NO_POINTS), not_observable(Part.AVERAGE, EQUAL)]
        return [*everybody, *silent, *noise, *search]
    if everybody[0].verdict is Verdict.DIFFERS:
        hidden = not_observable(Part.BATCH, "the difference at the line of the participation hides it")
        return [*everybody, hidden, *noise, *search]
    return [*everybody, *noisy_laws.read_batches(lab, lines, steady), *noise, *search]


def _search(lab: Lab, lines: Lines | None, equal: bool) -> list[Observation]:
    """A difference of the search that shows with noise alone: its size enters the objective."""
    if lines is None:
        return []
    cases = adaptive_cases.with_noise(adaptive_cases.ADAPTIVE, equal=equal)
    found = explain(lab, replace(ALS_DPFL, right=lines, cases=lambda lab: cases, slips=search_slips.OF_NOISE))
    # another estimate may answer noise as the listing's does not: only what has a name is a second slip
    named = lines.search is Lines().search
    return [one for one in found.observations if one.verdict is Verdict.DIFFERS and (named or one.slip)]


def _blamed(of: Part, measured: Floats, expected: Floats) -> Part:
    """A whole run that parts from the listing's by ending earlier or later counts something else."""
    if of is not Part.SEARCH:
        return of
    first = next(k for k in range(len(expected)) if not is_close(measured[: k + 1], expected[: k + 1]))
    still = [np.array_equal(states[first], states[first - 1]) for states in (measured, expected)]
    return Part.PRIVACY_COST if any(still) else of


DPFL: Family[Lines] = Family(
    algorithm="dpfl",
    lines=_lines(
        "C.alg1",
        (
            (Part.SAMPLING, "3", "every client takes part"),
            (Part.LOCAL_COUNT, "4", "tau local steps"),
            (Part.BATCH, "6", "each data point is in the batch with probability B/N, independently"),
            (Part.BOUNDING, "9", "g / max(1, norm(g)/C) for each data point"),
            (Part.BATCH_DIVISOR, "10.b", "1/B times the sum over the batch"),
            (Part.NOISE, "10.n", "N(0, sigma^2 C^2) once in the sum, then divided by B"),
            (Part.LOCAL_STEP, "11", "w_i = w_i - eta g"),
            (Part.AVERAGE, "14", "w = sum of N_i w_i over the sum of N_i"),
            (Part.LOCAL_START, "15", "local steps start at the average"),
            (Part.OUTPUT, "16", "return the last average"),
        ),
    ),
    example=FIXED,
    right=Lines(),
    slips=noisy_slips.SLIPS,
    cases=partial(_cases, example=FIXED, adaptive=False),
    changed=_changed,
    predict=predict,
    laws=partial(_laws, example=FIXED, adaptive=False),
    bounded=BOUNDED,
)
ALS_DPFL: Family[Lines] = Family(
    algorithm="als_dpfl",
    lines=_lines(
        "C.alg2",
        (
            (Part.BUDGET, "2", "rounds while both budgets are left"),
            (Part.SAMPLING, "3", "every client takes part"),
            (Part.ESTIMATE, "4", "rho_i and beta_i between the last local model and the average"),
            (Part.LOCAL_COUNT, "5", "tau* local steps"),
            (Part.BATCH, "7", "each data point is in the batch with probability B/N, independently"),
            (Part.BOUNDING, "10", "g / max(1, norm(g)/C) for each data point"),
            (Part.BATCH_DIVISOR, "11.b", "1/B times the sum over the batch"),
            (Part.NOISE, "11.n", "N(0, sigma^2 C^2) once in the sum, then divided by B"),
            (Part.LOCAL_STEP, "12", "w_i = w_i - eta g"),
            (Part.PRIVACY_COST, "13", "each local step costs privacy"),
            (Part.AVERAGE, "16", "w = sum of N_i w_i over the sum of N_i"),
            (Part.DIVERGENCE, "17", "xi_i at the new average"),
            (Part.SEARCH, "19", "tau* minimizes G over 1 to min(2 tau*, limit); 1 at the start"),
            (Part.LOCAL_START, "20", "local steps start at the average"),
            (Part.COMMUNICATION_COST, "21", "each round costs communication"),
            (Part.OUTPUT, "22", "return the last average"),
        ),
    ),
    example=adaptive_cases.ADAPTIVE,
    right=Lines(),
    slips=(*noisy_slips.SLIPS, *search_slips.SLIPS),
    cases=partial(_cases, example=adaptive_cases.ADAPTIVE, adaptive=True),
    changed=_changed,
    predict=predict,
    laws=partial(_laws, example=adaptive_cases.ADAPTIVE, adaptive=True),
    bounded=BOUNDED,
    blamed=_blamed,
)
