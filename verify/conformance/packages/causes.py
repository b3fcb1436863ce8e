"""What the first round of wrong code is: the reference with another value of a setting, or a multiple."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.packages.pair import Pair, Seen, is_alike
from verify.conformance.packages.scenes import Scene

SAME = 1e-8
UNLIMITED = 1e12
OTHER = 0.9  # times a number, at which a cause is confirmed


def guess_cause(pair: Pair, seen: Sequence[Seen], *, of_round: bool) -> str | None:
    """The factor of a round's movement, or a value that a setting has in the code, in all of these scenes."""
    if any(one.mine is None for one in seen):
        return None
    if pair.draws_alone(seen[0].scene):
        return "the code draws random numbers where the reference draws none"
    if of_round and (found := _find_factor(seen)) is not None:
        return found
    return _find_setting(pair, seen)


def _find_setting(pair: Pair, seen: Sequence[Seen]) -> str | None:
    for words, change in _changes(seen[0].scene):
        if all(_gives_states(pair, one, change) for one in seen) and _holds_elsewhere(pair, seen[0], words):
            return f"the states are those of the reference with {words}"
    return None


Change = Mapping[str, Any]


def _gives_states(pair: Pair, one: Seen, change: Change) -> bool:
    states = pair.steady(one.scene.at({**one.scene.settings, **change}))
    return states is not None and one.mine is not None and is_alike(one.mine, states)


def _holds_elsewhere(pair: Pair, one: Seen, words: str) -> bool:
    """Whether the same words give the states at another value of each setting that they are about.

    At one value two formulas may agree by chance: the root of 0.01 is 0.01 over a step of 0.1.
    """
    for name in one.scene.settings.keys() & set(re.findall(r"\w+", words)):
        value = one.scene.settings[name]
        other = value + 1 if isinstance(value, int) else OTHER * value
        scene = one.scene.at({**one.scene.settings, name: other})
        change, elsewhere = dict(_changes(scene)).get(words), pair.see(scene)
        if change is None or elsewhere is None or elsewhere.mine is None:
            continue
        if not _gives_states(pair, elsewhere, change):
            return False
    return True


def _changes(scene: Scene) -> Iterator[tuple[str, Change]]:
    numbers = {
        name: value
        for name, value in scene.settings.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    for name, value in numbers.items():
        for text, other in _others(name, value, numbers, scene.shown.clients):
            if other != value and np.isfinite(other):
                yield f"{name} = {text}", {name: other}
    for (one, first), (another, second) in combinations(numbers.items(), 2):
        if first != second and type(first) is type(second):
            yield f"{one} and {another} exchanged", {one: second, another: first}


def _others(
    name: str, value: float, numbers: Mapping[str, float], clients: int
) -> Iterator[tuple[str, float]]:
    if isinstance(value, int):
        for by in (-1, 1):
            if value + by >= 0:
                yield f"{name} {'-' if by < 0 else '+'} 1", value + by
        yield "1", 1
        return
    yield from ((f"{name}^2", value * value), (f"{name}/2", value / 2), (f"2 {name}", 2 * value), ("0", 0.0))
    if value > 0:
        yield f"the root of {name}", value**0.5
        yield "unlimited", UNLIMITED * value  # as a threshold that is not there
    yield from ((f"-{name}", -value), ("1", 1.0), (f"1 - {name}", 1 - value))
    yield from ((f"n {name}", clients * value), (f"{name}/n", value / clients))
    for other, number in numbers.items():
        if other != name:
            yield from ((f"{name} {other}", value * number), (other, float(number)))
            if number:
                yield f"{name}/{other}", value / number


def _find_factor(seen: Sequence[Seen]) -> str | None:
    """What the first round is multiplied by: its movement, or the state itself as a sum of models is."""
    n = seen[0].scene.shown.clients
    moved = _common_factor([(_move(one.mine), _move(one.theirs)) for one in seen])
    if moved == 0:
        return "the first round does not move"
    if moved is not None and abs(moved + 1) < SAME:
        return "the first round moves the other way"
    if moved is not None and abs(moved - 1) > SAME:
        return f"the first round moves {moved:.6g} times as far as the reference{_as_divisor(moved, n)}"
    state = _common_factor([(_after(one.mine), _after(one.theirs)) for one in seen])
    if state is not None and abs(state - 1) > SAME:
        return f"the state after the first round is {state:.6g} times the reference's{_as_divisor(state, n)}"
    return None


def _after(states: Floats | None) -> Floats:
    assert states is not None
    state: Floats = states[1]
    return state


def _move(states: Floats | None) -> Floats:
    assert states is not None
    move: Floats = states[1] - states[0]
    return move


def _as_divisor(factor: float, n: int) -> str:
    if abs(factor - n) < SAME:
        return f": a sum over the {n} clients is not divided"
    return f": a sum over the clients is divided by {n} once more" if abs(factor * n - 1) < SAME else ""


def _common_factor(pairs: Sequence[tuple[Floats, Floats]]) -> float | None:
    """The number by which each first vector is the second, if it is one number for all."""
    factors = []
    for mine, theirs in pairs:
        factor = float(mine @ theirs / (theirs @ theirs)) if theirs.any() else 0.0
        if np.abs(mine - factor * theirs).max() > SAME * max(np.abs(mine).max(), np.abs(theirs).max()):
            return None
        factors.append(factor)
    alike = max(factors) - min(factors) <= SAME * max(1.0, abs(factors[0]))
    return factors[0] if alike else None
