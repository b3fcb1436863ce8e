"""Error feedback. The memories are not in the trace, but they follow from the models that are."""

import math
from functools import partial

import numpy as np
from listings import alpha_norm_ec as listed_alpha_norm_ec
from listings import fed_alpha_norm_ec as listed_fed_alpha_norm_ec
from listings import memory_update as listed_memory_update
from listings.agreement.averaging import operator
from listings.cases import ROUND, TRAJECTORY, near
from listings.draws import inclusion, scaled_normals

from synthetic.algorithms import alpha_norm_ec, fed_alpha_norm_ec, memory_update

GAMMA = 0.75
SCALE = 0.1
ROUNDS = {"memory_step": 0.3, "server_step": 0.4}
LISTED = {"beta": 0.3, "eta": 0.4}
OF_ROUND = ("server_memory_error", "server_memory_norm", "step_norm")
OF_CLIENTS = ("client_memory_error", "client_drift", "client_gradient_norm", "taking_part")


def memories_of(case):
    drawn = case.random.standard_normal((case.clients, case.dimension))
    return drawn if case.seed % 3 else None


def settings_of(case, local_operator, *, private, placement, normalise, alpha):
    return fed_alpha_norm_ec.Settings(
        start=case.start(),
        last_round=case.rounds,
        local_steps=case.local_steps,
        local_step=GAMMA,
        smoothing=alpha,
        participation=case.participation,
        private=private,
        noise_scale=SCALE if private else 0.0,
        noise_variance="total" if case.seed % 2 else "per_coordinate",
        noise_placement=placement,
        initial_memory=memories_of(case),
        normalise_server=normalise,
        local_operator=local_operator,
        **ROUNDS,
    )


def agree_on_error_feedback(
    case, local_operator="gradient_descent", *, private, placement, normalise, alpha=0.05
):
    chosen = {"private": private, "placement": placement, "normalise": normalise, "alpha": alpha}
    settings = settings_of(case, local_operator, **chosen)
    trace = case.run("fed_alpha_norm_ec", settings, (*OF_ROUND, *OF_CLIENTS))
    T = operator(case, GAMMA, local_operator)
    p = inclusion(case.participation, case.clients)
    variance, together = settings.noise_variance, math.sqrt(case.clients / p)
    memories = settings.initial_memory
    for replicate in range(case.replicates):
        draws = case.draws(replicate)
        noises = scaled_normals(draws, placement, variance, SCALE, together=together)
        noise, server_noise = noises if private else (None, None)
        listing = partial(
            listed_fed_alpha_norm_ec.fed_alpha_norm_ec,
            gamma=GAMMA,
            alpha=alpha,
            p=p,
            operator=lambda i, x: T(i, x)[0],
            sampled=partial(draws.sampled, case.participation),
            noise=noise,
            server_noise=server_noise,
            normalise=normalise,
            **LISTED,
        )
        v = list(np.zeros((case.clients, case.dimension)) if memories is None else memories)
        found = {name: trace.measurements[name][replicate] for name in ("state", *OF_ROUND, *OF_CLIENTS)}
        models = [*found["state"], trace.final_state[replicate]]
        assert len(models) == case.rounds + 2  # k = 0, ..., K, and the output x^{K+1}
        if not normalise:
            _compare_whole(models, listing(models[0], v, sum(v) / len(v), rounds=range(case.rounds + 1)))
        _round_by_round(case, listing, T, models, v, found, draws)


def _compare_whole(models, states):
    for model, (x, _, _) in zip(models, states, strict=True):
        near(model, x, TRAJECTORY, x)


def _round_by_round(case, listing, T, models, v, found, draws):
    v_hat = sum(v) / len(v)
    for k in range(case.rounds + 1):
        x, S = models[k], draws.sampled(case.participation, k)
        _, (after, v_after, v_hat_after) = listing(x, v, v_hat, rounds=range(k, k + 1))
        near(models[k + 1], after, ROUND, x)
        # a round's state is the model together with the memories
        state = np.concatenate([x, *v, v_hat])
        for i in range(case.clients):
            T_i, iterates = T(i, x)
            drift = sum(np.linalg.norm(iterate - x) for iterate in iterates) / len(iterates)
            near(found["client_drift"][k, i], drift, ROUND, state)
            error = np.linalg.norm((x - T_i) / GAMMA - v[i])
            near(found["client_memory_error"][k, i], error, ROUND, state)
            slope = np.linalg.norm(case.made().gradient(i, x))
            near(found["client_gradient_norm"][k, i], slope, ROUND, state)
            assert found["taking_part"][k, i] == (i in S)
        error = np.linalg.norm(v_hat_after - sum(v_after) / len(v))
        near(found["server_memory_error"][k], error, ROUND, state)
        near(found["server_memory_norm"][k], np.linalg.norm(v_hat_after), ROUND, state)
        near(found["step_norm"][k], np.linalg.norm(models[k + 1] - x), ROUND, state)
        v, v_hat = v_after, v_hat_after


def agree_on_gradients_with_error_feedback(case, placement, normalise):
    variance, scale, alpha = "per_coordinate" if case.seed % 4 else "total", 0.1 * (case.seed % 2), 0.05
    memories = case.random.standard_normal((case.clients, case.dimension))
    settings = alpha_norm_ec.Settings(
        start=case.start(),
        last_round=case.rounds,
        smoothing=alpha,
        noise_scale=scale,
        noise_variance=variance,
        noise_placement=placement,
        initial_memory=memories,
        normalise_server=normalise,
        **ROUNDS,
    )
    trace = case.run("alpha_norm_ec", settings, ("client_memory_error",))
    for replicate in range(case.replicates):
        draws, together = case.draws(replicate), math.sqrt(case.clients)
        noise, server_noise = scaled_normals(draws, placement, variance, scale, together=together)
        listing = partial(
            listed_alpha_norm_ec.alpha_norm_ec,
            alpha=alpha,
            gradient=case.made().gradient,
            noise=noise,
            server_noise=server_noise,
            normalise=normalise,
            **LISTED,
        )
        models = [*trace.measurements["state"][replicate], trace.final_state[replicate]]
        v, v_hat = list(memories), sum(memories) / len(memories)
        if not normalise:
            _compare_whole(models, listing(models[0], v, v_hat, rounds=range(case.rounds + 1)))
        for k in range(case.rounds + 1):
            x = models[k]
            for i in range(case.clients):
                error = np.linalg.norm(case.made().gradient(i, x) - v[i])
                found = trace.measurements["client_memory_error"][replicate, k, i]
                near(found, error, ROUND, np.concatenate([x, *v, v_hat]))
            _, (after, v, v_hat) = listing(x, v, v_hat, rounds=range(k, k + 1))
            near(models[k + 1], after, ROUND, x)


def agree_on_memory_update(case, alpha=0.2):
    x, moved, memory = case.random.standard_normal((3, case.dimension))
    settings = memory_update.Settings(
        start=x,
        moved=moved,
        memory=memory,
        local_steps=case.local_steps,
        local_step=GAMMA,
        memory_step=0.3,
        smoothing=alpha,
    )
    names = ("memory_error", "next_memory_error", "server_move", "operator_move")
    trace = case.run("memory_update", settings, names)
    constants = {"gamma": GAMMA, "beta": 0.3, "alpha": alpha, "T": case.local_steps}
    expected = listed_memory_update.memory_update(
        x, moved, memory, gradient=case.made().gradient, **constants
    )
    for name in names:
        for replicate in range(case.replicates):
            [found] = trace.measurements[name][replicate]
            near(found, expected[name], ROUND, [*x, *moved, *memory])
