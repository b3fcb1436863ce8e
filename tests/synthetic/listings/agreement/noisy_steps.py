"""Noisy clipped local steps with their companion, and the search of their number."""

import math
from functools import partial

import numpy as np
from listings import als_dpfl as listed_als_dpfl
from listings import dpfl as listed_dpfl
from listings.cases import ROUND, TRAJECTORY, follows, near

from synthetic.algorithms import _local_steps_search as search
from synthetic.algorithms import als_dpfl, dpfl

STEP = 0.25
AUXILIARY = ("independent", "independent_divided", "average_of_clients")
WITHIN = ("distance_to_auxiliary", "value_difference_to_auxiliary", "auxiliary_gap")
OF_CLIENTS = ("client_distance_to_auxiliary", "client_gradient_norm", "client_gradient_error")


def auxiliary(case, draws, kind, *, sigma, C, B):
    """The noise of the companion as it is injected."""
    scale = listed_dpfl.deviation(sigma, C)
    if kind == "average_of_clients":
        normal = partial(draws.normal, "client noise")
        return lambda k, j: sum(scale * normal(k, i, j) / B for i in range(case.clients)) / case.clients
    divisor = B if kind == "independent_divided" else 1
    return lambda k, j: scale * draws.normal("auxiliary noise", k, j=j) / divisor


def agree_on_noisy_steps(case, threshold, kind):
    constants = {"sigma": 0.2 if threshold < math.inf else 0.0, "C": threshold, "B": 1 + case.seed % 4}
    settings = dpfl.Settings(
        start=case.start(),
        rounds=case.rounds,
        local_steps=case.local_steps,
        step=STEP,
        clip_threshold=threshold,
        noise_multiplier=constants["sigma"],
        batch_size=constants["B"],
        auxiliary_noise=kind,
    )
    measured = case.run("dpfl", settings, (*WITHIN, *OF_CLIENTS)).measurements
    for replicate in range(case.replicates):
        draws = case.draws(replicate)
        listing = partial(
            listed_dpfl.dpfl,
            clients=case.clients,
            tau=case.local_steps,
            eta=STEP,
            gradient=case.made().gradient,
            normal=partial(draws.normal, "client noise"),
            auxiliary_noise=auxiliary(case, draws, kind, **constants),
            **constants,
        )
        states = measured["state"][replicate]
        whole, _ = listing(settings.start[replicate], rounds=range(case.rounds))
        follows(states, lambda w, k, go=listing: go(w, rounds=range(k, k + 1))[0][-1], whole)
        for k, w in enumerate(states[:-1]):
            found = {name: measured[name][replicate, k] for name in (*WITHIN, *OF_CLIENTS)}
            _, [(models, v)] = listing(w, rounds=range(k, k + 1))
            _of_interval(case, found, w, models, v)


def _of_interval(case, found, w, models, v):
    minimum = float(case.made().problem.minimum())
    for j in range(case.local_steps + 1):
        mean = sum(path[j] for path in models) / case.clients
        near(found["distance_to_auxiliary"][j], np.linalg.norm(mean - v[j]), ROUND, w)
        ours, its = case.mean_value(mean), case.mean_value(v[j])
        near(found["value_difference_to_auxiliary"][j], ours - its, ROUND, [ours, its])
        near(found["auxiliary_gap"][j], its - minimum, ROUND, [its, minimum])
        for i, path in enumerate(models):
            apart = np.linalg.norm(path[j] - v[j])
            near(found["client_distance_to_auxiliary"][j, i], apart, ROUND, w)
    for j in range(case.local_steps):
        for i, path in enumerate(models):
            g = case.made().gradient(i, path[j])
            near(found["client_gradient_norm"][j, i], np.linalg.norm(g), ROUND, w)
            injected = (path[j] - path[j + 1]) / STEP
            near(found["client_gradient_error"][j, i], np.linalg.norm(injected - g), ROUND, path[j])


BUDGETS = {
    "communication_budget": 6.0,
    "privacy_budget": 30.0,
    "communication_cost": 1.0,
    "privacy_cost": 1.0,
    "control": 2.0,
    "smallest_gap": 1.5,
    "search_limit": 100,
}
ADAPTIVE = {
    "plain": {},
    "little privacy": {"privacy_budget": 12.0},
    "other costs": {"privacy_cost": 0.5, "communication_cost": 2.0, "communication_budget": 11.0},
    "small limit": {"control": 50.0, "smallest_gap": 4.0, "search_limit": 3},
    "no tau is allowed": {"control": 1e-6},
    "much privacy": {"control": 50.0, "smallest_gap": 3.0, "privacy_budget": 100.0},
}


def listed_budgets(settings):
    return {
        "C_b": settings.communication_budget,
        "P_b": settings.privacy_budget,
        "cc": settings.communication_cost,
        "pc": settings.privacy_cost,
        "phi": settings.control,
        "lam": settings.smallest_gap,
        "limit": settings.search_limit,
    }


