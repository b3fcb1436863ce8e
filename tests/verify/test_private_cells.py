"""Cells whose noise follows from a privacy: what they keep is counted anew from what the run releases."""

import math
from dataclasses import replace
from functools import cache

import pytest
from scipy.stats import norm

import bounds
from bounds.language.finding import Verdict
from verify.cell import Cell
from verify.matching.privacy import STANDARD
from verify.privacy.errors import BadRequest
from verify.privacy.mechanism import Relation
from verify.runs.check import CellResult, forms, run_cell, standard_cells

STATEMENTS = ("dp_fedavg.theorem_2", "dp_fedavg.theorem_4", "fed_norm_ec.theorem_1.main")
FORMS = forms([bounds.get(identity) for identity in STATEMENTS])
PLACED = [(form.id, form.variant, placement) for form in FORMS for placement in ("server", "clients")]


@cache
def cells() -> dict[tuple[str, str, str], Cell]:
    """The private cells by statement, form and placement."""
    every = [cell for cell in standard_cells(FORMS) if "privacy" in cell.engine]
    found = {(cell.statement, cell.variant, cell.engine["noise_placement"]): cell for cell in every}
    assert len(found) == len(every)
    return found


def ran(cell: Cell) -> CellResult:
    return run_cell(cell, level=1e-6, seed=1, replicates=64)


def spent_by_hand(multiplier: float, rounds: int, epsilon: float) -> float:
    """delta of `rounds` Gaussian releases at this epsilon (Balle and Wang 2018), sensitivity 1."""
    mu = math.sqrt(rounds) / multiplier
    below = math.exp(epsilon) * norm.cdf(-epsilon / mu - mu / 2)
    return float(norm.cdf(mu / 2 - epsilon / mu) - below)


def test_every_form_that_prescribes_no_noise_has_both_placements() -> None:
    assert {*cells()} == {*PLACED}


@pytest.mark.parametrize("placed", PLACED, ids="-".join)
def test_a_private_cell_keeps_what_it_was_asked_or_is_refused_by_both_names(
    placed: tuple[str, str, str],
) -> None:
    cell = cells()[placed]
    result = ran(cell)
    if cell.engine["noise_placement"] == "clients":
        assert result.verdict is Verdict.REFUSED
        assert result.privacy is None
        assert "noise of the clients" in result.sentence
        assert "add-or-remove" in result.sentence
        return
    assert result.verdict is Verdict.HOLDS
    kept = result.privacy
    assert kept is not None
    assert 0.999 * STANDARD.epsilon < kept["epsilon"] <= STANDARD.epsilon
    delta = spent_by_hand(kept["sigma"], kept["rounds"], kept["epsilon"])
    assert delta == pytest.approx(STANDARD.delta, rel=1e-6)


@pytest.mark.parametrize("placed", [placed for placed in PLACED if placed[2] == "server"], ids="-".join)
def test_less_noise_than_was_calibrated_is_seen_in_what_was_spent(placed: tuple[str, str, str]) -> None:
    """What is recorded comes from the run, not from what was asked of it."""
    cell = cells()[placed]
    noise = "sigma_DP" if "sigma_DP" in cell.parameters else "rho"
    weaker = replace(cell, parameters={**cell.parameters, noise: float(cell.parameters[noise]) / 2})
    full, half = ran(cell).privacy, ran(weaker).privacy
    assert full is not None
    assert half is not None
    assert half["sigma"] == pytest.approx(full["sigma"] / 2)
    assert half["epsilon"] > 1.5 * full["epsilon"]


def test_replace_one_costs_more_and_counts_noise_at_the_clients() -> None:
    target = replace(STANDARD, relation=Relation.REPLACE_ONE)
    both = [c for c in standard_cells(forms([bounds.get(STATEMENTS[0])]), target) if "privacy" in c.engine]
    server, clients = (ran(cell).privacy for cell in both)
    before = ran(next(c for c in cells().values() if c.statement == STATEMENTS[0])).privacy
    assert server is not None
    assert clients is not None
    assert before is not None
    assert server["sigma"] == pytest.approx(2 * before["sigma"], rel=1e-4)
    assert clients["epsilon"] == pytest.approx(server["epsilon"], rel=1e-9)


def test_memories_that_the_server_is_told_are_refused() -> None:
    cell = next(
        c
        for c in cells().values()
        if c.statement == STATEMENTS[2] and c.engine["noise_placement"] == "server"
    )
    told = replace(cell, engine={n: v for n, v in cell.engine.items() if n != "initial_memory"})
    assert told != cell
    result = ran(told)
    assert result.verdict is Verdict.REFUSED
    assert "without noise" in result.sentence


def test_a_privacy_that_would_take_a_crowd_is_refused_before_anything_is_built() -> None:
    with pytest.raises(BadRequest, match="a cell has at most"):
        standard_cells(FORMS, replace(STANDARD, epsilon=1e-9))
