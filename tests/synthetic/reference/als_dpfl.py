"""Adaptive local steps: one replicate at a time, one client at a time, the search as a plain loop."""

import math

import numpy as np
from reference.dpfl import interval


class OneReplicate:
    """The numbers of one replicate among many."""

    replicates = 1

    def __init__(self, numbers, replicate):
        self.numbers, self.replicate = numbers, replicate

    def normals(self, place, width):
        return self.numbers.normals(place, width)[self.replicate][None]


def als_dpfl(problem, settings, numbers, replicate):
    """The states, and for each round (local steps, lipschitz, smoothness, divergence) of one replicate."""
    own, n, d = OneReplicate(numbers, replicate), problem.clients, problem.dimension
    average = np.asarray(settings.start, dtype=np.float64)[None]
    models, tau, spent_rounds, spent_steps = [average] * n, 1, 0.0, 0.0
    states, rounds, k = [average[0]], [], 0
    while spent_rounds < settings.communication_budget and spent_steps < settings.privacy_budget:
        slopes, curvatures, moved = [], [], False
        for i in range(n):
            apart = float(np.linalg.norm(models[i] - average))
            # the average of equal models differs from them by rounding, which is no movement
            apart = 0.0 if apart <= len(models) * 2.0**-52 * np.linalg.norm(average) else apart
            moved = moved or apart > 0
            rise = problem.client_value(i, models[i])[0] - problem.client_value(i, average)[0]
            turn = problem.client_gradient(i, models[i]) - problem.client_gradient(i, average)
            slopes.append(abs(rise) / apart if apart > 0 else 0.0)
            curvatures.append(float(np.linalg.norm(turn)) / apart if apart > 0 else 0.0)
        models, companion = interval(problem, settings, own, k, average, tau)
        average = sum(models) / n
        spent_steps += settings.privacy_cost * tau
        spent_rounds += settings.communication_cost
        gradients = [problem.client_gradient(i, average)[0] for i in range(n)]
        middle = sum(gradients) / n
        divergence = sum(float(np.linalg.norm(g - middle)) for g in gradients) / n
        known = (sum(slopes) / n, sum(curvatures) / n, divergence)
        rounds.append((tau, *known, float(np.linalg.norm(average - companion))))
        states.append(average[0])
        if moved:
            tau = search(settings, d, known, tau)
        k += 1
    return states, rounds


def search(settings, d, known, tau):
    best, chosen = math.inf, 1
    for candidate in range(1, min(2 * tau, settings.search_limit) + 1):
        value = objective(settings, d, known, candidate)
        if value < best:
            best, chosen = value, candidate
    return chosen


def objective(settings, d, known, tau):
    lipschitz, smoothness, divergence = known
    s = 2 * math.sqrt(d) * settings.noise_multiplier * settings.clip_threshold
    eta, b = settings.step, settings.batch_size
    compound = eta * tau if smoothness == 0 else ((1 + eta * smoothness) ** tau - 1) / smoothness
    h = (divergence + s / b) * compound + eta * (divergence + s) / b * tau
    total = min(
        settings.communication_budget / settings.communication_cost * tau,
        settings.privacy_budget / settings.privacy_cost,
    )
    margin = eta * settings.control - lipschitz * h / (tau * settings.smallest_gap**2)
    return math.inf if margin <= 0 else 1 / (total * margin) + math.sqrt(3) / 3
