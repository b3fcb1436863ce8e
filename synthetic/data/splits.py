"""How samples are spread over clients: by a column, at random, by label shards, or by Dirichlet proportions.

A split is one array of sample numbers per client; every sample goes to one client. Equal seeds, equal splits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from synthetic.arguments import integer_at_least, one_of, positive
from synthetic.data.tables import Table
from synthetic.engine.arithmetic import Array
from synthetic.errors import BadValue

Split = list[Array]
RULES = ("iid", "shards", "dirichlet")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """shards_per_client belongs to `shards`, concentration (alpha) to `dirichlet`."""

    clients: int = 10
    split: str = "iid"
    shards_per_client: int = 5
    concentration: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        integer_at_least("clients", self.clients, 1)
        one_of("split", self.split, RULES)
        integer_at_least("shards_per_client", self.shards_per_client, 1)
        positive("concentration", self.concentration)
        integer_at_least("seed", self.seed, 0)


def split(data: Table, rule: Rule) -> Split:
    """The rows of each client: as the data say, else by the rule."""
    if data.owners is not None:
        return [np.flatnonzero(data.owners == client) for client in range(int(data.owners.max()) + 1)]
    ways: dict[str, Callable[[Table, Rule], Split]] = {
        "iid": identically_distributed,
        "shards": label_shards,
        "dirichlet": dirichlet,
    }
    # before, not after: a million shards are no way to find out that there are more than samples
    parts = [] if rule.clients > data.samples else ways[rule.split](data, rule)
    if not parts or min(len(part) for part in parts) == 0:
        raise BadValue(
            asked=f"{rule.split} split of {data.name}",
            failed="a client is left without samples",
            found=f"{rule.clients} clients, {data.samples} samples",
            needed="at least one sample per client",
            change="use fewer clients, a larger concentration, or another seed",
        )
    return [np.sort(part) for part in parts]


def identically_distributed(data: Table, rule: Rule) -> Split:
    """A random permutation cut into pieces whose sizes differ by at most one."""
    order = np.random.default_rng(rule.seed).permutation(data.samples)
    return np.array_split(order, rule.clients)


def label_shards(data: Table, rule: Rule) -> Split:
    """Sorted by label (or by the number to predict), cut into equal shards, dealt out at random.

    As in the experiments of the DP-FedAvg paper (five shards per client) and of ALS-DPFL (forty). Where the
    class sizes are no multiples of the shard size, a shard at a border holds two labels.
    """
    number = rule.clients * rule.shards_per_client
    if number > data.samples:
        raise BadValue(
            asked=f"shards of {data.name}",
            failed="more shards than samples",
            found=f"{number} shards, {data.samples} samples",
            needed="at least one sample per shard",
            change="use fewer clients or fewer shards_per_client",
        )
    random = np.random.default_rng(rule.seed)
    order = random.permutation(data.samples)
    order = order[np.argsort(data.targets[order], kind="stable")]
    shards = np.array_split(order, number)
    dealt = random.permutation(len(shards)).reshape(rule.clients, rule.shards_per_client)
    return [np.concatenate([shards[index] for index in hand]) for hand in dealt]


def dirichlet(data: Table, rule: Rule) -> Split:
    """Each class is divided among the clients in proportions from a symmetric Dirichlet law."""
    if data.classes is None:
        raise BadValue(
            asked=f"dirichlet split of {data.name}",
            failed="the targets are no labels",
            found="numbers",
            needed="a classification data set",
            change="use the split iid or shards",
        )
    random = np.random.default_rng(rule.seed)
    parts: list[list[Array]] = [[] for _ in range(rule.clients)]
    for label in range(len(data.classes)):
        members = random.permutation(np.flatnonzero(data.targets == label))
        shares = random.dirichlet(np.full(rule.clients, float(rule.concentration)))
        # rounding the running total, not each share, uses every sample once
        borders = np.rint(np.cumsum(shares)[:-1] * len(members)).astype(int)
        for part, piece in zip(parts, np.split(members, borders), strict=True):
            part.append(piece)
    return [np.concatenate(part) for part in parts]
