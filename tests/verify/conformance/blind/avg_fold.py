"""FedAvg as folds: reservoir sampling of the clients and a running mean of their models."""

from functools import reduce


def reservoir(items, k, random):
    kept = []
    for seen, item in enumerate(items):
        if seen < k:
            kept.append(item)
        elif (place := int(random.integers(0, seen + 1))) < k:
            kept[place] = item
    return kept


def descend(client, step):
    return lambda point, _: point - step * client.gradient(point)


def welford(state, model):
    mean, count = state
    return mean + (model - mean) / (count + 1), count + 1


def one_round(w, clients, settings, random):
    chosen = reservoir(clients, settings.clients_per_round, random)
    models = (reduce(descend(c, settings.local_step), range(settings.local_steps), w) for c in chosen)
    mean, _ = reduce(welford, models, (0 * w, 0))
    return mean
