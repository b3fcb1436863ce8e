"""Certified worst cases of the distribution: complete, checked without a solver, part of a record."""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.finding import REFUTED
from bounds.language.statement import Statement
from reports.command_line import run
from verify.records.standings import standings
from verify.worst_case import statements, stored_answers
from verify.worst_case.errors import NoWorstCase
from verify.worst_case.places import Placed
from verify.worst_case.statements import question

FORMS = [s for s in discovery.forms().values() if s.id in stored_answers.POINTS]
KEPT = [(s, place) for s in FORMS for place in range(len(stored_answers.points_of(s)))]


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("statement", "place"), KEPT, ids=[f"{s.id}-{s.variant}-{place}" for s, place in KEPT]
)
def test_what_is_kept_is_proved_again(
    statement: Statement, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    entry = stored_answers.entry_of(statement, place)
    assert entry is not None
    assert entry["verdict"] in ("holds", "tight")
    assert {name: str(value) for name, value in stored_answers.points_of(statement)[place].items()} == entry[
        "parameters"
    ]
    assert entry in stored_answers.entries_of([statement])


def test_a_point_with_noise_is_kept() -> None:
    for statement in FORMS:
        if "sigma" in stored_answers.POINTS[statement.id][0]:
            assert any(point["sigma"] > 0 for point in stored_answers.points_of(statement)), statement.id


def test_every_statement_with_a_program_is_kept() -> None:
    found = set()
    for statement in discovery.forms().values():
        if statement.id.split(".")[0] == "its_author" or not statement.example:
            continue
        example = {name: Fraction(str(value)) for name, value in statement.example.items()}
        example |= {"sigma": Fraction(0)} if "sigma" in example and statement.algorithm == "fedavg" else {}
        try:
            question(statement, example | {n: Fraction(2) for n in ("R", "H") if n in example})
        except (NoWorstCase, Misuse):
            continue
        found.add(statement.id)
    assert found == set(stored_answers.POINTS)
    files = {stored_answers.file_of(statement, place).name for statement, place in KEPT}
    assert files == {file.name for file in stored_answers.FOLDER.glob("*.json")}


def test_a_certificate_that_proves_nothing_refuses_the_entry(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    statement = discovery.get("textbook.gradient_descent_convex")
    data = json.loads(stored_answers.file_of(statement).read_text(encoding="utf-8"))
    data["certificate"]["multipliers"].pop()
    monkeypatch.setattr(stored_answers, "FOLDER", tmp_path)
    stored_answers.keep(statement, data)
    entry = stored_answers.entry_of(statement)
    assert entry is not None
    assert entry["verdict"] == "refused"
    assert run(["verify", statement.id, "--quick"]) == 1


def test_a_violated_bound_names_the_instance_that_replays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With half of the right side the stored instance is above the bound, and the file replays it."""
    statement = discovery.get("textbook.gradient_descent_convex")
    data = json.loads(stored_answers.file_of(statement).read_text(encoding="utf-8"))
    (term,) = statement.terms
    halved = replace(statement, terms=(replace(term, expression=term.expression / 2),))
    bound = Fraction(data["bound_exact"]) / 2
    data |= {"bound": float(bound), "bound_exact": str(bound), "verdict": "violated"}
    data |= {name: data[name] / 2 for name in ("ratio", "ratio_at_most")}
    data["terms"] = [one | {"value": one["value"] / 2} for one in data["terms"]]
    data["sentence"] = data["sentence"].partition(";")[0] + (
        f"; the bound {float(bound):.10g} is below what the instance attains: it is false"
    )
    monkeypatch.setattr(stored_answers, "FOLDER", tmp_path)
    monkeypatch.setattr(discovery, "get", lambda *_: halved)
    stored_answers.keep(statement, data)
    entry = stored_answers.entry_of(halved)
    assert entry is not None
    assert entry["verdict"] == "violated"
    assert (
        f"`fedbounds replay verify/worst_case/certificates/{statement.id}.json` runs the instance"
        in entry["sentence"]
    )
    assert standings([], [entry]) == {statement.id: REFUTED}


@pytest.mark.slow("the cells of a record are run three times")
def test_a_record_has_the_certified_worst_case(tmp_path: Path, capsys: Any) -> None:
    asked = ["verify", "textbook.gradient_descent_convex", "--quick", "--out", str(tmp_path)]
    assert run(asked) == 0
    assert "Certified worst cases of the whole class" in capsys.readouterr().out
    file = tmp_path / "record.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    (entry,) = data["worst_cases"]
    assert entry["verdict"] == "tight"
    assert "1 tight to 1e-6 for the whole class" in data["summary"]["standings"][entry["id"]]
    assert run(["replay", str(file)]) == 0
    forgeries = ({"upper": 0.01}, {"verdict": "holds"}, {"bound": 1.0}, {"parameters": {"N": "4"}})
    forged = [entry | forgery for forgery in forgeries]
    file.write_text(json.dumps(data | {"worst_cases": forged}), encoding="utf-8")
    capsys.readouterr()
    assert run(["replay", str(file), "--json"]) == 1
    replayed = json.loads(capsys.readouterr().out)
    assert [entry["agrees"] for entry in replayed["worst_cases"]] == [False] * len(forgeries)
    file.write_text(json.dumps(data | {"worst_cases": 3}), encoding="utf-8")
    assert run(["replay", str(file)]) == 2


def test_the_smoothness_of_the_mean_limits_none_of_several_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    theorem = discovery.get("textbook.federated_averaging_one_client")
    point = {name: Fraction(value) for name, value in stored_answers.POINTS[theorem.id][0].items()}
    assert question(theorem, point).setting.L == 1
    place, two = statements.place_quantities, {"clients": Fraction(2), "xi": Fraction(1)}

    def place_two(*given: Any) -> Placed:
        placed = place(*given)
        return replace(placed, fields=placed.fields | two)

    monkeypatch.setattr(statements, "place_quantities", place_two)
    with pytest.raises(NoWorstCase, match="limits the mean of the clients by L"):
        question(theorem, point)


def test_checking_them_loads_no_distributions() -> None:
    code = "import sys; from verify.worst_case import stored_answers; print('scipy.stats' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
