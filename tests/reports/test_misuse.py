"""Every wrong input: code 2, one sentence that says what to change, nothing on stdout."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports import command_line
from reports.verbs.options import Json

Misused = Callable[..., str]
Fedbounds = Callable[..., Any]

ID = "dp_fedavg.theorem_2"


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("L=nan", "finite"),
        ("L=inf", "finite"),
        ("L=-inf", "finite"),
        ("L=1e999", "finite"),
        ("L=1/0", "divides by zero"),
        ("L=one", "must be a number"),
        ("L=__import__('os')", "must be a number"),
        ("L=1/x", "must be a number"),
        ("L=", "NAME=VALUE"),
        ("=1", "NAME=VALUE"),
        ("L", "NAME=VALUE"),
        ("L=-1", "must be real > 0"),
        ("E=1.5", "must be integer >= 1"),
        ("rho=1", "must be real > 0 and < 1"),
        ("Cat=1", "did you mean C_hat?"),
        ("eta=0.1", "prescribes eta"),
        ("gamma=1", "prescribes gamma"),
        ("epsilon=1", "rho is given"),
    ],
)
def test_assignments(misuse: Misused, theorem_2: list[str], assignment: str, said: str) -> None:
    name = assignment.split("=")[0]
    others = [a for a in theorem_2 if not a.startswith(f"{name}=")]
    for json in ([], ["--json"]):
        assert said in misuse("eval", ID, "--set", *others, assignment, *json)


def test_one_name_twice(misuse: Misused, theorem_2: list[str]) -> None:
    assert "names L twice" in misuse("eval", ID, "--set", *theorem_2, "--set", "L=1")


def test_an_empty_set(misuse: Misused) -> None:
    assert "NAME=VALUE" in misuse("eval", ID, "--set")


def test_missing_quantities_are_named(misuse: Misused) -> None:
    assert "needs a value for C_hat, D0" in misuse("eval", ID, "--set", "L=1")


@pytest.mark.parametrize("verb", ["show", "eval", "solve", "cite", "audit", "verify", "errata", "list"])
def test_unknown_statements(misuse: Misused, verb: str) -> None:
    assert f"did you mean {ID}?" in misuse(
        verb, "dp_fedavg.theorem_2x", *(["--for", "K", "--target", "1"] * (verb == "solve"))
    )


@pytest.mark.parametrize("verb", ["show", "eval", "cite"])
def test_a_paper_is_no_statement(misuse: Misused, verb: str) -> None:
    told = misuse(verb, "dp-fedavg")
    assert "is a paper, not a statement" in told
    assert "`fedbounds list dp_fedavg`" in told
    assert "name one of them: fed_norm_ec.theorem_1.main" in misuse(verb, "fed_norm_ec.theorem_1")


@pytest.mark.parametrize("verb", ["list", "show", "cite", "verify", "falsify", "audit", "errata"])
def test_a_name_that_is_near_to_none(misuse: Misused, verb: str) -> None:
    told = misuse(verb, "nosuch")
    assert "`fedbounds list` shows all ids" in told
    assert "the papers are als_dpfl, dp_fedavg" in told
    assert len(told) < 300


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dp_fedavgx", "did you mean dp_fedavg?"),
        ("dp_fedavg.nosuch", "`fedbounds list dp_fedavg` shows the ids of this paper"),
        ("lemma_3", "did you mean dp_fedavg.lemma_3 or fed_norm_ec.lemma_3?"),
    ],
)
def test_what_was_meant_instead(misuse: Misused, name: str, said: str) -> None:
    assert said in misuse("show", name)


@pytest.mark.parametrize("verb", ["show", "cite", "falsify", "eval", "solve", "constants"])
def test_a_hint_at_set_where_there_is_one(misuse: Misused, verb: str) -> None:
    hinted = "it comes before --set" in misuse(verb)
    assert hinted is (verb not in ("show", "cite", "falsify"))


def test_an_unknown_variant(misuse: Misused) -> None:
    assert "has no variant mended" in misuse("show", ID, "--variant", "mended")


KEPT = ["--delta", "1e-6", "--relation", "add-or-remove"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evl"], "eval"),
        (["eval"], "needs ID"),
        (["eval", ID, "--jsn"], "--json"),
        (["eval", ID, "extra"], "unexpected extra"),
        (["show", ID, "--format", "word"], "word"),
        (["verify", "--level", "much"], "--level"),
        (["verify", "--level", "0"], "between 0 and 1"),
        (["verify", "--level", "nan"], "finite"),
        (["verify", "--seed", "-1"], ">= 0"),
        (["verify", "--epsilon", "2"], "needs --delta"),
        (["verify", "--epsilon", "2", "--delta", "1e-6"], "needs --relation"),
        (["verify", "--delta", "1e-6"], "--epsilon, which is missing"),
        (["verify", ID, *KEPT, "--epsilon", "0"], "epsilon must be in (0, 100]"),
        (["verify", ID, *KEPT, "--epsilon", "1e-9"], "ask for a larger epsilon"),
        (["verify", "textbook.gradient_descent_convex", *KEPT, "--epsilon", "2"], "no private cell"),
        (["verify", "fed_norm_ec.definitions.memory_error"], "nothing to run"),
        (["solve", ID], "--for NAME"),
        (["solve", ID, "--target", "1"], "--for NAME"),
        (["solve", ID, "--for", "KK", "--target", "1"], "no quantity KK"),
        (["solve", ID, "--for", "K", "--target", "soon"], "must be a number"),
        (["solve", ID, "--for", "K", "--target", "1", "--set", "K=3"], "may not be set"),
        (["solve", ID, "--minimize-over", "E,,alpha"], "separated by commas"),
        (["solve", ID, "--minimize-over", "E,E"], "different names"),
        (["solve", ID, "--for", "E", "--target", "1", "--minimize-over", "E"], "keep one"),
        (["new"], "theorem"),
    ],
)
def test_options(fedbounds: Fedbounds, arguments: list[str], said: str) -> None:
    done = fedbounds(*arguments)
    if arguments == ["new"]:  # a group alone shows its help
        assert (done.code, "theorem" in done.out) == (0, True)
        return
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


CONSTANTS = {
    "a.json": ("{", "not valid JSON"),
    "b.json": ('{"L": 1, "L": 2}', "gives L twice"),
    "c.json": ('{"L": NaN}', "NaN"),
    "d.json": ("[1]", "names and values"),
    "e.json": ('{"L": "1"}', "must give L as a number"),
    "f.json": ('{"L": true}', "must give L as a number"),
    "g.json": ('{"L": {"value": null, "reason": "not known for this loss"}}', "not known for this loss"),
    "h.json": ('{"L": {"provenance": "none"}}', "no number for L"),
    "i.json": ('{"L": 1' + "0" * 400 + "}", "not a finite number"),
    "k.json": ('{"L": 1e999}', "1e999, which is not a finite number"),
    "j.json": ('{"D0": {"value": 1, "lower": 1, "upper": null}}', "no upper bound of D0"),
    "a.toml": ("L = ", "not valid TOML"),
    "b.toml": ("L = 1\nL = 2", "not valid TOML"),
    "c.toml": ("L = nan", "finite"),
    "a.yaml": ("L: 1", "end in .json or .toml"),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_files(misuse: Misused, theorem_2: list[str], tmp_path: Path, name: str) -> None:
    text, said = CONSTANTS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    others = [a for a in theorem_2 if not a.startswith(("L=", "D0="))]
    assert said in misuse("eval", ID, "--set", *others, "--constants", tmp_path / name)


GRIDS = {
    "a.csv": ("", "no points"),
    "b.csv": ("L,D0\n", "no points"),
    "c.csv": ("L,D0\n1\n", "line 2: 1 cells under 2 names"),
    "d.csv": ("L,L\n1,2\n", "two columns named L"),
    "e.csv": ("L,\n1,2\n", "has no name"),
    "f.csv": ("L,D0\n1,one\n", "line 2: D0 must be a number"),
    "g.csv": ("L,D0\n1,nan\n", "finite"),
    "h.csv": ('L,D0\n"1,2\n', "not valid CSV"),
    "i.csv": ("L,D0\n1,2\n1,-2\n", "must be real >= 0"),
    "j.csv": ("L,D0,K\n1,2,3\n", "keep one"),
    "k.csv": ("L,D0,Cat\n1,2,3\n", "no quantity Cat"),
    "a.toml": ("", "has no axis"),
    "b.toml": ("L = []", "is empty"),
    "c.toml": ('L = ["1"]', "must be a number"),
    "d.toml": ("L = {start = 1, stop = 2}", "lacks num"),
    "e.toml": ("L = {start = 1, stop = 2, num = 3, step = 1}", "does not know step"),
    "f.toml": ("L = {start = 1, stop = 2, num = 0}", "integer from 1"),
    "g.toml": ('L = {start = 0, stop = 2, num = 2, spacing = "log"}', "positive ends"),
    "h.toml": ('L = {start = 1, stop = 2, num = 2, spacing = "cubic"}', '"linear" or "log"'),
    "i.toml": (
        "L = {start = 1, stop = 2, num = 5000}\nD0 = {start = 1, stop = 2, num = 5000}",
        "25,000,000 points",
    ),
    "j.toml": ("L = inf", "finite"),
    "a.txt": ("L", "must end in .csv"),
}


@pytest.mark.parametrize("name", GRIDS)
def test_grids(misuse: Misused, theorem_2: list[str], tmp_path: Path, name: str) -> None:
    text, said = GRIDS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    others = [a for a in theorem_2 if not a.startswith(("L=", "D0="))]
    assert said in misuse("eval", ID, "--set", *others, "--grid", tmp_path / name)


def test_a_grid_has_no_elasticities(misuse: Misused, tmp_path: Path) -> None:
    assert "single point" in misuse("eval", ID, "--elasticities", "--grid", tmp_path / "x.csv")


@pytest.mark.parametrize("option", ["--constants", "--grid"])
def test_unreadable_files(misuse: Misused, tmp_path: Path, option: str) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    for name, said in {
        "none.json": "no such file",
        "folder.json": "directory",
        "binary.json": "UTF-8",
    }.items():
        assert said in misuse("eval", ID, option, tmp_path / name)


def test_deep_json_is_refused_too(misuse: Misused, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 200_000, encoding="utf-8")
    assert "not valid JSON" in misuse("eval", ID, "--constants", tmp_path / "deep.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not valid JSON"),
        ("{}", "not a record"),
        ('{"schema": "fedbounds/record/2"}', "this fedbounds reads fedbounds/record/1: use the version that"),
        ('{"schema": "fedbounds/verify/1"}', "is of schema fedbounds/verify/1, not a record of schema"),
        ('{"schema": "fedbounds/record/1", "cells": []}', "no cells"),
        ('{"schema": "fedbounds/record/1", "cells": ["\\ud800"]}', "invalid Unicode"),
        ('{"schema": "fedbounds/record/1", "cells": [1]}', "cell 1: expected table, got integer"),
        ('{"schema": "fedbounds/record/1", "cells": [], "cells": []}', "gives cells twice"),
        ('{"schema": "fedbounds/record/1", "cells": [{"id": "x", "verdict": "holds"}]}', "missing key"),
    ],
)
def test_records(misuse: Misused, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "record.json").write_text(text, encoding="utf-8")
    for command in (["replay", tmp_path], ["report", tmp_path], ["list", "--record", tmp_path]):
        assert said in misuse(*command)
    assert not (tmp_path / "report").exists()


@pytest.mark.parametrize("kind", ["falsify-witness", "proof", "worst"])
def test_a_witness_a_proof_or_a_worst_case_of_another_version(
    misuse: Misused, tmp_path: Path, kind: str
) -> None:
    (tmp_path / "x.json").write_text(f'{{"schema": "fedbounds/{kind}/9"}}', encoding="utf-8")
    said = misuse("replay", tmp_path / "x.json")
    assert f"is of schema fedbounds/{kind}/9, and this fedbounds reads fedbounds/{kind}/1" in said


def test_a_file_in_the_place_of_the_folder_of_a_record(misuse: Misused, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text("{}", encoding="utf-8")
    assert "is a file; give the folder that has record.json" in misuse("report", tmp_path / "record.json")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "term"], "compare has no command term; did you mean terms?"),
        (
            ["compare"],
            "needs one of its commands, algorithms, bounds, control, run, terms, or --from",
        ),
        (["compare", "--over", "K"], "or --from"),
        (["show", ""], "an empty name is no id"),
    ],
)
def test_a_word_that_is_missing_or_misspelled(misuse: Misused, words: list[str], said: str) -> None:
    assert said in misuse(*words)


def test_deep_json_in_the_place_of_a_record(misuse: Misused, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text("[" * 100_000, encoding="utf-8")
    for command in (
        ["replay", tmp_path / "record.json"],
        ["report", tmp_path],
        ["list", "--record", tmp_path],
    ):
        assert "is not valid JSON" in misuse(*command)


@pytest.mark.slow("every verb that writes, as a process each")
def test_outputs_that_cannot_be_written(misuse: Misused, tmp_path: Path, record: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "must be a folder" in misuse("verify", "textbook", "--out", tmp_path / "file")
    (tmp_path / "record.json").write_text((record / "record.json").read_text())
    (tmp_path / "report").write_text("in the way")
    assert "cannot write" in misuse("report", tmp_path)


def test_a_defect_is_not_told_as_a_refutation(fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(json: Json = False) -> int:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("reports.verbs.doctor.run", broken)
    done = fedbounds("doctor")
    assert done.code == 70
    assert "Traceback" in done.err
    assert "defect of fedbounds" in done.err


def test_an_interrupt_is_130(fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "run", interrupted)
    done = fedbounds("list")
    assert (done.code, done.out, done.err) == (130, "", "interrupted\n")


def test_an_interrupted_verification_names_what_goes_on(
    fedbounds: Fedbounds, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.campaign.campaign.run_campaign", interrupted)
    cells = "textbook.gradient_descent_convex"
    assert fedbounds("verify", cells).err == "interrupted (nothing is stored without --out)\n"
    done = fedbounds("verify", cells, "--out", tmp_path / "out")
    assert done.code == 130
    assert f"(finished cells are in {tmp_path / 'out'}, and the same command goes on from there)" in done.err


@pytest.mark.parametrize(
    ("searching", "words", "left"),
    [
        ("verify.falsify.falsify", ["dp_fedavg.lemma_3"], "the same command begins anew"),
        (
            "reports.verbs.several_searches.searched",
            ["dp_fedavg.lemma_3", "dp_fedavg.lemma_4"],
            "witnesses found so far are in {out}",
        ),
    ],
)
def test_an_interrupted_search_names_what_is_left(
    searching: str,
    words: list[str],
    left: str,
    fedbounds: Fedbounds,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(searching, interrupted)
    out = tmp_path / "out"
    done = fedbounds("falsify", *words, "--out", out)
    assert done.code == 130
    assert left.format(out=out) in done.err


def test_what_does_not_fit_into_memory(misuse: Misused, monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(json: Json = False) -> int:
        raise MemoryError("unable to allocate 1 PiB")

    monkeypatch.setattr("reports.verbs.doctor.run", hungry)
    assert "`doctor` needs more memory than there is (unable to allocate 1 PiB)" in misuse("doctor")
