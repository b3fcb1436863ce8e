"""The kinships between the papers' quantities: complete, right in their units, and inverse both ways."""

from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from sympy import Expr, Symbol, lambdify

import bounds
from bounds.across_papers.lookup import about, entries
from bounds.across_papers.table import CONVERSIONS, EQUAL, ROLES, Entry, Kinship
from bounds.language.dimension import Dimension, infer, same
from bounds.language.quantity import Notation

TABLES = {s.paper.key: s.paper.notation for s in bounds.statements()}


def dimensions(notation: Notation) -> dict[str, Dimension]:
    found = {name: quantity.dimension for name, quantity in notation.quantities.items()}
    return found | {name: observable.dimension for name, observable in notation.observables.items()}


def unit(quantity: str) -> Dimension:
    paper, _, name = quantity.partition(".")
    return dimensions(TABLES[paper])[name]


def spelled_alike(tables: dict[str, Notation]) -> set[frozenset[str]]:
    """Pairs of two papers with one ASCII name or one LaTeX."""
    groups = defaultdict(set)
    for paper, notation in tables.items():
        latex = {name: quantity.latex for name, quantity in notation.quantities.items()}
        latex |= {name: observable.latex for name, observable in notation.observables.items()}
        for name, printed in latex.items():
            groups[name].add(f"{paper}.{name}")
            groups[printed].add(f"{paper}.{name}")
    return {
        frozenset(pair)
        for group in groups.values()
        for pair in combinations(sorted(group), 2)
        if pair[0].partition(".")[0] != pair[1].partition(".")[0]
    }


def unsaid(tables: dict[str, Notation], said: dict[frozenset[str], Entry]) -> list[list[str]]:
    return sorted(sorted(pair) for pair in spelled_alike(tables) - said.keys())


def wrong_units(entry: Entry) -> list[str]:
    paper, _, name = entry.first.partition(".")
    other = entry.second.partition(".")[2]
    own = dimensions(TABLES[paper])
    wrong = []
    if entry.kinship is Kinship.EQUAL and not same(unit(entry.first), unit(entry.second)):
        wrong.append(f"{entry.first} and {entry.second} have different units")
    for expression, known, wanted in (
        (entry.forward, own, unit(entry.second)),
        (entry.backward, own | {other: unit(entry.second)}, unit(entry.first)),
    ):
        if expression is not None:
            dimension, mismatches = infer(expression, known)
            wrong += [str(m) for m in mismatches]
            wrong += [] if same(dimension, wanted) else [f"{name} and {other}: {dimension}, not {wanted}"]
    return wrong


def convert(value: Any, source: str, target: str, **others: Any) -> Any:
    """The value of `target` where `source` has `value`."""
    entry = entries()[frozenset((source, target))]
    expression = entry.forward if source == entry.first else entry.backward
    if expression is None:
        return value
    numbers = {source.partition(".")[2]: value} | others
    return lambdify([Symbol(name) for name in numbers], expression.subs(plain(expression)))(*numbers.values())


def plain(expression: Expr) -> dict[Symbol, Symbol]:
    """The symbols without their assumptions, so that a name is enough to find one."""
    return {symbol: Symbol(symbol.name) for symbol in expression.free_symbols}


def test_every_pair_that_is_spelled_alike_has_an_entry() -> None:
    assert unsaid(TABLES, entries()) == []


def test_every_name_exists() -> None:
    named = {name for roles in ROLES for name in roles} | {n for names in EQUAL.values() for n in names}
    named |= {name for entry in CONVERSIONS for name in (entry.first, entry.second)}
    known = {f"{paper}.{name}" for paper, notation in TABLES.items() for name in dimensions(notation)}
    assert named <= known


def test_what_differs_in_unit_is_called_equal_nowhere_and_conversions_have_the_right_unit() -> None:
    assert [wrong for entry in entries().values() for wrong in wrong_units(entry)] == []


@pytest.mark.parametrize("entry", CONVERSIONS, ids=lambda e: f"{e.first}-{e.second}")
def test_a_conversion_applied_both_ways_is_the_identity(entry: Entry) -> None:
    assert entry.forward is not None
    own = entry.first.partition(".")[2]
    rng = np.random.default_rng(3)
    others = {s.name: rng.uniform(1, 2, 5) for s in entry.forward.free_symbols if s.name != own}
    value = rng.uniform(1, 2, 5)
    there = convert(value, entry.first, entry.second, **others)
    assert convert(there, entry.second, entry.first, **others) == pytest.approx(value, rel=1e-14)
    assert not np.any(there == value)


