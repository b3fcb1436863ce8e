"""Plain averaging, and private averaging with clipped, scaled or smoothed updates."""

import math
from functools import partial

import numpy as np
from listings import dp_fedavg as listed_dp_fedavg
from listings import dp_norm_fedavg as listed_dp_norm_fedavg
from listings import fed_alpha_norm_ec as listed_fed_alpha_norm_ec
from listings import fedavg as listed_fedavg
from listings import smoothed_dp_fedavg as listed_smoothed_dp_fedavg
from listings.cases import ROUND, at, follows, near
from listings.draws import inclusion, scaled_normals

from synthetic.algorithms import dp_fedavg, dp_norm_fedavg, fedavg, smoothed_dp_fedavg
from synthetic.oracles import Gaussian, Minibatch, Sphere, StudentT, TwoPoint
from synthetic.participation import Independent

STEP = 0.25
SIGMA = 0.3
PRIVATE = {
    "dp_fedavg": (dp_fedavg, listed_dp_fedavg, "clip_threshold"),
    "dp_norm_fedavg": (dp_norm_fedavg, listed_dp_norm_fedavg, "update_length"),
}
OF_MESSAGES = ("signal_norm", "noise_norm", "signal_to_noise")


def thresholds(case):
    """Below, among and above the norms of the first round's updates, and infinite."""
    E, gradient, x = case.local_steps, case.made().gradient, case.start()[0]
    listed = partial(listed_dp_fedavg.client, k=0, w=x, E=E, eta=lambda k: STEP, C=1.0, gradient=gradient)
    middle = sorted(np.linalg.norm(listed(i)[0]) for i in range(case.clients))[case.clients // 2]
    return [float(factor * middle) if middle > 0 else 1.0 for factor in (0.01, 0.99, 100.0)] + [math.inf]


def private_settings(case, algorithm, bound, placement):
    module, _, name = PRIVATE[algorithm]
    return module.Settings(
        start=case.start(),
        rounds=case.rounds,
        local_steps=case.local_steps,
        local_step=case.steps(STEP),
        server_step=None if case.seed % 2 else case.steps(1.5 * STEP),
        clients_per_round=max(1.0, case.clients / 2),
        noise_scale=SIGMA,
        noise_placement=placement,
        participation=None if case.seed % 4 == 1 else case.participation,
        **{name: bound},
    )


def agree_on_private_averaging(case, algorithm, bound, placement):
    """bound: the clip threshold, or the length of every update."""
    settings, (_, listed, _) = private_settings(case, algorithm, bound, placement), PRIVATE[algorithm]
    of_clients = ("client_update_norm", "client_gap", "taking_part")
    of_clients += ("clipped",) if algorithm == "dp_fedavg" else ()
    trace = case.run(algorithm, settings, (*of_clients, *OF_MESSAGES))
    r = settings.clients_per_round
    rule = settings.participation or Independent(probability=r / case.clients)
    of_updates = {"E": case.local_steps, "eta": at(settings.local_step), "C": bound}
    of_updates["gradient"] = case.made().gradient
    for replicate in range(case.replicates):
        draws = case.draws(replicate)
        listing = partial(
            getattr(listed, algorithm),
            beta=at(settings.local_step if settings.server_step is None else settings.server_step),
            r=r,
            sigma=SIGMA,
            sampled=partial(draws.sampled, rule),
            normal=partial(draws.normal, "client noise") if placement == "clients" else None,
            server_normal=partial(draws.normal, "server noise") if placement == "server" else None,
            **of_updates,
        )
        states = trace.measurements["state"][replicate]
        linear = algorithm == "dp_fedavg"
        whole = listing(settings.start[replicate], rounds=range(case.rounds))[0] if linear else None
        follows(states, lambda w, k, go=listing: go(w, rounds=range(k, k + 1))[0][-1], whole)
        near(trace.final_state[replicate], states[-1], 0.0, states[-1])
        for k, w in enumerate(states[:-1]):
            found = {name: trace.measurements[name][replicate, k] for name in (*of_clients, *OF_MESSAGES)}
            updates = [listed.client(i, k, w, **of_updates)[0] for i in range(case.clients)]
            _of_clients(case, found, w, updates, draws.sampled(rule, k), bound)
            _, [signal], [noise] = listing(w, rounds=range(k, k + 1))
            _of_message(found, w, np.linalg.norm(signal), np.linalg.norm(noise))


def _of_clients(case, found, w, updates, S, bound):
    minimiser = np.asarray(case.made().problem.minimiser())
    for i, u in enumerate(updates):
        near(found["client_update_norm"][i], np.linalg.norm(u), ROUND, w)
        assert found["taking_part"][i] == (i in S)
        here, there = case.made().value(i, w), case.made().value(i, minimiser)
        near(found["client_gap"][i], here - there, ROUND, [here, there])
        if "clipped" in found:
            assert found["clipped"][i] == (np.linalg.norm(u) > bound)


def _of_message(found, w, signal, noise):
    near(found["signal_norm"], signal, ROUND, w)
    near(found["noise_norm"], noise, ROUND, w)
    if noise > 0:
        near(found["signal_to_noise"] * noise, signal, ROUND, w)
    else:
        assert found["signal_to_noise"] == 0


def clipped_of_those_who_came(case, bound):
    """Of every round, which of the clients that took part were clipped."""
    settings = private_settings(case, "dp_fedavg", bound, "clients")
    measured = case.run("dp_fedavg", settings, ("clipped", "taking_part")).measurements
    for replicate in range(case.replicates):
        for k in range(case.rounds):
            yield measured["clipped"][replicate, k][measured["taking_part"][replicate, k]]


def oracles(case):
    if case.kind == "logistic":
        return [None, Gaussian(scale=0.5), Minibatch(size=3), Minibatch(size=4, replacement=False)]
    additive = [Gaussian(scale=0.5), Sphere(scale=0.5), TwoPoint(scale=0.5), StudentT(scale=0.5, degrees=4)]
    return [None, *additive] if case.local_steps < 200 else [None, TwoPoint(scale=0.5)]


def stochastic_gradient(case, draws, oracle):
    """gradient(i, w, k, tau)."""
    made = case.made()
    if oracle is None:
        return lambda i, w, k, tau: made.gradient(i, w)
    if not isinstance(oracle, Minibatch):
        return lambda i, w, k, tau: made.gradient(i, w) + draws.error(oracle, k, i, tau)

    def of_batch(i, w, k, tau):
        batch = draws.batch(oracle, made.sizes, k, i, tau)
        return sum(made.piece_gradient(i, s, w) for s in batch) / len(batch)

    return of_batch


def agree_on_fedavg(case, oracle):
    settings = fedavg.Settings(
        start=case.start(),
        rounds=case.rounds,
        local_steps=case.local_steps,
        local_step=case.steps(STEP),
        participation=case.participation,
        oracle=oracle,
        server_step=case.steps(0.75) if case.seed % 2 else 1.0,
    )
    measured = case.run("fedavg", settings, ("client_update_norm", "taking_part")).measurements
    for replicate in range(case.replicates):
        draws = case.draws(replicate)
        of_clients = {"E": case.local_steps, "eta": at(settings.local_step)}
        of_clients["gradient"] = stochastic_gradient(case, draws, oracle)
        listing = partial(
            listed_fedavg.fedavg,
            beta=at(settings.server_step),
            r=inclusion(case.participation, case.clients) * case.clients,
            sampled=partial(draws.sampled, case.participation),
            **of_clients,
        )
        states = measured["state"][replicate]
        whole = listing(settings.start[replicate], rounds=range(case.rounds))
        follows(states, lambda w, k, go=listing: go(w, rounds=range(k, k + 1))[-1], whole)
        for k, w in enumerate(states[:-1]):
            S = draws.sampled(case.participation, k)
            for i in range(case.clients):
                moved = np.linalg.norm(w - listed_fedavg.client(i, k, w, **of_clients))
                near(measured["client_update_norm"][replicate, k, i], moved, ROUND, w)
                assert measured["taking_part"][replicate, k, i] == (i in S)


def operator(case, gamma, name):
    """T(i, x): the last and all earlier local iterates."""
    listed, made = listed_fed_alpha_norm_ec, case.made()
    if name == "incremental":
        N = made.sizes[0]
        return partial(listed.local_ig, gamma=gamma, N=N, component_gradient=made.piece_gradient)
    return partial(listed.local_gd, gamma=gamma, T=case.local_steps, gradient=made.gradient)


def agree_on_smoothed_averaging(case, local_operator, placement, variance):
    gamma, alpha, scale = 0.75, 0.25, 0.2
    settings = smoothed_dp_fedavg.Settings(
        start=case.start(),
        rounds=case.rounds,
        local_steps=case.local_steps,
        local_step=gamma,
        server_step=case.steps(0.5),
        smoothing=alpha,
        participation=case.participation,
        noise_scale=scale,
        noise_variance=variance,
        noise_placement=placement,
        local_operator=local_operator,
    )
    measured = case.run("smoothed_dp_fedavg", settings, ("client_update_norm",)).measurements
    T = operator(case, gamma, local_operator)
    B = inclusion(case.participation, case.clients) * case.clients
    for replicate in range(case.replicates):
        draws = case.draws(replicate)
        noise, server_noise = scaled_normals(draws, placement, variance, scale, together=math.sqrt(B))
        listing = partial(
            listed_smoothed_dp_fedavg.smoothed_dp_fedavg,
            eta=at(settings.server_step),
            alpha=alpha,
            B=B,
            operator=lambda i, x: T(i, x)[0],
            sampled=partial(draws.sampled, case.participation),
            noise=noise,
            server_noise=server_noise,
        )
        states = measured["state"][replicate]
        whole = listing(settings.start[replicate], rounds=range(case.rounds))
        follows(states, lambda x, k, go=listing: go(x, rounds=range(k, k + 1))[-1], whole)
        for k, x in enumerate(states[:-1]):
            for i in range(case.clients):
                moved = np.linalg.norm(x - T(i, x)[0])
                near(measured["client_update_norm"][replicate, k, i], moved, ROUND, x)
