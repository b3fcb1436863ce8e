"""The command line in-process, for all tests but those about processes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reports.command_line import main

sys.path.insert(0, str(Path(__file__).parent))  # for `page_reader`

ROOT = Path(__file__).resolve().parents[2]

THEOREM_2 = ["L=1", "K=100", "E=2", "C_hat=1", "D0=1", "alpha=2", "rho=1/20"]
THEOREM_2 += ["Delta_star_max=0.01", "Delta_star_mean=0.005"]


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The document on stdout, valid under its own schema, without what JSON does not have."""

        def refuse(name: str) -> Any:
            raise AssertionError(f"{name} is not JSON")

        document = json.loads(self.out, parse_constant=refuse)
        validator_of(document["schema"].split("/")[1]).validate(document)
        return document


@cache
def validator_of(verb: str) -> Draft202012Validator:
    schema = json.loads((files("reports") / "schemas" / f"{verb}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


Fedbounds = Callable[..., Done]


@pytest.fixture
def theorem_2() -> list[str]:
    """One point inside the conditions of Theorem 2 of the DP-FedAvg paper, as words for --set."""
    return list(THEOREM_2)


@pytest.fixture
def fedbounds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Fedbounds:
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as exit_:
            main([str(a) for a in arguments])
        captured = capsys.readouterr()
        assert isinstance(exit_.value.code, int)
        return Done(exit_.value.code, captured.out, captured.err)

    return call


@pytest.fixture
def misuse(fedbounds: Fedbounds) -> Callable[..., str]:
    """Code 2, nothing on stdout, one line on stderr, which is returned."""

    def call(*arguments: object) -> str:
        done = fedbounds(*arguments)
        assert (done.code, done.out) == (2, ""), done
        assert done.err.startswith("fedbounds: ")
        assert done.err.count("\n") == 1, done.err
        assert "Traceback" not in done.err
        return done.err

    return call


@pytest.fixture
def process() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """A real process of the command line, or of Python with `-c`; none outlives its test."""
    with ExitStack() as started:

        def start(*arguments: str, code: str | None = None, **more: Any) -> "subprocess.Popen[str]":
            what = ["-c", code] if code is not None else ["-m", "reports.command_line"]
            environment = os.environ | {"PYTHONPATH": str(ROOT)} | more.pop("env", {})
            running = subprocess.Popen(
                [sys.executable, *what, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
                **more,
            )
            started.enter_context(running)  # waits for it, and closes its pipes
            started.callback(running.kill)
            return running

        yield start


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small real record: exact cells, sampled ones, a vacuous one."""
    folder = tmp_path_factory.mktemp("record")
    selected = ("textbook", "fed_norm_ec.theorem_1.main")
    with pytest.raises(SystemExit) as exit_:
        main(["verify", *selected, "--quick", "--exit-zero", "--out", str(folder)])
    assert exit_.value.code == 0
    return folder
