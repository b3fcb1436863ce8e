"""The explorer's programs: in JavaScript they give what `evaluate` gives, for every statement and form."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from example_count import count_examples

import bounds
from bounds import discovery
from bounds.evaluation.free_bound import inform
from reports.page import explorer

Plain = dict[str, Any]

NODE = shutil.which("node")
POINTS = count_examples(50)
CLOSE = 1e-12
ROUNDINGS = 8 * float(np.finfo(float).eps)

pytestmark = pytest.mark.skipif(NODE is None, reason="no node is installed")

RUN = """
const { evaluate } = require(process.argv[1]);
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const shown = (value) => (Number.isFinite(value) ? value : String(value));
const all = asked.map(({ form, points }) => points.map((point) => {
  const found = evaluate(form, point);
  const holds = found.conditions.map((c) => [c.holds, c.close]);
  return { value: shown(found.value), terms: found.terms.map(shown), holds, free: found.free };
}));
console.log(JSON.stringify(all));
"""


def points(form: Plain) -> list[dict[str, float]]:
    """Around the example, inside the domains; whole numbers stay whole."""
    rng = np.random.default_rng(20240601)
    return [{one["name"]: _drawn(one, rng) for one in form["inputs"]} for _ in range(POINTS)]


def _drawn(one: Plain, rng: np.random.Generator) -> float:
    value = float(one["value"]) * float(rng.uniform(0.5, 1.8))
    value = float(round(value)) if one["whole"] else value
    low, high = one["low"], one["high"]
    if low is not None and (value < low or (value == low and one["open"][0])):
        value = float(one["value"])
    if high is not None and (value > high or (value == high and one["open"][1])):
        value = float(one["value"])
    return value


def in_javascript(asked: list[Plain], folder: Path) -> Any:
    assert NODE is not None
    script = folder / "explorer.js"
    source = (files("reports") / "templates" / "explorer.js").read_text(encoding="utf-8")
    script.write_text(source, encoding="utf-8")
    command = [NODE, "-e", RUN, str(script)]
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(done.stdout)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(4, id="every fourth statement"),
        pytest.param(1, id="every statement", marks=pytest.mark.slow("what the page has of all statements")),
    ],
)
def asked(request: pytest.FixtureRequest) -> list[Plain]:
    kept = ("textbook.gradient_descent_convex", "dp_fedavg.theorem_2", "fed_norm_ec.theorem_1.main")
    every = bounds.statements()
    made = explorer.forms(tuple(s for n, s in enumerate(every) if n % request.param == 0 or s.id in kept))
    return [{"form": form, "points": points(form)} for form in made]


def differs(statement: Any, point: dict[str, float], here: float, there: Any) -> bool:
    if not np.isfinite(here):
        return isinstance(there, int | float)
    if not isinstance(there, int | float):
        return True
    if abs(here - there) <= CLOSE * abs(here):
        return False
    condition = statement.evaluate(**point).condition_number
    return condition is None or abs(here - there) > ROUNDINGS * condition * abs(here)


@pytest.mark.slow("every statement of the explorer is audited and evaluated")
@pytest.mark.parametrize("asked", [1], ids=["every statement"], indirect=True)
def test_every_statement_gives_the_same_numbers(asked: list[Plain], tmp_path: Path) -> None:
    assert len(asked) > 100
    wrong, tried = [], 0
    for one, results in zip(asked, in_javascript(asked, tmp_path), strict=True):
        statement = discovery.get(one["form"]["id"], one["form"]["form"])
        arrays = {name: np.array([p[name] for p in one["points"]]) for name in one["points"][0]}
        evaluation = statement.evaluate(**arrays)
        values = np.broadcast_to(evaluation.value, (POINTS,))
        known = {c.condition.id: np.broadcast_to(c.holds, (POINTS,)) for c in evaluation.conditions}
        for k, (point, there) in enumerate(zip(one["points"], results, strict=True)):
            tried += 1
            if differs(statement, point, float(values[k]), there["value"]):
                wrong.append((statement.id, statement.variant, float(values[k]), there["value"]))
            if there["free"] is not None and not k % 10:
                free = inform(statement.evaluate(**point)).free.value
                if there["free"] != pytest.approx(free, rel=1e-9):
                    wrong.append((statement.id, "known without a run", free, there["free"]))
            for shown, (holds, close) in zip(one["form"]["conditions"], there["holds"], strict=True):
                if shown["id"] in known and not close and bool(known[shown["id"]][k]) is not holds:
                    wrong.append((statement.id, shown["id"], bool(known[shown["id"]][k]), holds))
    assert tried == POINTS * len(asked)
    assert wrong == []


def test_the_explorer_knows_without_a_run_what_eval_does(asked: list[Plain]) -> None:
    """Every bound of whole runs that `eval` compares at its example has the line in the explorer."""
    shown = {(one["form"]["id"], one["form"]["form"]): one["form"]["free"] for one in asked}
    for (identity, variant), has in shown.items():
        form = discovery.get(identity, variant)
        assert has is (inform(form.evaluate(**form.example)).free.value is not None)
    assert shown["dp_fedavg.theorem_2", "printed"]


def test_a_wrong_operation_is_noticed(asked: list[Plain], tmp_path: Path) -> None:
    (one,) = [a for a in asked if a["form"]["id"] == "textbook.gradient_descent_convex"]
    statement = bounds.get(one["form"]["id"])
    spoiled = json.loads(json.dumps(one))
    for operation in spoiled["form"]["operations"]:
        if operation[0] == "number" and operation[2] == 4.0:
            operation[2] = 4.0 + 1e-9
    ((there, *_),) = in_javascript([spoiled], tmp_path)
    here = statement.evaluate(**one["points"][0]).value
    assert differs(statement, one["points"][0], here, there["value"])


def test_the_explorer_warns_of_a_form_that_eval_does_not_compute_with(asked: list[Plain]) -> None:
    """The page opens the form that `eval` takes by itself, and says why not to rely on the other one."""
    from verify.ledger.true_form import trusted

    forms = [one["form"] for one in asked]
    for form in forms:
        taken, _ = trusted(form["id"], None)
        assert form["instead"] == (form["form"] != "amended" and taken.variant == "amended"), form["id"]
        assert not form["instead"] or form["doubt"], form["id"]
    doubts = {(form["id"], form["form"]): form["doubt"] for form in forms}
    assert doubts["fed_norm_ec.theorem_1.main", "printed"] == "the printed form is false (conclusion)"
    assert doubts["fed_norm_ec.theorem_1.main", "amended"] == ""
    assert doubts["dp_fedavg.theorem_2", "printed"] == ""
