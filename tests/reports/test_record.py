"""verify, replay: records, exit codes, what was said to the reader."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bounds
import verify
from reports.cli import exits
from verify.records import record as records
from verify.records.part import take_part
from verify.runs import check as runs

Fedbounds = Callable[..., Any]

CONVEX = "textbook.gradient_descent_convex"
CELLS = len(runs.standard_cells([bounds.get(CONVEX)]))


def test_verify_json_progress_and_record(fedbounds: Fedbounds, tmp_path: Path) -> None:
    done = fedbounds("verify", CONVEX, "--quick", "--out", tmp_path, "--json")
    assert done.code == 0
    assert {cell["id"] for cell in done.json["cells"]} == {CONVEX}
    assert done.json["record"] == str(tmp_path / "record.json")
    assert f"1/{CELLS}" in done.err
    written = json.loads((tmp_path / "record.json").read_text())
    assert written["cells"] == done.json["cells"]


def test_the_defaults_are_those_of_the_library() -> None:
    """`None` stands for them; the help text says what they are."""
    from typing import get_type_hints

    from reports.verbs.verify import run

    hints = get_type_hints(run, include_extras=True)
    for name, default in (("level", runs.LEVEL), ("seed", runs.SEED)):
        assert run.__kwdefaults__[name] is None
        assert f"Default: {default:g}." in hints[name].__metadata__[0].help or str(default) in (
            hints[name].__metadata__[0].help
        )


def test_verify_tells_what_has_no_cell(fedbounds: Fedbounds) -> None:
    nothing = "fed_norm_ec.definitions.memory_error"
    done = fedbounds("verify", CONVEX, nothing, "--quick")
    assert done.code == 0
    assert f"nothing to run for {nothing}: no cell exists" in done.err
    assert f"Not run: 1 statement\n  {nothing}: no cell exists" in done.out
    assert f"{CELLS} cells at error level 0.001: {CELLS} holds" in done.out


def test_a_violated_cell_is_1_unless_asked_otherwise(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def document(*results: object, **more: object) -> Any:
        data = original(*results, **more)
        data["cells"][0]["verdict"] = "violated"
        data["cells"][1]["verdict"] = "refused"
        return data

    original = records.document
    monkeypatch.setattr(records, "document", document)
    assert fedbounds("verify", CONVEX, "--quick").code == 1
    assert fedbounds("verify", CONVEX, "--quick", "--exit-zero").code == 0


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["holds", "vacuous"], 0),
        (["holds", "inconclusive"], 3),
        (["refused"], 3),
        (["refused", "violated", "holds"], 1),
        (["something new"], 3),
        ([], 0),
    ],
)
def test_codes_of_verdicts(verdicts: list[str], code: int) -> None:
    assert exits.of_verdicts(verdicts) == code


def test_precedence_of_codes() -> None:
    assert [exits.worst(c) for c in ([0, 3, 1, 2], [0, 3, 1], [0, 3], [0], [])] == [2, 1, 3, 0, 0]


def test_other_readings_do_not_speak_for_the_statement(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def document(*results: object, **more: object) -> Any:
        data = original(*results, **more)
        data["cells"][0] |= {"verdict": "violated", "reading": "coupled noises"}
        return data

    original = records.document
    monkeypatch.setattr(records, "document", document)
    done = fedbounds("verify", CONVEX, "--quick")
    assert done.code == 0
    assert "[coupled noises]" in done.out


def test_replay_agrees_and_can_disagree(fedbounds: Fedbounds, record: Path, tmp_path: Path) -> None:
    data = json.loads((record / "record.json").read_text())
    data = take_part(data, [cell for cell in data["cells"] if cell["id"] == CONVEX])
    file = tmp_path / "record.json"
    file.write_text(json.dumps(data))
    done = fedbounds("replay", file, "--json")
    assert (done.code, done.json["agrees"]) == (0, True)
    assert fedbounds("replay", file).out.startswith(f"A part of {data['part_of']['digest']}\n")
    data["cells"][0]["bound"]["value"] *= 1.01
    file.write_text(json.dumps(data))
    done = fedbounds("replay", tmp_path)
    assert done.code == 1
    assert "DIFFERS" in done.out
    assert f"{CELLS - 1} of {CELLS} agree" in done.out


PLANTED = {
    **{"epsilon": 0.001, "delta": 1e-5, "relation": "add-or-remove", "unit": "client", "rounds": 1},
    **{"sampling_assumed": {"kind": "full", "rate": 1.0, "text": "full"}, "sampling_implemented": None},
    **{"accountant": "exact", "rounding": "", "sigma": 1.0, "sigma_over_sensitivity": 1.0},
}


@pytest.mark.slow("starts two processes")
def test_processes_replay_what_one_replays(fedbounds: Fedbounds, record: Path, tmp_path: Path) -> None:
    data = json.loads((record / "record.json").read_text())
    data["cells"][0]["measured"]["estimate"] += 1.0
    changed = tmp_path / "record.json"
    changed.write_text(json.dumps(data))
    for file, code in ((record, 0), (changed, 1)):
        one, two = (fedbounds("replay", file, "--workers", count, "--json") for count in (1, 2))
        assert (one.code, two.code) == (code, code)
        assert two.json == one.json


def test_replay_refuses_infinities_and_tells_what_was_planted(
    fedbounds: Fedbounds, record: Path, tmp_path: Path
) -> None:
    """Beside the cells too: what a record says of itself has to follow from them."""
    data = json.loads((record / "record.json").read_text())
    data = take_part(data, [cell for cell in data["cells"] if cell["id"] == CONVEX][:1])
    file = tmp_path / "record.json"

    def replayed(changed: dict[str, Any]) -> Any:
        file.write_text(json.dumps(changed).replace("Infinity", "1e999"))
        return fedbounds("replay", file, "--json")

    assert replayed(data).json["whole"]["agrees"]
    done = replayed(data | {"cells": [data["cells"][0] | {"ratio": float("inf")}]})
    assert done.code == 2
    assert "holds 1e999, which is not a finite number" in done.err
    done = replayed(data | {"cells": [data["cells"][0] | {"privacy": {"epsilon": 0.001}}]})
    assert (done.code, done.out) == (2, "")
    assert "cell 1: privacy: missing key delta" in done.err
    done = replayed(data | {"cells": [data["cells"][0] | {"privacy": PLANTED}]})
    assert (done.code, done.json["cells"][0]["agrees"], done.json["whole"]["agrees"]) == (1, False, True)
    assert "differs in privacy" in done.json["cells"][0]["sentence"]
    summary = data["summary"] | {"standings": {CONVEX: "proved"}}
    done = replayed(data | {"error_level": 1e-30, "summary": summary})
    assert (done.code, done.json["cells"][0]["agrees"], done.json["whole"]["agrees"]) == (1, True, False)
    assert "differs in error_level, summary.standings" in done.json["whole"]["sentence"]
    assert "DIFFERS  the record as a whole" in fedbounds("replay", file).out


def test_no_verb_takes_a_standing_that_the_cells_of_a_record_do_not_show(
    fedbounds: Fedbounds, misuse: Callable[..., str], record: Path, tmp_path: Path
) -> None:
    data = json.loads((record / "record.json").read_text())
    part = take_part(data, [cell for cell in data["cells"] if cell["id"] == CONVEX][:1])
    file, other = tmp_path / "record.json", "dp_fedavg.equation_8"
    file.write_text(json.dumps(part))
    done = fedbounds("list", "--record", tmp_path, "--json")
    assert f"a part of the record {part['part_of']['digest']}" in done.err
    standings = {row["id"]: row["standing"] for row in done.json["statements"]}
    assert standings[CONVEX].startswith("proved (1 cell")
    assert standings[other] == "unchecked"
    part["summary"]["standings"][other] = "refuted"
    file.write_text(json.dumps(part))
    for command in (("list", "--record", tmp_path), ("report", tmp_path)):
        assert "differs in summary.standings" in misuse(*command)
    assert fedbounds("replay", tmp_path).code == 1
    for named in ({"new": 1}, {"digest": "0"}, {"cells": -1}):
        file.write_text(json.dumps(part | {"part_of": part["part_of"] | named}))
        for command in (("replay", tmp_path), ("list", "--record", tmp_path), ("report", tmp_path)):
            assert "part_of" in misuse(*command)


def test_a_record_of_other_statements_is_replaced_by_force_alone(
    fedbounds: Fedbounds, misuse: Callable[..., str], tmp_path: Path
) -> None:
    def verify(*words: str) -> tuple[object, ...]:
        return ("verify", *words, "--quick", "--out", tmp_path)

    other, file = "textbook.gradient_descent_nonconvex", tmp_path / "record.json"
    assert fedbounds(*verify(CONVEX)).code == 0
    before = file.read_bytes()
    said = misuse(*verify(other))
    assert CONVEX in said
    assert "--force" in said
    assert file.read_bytes() == before
    assert fedbounds(*verify(CONVEX)).code == 0, "the same statements"
    assert fedbounds(*verify(CONVEX, other)).code == 0, "nothing is lost"
    assert CONVEX not in misuse(*verify(CONVEX))
    assert fedbounds(*verify(other), "--force").code == 0
    assert {cell["id"] for cell in json.loads(file.read_text())["cells"]} == {other}
    file.write_text("{")
    assert "cannot be read" in misuse(*verify(other))
    assert file.read_text() == "{"


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("sentence",), "holds for every problem", "sentence"),
        (("measured", "estimate"), 0.01, "excess.estimate"),
        (("bound", "value"), 1e-3, "excess.estimate"),
        (("excess", "upper"), -1.0, "excess.upper"),
    ],
)
def test_a_record_whose_entry_contradicts_itself_is_not_listed(
    fedbounds: Fedbounds, tmp_path: Path, path: tuple[str, ...], value: Any, named: str
) -> None:
    """Without a run: the counts and standings of this record are those of its entries."""
    data = json.loads((Path(verify.__file__).parent / "ledger.json").read_text(encoding="utf-8"))
    at = data["cells"][0]
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    file = tmp_path / "record.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    done = fedbounds("list", "--record", file)
    assert done.code == 2
    assert f"the {named} of" in done.err
