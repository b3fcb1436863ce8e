"""SCAFFOLD (Karimireddy et al. 2020) with option II: a client's variate is its mean gradient on the way."""

from fedbounds import REQUIRED, Algorithm


def begin(x, clients, settings):
    return {"x": x, "variates": 0 * clients.gradients(x)}


def rounds(state, clients, settings, random):
    n, s = len(clients), settings.clients_per_round
    x, variates = state["x"], state["variates"]
    chosen = range(n) if s == n else random.choice(n, size=s, replace=False)
    correction, ends, renewed = variates.mean(axis=0), 0 * x, variates.copy()
    for i in chosen:
        y = x
        for _ in range(settings.local_steps):
            y = y - settings.local_step * (clients[i].gradient(y) - variates[i] + correction)
        renewed[i] += (x - y) / (settings.local_steps * settings.local_step) - correction
        ends = ends + y / s
    return {"x": ends, "variates": renewed}


ALGORITHM = Algorithm(
    round=rounds, begin=begin, settings={"local_step": REQUIRED, "local_steps": 1, "clients_per_round": REQUIRED}
)
