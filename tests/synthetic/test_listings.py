"""Every algorithm against its printed listing: one client and one replicate at a time, on the same draws.

The listings (`listings/`) and the functions of the clients (`listings/by_hand.py`) are written out by hand
and share nothing with the engine but the draws. Relative to max(1, norm of the state), a round from the same
state agrees within 1e-12 and a whole trajectory within 1e-10; where a step has a fixed length, rounding is
amplified from round to round, so there each round starts from the engine's state.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from listings import fedavg as listed_fedavg
from listings import gradient_descent as listed_gradient_descent
from listings.agreement.averaging import (
    agree_on_fedavg,
    agree_on_private_averaging,
    agree_on_smoothed_averaging,
    clipped_of_those_who_came,
    oracles,
    thresholds,
)
from listings.agreement.descent import agree_on_descent, agree_on_stochastic_descent
from listings.agreement.error_feedback import (
    agree_on_error_feedback,
    agree_on_gradients_with_error_feedback,
    agree_on_memory_update,
)
from listings.agreement.noisy_steps import (
    ADAPTIVE,
    AUXILIARY,
    agree_on_adaptive_steps,
    agree_on_noisy_steps,
    agree_on_the_search,
)
from listings.cases import BASE, CASES, ROUND, SMALLEST, drawn_case, near

from synthetic import measures, run
from synthetic.algorithms import (
    _averaging,
    _error_feedback,
    _local_operators,
    _local_steps_search,
    _noisy_steps,
    dp_fedavg,
    dp_norm_fedavg,
    fedavg,
    gradient_descent,
    memory_update,
    smoothed_dp_fedavg,
    stochastic_gradient_descent,
)
from synthetic.algorithms._common import local_descent, local_updates, smoothed_normalisation, to_length
from synthetic.algorithms._local_operators import local_gradients
from synthetic.engine.arithmetic import step_at
from synthetic.engine.client_vectors import sum_of_taking
from synthetic.engine.randomness import Place
from synthetic.oracles import Gaussian, Sphere, StudentT, TwoPoint
from synthetic.participation import FixedSize, Full
from synthetic.problems.quadratic import quadratic

FURTHER = pytest.mark.slow(
    "six drawn cases of each algorithm are in tier one, of every kind and participation"
)
LEFT = [f"drawn {seed}" for seed in (0, 1, 2, 9, 10, 11)]
every_case = pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=name, marks=FURTHER if name in LEFT else ()) for name, case in CASES.items()],
)
either_placement = pytest.mark.parametrize("placement", ["clients", "server"])
either_step = pytest.mark.parametrize("normalise", [True, False], ids=["fixed length", "memory"])
OF_SUMS = [replace(case, kind="component_sum", local_steps=3) for case in list(CASES.values())[:10]]


@pytest.mark.sampled
@either_placement
@every_case
def test_clipped_averaging(case, placement):
    for bound in thresholds(case):
        agree_on_private_averaging(case, "dp_fedavg", bound, placement)


def test_the_thresholds_clip_all_some_and_none_of_those_who_came():
    seen = set()
    for case in CASES.values():
        for bound in thresholds(case):
            for clipped in clipped_of_those_who_came(case, bound):
                seen.add((bool(clipped.any()), bool(clipped.all()), len(clipped) > 1))
    everyone, some, nobody, no_one_came = (
        (True, True, True),
        (True, False, True),
        (False, False, True),
        (False, True, False),
    )
    assert seen >= {everyone, some, nobody, no_one_came}


@pytest.mark.sampled
@either_placement
@every_case
def test_averaging_of_updates_of_one_length(case, placement):
    agree_on_private_averaging(case, "dp_norm_fedavg", 0.7, placement)


@every_case
def test_plain_and_stochastic_averaging(case):
    for oracle in oracles(case):
        agree_on_fedavg(case, oracle)


@pytest.mark.parametrize("rule", [Full(), FixedSize(count=3)])
def test_a_listed_round_of_plain_averaging_is_the_mean_of_the_local_models(rule):
    """The other form of the listing's last line."""
    made, w, S = BASE.made(), BASE.start()[0], BASE.draws(0).sampled(rule, 0)
    of_clients = {"E": 5, "eta": lambda k: 0.25, "gradient": lambda i, w, k, tau: made.gradient(i, w)}
    _, after = listed_fedavg.fedavg(
        w, rounds=range(1), beta=lambda k: 1.0, r=len(S), sampled=lambda k: S, **of_clients
    )
    near(after, sum(listed_fedavg.client(i, 0, w, **of_clients) for i in S) / len(S), ROUND, w)


