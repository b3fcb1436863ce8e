"""Where the quantities of a statement stand in a worst-case program.

What a quantity is follows from the part that it declares (`bounds.language.part`); a paper whose quantities
declare none says it in `verify/papers/PAPER/worst_case.py`, by NAMES and OBSERVABLES.
"""

import importlib
import importlib.util
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import final

from bounds.language.part import Of, Part
from bounds.language.statement import Statement
from verify.worst_case.errors import NoWorstCase
from verify.worst_case.methods.question import OF_CLASS, is_method

# The field of a setting that a part is, by whose number it is, its name, and whether it is a root.
SETTINGS = {
    "rounds": "rounds",
    "steps": "rounds",
    "local_steps": "local_steps",
    "step": "local_step",
    "local_step": "local_step",
    "server_step": "server_step",
    "oracle.sphere": "sigma",
}
OF_PROBLEM = {
    (Of.CONSTANT, "smoothness", False): "L",
    (Of.CONSTANT, "mean_smoothness", False): "L",
    (Of.CONSTANT, "lipschitz", False): "G",
    (Of.CONSTANT, "strong_convexity", False): "mu",
    (Of.CONSTANT, "client_strong_convexity", False): "mu",
    (Of.CONSTANT, "clients", False): "clients",
    (Of.CONSTANT, "infimum_gap", False): "Delta_star",
    (Of.CONSTANT, "mean_squared_gradient_divergence", True): "zeta",
    (Of.CONSTANT, "mean_squared_client_gradient_at_minimiser", True): "zeta_star",
    (Of.START, "distance", False): "D0",
    (Of.START, "gap", False): "f0_gap",
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Fields of the program, settings of an author's algorithm, and the quantity that each field is."""

    fields: dict[str, Fraction]
    values: dict[str, Fraction]
    called: dict[str, str]


def place_quantities(statement: Statement, known: Mapping[str, Fraction], own: Collection[str]) -> Placed:
    """Put each quantity where its part says, or refuse the statement: to leave one out changes the class.

    `own` are the settings of an author's algorithm, which are called by its own names.
    """
    placed = Placed(fields={}, values={}, called={})
    of_paper = _names_of_paper(statement)
    derived = {c.symbol.name for c in statement.choices} | {d.symbol.name for d in statement.where}
    for name, value in known.items():
        quantity = statement.notation.quantities.get(name)
        part = None if quantity is None else quantity.part
        if name in of_paper:
            placed.fields[of_paper[name]] = value
            placed.called[of_paper[name]] = name
        elif part is not None and part.of in (Of.SETTING, Of.CONSTANT, Of.START):
            _place(statement, placed, name, part, value, own)
        elif part is None and quantity is not None and name not in derived:
            raise NoWorstCase(f"{statement.id} does not say what {name} is of a run: it declares no part")
    return placed


def _place(
    statement: Statement, placed: Placed, name: str, part: Part, value: Fraction, own: Collection[str]
) -> None:
    setting = next((one for one in (part.name, part.or_else) if one in own), None)
    if part.of is Of.SETTING and setting is not None:
        placed.values[setting] = value + part.more
        return
    field = _field(part)
    assert statement.algorithm is not None
    if field is None or (is_method(statement.algorithm) and field not in OF_CLASS.values()):
        raise NoWorstCase(
            f"{statement.id} says that {name} is {_describe(part)}, which its worst-case program does not "
            "know"
        )
    if part.root and part.times != 1:
        raise NoWorstCase(
            f"{statement.id} says that {name} is the root of {part.times} times the constant {part.name}, "
            "and a worst-case program knows the root of the constant alone"
        )
    value = (value + part.more) / part.times
    if placed.fields.setdefault(field, value) != value:
        raise NoWorstCase(
            f"{statement.id} limits one number of the problem by {placed.called[field]} and by {name}"
        )
    placed.called[field] = name


def _field(part: Part) -> str | None:
    if part.of is Of.SETTING:
        return SETTINGS.get(part.name)
    field = OF_PROBLEM.get((part.of, part.name, part.root))
    if part.or_else and OF_PROBLEM.get((part.of, part.or_else, part.root)) != field:
        return None  # the constant of another class stands in for it
    # from above, but strong convexity from below: else the quantity limits nothing
    return field if part.lower == (field == "mu") and not part.mean else None


def _describe(part: Part) -> str:
    root = "the root of " if part.root else ""
    kind = {Of.SETTING: "setting", Of.CONSTANT: "constant", Of.START: "measure of the start"}[part.of]
    return f"{root}the {kind} {part.name}{f', or else {part.or_else}' if part.or_else else ''}"


def refuse_limits_of_the_mean(statement: Statement, placed: Placed, *, convex: bool) -> None:
    """A program limits every client; a limit on their mean allows more problems, and other worst cases.

    So does a gap to the infimum of the mean, without convexity: a program takes the mean of the infima.
    """
    of_the_mean = ("mean_smoothness", "strong_convexity") if convex else ("mean_smoothness", "gap")
    for name in placed.called.values() if placed.fields["clients"] > 1 else ():
        part = statement.notation.quantities[name].part
        if name not in _names_of_paper(statement) and part is not None and part.name in of_the_mean:
            raise NoWorstCase(
                f"{statement.id} limits the mean of the clients by {name}, and a worst-case program limits "
                "every client"
            )


def _names_of_paper(statement: Statement) -> Mapping[str, str]:
    names: Mapping[str, str] = getattr(load_module_of_paper(statement), "NAMES", {})
    return names


def load_module_of_paper(statement: Statement) -> ModuleType | None:
    """What a paper of ours says of its quantities; an author's paper has no folder here."""
    name = f"verify.papers.{statement.paper.key}.worst_case"
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    return None if found is None else importlib.import_module(name)
