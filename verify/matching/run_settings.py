"""The settings of an algorithm from a statement's quantities: each says which setting it is.

What a statement does not mention is absent: everybody takes part, nothing is noised, nothing is clipped.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from math import inf
from typing import Any, Final

from bounds.language.part import STEPS, Of, Part
from bounds.language.statement import Statement
from synthetic.errors import UnknownAlgorithm
from synthetic.oracles import Gaussian, Minibatch, Sphere, StudentT, TwoPoint
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problem import Problem
from synthetic.run import runnable
from verify.cell import Cell, revived
from verify.matching.constants.constants import parts_of
from verify.matching.linear_bound import compute_exactly, inputs

# A setting that is an object, from one number: written FIELD.WORD as the setting of a quantity.
OBJECTS: Final[Mapping[str, Callable[[float], Any]]] = {
    "participation.fixed_size": lambda number: FixedSize(count=int(number)),
    "participation.independent": lambda number: (
        Full() if number == 1 else Independent(probability=float(number))
    ),
    "oracle.gaussian": lambda number: Gaussian(scale=number),
    "oracle.sphere": lambda number: Sphere(scale=number) if number else None,
    "oracle.two_point": lambda number: TwoPoint(scale=number),
    "oracle.student_t": lambda number: StudentT(scale=number, degrees=3),
    "oracle.minibatch": lambda number: Minibatch(size=int(number)),
}
WORDS: Final = {("participation", "full"): Full()}
NOISES: Final = ("noise_scale", "noise_multiplier", *(name for name in OBJECTS if name.startswith("oracle.")))
# One number under three names: our descent methods count steps, others name the last round, from 0 on.
COUNTED: Final = ("rounds", "steps", "last_round")
COUNTS_OF_CLIENTS: Final = ("clients_per_round", "participation.fixed_size")
# With each, every client takes part by itself; the second is what an author's algorithm calls the first.
COINS: Final = ("participation.independent", "probability")
FEW_CLIENTS: Final = (*COUNTS_OF_CLIENTS, *COINS)
# An author's algorithm has no objects of ours: it is told the number, under a plain name.
AS_NUMBERS: Final = {
    "participation.independent": "probability",
    "participation.fixed_size": "clients_per_round",
}

# Runs of these on a quadratic with exact data are computed in fractions (`exact_runs`).
IN_FRACTIONS: Final = ("gradient_descent", "stochastic_gradient_descent", "fedavg")


# Settings that leave something out of a run; the number of clients in a round is added, for each problem.
ABSENT: Final[Mapping[str, Any]] = {
    "participation": Full(),
    "private": True,  # with what noise there is
    "noise_scale": 0.0,
    "noise_multiplier": 0.0,
    "clip_threshold": inf,
}


def absent(problem: Problem) -> dict[str, Any]:
    return {**ABSENT, "clients_per_round": problem.clients}


def settings_that_are_quantities(statement: Statement) -> dict[str, str]:
    """Setting of the algorithm to quantity, of those that the statement takes or prescribes."""
    taken, known = taken_names(statement), names_of_settings(statement)
    found = parts_of(statement.notation, Of.SETTING)
    return {_named(part, known): quantity for quantity, part in found.items() if quantity in taken}


def settings_of_a_function(statement: Statement) -> set[str]:
    """The settings that a bare round function is given: numbers under plain names, and its rounds.

    Of two names, a setting has the one that it has in the algorithm which the statement names, if there is
    one: the function stands in its place.
    """
    taken, found = taken_names(statement), parts_of(statement.notation, Of.SETTING)
    parts = [part for quantity, part in found.items() if quantity in taken]
    try:
        known = names_of_settings(statement)
    except UnknownAlgorithm:
        known = set()
    return {name.partition(".")[0] for part in parts if (name := _plain(part, known))} - {"rounds"}


def _plain(part: Part, known: set[str]) -> str:
    only_other = part.name not in known and part.or_else in known
    if "." in part.name:
        return AS_NUMBERS.get(part.name, part.or_else)
    return part.or_else if part == STEPS or only_other else part.name


def names_of_settings(statement: Statement) -> set[str]:
    return {field.name for field in fields(runnable(str(statement.algorithm)).settings)}


def _named(part: Part, known: set[str]) -> str:
    """The name that the algorithm has; the first one where it has neither, which is then refused."""
    names = (part.name, part.or_else, *(COUNTED if part.name in COUNTED else ()))
    return next((name for name in names if _field(name, known) in known), part.name)


def _field(setting: str, known: Container[str]) -> str:
    """The setting of the algorithm that a quantity fills: an object of ours, or a number of an author's."""
    field = setting.partition(".")[0]
    return field if field in known else AS_NUMBERS.get(setting, field)


