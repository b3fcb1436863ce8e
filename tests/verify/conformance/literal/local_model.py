"""The local steps of an averaging algorithm, line by line; `private.py` and `plain.py` go on from here."""


def local_model(w, client, settings):
    local = w
    for _ in range(settings.local_steps):
        local = local - settings.local_step * client.gradient(local)
    return local
