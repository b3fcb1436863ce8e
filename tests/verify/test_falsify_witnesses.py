"""Witnesses on file replay without the search, and what no search could make is refused."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bounds
from bounds import discovery
from bounds.errors import Misuse
from bounds.language.finding import FindingClass
from verify.cell import NAMED, Cell
from verify.falsify import fresh_run, objects, runs
from verify.falsify.attempt import falsify_statement, half
from verify.falsify.confirm import confirm
from verify.falsify.outcome import NotAnInstance
from verify.falsify.witness_file import NotAWitness, document, replay
from verify.falsify.witness_folder import WITNESSES
from verify.json_numbers import read_decoded
from verify.ledger import findings
from verify.matching.measurements.measurement import Sampled
from verify.papers.als_dpfl import runs_gap as dpfl

CONVEX = "textbook.gradient_descent_convex"
FILES = sorted(WITNESSES.glob("*.json"))


@pytest.fixture(scope="module")
def witness() -> dict[str, Any]:
    found = falsify_statement(bounds.get("dp_fedavg.lemma_3"), evaluations=100)
    assert found.witness is not None
    return dict(found.witness)


@pytest.mark.slow("a process; witnesses replay in the first tier too")
def test_a_witness_replays_in_another_process_without_the_search(
    witness: dict[str, Any], tmp_path: Any
) -> None:
    file = tmp_path / "witness.json"
    file.write_text(json.dumps(witness))
    code = (
        "import json, sys, pathlib\n"
        "from verify.falsify.witness_file import replay\n"
        f"assert replay(json.loads(pathlib.Path({str(file)!r}).read_text())).agrees\n"
        "loaded = {'verify.search.search', 'verify.falsify.attempt', 'scipy.optimize', 'hypothesis'}\n"
        "assert not loaded & set(sys.modules), loaded & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_witness_that_was_changed_does_not_agree(witness: dict[str, Any]) -> None:
    assert replay(witness).agrees
    assert not replay(witness | {"left": witness["left"] * 1.001}).agrees
    coordinates = [1 - u for u in witness["instance"]["coordinates"]]
    assert not replay(witness | {"instance": witness["instance"] | {"coordinates": coordinates}}).agrees


@pytest.mark.parametrize("key", ["locator", "printed", "method", "sentence", "details", "new"])
def test_what_a_witness_says_besides_is_compared(witness: dict[str, Any], key: str) -> None:
    found = replay(witness | {key: "forged"})
    assert (found.agrees, found.unlike) == (False, (key,))
    assert found.sentence.endswith(f"differs in {key}")


@pytest.mark.parametrize("key", ["family", "method", "sentence"])
def test_the_words_of_a_witness_are_texts(witness: dict[str, Any], key: str) -> None:
    for other in ({**witness, key: 3}, {name: value for name, value in witness.items() if name != key}):
        with pytest.raises(NotAWitness, match=key):
            replay(other)


@pytest.mark.parametrize("change", [{"seed": 1.5}, {"seed": True}, {"replicates": 64.5}])
def test_a_run_of_a_witness_has_whole_numbers(change: dict[str, Any]) -> None:
    kept = json.loads((WITNESSES / "dp_fedavg.theorem_3.json").read_text())
    cell = kept["instance"]["cell"] | change
    with pytest.raises(NotAnInstance, match="whole numbers"):
        replay(kept | {"instance": kept["instance"] | {"cell": cell}})


@pytest.mark.thinned(3)
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("factor", [1 + 1e-6, 1 - 1e-6, float("inf"), float("-inf"), float("nan")])
def test_a_side_that_is_a_little_off_or_infinite_does_not_agree(
    witness: dict[str, Any], side: str, factor: float
) -> None:
    assert not replay(witness | {side: witness[side] * factor}).agrees


@pytest.mark.parametrize("value", [True, None, "0.5", 10**400])
def test_a_side_that_is_no_number_does_not_agree(witness: dict[str, Any], value: Any) -> None:
    assert not replay(witness | {"left": value}).agrees


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_a_witness_of_numbers_that_are_not_finite_is_not_read(tmp_path: Any, number: str) -> None:
    file = tmp_path / "witness.json"
    file.write_text(f'{{"schema": "fedbounds/falsify-witness/1", "left": {number}}}')
    with pytest.raises(NotAWitness, match=f"holds {number}, which is not a finite number"):
        read_decoded(file, NotAWitness)


# ---- instances that the search cannot make


def test_nothing_outside_the_cube_refutes_what_is_true_inside() -> None:
    """Made at -4.5, the weights of the clients are no weights: the sides differ by a factor of 200."""
    statement = discovery.get("als_dpfl.claims.max_difference", "amended")
    family = next(f for f in objects.families(statement, 1) if f.name == "random")
    instance = family.instance(np.full(family.dimension, 0.5))
    assert not confirm(statement, instance).refutes
    instance["coordinates"][2] = -4.5
    with pytest.raises(NotAnInstance, match=r"-4\.5 is not between 0 and 1"):
        confirm(statement, instance)


OUTSIDE = [-1e-9, 1 + 1e-9, -4.5, 1e30, float("inf"), float("-inf"), float("nan"), True, "0.5", None, 10**400]


@pytest.mark.parametrize("value", OUTSIDE)
@pytest.mark.parametrize("place", [0, 2, -1])
def test_coordinates_of_objects_outside_the_cube_are_refused(
    witness: dict[str, Any], place: int, value: Any
) -> None:
    coordinates = list(witness["instance"]["coordinates"])
    coordinates[place] = value
    with pytest.raises(NotAnInstance, match="is not between 0 and 1"):
        replay(witness | {"instance": witness["instance"] | {"coordinates": coordinates}})


@pytest.mark.parametrize("kept", [f for f in FILES if "coordinates" in json.loads(f.read_text())["instance"]])
def test_more_or_fewer_coordinates_than_the_family_takes_are_refused(kept: Any) -> None:
    found = json.loads(kept.read_text())
    coordinates = found["instance"]["coordinates"]
    for other in (coordinates[:-1], [*coordinates, 0.5], []):
        with pytest.raises(NotAnInstance, match="coordinates of the witness make no instance"):
            replay(found | {"instance": found["instance"] | {"coordinates": other}})


@pytest.mark.parametrize("seed", [-1, 0.5, "1", None, True])
def test_a_seed_is_a_whole_number(witness: dict[str, Any], seed: Any) -> None:
    with pytest.raises(NotAnInstance, match="seed of the witness"):
        replay(witness | {"instance": witness["instance"] | {"seed": seed}})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"eta": float("inf")}, "no finite number"),
        ({"eta": float("nan")}, "no finite number"),
        ({"eta": "1"}, "no finite number"),
        ({"eta": None}, "no finite number"),
        ({"eta": True}, "no finite number"),
        ({"eta": 10**400}, "no finite number"),
        ({"more": 1.0}, "or has more: more"),
        ({"x": 2.0}, "sets x to 1"),
    ],
)
def test_numbers_are_those_of_the_statement(change: dict[str, Any], told: str) -> None:
    """h(1) is claimed to be 0: at x = 2 nothing is, though h is not 0 there either."""
    kept = json.loads((WITNESSES / "als_dpfl.claims.h_vanishes_at_one.json").read_text())
    point = kept["instance"]["point"]
    assert replay(kept).agrees
    with pytest.raises(NotAnInstance, match=told):
        replay(kept | {"instance": {"kind": "numbers", "point": point | change}})
    fewer = {name: value for name, value in point.items() if name != "eta"}
    with pytest.raises(NotAnInstance, match="or has more: eta"):
        replay(kept | {"instance": {"kind": "numbers", "point": fewer}})


def test_numbers_outside_their_domain_refute_nothing() -> None:
    kept = json.loads((WITNESSES / "fedavg_lojasiewicz.equation_41.json").read_text())
    for name, value in (("L", -1.0), ("alpha", 30.0)):
        point = kept["instance"]["point"] | {name: value}
        assert not replay(kept | {"instance": {"kind": "numbers", "point": point}}).confirmation.refutes


@pytest.mark.parametrize("name", ["problem_arguments", "parameters", "engine", "seed", "replicates"])
@pytest.mark.parametrize("value", [-1, "x", None, [], float("inf"), float("nan")])
def test_a_run_that_cannot_be_made_is_refused(name: str, value: Any) -> None:
    statement = bounds.get(CONVEX)
    instance = fresh_run.instance_of(runs.families(statement, 1)[0].cells[0], 1)
    instance["cell"][name] = value
    try:
        found = confirm(statement, instance)
    except Misuse:
        return
    assert not found.refutes


def _cell_of_lemma_3(gamma: float) -> Cell:
    engine = {"T": 5, "gamma": gamma, "R": 0.15, "alpha": 0.958, "eta": 0.0368, "start": [-109.2, 0.0, 0.0]}
    return Cell(
        statement="fed_norm_ec.lemma_3",
        variant="printed",
        role="far too long steps",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[2.1325] * 3] * 2, "centers": [[0.0152, 0.0, 0.0], [0.0] * 3]},
        algorithm="fed_alpha_norm_ec",
        parameters={"M": 2, "K": 12, "beta": 0.01038, "p": 0.23, "sigma_DP": 1.758},
        engine=engine,
    )


def test_an_excess_that_is_rounding_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Local steps of 4,245 for a curvature of 2: memories of 1e18, and a gap made of their last bits.

    The gap's mean is at most the root of its second moment, beta sqrt((K+1) ((1-p+sigma^2)/p)/M) = 0.1077.
    Where that is certified, what is measured contradicts it; elsewhere only data that are moved tell.
    """
    statement, cell = bounds.get("fed_norm_ec.lemma_3"), _cell_of_lemma_3(gamma=4245.0)
    # above 0.1077, below what is measured
    terms = tuple(replace(t, expression=t.expression * Fraction(7, 8)) for t in statement.terms)
    low_bound = replace(statement, terms=terms)
    found = confirm(low_bound, fresh_run.instance_of(cell, 3))
    assert not found.refutes
    assert "what was certified is wrong" in found.sentence
    short = _cell_of_lemma_3(gamma=0.1)
    assert "below the bound" in confirm(low_bound, fresh_run.instance_of(short, 3)).sentence

    certified = fresh_run._fresh

    def without(*arguments: Any) -> Any:
        def run(purpose: str, count: int) -> Sampled:
            measured = certified(*arguments)(purpose, count)
            assert isinstance(measured, Sampled)
            return replace(measured, second_moment=None, ceiling=None)

        return run

    monkeypatch.setattr(fresh_run, "_fresh", without)
    found = confirm(low_bound, fresh_run.instance_of(cell, 3))
    assert not found.refutes
    assert "the excess is rounding" in found.sentence
    monkeypatch.setattr(fresh_run, "_stands", lambda *_: True)
    assert confirm(low_bound, fresh_run.instance_of(cell, 3)).refutes, "nothing else catches it"


