"""Records: written whole, read without executing anything, replayed to the same numbers."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verify.objects.check import Property, run_property
from verify.records import record, refuted
from verify.records.consistency import compare_whole
from verify.records.part import digest, take_part
from verify.records.record import CannotWrite, NotARecord
from verify.runs.check import NothingToRun, verify
from verify.statistics.error_level import per_cell


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    results = verify(
        ["textbook.stochastic_gradient_descent", "textbook.gradient_descent_convex"], seed=3, quick=True
    )
    return record.document([record.entry(r) for r in results], level=1e-3, seed=3)


def test_round_trip_and_replay_agree(data: dict[str, Any], tmp_path: Path) -> None:
    path = record.write(data, tmp_path / "new" / "out")
    again = record.read(path)
    assert again == json.loads(json.dumps(data))
    assert record.read(path.parent) == again
    replayed = record.replay(again)
    assert len(replayed) == len(data["cells"])
    assert all(r.agrees for r in replayed), [r.sentence for r in replayed]
    assert [p.name for p in path.parent.iterdir()] == ["record.json"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("verdict", "violated"),
        ("seed", 4),
        ("bound", {"value": 1.0, "terms": {}}),
        ("ratio", 99.0),
        ("sentence", "all is well"),
        ("method", "made up"),
        ("certified", False),
    ],
)
def test_a_tampered_record_does_not_agree(data: dict[str, Any], key: str, value: object) -> None:
    copy = json.loads(json.dumps(data))
    sampled = next(c for c in copy["cells"] if "sphere" in c["role"])
    sampled[key] = value
    copy["cells"] = [sampled]
    assert [r.agrees for r in record.replay(copy)] == [False]


def changed(data: dict[str, Any], *where: str | int, value: Any) -> dict[str, Any]:
    """A copy with another value there, or without the key where `value` is None."""
    copy: dict[str, Any] = json.loads(json.dumps(data))
    place: Any = copy
    for key in where[:-1]:
        place = place[key]
    if value is None:
        del place[where[-1]]
    else:
        place[where[-1]] = value
    return copy


@pytest.fixture(scope="module")
def sampled(data: dict[str, Any]) -> dict[str, Any]:
    """A cell that was measured, alone."""
    return data | {"cells": [next(c for c in data["cells"] if "sphere" in c["role"])]}


@pytest.mark.parametrize(
    "where", [("bound", "value"), ("measured", "estimate"), ("measured", "upper"), ("excess", "lower")]
)
@pytest.mark.parametrize("factor", [1 + 1e-6, 1 - 1e-6, float("inf"), float("-inf"), -1.0])
def test_a_number_that_is_a_little_off_or_infinite_does_not_agree(
    sampled: dict[str, Any], where: tuple[str, str], factor: float
) -> None:
    number = sampled["cells"][0][where[0]][where[1]]
    (again,) = record.replay(changed(sampled, "cells", 0, *where, value=number * factor))
    assert not again.agrees
    assert again.sentence.endswith(f"differs in {where[0]}")


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("privacy",), {"epsilon": 0.001, "delta": 1e-9}),
        (("note",), "checked by hand"),
        (("ratio",), None),
        (("digest",), None),
        (("bound", "proof"), "complete"),
        (("bound", "terms"), {}),
        (("measured", "exact"), None),
        (("certified",), 1),
    ],
)
def test_keys_that_are_planted_or_taken_away_do_not_agree(
    sampled: dict[str, Any], where: tuple[str, ...], value: Any
) -> None:
    (again,) = record.replay(changed(sampled, "cells", 0, *where, value=value))
    assert not again.agrees
    assert again.sentence.endswith(f"differs in {where[0]}")


def test_a_list_that_is_cut_or_longer_does_not_agree() -> None:
    entry = run_property(Property(statement="dp_fedavg.fact_2", variant="printed"), seed=1, trials=1)
    kept = {"cells": [], "properties": [json.loads(json.dumps(entry))]}
    (again,) = record.replay(kept)
    assert again.agrees
    rows = kept["properties"][0]["worst"]["objects"]["y"]
    for other in (rows[:-1], [*rows, rows[-1]], []):
        (again,) = record.replay(changed(kept, "properties", 0, "worst", "objects", "y", value=other))
        assert not again.agrees


# ---- what a record says of itself as a whole


def test_a_record_agrees_as_a_whole(data: dict[str, Any]) -> None:
    found = compare_whole(data, data["cells"])
    assert (found.agrees, found.part_of) == (True, None)


def test_the_ledger_is_a_part_with_a_summary_of_its_own() -> None:
    kept = record.read(refuted.FILE)
    found = compare_whole(kept, kept["cells"])
    assert found.agrees, found.sentence
    assert found.part_of is not None
    assert found.part_of.cells > len(kept["cells"])


def test_a_part_names_its_parent_and_has_a_summary_of_its_own(data: dict[str, Any]) -> None:
    for cell in data["cells"]:
        part = take_part(data, [cell])
        found = compare_whole(part, [cell])
        assert found.agrees, found.sentence
        assert found.part_of is not None
        assert (found.part_of.digest, found.part_of.cells) == (digest(data), len(data["cells"]))
        assert part["error_level"] == data["error_level"]
        assert part["summary"]["standings"].keys() == {cell["id"]}
        assert take_part(part, [cell]) == part, "a part of a part names the same parent"


def test_some_cells_under_the_summary_of_all_do_not_agree(data: dict[str, Any]) -> None:
    """The attack: the violated cells are taken out, and their counts moved to `holds`."""
    for cell in data["cells"]:
        found = compare_whole(data | {"cells": [cell]}, [cell])
        assert "error_level" in found.sentence
        assert "summary.cells" in found.sentence
        part = take_part(data, [cell]) | {"summary": data["summary"]}
        assert "summary.cells" in compare_whole(part, [cell]).sentence


def test_a_part_of_one_cell_cannot_call_another_statement_refuted(data: dict[str, Any]) -> None:
    cell = data["cells"][0]
    part = take_part(data, [cell])
    standings = part["summary"]["standings"] | {"dp_fedavg.theorem_2": "refuted"}
    forged = changed(part, "summary", "standings", value=standings)
    assert compare_whole(forged, [cell]).sentence.endswith("differs in summary.standings")


@pytest.mark.parametrize(
    "parent",
    [
        {},
        None,
        "x",
        {"digest": "0" * 63, "cells": 99, "properties": 0},
        {"digest": "G" * 64, "cells": 99, "properties": 0},
        {"digest": "0" * 64, "cells": -1, "properties": 0},
        {"digest": "0" * 64, "cells": True, "properties": 0},
        {"digest": "0" * 64, "cells": 99.0, "properties": 0},
        {"digest": "0" * 64, "cells": 99},
        {"digest": "0" * 64, "cells": 99, "properties": 0, "note": ""},
        {"digest": "0" * 64, "cells": 0, "properties": 0},
        {"digest": "0" * 64, "cells": 98, "properties": 0},
    ],
)
def test_a_malformed_parent_or_one_of_another_size_does_not_agree(data: dict[str, Any], parent: Any) -> None:
    cell = data["cells"][0]
    assert not compare_whole(take_part(data, [cell]) | {"part_of": parent}, [cell]).agrees


def test_the_digest_is_of_the_content_and_not_of_the_layout(data: dict[str, Any], tmp_path: Path) -> None:
    kept = record.read(record.write(data, tmp_path))
    assert digest(kept) == digest(data) == digest(dict(reversed(data.items())))
    for change in ({"seed": 4}, {"error_level": 0.002}, {"cells": data["cells"][1:]}, {"note": ""}):
        assert digest(data | change) != digest(data)
    assert digest(changed(data, "cells", 0, "certified", value=1)) != digest(data)


BELOW = "textbook.gradient_descent_convex"


@pytest.mark.parametrize(
    ("where", "value", "told"),
    [
        (("error_level",), 1e-30, "error_level"),
        (("error_level",), 0.00123457, "error_level"),
        (("error_level",), 1e-4, "error_level"),
        (("error_level",), float("inf"), "error_level"),
        (("error_level",), "small", "error_level"),
        (("error_level",), None, "error_level"),
        (("seed",), 4, "seed"),
        (("note",), "checked by hand", "note"),
        (("summary",), {}, "summary.cells"),
        (("summary",), None, "summary"),
        (("summary", "note"), "checked", "summary.note"),
        (("summary", "cells", "violated"), 1, "summary.cells"),
        (("summary", "cells", "holds"), 0, "summary.cells"),
        (("summary", "cells", "holds"), 99, "summary.cells"),
        (("summary", "cells", "holds"), "all", "summary.cells"),
        (("summary", "cells", "holds, asymptotic"), 7, "summary.cells"),
        (("summary", "cells", "proved"), 1, "summary.cells"),
        (("summary", "standings", BELOW), "proved", "summary.standings"),
        (("summary", "standings", BELOW), "refuted", "summary.standings"),
        (("summary", "standings", BELOW), None, "summary.standings"),
        (("summary", "standings", "dp_fedavg.theorem_2"), "refuted", "summary.standings"),
        (("summary", "amended", BELOW), "refuted", "summary.amended"),
    ],
)
def test_a_tampered_whole_does_not_agree(
    data: dict[str, Any], where: tuple[str, ...], value: Any, told: str
) -> None:
    found = compare_whole(changed(data, *where, value=value), data["cells"])
    assert not found.agrees
    assert told in found.sentence.partition("differs in ")[2].split(", ")


def test_what_the_ledger_knows_has_no_part_in_a_record(
    data: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refuted, "refuted", lambda: {BELOW})
    assert compare_whole(data, data["cells"]).agrees
    assert not compare_whole(
        changed(data, "summary", "standings", BELOW, value="refuted"), data["cells"]
    ).agrees


def test_cells_of_other_levels_do_not_agree(data: dict[str, Any]) -> None:
    share = data["cells"][0]["level"]
    for level in (data["error_level"], share * (1 + 1e-12), 0, 1.0, 5e-324, "small"):
        cells = [data["cells"][0] | {"level": level}, *data["cells"][1:]]
        assert "error_level" in compare_whole(data, cells).sentence
    twice = [*data["cells"], *data["cells"]]
    assert "error_level" in compare_whole(data, twice).sentence, "more cells than share the level"


def test_an_entry_twice_is_not_more_evidence(data: dict[str, Any]) -> None:
    """The level is shared by as many cells, so that nothing else tells."""
    cell = data["cells"][0]
    tried = run_property(Property(statement="dp_fedavg.fact_1", variant="printed"), seed=3, trials=4)
    certified = {"id": BELOW, "variant": "printed", "parameters": {"L": "1"}, "verdict": "holds"}
    share = {"level": per_cell(1e-3, 2)}
    for name, entries, worst in (
        ("cells", [cell | share, cell | share], []),
        ("properties", [tried, tried], []),
        ("worst_cases", [tried], [certified, certified]),
    ):
        whole = record.document(entries, level=1e-3, seed=3, worst_cases=worst)
        found = compare_whole(whole, entries)
        assert found.sentence.endswith(f"differs in {name} (an entry is in it twice)")


def test_same_seed_same_numbers_other_seed_others() -> None:
    def estimate(seed: int) -> float:
        results = verify(["textbook.stochastic_gradient_descent"], seed=seed, quick=True)
        sampled = next(r for r in results if r.cell.problem == "quadratic.small")
        assert sampled.measured is not None
        return sampled.measured.estimate

    assert estimate(1) == estimate(1) != estimate(2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"schema": "other/1"}',
        '{"schema": "fedbounds/record/1", "cells": []}',
        '{"schema": "fedbounds/record/1", "cells": 3}',
        '{"schema": "fedbounds/record/1", "cells": [{"ratio": 1e999}]}',
        '{"schema": "fedbounds/record/1", "cells": [{"ratio": -1e999}]}',
        '{"schema": "fedbounds/record/1", "cells": [{"ratio": NaN}]}',
        '{"schema": "fedbounds/record/1", "cells": [{"seed": 1, "seed": 1}]}',
    ],
)
def test_what_is_not_a_record_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    with pytest.raises(NotARecord):
        record.read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"problem": "os.system"},
        {"problem_arguments": {"clients": "__import__('os').getcwd()"}},
        {"engine": {}},
        {"engine": 3},
        {"problem_arguments": []},
        {"parameters": None},
        {"algorithm": "../x"},
        {"algorithm": "dpfl"},
        {"problem_arguments": {"clients": 10**9}},
        {"replicates": 10**9},
        {"id": "no.such.statement"},
        {"parameters": {"K": "many"}},
    ],
)
def test_a_malformed_cell_is_refused_and_nothing_is_executed(
    data: dict[str, Any], change: dict[str, Any]
) -> None:
    copy = json.loads(json.dumps(data))
    sampled = next(c for c in copy["cells"] if "sphere" in c["role"])
    copy["cells"] = [sampled | change]
    with pytest.raises(ValueError, match=r"."):
        record.replay(copy)


@pytest.mark.parametrize(
    ("table", "changed", "said"),
    [
        ("parameters", {"K": 20_001}, "2e\\+04 steps; at most 20000"),
        ("problem_arguments", {"clients": 2_000_000}, "numbers; at most 1000000"),
        ("problem_arguments", {"dimension": 4000}, "matrices .* 1.6e\\+07 numbers; at most 4000000"),
    ],
)
def test_a_cell_that_would_take_minutes_is_refused_before_it_runs(
    data: dict[str, Any], table: str, changed: dict[str, int], said: str
) -> None:
    cell = next(c for c in data["cells"] if "K" in c["parameters"] and "dimension" in c["problem_arguments"])
    cell = cell | {"problem_arguments": cell["problem_arguments"] | {"clients": 1}}
    record.cell_of(cell)
    with pytest.raises(NotARecord, match=said):
        record.cell_of(cell | {table: cell[table] | changed})


def test_missing_file_and_unwritable_place(data: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(NotARecord):
        record.read(tmp_path / "none.json")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(CannotWrite):
        record.write(data, blocked / "below")


def test_a_failed_write_leaves_the_old_record(
    data: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record.write(data, tmp_path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(CannotWrite, match="No space left"):
        record.write(data | {"seed": 99}, tmp_path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["record.json"]


def test_non_finite_numbers_become_null_with_a_reason() -> None:
    shown = record.finite({"a": float("inf"), "b": [float("nan")], "c": {"d": 1.0}})
    assert shown == {"a": None, "reason": "a is inf", "b": [None], "c": {"d": 1.0}}


def test_nothing_to_run_is_said() -> None:
    with pytest.raises(NothingToRun):
        verify(["als_dpfl.h.main"])


def test_a_record_has_the_mode_of_any_other_file(tmp_path: Path) -> None:
    """What others install, or read in a shared folder, is not for its owner alone."""
    (tmp_path / "other").touch()
    assert record.write({}, tmp_path).stat().st_mode == (tmp_path / "other").stat().st_mode
