"""Gradient descent as an accumulation over a flattened dictionary of layers."""

from itertools import accumulate, repeat


def descent(clients, start, settings, seed):
    sizes = {"embed": len(start) // 2, "out": len(start) - len(start) // 2}

    def unflatten(vector):
        parts, at = {}, 0
        for name, size in sizes.items():
            parts[name], at = vector[at : at + size], at + size
        return parts

    def step(x, _):
        grads = [unflatten(client.gradient(x)) for client in clients]
        params = unflatten(x.copy())
        for name, layer in params.items():
            layer -= settings.step / len(grads) * sum(g[name] for g in grads)
        flat = x.copy()
        flat[: sizes["embed"]], flat[sizes["embed"] :] = params["embed"], params["out"]
        return flat

    return accumulate(repeat(None, settings.rounds), step, initial=start)