@pytest.mark.parametrize(
    ("role", "reading", "refutes"),
    [("flat, started far away", NAMED, True), ("strong noise, started near", "in mean", False)],
)
def test_a_violation_in_another_reading_is_no_refutation(role: str, reading: str, refutes: bool) -> None:
    """Both cells exceed the printed bound; only one reads the hypotheses as the proof does."""
    statement = bounds.get("als_dpfl.theorem_2.theorem_omega")
    (cell,) = [c for c in dpfl.cells(statement) if (c.role, c.reading) == (role, reading)]
    found = confirm(statement, fresh_run.instance_of(cell, 3))
    assert found.details["verdict"] == "violated"
    assert found.refutes is refutes


def test_everything_that_the_ledger_calls_false_has_a_witness() -> None:
    found = [f for s in bounds.statements() for f in findings.findings(s)]
    false = {f.statement for f in found if f.grade is FindingClass.FALSE and f.where == "conclusion"}
    kept = {json.loads(file.read_text())["id"] for file in FILES}
    assert len(false) > 30
    assert false <= kept


def test_files_that_are_no_witness_are_refused(witness: dict[str, Any]) -> None:
    with pytest.raises(NotAWitness, match="lacks 'instance'"):
        replay({k: v for k, v in witness.items() if k != "instance"})
    with pytest.raises(NotAnInstance, match="no known kind"):
        replay(witness | {"instance": {"kind": "guess"}})
    with pytest.raises(NotAnInstance, match="no objects of the family"):
        replay(witness | {"instance": witness["instance"] | {"family": "easy"}})


def test_a_cell_of_another_statement_is_no_witness(witness: dict[str, Any]) -> None:
    statement = bounds.get(CONVEX)
    instance = fresh_run.instance_of(runs.families(statement, 1)[0].cells[0], 1)
    with pytest.raises(NotAnInstance, match="holds no cell of"):
        replay(witness | {"instance": instance})


def test_a_witness_of_a_run_names_its_fresh_stream() -> None:
    statement = half(bounds.get(CONVEX))
    instance = fresh_run.instance_of(runs.families(statement, 1)[0].cells[0], 1)
    found = confirm(statement, instance)
    assert found.refutes
    kept = document(statement, "standard cells", instance, found)
    assert replay(json.loads(json.dumps(kept))).confirmation.refutes is False, "the printed form is true"


COMMITTED = {file.stem: file for file in FILES}


@pytest.mark.thinned(3)
@pytest.mark.sampled(each=3)
@pytest.mark.parametrize("identity", COMMITTED)
def test_committed_witnesses_replay(identity: str) -> None:
    assert replay(json.loads(COMMITTED[identity].read_text())).agrees
