"""Settings without random numbers, where every state can be compared: no noise, and everybody takes part."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Any

import numpy as np

from verify.conformance.packages.pair import Pair, is_alike
from verify.conformance.packages.scenes import POINTS, Maker, from_start

TRIES = 400


def find_quiet(pair: Pair, maker: Maker) -> Maker | None:
    """The fewest settings at 0, 1, or the number of clients or data points that leave the reference no draw.

    The states must still move, and otherwise from another start.
    """
    for changes in islice(_changes(maker), TRIES):
        settings = {**maker.settings, **changes}
        quiet = replace(maker, settings=settings, alike=True, fixed=frozenset(changes))
        scene = quiet.first()
        states = pair.steady(scene)
        if states is None or not np.abs(states - states[0]).max():
            continue
        other = pair.steady(replace(scene, shown=from_start(0.3, maker.usual, alike=True)))
        if other is not None and not is_alike(other - other[0], states - states[0]):
            return quiet if _is_accepted(pair, quiet) else None
    return None


def _changes(maker: Maker) -> Iterator[Mapping[str, Any]]:
    values = {name: _ends(value, maker.usual) for name, value in maker.settings.items()}
    for count in (1, 2, 3):
        for names in combinations([name for name, ends in values.items() if ends], count):
            for chosen in product(*(values[name] for name in names)):
                yield dict(zip(names, chosen, strict=True))


def _ends(value: Any, clients: int) -> tuple[Any, ...]:
    """Values at which a size or a share of what is random leaves nothing random."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return tuple(end for end in (clients, POINTS, 0) if end != value)
    if isinstance(value, float):
        return tuple(end for end in (0.0, 1.0, float(POINTS), float(clients)) if end != value)
    return ()


def _is_accepted(pair: Pair, quiet: Maker) -> bool:
    """Whether the code has states there: it may divide by the size of its noise."""
    seen = pair.see(quiet.first())
    return seen is not None and seen.mine is not None
