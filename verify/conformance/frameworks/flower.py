"""Flower's fixed clipping (flwr 1.42): its strategies, messages and mod; nodes are objects of this process.

What is ours is what Flower leaves to its users: the gradient steps of a client, and the number of examples
that it reports. An update of exactly zero is moved by one unit in the last place, because Flower's clipping
divides by its norm.
"""

import logging
from collections.abc import Iterable
from typing import Any

import numpy as np
from flwr.app import ArrayRecord, ConfigRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp.mod import fixedclipping_mod
from flwr.serverapp import Grid
from flwr.serverapp.strategy import (
    DifferentialPrivacyClientSideFixedClipping,
    DifferentialPrivacyServerSideFixedClipping,
    FedAvg,
)
from flwr.supercore.task_identity import TaskIdentity

from verify.conformance.frameworks.seeds import seeded


def server_side(clients: Any, start: Any, settings: Any, seed: int) -> Any:
    """Clipping and noise at the server; clients report their numbers of data points."""
    return _run(DifferentialPrivacyServerSideFixedClipping, _plain, clients, start, settings, seed)


def client_side(clients: Any, start: Any, settings: Any, seed: int) -> Any:
    """Clipping by `fixedclipping_mod` at the clients, noise at the server."""
    return _run(DifferentialPrivacyClientSideFixedClipping, _clipping, clients, start, settings, seed)


def equal_weights(clients: Any, start: Any, settings: Any, seed: int) -> Any:
    """As `server_side`, and every client reports one example."""
    return _run(
        DifferentialPrivacyServerSideFixedClipping, _plain, clients, start, settings, seed, equal=True
    )


class _Nodes(Grid):  # type: ignore[misc]  # Any where flwr is not installed
    """As many nodes as there are clients; strategies ask it for their ids and for nothing else."""

    def __init__(self, count: int) -> None:
        self.count = count

    def get_node_ids(self) -> Iterable[int]:
        return range(1, self.count + 1)

    def _unused(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the nodes are objects of this process")

    run = property(_unused)
    set_run = create_message = push_messages = pull_messages = send_and_receive = _unused


def _run(
    wrapper: Any, call: Any, clients: Any, start: Any, settings: Any, seed: int, *, equal: bool = False
) -> Any:
    n, r = len(clients), settings.clients_per_round
    plain = FedAvg(
        fraction_train=r / n,
        min_train_nodes=r,
        min_available_nodes=n,
        fraction_evaluate=0.0,
        min_evaluate_nodes=0,
    )
    strategy = wrapper(
        plain,
        noise_multiplier=settings.noise_scale * r / settings.clip_threshold,
        clipping_norm=settings.clip_threshold,
        num_sampled_clients=r,
    )
    nodes, states = _Nodes(n), [start]
    _belong_to_a_run()
    with seeded(seed):
        for k in range(settings.rounds):
            arrays = ArrayRecord([states[-1].copy()])
            messages = strategy.configure_train(k + 1, arrays, ConfigRecord(), nodes)
            replies = [call(_train(clients, settings, equal), message) for message in messages]
            aggregated, _ = strategy.aggregate_train(k + 1, replies)
            states.append(states[-1] if aggregated is None else aggregated.to_numpy_ndarrays()[0])
    return np.array(states)


def _belong_to_a_run() -> None:
    """Messages ask which run and node they are made in; and the strategies' log is switched off."""
    logging.getLogger("flwr").setLevel(logging.ERROR)
    TaskIdentity.run_id, TaskIdentity.node_id, TaskIdentity.task_id = 1, 1, 1


def _train(clients: Any, settings: Any, equal: bool) -> Any:
    """The client app: gradient steps from the model in the message, and its reply."""

    def app(message: Message, context: Any) -> Message:
        client = clients[message.metadata.dst_node_id - 1]
        w = message.content["arrays"].to_numpy_ndarrays()[0]
        model = w.copy()
        for _ in range(settings.local_steps):
            model = model - settings.local_step * client.gradient(model)
        if np.array_equal(model, w):
            model[0] = np.nextafter(model[0], np.inf)
        examples = 1 if equal else client.data_points
        metrics = MetricRecord({"num-examples": examples})
        content = RecordDict({"arrays": ArrayRecord([model]), "metrics": metrics})
        return Message(content=content, reply_to=message)

    return app


def _plain(app: Any, message: Message) -> Message:
    reply: Message = app(message, None)
    return reply


def _clipping(app: Any, message: Message) -> Message:
    context = Context(run_id=1, node_id=1, node_config={}, state=RecordDict(), run_config={})
    return fixedclipping_mod(message, context, app)
