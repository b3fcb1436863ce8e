"""The papers' experiments against their own conditions: what is said to be violated is, and no more."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bounds
from bounds.language.finding import FindingClass
from verify.audit import experiments
from verify.audit.experiments import EXPERIMENTS, HOLDS, OPEN, VIOLATED, Experiment, judge
from verify.infeasibility.checker import read, refutes

BY_NAME = {(e.statement, e.name): e for e in EXPERIMENTS}
ADAPTIVE = [e for e in EXPERIMENTS if e.products]
SYNTHETIC = BY_NAME["dp_fedavg.theorem_2", "synthetic problem"]


def verdicts(experiment: Experiment) -> dict[str, str]:
    return {d.condition: d.verdict for d in judge(experiment)}


def test_everything_on_file_is_judged_the_same_again() -> None:
    rechecked = experiments.recheck()
    assert len(rechecked) == len(EXPERIMENTS) == len(BY_NAME)
    assert [sentence for _, agrees, sentence in rechecked if not agrees] == []


@pytest.mark.parametrize("experiment", ADAPTIVE, ids=lambda e: f"{e.statement}-{e.name}")
def test_the_adaptive_experiments_meet_their_theorem_with_no_model(experiment: Experiment) -> None:
    """The reader accepts the certificate, and without any one of its products it proves nothing."""
    (entry,) = (e for _, e in experiments.rows(bounds.get(experiment.statement)) if is_of(e, experiment))
    system, certificate = read(entry["certificate"])
    assert refutes(system, certificate)
    for left_out in range(len(certificate)):
        assert not refutes(system, certificate[:left_out] + certificate[left_out + 1 :])


def is_of(entry: Mapping[str, Any], experiment: Experiment) -> bool:
    return entry["name"] == experiment.name and entry["certificate"] is not None


@pytest.mark.parametrize("experiment", ADAPTIVE, ids=lambda e: f"{e.statement}-{e.name}")
def test_with_little_noise_nothing_is_said_against_it(experiment: Experiment) -> None:
    quiet = replace(experiment, numbers={**experiment.numbers, "sigma": "1/1000", "d": "1"})
    assert VIOLATED not in verdicts(quiet).values()


@pytest.mark.parametrize("power", [1, 2])
def test_the_chain_behind_the_certificate_in_numbers(power: int) -> None:
    """For any step, curvature and distance that meet C.thm2.5, omega > sigma^2 d leaves no lambda below 1."""
    rng = np.random.default_rng(3)
    noise = 1.21
    beta, share, extra = (
        10 ** rng.uniform(-3, 3, 4000),
        rng.uniform(0.01, 0.99, 4000),
        rng.uniform(1, 9, 4000),
    )
    eta = share / beta
    distance = extra * np.sqrt(noise / (eta * (1 / beta - eta))) / beta
    omega = distance ** -float(power)
    lam = np.sqrt(noise / (omega * (1 - beta * eta / 2)))
    assert (lam > 1).all()


def test_the_synthetic_problem_is_drawn_as_printed() -> None:
    """By hand for one seed: gaps at the minimizer of the mean, and the largest curvature."""
    rng = np.random.default_rng(0)
    roots, centers = rng.normal(0, 1 / 20, (100, 200, 20)), rng.normal(0, 1, (100, 200))
    total, pull = np.zeros((200, 200)), np.zeros(200)
    for A, w in zip(roots, centers, strict=True):
        total += A @ A.T
        pull += A @ (A.T @ w)
    best = np.linalg.solve(total, pull)
    gaps = [0.5 * (best - w) @ A @ A.T @ (best - w) for A, w in zip(roots, centers, strict=True)]
    largest = max(np.linalg.norm(A, 2) ** 2 for A in roots)
    assert SYNTHETIC.drawn is not None
    first = SYNTHETIC.drawn()[0]
    assert first["Delta_star_max"] == pytest.approx(max(gaps), rel=1e-9)
    assert first["L"] == pytest.approx(largest, rel=1e-9)
    assert first["C_hat"] == float(Fraction(40, 20))


def test_a_threshold_that_is_large_enough_is_not_called_violated() -> None:
    assert verdicts(SYNTHETIC)["B.thm2.threshold"] == VIOLATED
    assert SYNTHETIC.drawn is not None
    enough = tuple(
        {**p, "C_hat": 4 * (p["L"] * p["Delta_star_max"]) ** 0.5 * 1.01} for p in SYNTHETIC.drawn()
    )
    assert verdicts(replace(SYNTHETIC, drawn=lambda: enough))["B.thm2.threshold"] == HOLDS
    # Where some draws meet it and some do not, nothing is certain.
    some = (enough[0], SYNTHETIC.drawn()[0])
    assert verdicts(replace(SYNTHETIC, drawn=lambda: some))["B.thm2.threshold"] == OPEN


def test_what_is_not_printed_is_named() -> None:
    (open_one,) = (d for d in judge(SYNTHETIC) if d.verdict == OPEN)
    assert open_one.detail == "alpha, q not printed"


def test_findings_are_those_that_are_violated() -> None:
    found = [f for s in bounds.statements() for f in experiments.findings(s)]
    assert {f.grade for f in found} == {FindingClass.INCONSISTENT}
    assert len(found) == sum(entry["verdict"] == VIOLATED for entry in experiments.load_recorded())


def test_a_changed_file_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = experiments.load_recorded()
    assert first["verdict"] == OPEN
    monkeypatch.setattr(experiments, "load_recorded", lambda: ({**first, "verdict": VIOLATED}, *others))
    assert [i for i, agrees, _ in experiments.recheck() if not agrees] == [first["statement"]]
