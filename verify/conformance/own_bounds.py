"""A statement's bound at the constants that code was given, and at those that it has in their place.

Both are taken at the statement's own example. A constant that the example lacks has the value of `MORE`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from bounds.errors import Misuse
from bounds.language.statement import Kind, Statement
from verify.conformance.lab import is_near
from verify.conformance.own_constants import Own
from verify.ledger.true_form import choose_form

MORE = {"r": 10.0, "n": 100.0, "d": 40.0, "B": 16.0, "N": 160.0, "M": 10.0, "p": 0.5, "T": 5.0}
BOUNDS = (Kind.UPPER_BOUND, Kind.RATE)
# the letters of the listings of gradient descent, where they are not those of the statements
LETTERS = {"gradient_descent": {"beta": "eta"}, "stochastic_gradient_descent": {"beta": "eta"}}
CLIPPED = ("dp_fedavg", "dp_norm_fedavg")


@final
@dataclass(frozen=True, slots=True)
class Moved:
    """The inputs after a change of constants, and the hypotheses that the change violates."""

    inputs: Mapping[str, float]
    constants: Mapping[str, tuple[float, float]]
    leaves: tuple[str, ...] = ()


def bound_of(statement: Statement, conversions: Sequence[Own]) -> Mapping[str, Any] | None:
    """The bound at the constants given and at the code's own; None if the statement has no such bound.

    It is that of the form whose number is true, and `not_printed` says what is wrong with the printed one.
    None too if it has none of these constants. own is None where the code's constants violate what the
    statement asks, which `leaves` then names.
    """
    if statement.kind not in BOUNDS or not all(conversion.changes for conversion in conversions):
        return None
    statement, not_printed = choose_form(statement.id)
    if not statement.evaluable or not statement.example:
        return None
    printed = statement.evaluate(**statement.example)
    inputs = {name: float(value) for name, value in statement.example.items()}
    known = {**MORE, **inputs, **printed.derived}
    move = _move_clipped if statement.algorithm in CLIPPED else _move_named
    moved = move(statement, inputs, known, conversions)
    if moved is None:
        return None
    own, failed = (None, ()) if moved.leaves else _evaluate(statement, moved.inputs)
    symbols = {s for c in conversions for p in c.changes.values() for s in p if isinstance(s, str)}
    more = sorted(symbols & MORE.keys() - inputs.keys())
    return {
        "variant": statement.variant,
        "not_printed": not_printed,
        "at": {**inputs, **{name: MORE[name] for name in more}},
        "printed": float(printed.value),
        "own": own,
        "constants": {name: list(pair) for name, pair in moved.constants.items()},
        "leaves": [*moved.leaves, *failed],
    }


def _evaluate(statement: Statement, inputs: Mapping[str, float]) -> tuple[float | None, tuple[str, ...]]:
    """The value, or the conditions that fail."""
    try:
        found = statement.evaluate(**inputs)
        failed = [c.condition for c in (*found.conditions, *found.left_domains) if c.holds is False]
        if failed:
            return None, tuple(f"{one.locator}: {one.printed}" for one in failed)
        return float(found.value), ()
    except Misuse as error:
        return None, (str(error),)


def _apply(conversions: Sequence[Own], values: Mapping[str, float]) -> dict[str, float]:
    """The constants after all conversions in turn."""
    after = dict(values)
    for conversion in conversions:
        after |= conversion.values(after)
    return after


def _move_named(
    statement: Statement, inputs: Mapping[str, float], known: Mapping[str, float], conversions: Sequence[Own]
) -> Moved | None:
    """Constants that the statement has under the name of the listing, or prescribes; None if it has none."""
    letters = LETTERS.get(statement.algorithm or "", {})
    before = {**known, **{letter: known[name] for letter, name in letters.items() if name in known}}
    changed = dict.fromkeys(symbol for conversion in conversions for symbol in conversion.changes)
    if not any(letters.get(symbol, symbol) in known.keys() - MORE.keys() for symbol in changed):
        return None
    needed = dict.fromkeys(
        s for c in conversions for p in c.changes.values() for s in p if isinstance(s, str)
    )
    if absent := [symbol for symbol in needed if symbol not in before]:
        return Moved(inputs, {}, (f"the conversion needs {', '.join(absent)}, which the statement lacks",))
    after = _apply(conversions, before)
    moved_inputs, constants, leaves = dict(inputs), {}, []
    for symbol in changed:
        name = letters.get(symbol, symbol)
        if name in inputs:
            moved_inputs[name], constants[name] = after[symbol], (before[symbol], after[symbol])
        elif name in known and name not in MORE and not is_near(after[symbol], before[symbol]):
            leaves.append(_say_prescribed(statement, name, known[name], after[symbol]))
    return Moved(moved_inputs, constants, tuple(leaves))


def _say_prescribed(statement: Statement, name: str, asked: float, has: float) -> str:
    rules = [(c.symbol.name, c.locator, c.expression) for c in statement.choices]
    rules += [(c.symbol.name, c.locator, c.expression) for c in statement.where]
    found = [(locator, expression) for symbol, locator, expression in rules if symbol == name]
    locator, expression = found[0] if found else (statement.locator, name)
    return f"{locator} prescribes {name} = {expression}, here {asked:.6g}; the code has {has:.6g}"


def _move_clipped(
    statement: Statement, inputs: Mapping[str, float], known: Mapping[str, float], conversions: Sequence[Own]
) -> Moved | None:
    """The statements on DP-FedAvg: C = C_hat E, sigma^2 = K C^2 rho^2/d, and eta is both learning rates."""
    if not {"C_hat", "rho", "eta"} <= known.keys():
        return None
    C = known["C_hat"] * known["E"]
    sigma = known["rho"] * C * (known["K"] / known["d"]) ** 0.5 if "K" in known else known["rho"] * C
    before = {**known, "C": C, "sigma": sigma, "beta": known["eta"]}
    after = _apply(conversions, before)
    if not is_near(after["beta"], after["eta"]):
        rates = f"local {after['eta']:.6g} and global {after['beta']:.6g}"
        return Moved(
            inputs, {}, (f"{statement.locator} takes one learning rate for both, and the code has {rates}",)
        )
    moved_inputs = dict(inputs)
    if "C_hat" in moved_inputs:
        moved_inputs["C_hat"] *= after["C"] / C
    elif not is_near(after["C"], C):
        moved = after["C"] / known["E"]
        return Moved(inputs, {}, (_say_prescribed(statement, "C_hat", known["C_hat"], moved),))
    moved_inputs["rho"] *= after["sigma"] / sigma * C / after["C"]
    moved_inputs = _keep_step(statement, moved_inputs, after["eta"])
    constants = {
        name: (inputs[name], moved_inputs[name]) for name in inputs if moved_inputs[name] != inputs[name]
    }
    return Moved(moved_inputs, constants)


def _keep_step(statement: Statement, inputs: dict[str, float], eta: float) -> dict[str, float]:
    """The free constant moves so that the step that the statement prescribes is the code's."""
    try:
        asked = statement.evaluate(**inputs).derived["eta"]
    except Misuse:
        return inputs  # its sentence is that of the value
    for name, power in (("alpha", 1), ("gamma", -1)):
        if name in inputs:
            return {**inputs, name: inputs[name] * (asked / eta) ** power}
    return inputs