@pytest.mark.sampled
@pytest.mark.parametrize("variance", ["total", "per_coordinate"])
@either_placement
@every_case
def test_smoothed_averaging(case, placement, variance):
    agree_on_smoothed_averaging(case, "gradient_descent", placement, variance)


@pytest.mark.sampled
@either_step
@pytest.mark.parametrize(("private", "placement"), [(False, "clients"), (True, "clients"), (True, "server")])
@every_case
def test_error_feedback(case, private, placement, normalise):
    agree_on_error_feedback(case, private=private, placement=placement, normalise=normalise)


@pytest.mark.parametrize("case", OF_SUMS)
def test_incremental_passes(case):
    agree_on_error_feedback(case, "incremental", private=True, placement="clients", normalise=True)
    agree_on_smoothed_averaging(case, "incremental", "clients", "total")


@pytest.mark.parametrize("name", ["nothing moves", "zero updates"])
def test_corrections_without_direction(name):
    """Without smoothing a zero correction has no direction: it is sent as zero, and nothing moves."""
    case = replace(CASES[name], rounds=1, seed=3 * CASES[name].seed)
    agree_on_error_feedback(case, private=False, placement="clients", normalise=True, alpha=0.0)


@pytest.mark.sampled
@either_step
@either_placement
@every_case
def test_gradients_with_error_feedback(case, placement, normalise):
    agree_on_gradients_with_error_feedback(case, placement, normalise)


@every_case
def test_a_round_of_a_memory(case):
    for alpha in (0.2, 0.0):
        agree_on_memory_update(case, alpha)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("threshold", "kind"), [*zip((0.01, 0.7, 100.0), AUXILIARY, strict=True), (math.inf, "independent")]
)
@every_case
def test_noisy_local_steps(case, threshold, kind):
    agree_on_noisy_steps(case, threshold, kind)


@pytest.mark.sampled
@pytest.mark.parametrize("given", ADAPTIVE.values(), ids=ADAPTIVE.keys())
@pytest.mark.parametrize("case", [*list(CASES.values())[:6], SMALLEST, BASE, CASES["nothing moves"]])
def test_adaptive_local_steps(case, given):
    for threshold in (0.3, 100.0):
        agree_on_adaptive_steps(case, threshold, AUXILIARY[case.seed % 3], **given)


def test_the_search():
    found = set().union(*(agree_on_the_search(seed) for seed in range(40)))
    assert len(found) > 10


def test_several_numbers_of_local_steps_are_chosen():
    chosen = [agree_on_adaptive_steps(BASE, 100.0, "independent", **given) for given in ADAPTIVE.values()]
    assert max(len(taus) for taus in chosen) >= 3


@every_case
def test_descent(case):
    agree_on_descent(case)
    for oracle in (Gaussian(scale=2), Sphere(scale=2), TwoPoint(scale=2), StudentT(scale=2, degrees=3)):
        agree_on_stochastic_descent(case, oracle)


@pytest.mark.slow("twelve drawn cases of each algorithm are above")
@pytest.mark.parametrize("seed", range(12, 36))
def test_further_drawn_cases(seed):
    case, placement = drawn_case(seed), ("clients", "server")[seed % 2]
    for bound in thresholds(case):
        agree_on_private_averaging(case, "dp_fedavg", bound, placement)
    agree_on_private_averaging(case, "dp_norm_fedavg", 0.05 + seed % 3, placement)
    for oracle in oracles(case):
        agree_on_fedavg(case, oracle)
    agree_on_smoothed_averaging(case, "gradient_descent", placement, "total")
    for normalise in (True, False):
        agree_on_error_feedback(case, private=seed % 3 > 0, placement=placement, normalise=normalise)
        agree_on_gradients_with_error_feedback(case, placement, normalise)
    agree_on_noisy_steps(case, 0.7, AUXILIARY[seed % 3])
    agree_on_adaptive_steps(case, 0.3, AUXILIARY[seed % 3], **ADAPTIVE["other costs"])


def test_descent_in_fractions_is_the_listing_exactly():
    half, third = Fraction(1, 2), Fraction(1, 3)
    hessians = np.array([[[half, third], [third, half]], [[third, 0], [0, half]]], dtype=object)
    centers = np.array([[third, 1], [Fraction(-2, 7), half]], dtype=object)
    problem, start = quadratic(hessians, centers), np.array([Fraction(5, 3), Fraction(1, 7)], dtype=object)
    settings = gradient_descent.Settings(start=start, steps=4, step=(half, third, Fraction(3, 4), half))
    trace = run("gradient_descent", problem, settings, replicates=2, seed=0, stream="s", observe=("state",))
    states = listed_gradient_descent.gradient_descent(
        start,
        steps=range(4),
        step=lambda k: settings.step[k],
        gradient=lambda x: sum(hessians[i] @ (x - centers[i]) for i in range(2)) / Fraction(2),
    )
    for replicate in range(2):
        assert trace.measurements["state"][replicate].tolist() == [x.tolist() for x in states]