def agree_on_adaptive_steps(case, threshold, kind, **given):
    """The numbers of local steps that were chosen."""
    constants, chosen, lengths = {"sigma": 0.02, "C": threshold, "B": 1 + case.seed % 4}, set(), set()
    settings = als_dpfl.Settings(
        start=case.start(), step=STEP, clip_threshold=threshold, noise_multiplier=constants["sigma"],
        batch_size=constants["B"], auxiliary_noise=kind, **BUDGETS | given,
    )  # fmt: skip
    names = (*als_dpfl.OF_BUDGET, *als_dpfl.OF_ESTIMATES, "distance_to_auxiliary")
    trace = case.run("als_dpfl", settings, names)
    for replicate in range(case.replicates):
        draws = case.draws(replicate)
        noises = {
            "normal": partial(draws.normal, "client noise"),
            "auxiliary_noise": auxiliary(case, draws, kind, **constants),
        }
        averages, records = listed_als_dpfl.als_dpfl(
            settings.start[replicate],
            clients=case.clients,
            value=case.made().value,
            gradient=case.made().gradient,
            local={"eta": STEP, **constants, **noises},
            **listed_budgets(settings),
        )
        found = {name: trace.measurements[name][replicate] for name in ("state", *names)}
        K = len(records)
        assert list(found["active"]) == [k < K for k in range(len(found["active"]))]
        for k, w in enumerate(averages):
            near(found["state"][k], w, TRAJECTORY, w)
        for ended in (*found["state"][K:], trace.final_state[replicate]):
            near(ended, found["state"][K], 0.0, averages[-1])
        for k, record in enumerate(records):
            _compare_round({name: found[name][k] for name in names}, averages[k + 1], record)
            chosen.add(record["tau"])
        lengths.add(K)
    assert len(trace.measurements["active"][0]) == max(lengths)
    return chosen


def _compare_round(found, w, record):
    assert found["local_steps"] == record["tau"]
    near(found["communication_spent"], record["c_b"], ROUND, [record["c_b"]])
    near(found["privacy_spent"], record["p_b"], ROUND, [record["p_b"]])
    near(found["distance_to_auxiliary"], np.linalg.norm(w - record["companion"]), TRAJECTORY, w)
    near(found["estimated_divergence"], record["xi"], TRAJECTORY, w)
    if record["distances"]:
        # a difference over a distance: what rounds in the one is divided by the other
        tolerance = TRAJECTORY / min(record["distances"])
        near(found["estimated_lipschitz"], record["rho"], tolerance, w)
        near(found["estimated_smoothness"], record["beta"], tolerance, w)


def agree_on_the_search(seed):
    """Ten estimates at once, with and without curvature, budgets that bind on either side."""
    random = np.random.default_rng(seed)
    C, sigma, B, d = (float(2.0 ** random.integers(-3, 3)) for _ in range(4))
    B, d, eta = math.ceil(B), math.ceil(d), float(random.uniform(0.05, 0.5))
    phi, lam = float(random.uniform(1, 30)), float(random.uniform(1, 4))
    R_s, R_c, limit = (float(random.integers(1, 40)) for _ in range(3))
    rho, beta, xi = random.uniform(0, 1, (3, 10)) * [[2.0], [1.0], [0.5]]
    beta[:2] = 0.0
    current = random.integers(1, 30, 10)
    objective = search.Objective(
        step=eta,
        noise=2 * math.sqrt(d) * sigma * C,
        batch_size=B,
        control=phi,
        smallest_gap=lam,
        rounds=R_s,
        steps=R_c,
        limit=int(limit),
    )
    known = np.ones(10, dtype=bool)
    estimated = search.Estimates(lipschitz=rho, smoothness=beta, divergence=xi, known=known)
    taus = np.arange(1, int(limit) + 1)
    bounds = search.bound_after(objective, estimated, taus)
    found = search.best_local_steps(objective, estimated, current)
    constants = {"phi": phi, "lam": lam, "R_s": R_s, "R_c": R_c, "eta": eta}
    constants |= {"sigma": sigma, "C": C, "B": B, "d": d}
    for r in range(10):
        means = {"rho": rho[r], "beta": beta[r], "xi": xi[r]}
        for tau in taus:
            expected = listed_als_dpfl.G(int(tau), **means, **constants)
            if math.isinf(expected):
                assert math.isinf(bounds[r, tau - 1])
            else:
                near(bounds[r, tau - 1], expected, ROUND, [expected, expected**2])  # a bracket near 0 cancels
        best = listed_als_dpfl.best(int(current[r]), limit=int(limit), **means, **constants)
        assert found[r] == best
    return set(found.tolist())