@lru_cache(maxsize=1024)  # each standard cell asks several times
def taken_names(statement: Statement) -> frozenset[str]:
    """Every quantity that the statement names: inputs, prescriptions, definitions, those of its example."""
    symbols = set(statement.symbols)
    for choice in statement.choices:
        symbols |= {choice.symbol, *choice.expression.free_symbols}
    for definition in statement.where:
        symbols |= {definition.symbol, *definition.expression.free_symbols}
    for condition in statement.conditions:
        symbols |= (condition.value - condition.limit).free_symbols
    names = {symbol.name for symbol in symbols} | statement.example.keys()
    return frozenset(names & statement.notation.quantities.keys())


def missing_setting(statement: Statement) -> str | None:
    """A setting that the algorithm needs and that nothing gives; None where there is none."""
    listing, known = runnable(str(statement.algorithm)), names_of_settings(statement)
    given = {_field(name, known) for name in settings_that_are_quantities(statement)}
    given |= {"start", *statement.run_with}
    # without the noise that an author's algorithm requires, a bound that forgets it would hold
    given |= set() if listing.outside else {*ABSENT, "clients_per_round"}
    needed = (
        f.name for f in fields(listing.settings) if f.default is MISSING and f.default_factory is MISSING
    )
    return next((name for name in needed if name not in given), None)


def unknown_setting(statement: Statement) -> str | None:
    """A setting that the statement names and that the algorithm does not have."""
    known = names_of_settings(statement)
    named = {name: _field(name, known) for name in settings_that_are_quantities(statement)}
    named |= {name: name for name in statement.run_with}
    return next((name for name, own in named.items() if own not in known), None)


def settings_of(statement: Statement, cell: Cell, **own: Any) -> Any:
    """What the algorithm is told in this cell; fractions where the problem is exact.

    The cell gives what the statement leaves open, by the name of a quantity or of a setting; `own` settings
    come before all of them.
    """
    problem, listing = cell.build_problem(), runnable(cell.algorithm)
    known = {field.name: field.default for field in fields(listing.settings)}
    left_out = {} if listing.outside else absent(problem)
    values = {n: v for n, v in left_out.items() if n in known and known[n] is MISSING}
    values |= {n: v for n, v in cell.engine.items() if n in known}
    # an author's algorithm gets its words as they are written
    words = {} if listing.outside else WORDS
    values |= {name: _meant(words, name, value) for name, value in statement.run_with.items()}
    parts = parts_of(statement.notation, Of.SETTING)
    for quantity, number in _collect_numbers(statement, cell, exact=problem.exact).items():
        setting = _named(parts[quantity], set(known))
        # K rounds are numbered 0 to K - 1, so a last round is one less than what counts them
        number += parts[quantity].more + (parts[quantity].name == "last_round") - (setting == "last_round")
        value = round(number) if statement.notation.quantities[quantity].domain.integer else number
        field = _field(setting, known)
        if field in known:
            values[field] = OBJECTS[setting](value) if setting.startswith(f"{field}.") else value
    return listing.settings(**values | own)


def _collect_numbers(statement: Statement, cell: Cell, *, exact: bool) -> dict[str, Any]:
    """The quantities that are settings: those that the statement leaves open, then its own.

    Two may be one setting, as the rounds of a theorem and those so far: then the statement's own counts.
    """
    evaluation = statement.evaluate(**inputs(statement, cell))
    numbers: Mapping[str, Any] = evaluation.inputs | evaluation.derived
    parts = parts_of(statement.notation, Of.SETTING)
    left_open = {q: revived(cell.engine[q]) for q in parts if q in cell.engine and q not in numbers}
    in_fractions = exact and cell.algorithm in IN_FRACTIONS
    own = {
        q: compute_exactly(statement, cell, q) if in_fractions else float(numbers[q])
        for q in parts
        if q in numbers
    }
    return left_open | own


def _meant(words: Mapping[tuple[str, str], Any], name: str, value: Any) -> Any:
    return words.get((name, value), value) if isinstance(value, str) else value


def draws_nothing(algorithm: str, settings: Any, clients: int) -> bool:
    """Whether a run of one of our algorithms with these settings is certain to draw no random number."""
    values: Mapping[str, Any] = {field.name: getattr(settings, field.name) for field in fields(settings)}
    if algorithm == "gradient_descent":
        return True
    if algorithm == "fedavg":
        return isinstance(values["participation"], Full) and values["oracle"] is None
    if algorithm in ("dp_fedavg", "dp_norm_fedavg"):
        everyone = values["participation"] is None and values["clients_per_round"] == clients
        return values["noise_scale"] == 0 and (everyone or isinstance(values["participation"], Full))
    return False