# Each of these defects, planted under a name that the engine uses, is caught


def every_client(taking, messages):
    return sum_of_taking(None, messages)


def first_step(steps, index):
    return float(step_at(steps, 0))


def one_step_less(gradients, start, *, step, steps):
    return local_descent(gradients, start, step=step, steps=steps - 1)


def one_step_of_less(problem, start, *, step, steps):
    return local_updates(problem, start, step=step, steps=steps - 1)


def backwards(problem, operator, steps):
    forward = local_gradients(problem, operator, steps)
    return lambda j, points: forward(steps - 1 - j, points)


def doubled(function):
    return lambda *arguments: 2 * function(*arguments)


def clipping(case=BASE):
    return agree_on_private_averaging(case, "dp_fedavg", thresholds(case)[1], "clients")


def feedback(case=BASE, operator="gradient_descent"):
    agree_on_error_feedback(case, operator, private=True, placement="clients", normalise=True)


DEFECTS = {
    "short updates are stretched": (dp_fedavg, "clip", to_length, clipping),
    "clients that stay away are heard": (_averaging, "sum_of_taking", every_client, clipping),
    "a local step is missing": (_averaging, "local_updates", one_step_of_less, clipping),
    "the schedule stands still": (
        _averaging,
        "float_step",
        first_step,
        lambda: clipping(replace(BASE, scheduled=True)),
    ),
    "updates are twice as long": (
        dp_norm_fedavg,
        "to_length",
        lambda vectors, length: to_length(vectors, 2 * length),
        lambda: agree_on_private_averaging(BASE, "dp_norm_fedavg", 0.7, "server"),
    ),
    "all local steps share one draw": (
        fedavg,
        "Place",
        lambda local_step, **place: Place(**place),
        lambda: agree_on_fedavg(BASE, Gaussian(scale=0.5)),
    ),
    "the draws are a round late": (
        stochastic_gradient_descent,
        "Place",
        lambda round, **place: Place(round=round + 1, **place),
        lambda: agree_on_stochastic_descent(BASE, Gaussian(scale=0.5)),
    ),
    "nothing is smoothed": (
        _error_feedback,
        "smoothed_normalisation",
        lambda vectors, smoothing: smoothed_normalisation(vectors, 0.0),
        feedback,
    ),
    "every correction arrives": (_error_feedback, "sum_of_taking", every_client, feedback),
    "components in another order": (
        _local_operators,
        "local_gradients",
        backwards,
        lambda: feedback(replace(BASE, kind="component_sum"), "incremental"),
    ),
    "a movement is divided by its length": (
        smoothed_dp_fedavg,
        "smoothed_normalisation",
        lambda vectors, smoothing: smoothed_normalisation(vectors * (4 / 3), smoothing),
        lambda: agree_on_smoothed_averaging(BASE, "gradient_descent", "clients", "total"),
    ),
    "noisy steps are not clipped": (
        _noisy_steps,
        "clip",
        lambda vectors, threshold: vectors,
        lambda: agree_on_noisy_steps(BASE, 0.01, "independent"),
    ),
    "noise of twice the deviation": (
        _noisy_steps,
        "noise_scale",
        doubled(_noisy_steps.noise_scale),
        lambda: agree_on_noisy_steps(BASE, 0.7, "average_of_clients"),
    ),
    "the search doubles the deviation": (
        _local_steps_search,
        "deviation",
        doubled(_local_steps_search.deviation),
        lambda: agree_on_the_search(0),
    ),
    "a memory sees one step less": (
        memory_update,
        "local_descent",
        one_step_less,
        lambda: agree_on_memory_update(BASE),
    ),
    "gaps are not above the minimum": (measures, "without_rounding", np.add, clipping),
    "distances are not squared": (measures, "squared_norm", measures.norm, clipping),
    "gradients are longer": (measures, "norm", doubled(measures.norm), clipping),
}


@pytest.mark.parametrize(("module", "name", "defect", "agree"), DEFECTS.values(), ids=DEFECTS.keys())
def test_a_planted_defect_is_caught(module, name, defect, agree, monkeypatch):
    agree()
    monkeypatch.setattr(module, name, defect)
    with pytest.raises(AssertionError):
        agree()
