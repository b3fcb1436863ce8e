"""`import fedbounds`: every verb returns the document that `--json` prints, and loads what it needs only."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bounds
import fedbounds
from bounds.errors import Misuse
from reports.command_line import VERBS

Fedbounds = Callable[..., Any]
POINT = {"L": 1, "D0": 2.5, "N": 10}
RUN = ["rounds=3", "local_steps=2", "local_step=0.1", "clip_threshold=2", "clients_per_round=3"]
RUN += ["noise_scale=0.1"]
CONVEX = "textbook.gradient_descent_convex"
SMOOTH = "textbook.gradient_descent_nonconvex"


def test_every_verb_is_there_and_is_listed() -> None:
    for_authors = {"Algorithm", "OwnProblem", "Notation", "lemma", "setting", "check", "CONVEX_CLIENTS"}
    assert {*dir(fedbounds)} == {*VERBS, *fedbounds.__all__}
    assert {"Statement", "get", "statements", *for_authors} <= {*fedbounds.__all__}
    assert all(getattr(fedbounds, name) is not None for name in fedbounds.__all__)
    assert all(repr(getattr(fedbounds, verb)).startswith(f"<fedbounds.{verb}: ") for verb in VERBS)
    assert fedbounds.get is bounds.get
    assert fedbounds.Statement is bounds.Statement
    with pytest.raises(AttributeError, match="no attribute 'verfiy'"):
        fedbounds.verfiy  # noqa: B018  # the access alone is the test


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (lambda: fedbounds.list("textbook"), ["list", "textbook"]),
        (lambda: fedbounds.show(CONVEX, steps=True), ["show", CONVEX, "--steps"]),
        (lambda: fedbounds.errata("dp_fedavg"), ["errata", "dp_fedavg"]),
        (lambda: fedbounds.audit(CONVEX), ["audit", CONVEX]),
        (lambda: fedbounds.audit([CONVEX, SMOOTH]), ["audit", CONVEX, SMOOTH]),
        (lambda: fedbounds.cite(CONVEX), ["cite", CONVEX]),
        (
            lambda: fedbounds.eval(CONVEX, set=POINT, variant="printed", elasticities=True),
            ["eval", CONVEX, "--elasticities", "--variant", "printed", "--set", "L=1", "D0=2.5", "N=10"],
        ),
        (
            lambda: fedbounds.solve(CONVEX, set={"L": 1, "D0": 1}, for_="N", target=0.01),
            ["solve", CONVEX, "--for", "N", "--target", "0.01", "--set", "L=1", "D0=1"],
        ),
        (
            lambda: fedbounds.run("dp_fedavg", problem="quadratic.small", set=RUN),
            ["run", "dp_fedavg", "--problem", "quadratic.small", "--set", *RUN],
        ),
        (lambda: fedbounds.constants("quadratic.small"), ["constants", "quadratic.small"]),
        (lambda: fedbounds.verify(CONVEX, quick=True), ["verify", CONVEX, "--quick"]),
        (
            lambda: fedbounds.compare.bounds(CONVEX, over="N=1:10:3", set={"L": 1, "D0": 1}),
            ["compare", "bounds", CONVEX, "--over", "N=1:10:3", "--set", "L=1", "D0=1"],
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_verb_returns_what_the_command_prints(
    fedbounds: Fedbounds, call: Callable[[], Any], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    printed = json.loads(fedbounds(*arguments, "--json").out)
    returned = call()
    assert capsys.readouterr().out == "", "a document is returned and not printed"
    assert _without_times(returned) == _without_times(printed)


def _without_times(document: Any) -> Any:
    if isinstance(document, dict):
        return {k: _without_times(v) for k, v in document.items() if k not in ("seconds", "created", "made")}
    return [_without_times(v) for v in document] if isinstance(document, list) else document


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fedbounds.errata("nope"), "no statement nope"),
        (lambda: fedbounds.errata("--recheck"), "--recheck is an option: give it by name"),
        (lambda: fedbounds.errata(recheckk=True), "Did you mean --recheck?"),
        (lambda: fedbounds.eval(), "eval needs ID"),
        (lambda: fedbounds.eval(CONVEX, set={"L": "__import__('os')"}), "L"),
        (lambda: fedbounds.privacy.epsilonn(), 'Did you mean "epsilon"'),
        (lambda: fedbounds.replay(Path("no-such-file")), "no-such-file"),
    ],
)
def test_misuse_is_one_sentence(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(Misuse) as refused:
        call()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_only_a_group_has_commands() -> None:
    with pytest.raises(AttributeError, match=r"fedbounds\.errata has no attribute 'recheck'"):
        fedbounds.errata.recheck  # noqa: B018  # the access alone is the test
    with pytest.raises(AttributeError):
        fedbounds.privacy._repr_html_  # noqa: B018  # the access alone is the test


def test_the_import_loads_nothing_heavy(process: Callable[..., Any]) -> None:
    code = "import sys, fedbounds; print(*sorted(sys.modules))"
    loaded = set(process(code=code).communicate(timeout=60)[0].split())
    assert "fedbounds" in loaded
    assert not loaded & {"sympy", "numpy", "scipy", "torch", "matplotlib", "matplotlib.pyplot", "cyclopts"}
    assert "fedbounds" in sys.modules


def test_the_page_about_it_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102  # our own page, not a user's input
    assert names["theorem"] is bounds.get("dp_fedavg.theorem_2")
