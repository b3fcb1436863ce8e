"""Private federated averaging with updates scaled to one length, one client after the other."""

from reference.dp_fedavg import averaging
from reference.steps import to_length


def dp_norm_fedavg(problem, settings, numbers):
    return averaging(problem, settings, numbers, lambda update: to_length(update, settings.update_length))
