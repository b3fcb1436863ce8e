"""SCAFFOLD with option II: the new variate of a client is its mean gradient along its local steps."""

from fedbounds import REQUIRED, Algorithm


def begin(x, clients, settings):
    return {"x": x, "variates": 0 * clients.gradients(x)}


def rounds(state, clients, settings, random):
    n, s, E, step = len(clients), settings.clients_per_round, settings.local_steps, settings.local_step
    x, old = state["x"], state["variates"]
    server, new, ends = old.mean(axis=0), old.copy(), []
    for i in range(n) if s == n else random.choice(n, size=s, replace=False):
        y = x
        for _ in range(E):
            y = y - step * (clients[i].gradient(y) - old[i] + server)
        new[i] = old[i] - server + (x - y) / (E * step)
        ends.append(y)
    return {"x": sum(ends) / s, "variates": new}


SETTINGS = {"local_step": REQUIRED, "local_steps": REQUIRED, "clients_per_round": REQUIRED}
ALGORITHM = Algorithm(round=rounds, begin=begin, settings=SETTINGS)
