"""The packages under examples/: their proofs, step by step, and their verdicts when they are installed."""

import importlib
import json
import math
import os
import random
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
Import = Callable[[str], ModuleType]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Import a file of an example that is not installed, and forget it afterwards."""
    before = set(sys.modules)

    def load(name: str) -> ModuleType:
        monkeypatch.syspath_prepend(EXAMPLES / name.partition(".")[0])
        return importlib.import_module(name)

    yield load
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("scaffold", "dp_sgd"):
            del sys.modules[name]


def lines(*paths: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in paths)


def test_the_python_of_an_example_stays_short() -> None:
    files = set((EXAMPLES / "scaffold").rglob("*.py"))
    lemma = EXAMPLES / "scaffold" / "scaffold" / "lemma.py"
    assert 0 < lines(*files - {lemma}) <= 120
    assert lines(lemma) <= 25


# ---- SCAFFOLD: the inequality (*) of its README, in fractions


class Line(list[SimpleNamespace]):
    """Quadratics curvature_i/2 (x - center_i)^2 on the line."""

    def __init__(self, curvatures: list[Fraction], centers: list[Fraction]) -> None:
        self.curvatures, self.centers = curvatures, centers
        pairs = list(zip(curvatures, centers, strict=True))
        super().__init__(SimpleNamespace(gradient=lambda x, a=a, c=c: a * (x - c)) for a, c in pairs)
        self.minimizer = sum(a * c for a, c in pairs) / sum(curvatures)
        self.slopes = [a * (self.minimizer - c) for a, c in pairs]

    def gap(self, x: Fraction) -> Fraction:
        # f is quadratic: its curvature is the mean of the clients'
        return sum(self.curvatures) / len(self) * (x - self.minimizer) ** 2 / 2


def some(chosen: random.Random, low: int, high: int) -> Fraction:
    return Fraction(chosen.randint(low * 12, high * 12), 12)


def drawn_line(chosen: random.Random, clients: int) -> Line:
    curvatures = [some(chosen, 0, 1) for _ in range(clients - 1)] + [Fraction(1)]  # L = 1
    return Line(curvatures, [some(chosen, -3, 3) for _ in range(clients)])


def lyapunov(line: Line, state: dict[str, Any], weight: Fraction) -> Fraction:
    away = [(c - g) ** 2 for c, g in zip(state["variates"][:, 0], line.slopes, strict=True)]
    total: Fraction = (state["x"][0] - line.minimizer) ** 2 + weight * sum(away) / len(line)
    return total


def mean_after_a_round(
    module: ModuleType, line: Line, state: dict[str, Any], settings: Any, weight: Fraction
) -> Fraction:
    """The mean over every set of clients that may take part, in the algorithm of the package."""
    sets = list(combinations(range(len(line)), settings.clients_per_round))
    after = []
    for members in sets:
        drawing = SimpleNamespace(choice=lambda n, size, replace, members=members: members)
        after.append(lyapunov(line, module.rounds(state, line, settings, drawing), weight))
    return sum(after, Fraction(0)) / len(sets)


def excess_of_a_round(module: ModuleType, seed: int, times: Fraction = Fraction(1)) -> Fraction:
    """Left minus right of (*), at `times` the longest step that the theorem allows."""
    chosen = random.Random(seed)
    n, steps = chosen.randint(2, 4), chosen.randint(1, 4)
    s = chosen.randint(1, n)
    line = drawn_line(chosen, n)
    omega = Fraction(n - s, s * (n - 1))
    eta = times * Fraction(2, 5) / (1 + 3 * omega)
    weight = (1 + 4 * omega) * Fraction(n, s) * eta**2
    x, variates = [some(chosen, -3, 3)], [[some(chosen, -3, 3)] for _ in range(n)]
    state = {"x": np.array(x, dtype=object), "variates": np.array(variates, dtype=object)}
    settings = SimpleNamespace(local_step=eta / steps, local_steps=steps, clients_per_round=s)
    left = mean_after_a_round(module, line, state, settings, weight)
    here = (x[0] - line.minimizer) ** 2
    variates_left = (1 - Fraction(s, 2 * n)) * (lyapunov(line, state, weight) - here)
    return left - (here - 2 * eta * line.gap(x[0]) + variates_left)


def test_one_round_of_scaffold_does_what_its_proof_says(example: Import) -> None:
    module = example("scaffold.algorithm")
    excesses = [excess_of_a_round(module, seed) for seed in range(100)]
    assert all(isinstance(excess, Fraction) for excess in excesses), "nothing is rounded"
    assert max(excesses) <= 0


def test_six_times_the_step_is_too_long_for_the_proof(example: Import) -> None:
    module = example("scaffold.algorithm")
    assert max(excess_of_a_round(module, seed, Fraction(6)) for seed in range(60)) > 0


def test_the_coefficients_of_the_proof_are_as_small_as_claimed() -> None:
    """Step 6, in fractions, over the whole range of omega and t."""
    for omega, share in product([Fraction(i, 50) for i in range(51)], [Fraction(i, 50) for i in range(51)]):
        t = share * Fraction(2, 5) / (1 + 3 * omega)
        assert -1 + t * (2 + 6 * omega) + t**2 < 0
        assert 1 - (2 * omega + Fraction(2, 3) * t) / (1 + 4 * omega) >= Fraction(1, 2)


def drift(line: Line, state: dict[str, Any], steps: int, step: Fraction) -> tuple[Fraction, ...]:
    """R, G and Q of the README: means over clients and local steps."""
    n, x, variates = len(line), state["x"][0], state["variates"][:, 0]
    server = sum(variates) / n
    moved, slopes = Fraction(0), Fraction(0)
    for client, variate, slope in zip(line, variates, line.slopes, strict=True):
        y = x
        for _ in range(steps):
            moved += (y - x) ** 2 / (n * steps)
            slopes += (client.gradient(y) - slope) ** 2 / (n * steps)
            y = y - step * (client.gradient(y) - variate + server)
    apart = sum((c - g) ** 2 for c, g in zip(variates, line.slopes, strict=True)) / n
    return moved, slopes, apart


@pytest.mark.parametrize("seed", range(5))
def test_the_drift_is_bounded_as_the_proof_says(seed: int) -> None:
    chosen = random.Random(seed)
    for _ in range(40):
        line, steps = drawn_line(chosen, chosen.randint(1, 4)), chosen.randint(1, 5)
        variates = [[some(chosen, -3, 3)] for _ in line]
        state = {"x": np.array([some(chosen, -3, 3)]), "variates": np.array(variates, dtype=object)}
        step = some(chosen, 0, 3) / steps
        moved, slopes, apart = drift(line, state, steps, step)
        cross = Fraction((steps - 1) * (2 * steps - 1), 3)
        assert moved <= step**2 * (steps * (steps - 1) * slopes + cross * apart)


# ---- DP-SGD: the inequality (*) of its README, over every outcome of the sampling


class Outcomes:
    """Every outcome of the sampling and of the noise, one in each row, in the place of a generator.

    A sign stands for a normal number: the proof uses its first two moments only.
    """

    def __init__(self, clients: int, points: int) -> None:
        self.points = points
        self.rows = np.array(list(product([0, 1], repeat=clients * (points + 1))))
        self.at = 0

    def random(self, shape: tuple[int, ...]) -> Any:
        taken = self._next(self.points)
        assert shape == taken.shape
        return 1.0 - taken  # below the rate where the point is taken

    def standard_normal(self, shape: tuple[int, ...]) -> Any:
        signs = 2.0 * self._next(1) - 1
        assert shape == signs.shape
        return signs

    def _next(self, count: int) -> Any:
        self.at += count
        return self.rows[:, self.at - count : self.at]


class HuberData(list[SimpleNamespace]):
    """Data points with gradients clip(x - center, -1, 1) on the line: L = G = 1."""

    def __init__(self, centers: Any) -> None:
        self.centers = centers

        def of(row: Any) -> SimpleNamespace:
            return SimpleNamespace(
                data_points=len(row), gradients_of_data=lambda x: np.clip(x - row, -1, 1)[:, :, None]
            )

        super().__init__(of(row) for row in centers)

    def value(self, x: float) -> float:
        away = np.abs(x - self.centers)
        return float(np.where(away <= 1, away**2 / 2, away - 0.5).mean())


def test_one_round_of_dp_sgd_does_what_its_proof_says(example: Import) -> None:
    module, chosen = example("dp_sgd.algorithm"), np.random.default_rng(0)
    clients, points, closest = 2, 3, -math.inf
    for _ in range(60):
        data = HuberData(chosen.normal(size=(clients, points)) * chosen.choice([0.1, 1, 3]))
        best = brentq(lambda x, data=data: np.clip(x - data.centers, -1, 1).mean(), -20, 20, xtol=1e-12)
        batch, step = int(chosen.integers(1, points + 1)), float(chosen.choice([0.1, 0.5, 1.0]))
        multiplier, x = float(chosen.choice([0.0, 1.0])), float(chosen.normal() * 3)
        settings = SimpleNamespace(
            step=step, burn_in=0, batch=batch, clip_threshold=1.0, noise_multiplier=multiplier
        )
        outcomes = Outcomes(clients, points)
        here = np.full((len(outcomes.rows), 1), x)
        after = module.private_step(module.begin(here, data, settings), data, settings, outcomes)["x"][:, 0]
        taken = np.concatenate([outcomes.rows[:, :points], outcomes.rows[:, points + 1 : -1]], axis=1)
        rate = batch / points
        weight = np.prod(np.where(taken, rate, 1 - rate), axis=1) / 2**clients
        left = float((weight * (after - best) ** 2).sum())
        variance = 1 / (clients * batch) + multiplier**2 / (clients * batch**2)
        right = (x - best) ** 2 - 2 * step * (data.value(x) - data.value(best)) + step**2 * variance
        assert weight.sum() == pytest.approx(1)
        assert left <= right + 1e-9
        closest = max(closest, left - (right - step**2 * variance))
    assert closest > 0.1, "without the variance it is false"


# ---- installed from wheels, as a stranger would


def called(*command: object, **more: Any) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    one_core = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [str(word) for word in command],
        env=environment | one_core,
        capture_output=True,
        text=True,
        check=False,
        **more,
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that sees fedbounds, with the examples installed from wheels."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("scaffold", "dp_sgd"):
        build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "wheels")
        built = called(*build, cwd=EXAMPLES / name)
        assert built.returncode == 0, built.stderr
    assert called(sys.executable, "-m", "venv", "--without-pip", folder / "fresh").returncode == 0
    interpreter = folder / "fresh" / "bin" / "python"
    site = Path(called(interpreter, "-c", "import site; print(site.getsitepackages()[0])").stdout.strip())
    (site / "fedbounds_and_what_it_needs.pth").write_text(f"{ROOT}\n{sysconfig.get_paths()['purelib']}\n")
    pip = (sys.executable, "-m", "pip", "--python", interpreter, "install", "-q", "--no-deps", "--no-index")
    installed = called(*pip, *sorted((folder / "wheels").iterdir()))
    assert installed.returncode == 0, installed.stderr
    return interpreter


def fedbounds(python: Path, *arguments: object, code: int) -> Any:
    done = called(python, "-m", "reports.command_line", *arguments, "--json", cwd=python.parent)
    assert done.returncode == code, (arguments, done.stdout[-2000:], done.stderr[-2000:])
    return json.loads(done.stdout)


INSTALLED = pytest.mark.slow("builds wheels, installs them into a fresh environment, and judges them")


@INSTALLED
@pytest.mark.parametrize(("paper", "count"), [("scaffold", 9), ("dp_sgd", 7)])
def test_the_package_is_found_and_evaluated(python: Path, paper: str, count: int) -> None:
    listed = [entry["id"] for entry in fedbounds(python, "list", paper, code=0)["statements"]]
    assert len(listed) == count
    for identifier in (name for name in listed if ".theorem." in name):
        assert fedbounds(python, "eval", identifier, "--example", code=0)["applicable"] is True


@INSTALLED
@pytest.mark.parametrize(
    ("identifier", "code", "cells"),
    [
        ("scaffold.theorem.linear", 0, 33),
        ("scaffold.theorem.faster", 1, 33),
        ("scaffold.theorem.fedavg", 1, 20),
        ("scaffold.lemma.progress", 0, 1),
        ("scaffold.lemma.progress_doubled", 1, 1),
        ("dp_sgd.theorem.average", 0, 24),
        ("dp_sgd.theorem.no_dimension", 1, 24),
    ],
)
def test_true_ones_hold_and_false_ones_fall(python: Path, identifier: str, code: int, cells: int) -> None:
    """The whole run is wrong with probability 0.001 at most; asymptotic verdicts are never violations."""
    told = fedbounds(python, "verify", identifier, "--quick", "--workers", 2, code=code)
    verdicts = [cell["verdict"] for cell in told["cells"] + told["properties"]]
    assert len(verdicts) == cells
    assert ("violated" in verdicts) == bool(code)
    # of a false form a cell may come so near to the bound that it decides nothing
    assert set(verdicts) <= ({"holds", "violated", "inconclusive"} if code else {"holds"})


@INSTALLED
def test_a_dropped_condition_is_found_by_the_search(python: Path, tmp_path: Path) -> None:
    witness = tmp_path / "witness.json"
    found = fedbounds(python, "falsify", "scaffold.theorem.any_step", "--out", witness, code=1)
    assert found["refuted"] is True
    assert fedbounds(python, "replay", witness, code=0)["agrees"] is True