@pytest.mark.parametrize(
    ("value", "source", "target", "others", "expected"),
    [
        # 100 is the last of 101 rounds of 4 steps each.
        (100, "fed_norm_ec.K", "fedavg_lojasiewicz.R", {}, 101),
        (4, "fed_norm_ec.T", "als_dpfl.T", {"K": 100}, 404),
        (0.2, "fed_norm_ec.gamma", "dp_fedavg.eta", {"T": 4}, 0.05),
        # f = x^2/2 has the squared gradient x^2, twice its gap.
        (1, "textbook.mu", "fedavg_lojasiewicz.mu_1", {}, 2),
        # 25 coordinates of standard deviation 3 * 2, on a sum of 10 gradients.
        (3, "als_dpfl.sigma", "textbook.sigma", {"d": 25, "C": 2, "B": 10}, 3.0),
        # Four clients with standard deviation 2 * 0.5 each, messages of length 5, 100 coordinates.
        (0.5, "dp_fedavg.sigma", "fed_norm_ec.sigma_DP", {"d": 100, "r": 4, "C": 5}, 2.0),
        (0.5, "dp_fedavg.sigma", "als_dpfl.sigma", {"r": 4, "C": 5}, 0.2),
        (2, "fed_norm_ec.f0_gap", "fedavg_lojasiewicz.f0_gap", {"Delta_inf": 0.5}, 2.5),
        (7, "fed_norm_ec.L", "als_dpfl.beta", {}, 7),
    ],
)
def test_conversions_by_hand(
    value: float, source: str, target: str, others: dict[str, float], expected: float
) -> None:
    assert convert(value, source, target, **others) == pytest.approx(expected)


def test_private_noise_converts_the_same_way_through_a_third_paper() -> None:
    direct = convert(0.3, "dp_fedavg.sigma", "fed_norm_ec.sigma_DP", d=49, r=9, C=2.0)
    multiplier = convert(0.3, "dp_fedavg.sigma", "als_dpfl.sigma", r=9, C=2.0)
    assert convert(multiplier, "als_dpfl.sigma", "fed_norm_ec.sigma_DP", d=49) == pytest.approx(direct)


def test_a_statement_is_told_what_is_not_the_same_first() -> None:
    said = about(bounds.get("dp_fedavg.theorem_2"))
    kinds = [entry.kinship for entry in said]
    assert kinds == sorted(kinds, key=list(Kinship).index)
    pairs = {frozenset((entry.first, entry.second)): entry.kinship for entry in said}
    assert pairs[frozenset(("dp_fedavg.rho", "als_dpfl.rho"))] is Kinship.NOT_THE_SAME
    assert pairs[frozenset(("fed_norm_ec.gamma", "dp_fedavg.eta"))] is Kinship.CONVERTED
    assert pairs[frozenset(("als_dpfl.beta", "dp_fedavg.L"))] is Kinship.EQUAL
    assert all("dp_fedavg." in entry.first + entry.second for entry in said)


# ---- the checks can fail


def test_a_forgotten_pair_is_missed() -> None:
    pair = frozenset(("dp_fedavg.rho", "als_dpfl.rho"))
    rest = {key: entry for key, entry in entries().items() if key != pair}
    assert unsaid(TABLES, rest) == [sorted(pair)]
    table = Notation()
    table.quantity("zeta", r"\beta", "planted", next(iter(TABLES["textbook"].quantities.values())).domain)
    found = unsaid(TABLES | {"planted": table}, entries())
    assert ["als_dpfl.beta", "planted.zeta"] in found
    assert ["fedavg_lojasiewicz.zeta", "planted.zeta"] in found


def test_a_wrong_conversion_is_caught() -> None:
    entry = next(e for e in CONVERSIONS if e.second == "textbook.sigma")
    assert entry.forward is not None
    assert wrong_units(replace(entry, forward=entry.forward**2)) != []
    assert wrong_units(replace(entry, kinship=Kinship.EQUAL)) != []
    assert entries()[frozenset((entry.first, entry.second))] is entry
