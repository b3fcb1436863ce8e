"""Instances: every claim is true on a run, and a changed claim that is false on it is not certified."""

from functools import reduce
from operator import add, mul, sub, truediv
from typing import Any

import numpy as np
import pytest

import bounds
from verify.proofs import search, store
from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker


def _values(identity: str, seed: int) -> dict[str, Any]:
    """The atoms of a proof on gradient descent for a random quadratic, at a random member."""
    random = np.random.default_rng(seed)
    curvature = random.uniform(0.1, 1, 3)
    largest, low = float(curvature.max()), float(random.normal())

    def f(x: np.ndarray) -> float:
        return float(curvature @ x**2 / 2) + low

    def gradient(x: np.ndarray) -> np.ndarray:
        return curvature * x

    eta = float(random.uniform(0.1, 0.5) / largest)
    last, t = 6, int(random.integers(1, 5))
    path = [random.normal(size=3) * 2]
    for _ in range(last):
        path.append(path[-1] - eta * gradient(path[-1]))
    best = random.normal(size=3) if identity == "dp_fedavg.lemma_1" else np.zeros(3)
    points = {"now": path[t], "next": path[t + 1], "start": path[0], "end": path[last], "star": best}
    squares = [float(gradient(x) @ gradient(x)) for x in path]
    gaps = [f(x) - low for x in path]
    values = {
        "L": largest,
        "eta": eta,
        "E": last,
        "tau": last,
        "t_now": t,
        "f_low": low,
        "w": path[0],
        "y": path[t],
    }
    values |= {"w_E": path[last], "w_last": path[last], "w_star": best, "v.g": random.normal(size=3)}
    values |= {"squares": sum(squares[:t]), "squares.last": sum(squares[:last])}
    values |= {"gaps": sum(gaps[:t]), "gaps.last": sum(gaps[:last])}
    values["round_distance"] = float(np.linalg.norm(path[0] - best))
    return values | {
        k: v for n, x in points.items() for k, v in ((f"grad.{n}", gradient(x)), (f"value.{n}", f(x)))
    }


def _number(e: Any, values: dict[str, Any]) -> float:
    """The value of an expression, by its own few lines: no code of the checker."""
    if isinstance(e, str):
        return float(values[e]) if e in values else float(eval_fraction(e))
    head, *rest = e
    if head in ("inner", "square"):
        u, v = (_vector(part, values) for part in (rest * 2)[:2])
        return float(u @ v)
    numbers = [_number(part, values) for part in rest] if head != "^" else [_number(rest[0], values)]
    if head == "^":
        return numbers[0] ** rest[1]
    if head == "-" and len(numbers) == 1:
        return -numbers[0]
    return reduce({"+": add, "-": sub, "*": mul, "/": truediv}[head], numbers)


def eval_fraction(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def _vector(e: Any, values: dict[str, Any]) -> np.ndarray:
    if isinstance(e, str):
        return np.asarray(values[e])
    return sum((_number(c, values) * _vector(n, values) for n, c in e.items()), np.zeros(3))


INSTANCES = ("dp_fedavg.lemma_1", "dp_fedavg.lemma_2.move")


@pytest.mark.parametrize("identity", INSTANCES)
def test_every_claim_is_true_on_runs(identity: str) -> None:
    certificate = store.on_file(bounds.get(identity))
    assert certificate is not None
    for seed in range(20):
        values = _values(identity, seed)
        for step in certificate["steps"]:
            if "claim" in step:
                found = _number(step["claim"], values)
                assert found >= -1e-9 if step["relation"] != "= 0" else abs(found) < 1e-9, (
                    step["name"],
                    seed,
                )


@pytest.mark.parametrize(
    ("identity", "every"),
    [
        (INSTANCES[0], 8),
        *(pytest.param(i, 1, marks=pytest.mark.slow("searches for up to a minute")) for i in INSTANCES),
    ],
)
def test_no_changed_claim_that_an_instance_refutes_is_certified(identity: str, every: int) -> None:
    """Numbers of claims are doubled and differences turned into sums.

    None has the reasons of the right claim, and for every so many the multipliers are searched anew.
    """
    certificate = store.on_file(bounds.get(identity))
    assert certificate is not None
    runs = [_values(identity, seed) for seed in range(12)]
    tried = shown_false = 0
    checker = Checker()
    for entry in certificate["given"]:
        checker.accept(entry, trusted=True)
    for step in certificate["steps"]:
        if "claim" not in step:
            checker.accept(step, trusted=False)
            continue
        for changed in _mutants(step["claim"]):
            tried += 1
            values = [_number(changed, run) for run in runs]
            false = min(values) < -1e-6 if step["relation"] != "= 0" else max(map(abs, values)) > 1e-6
            if not false:
                continue
            shown_false += 1
            reasons = [step["by"]]
            if step["by"]["rule"] == "combination" and shown_false % every == 0:
                again = step | {"claim": changed, "by": step["by"] | {"rule": "search"}}
                reasons += [by for by in [search.find(checker, again).by] if by is not None]
            for by in reasons:
                with pytest.raises(Rejected):
                    checker.accept(
                        step | {"name": f"changed {tried}", "claim": changed, "by": by}, trusted=False
                    )
        checker.accept(step, trusted=False)
    assert shown_false > 10, (tried, shown_false)


def _mutants(claim: Any) -> list[Any]:
    """The claim with one number doubled or one difference turned into a sum."""
    out = []
    if isinstance(claim, str) and claim.isdigit() and claim != "0":
        out.append(str(2 * int(claim)))
    if isinstance(claim, list):
        if claim[0] == "-" and len(claim) == 3:
            out.append(["+", *claim[1:]])
        for place in range(1, len(claim)):
            if isinstance(claim[place], str | list):
                out += [[*claim[:place], part, *claim[place + 1 :]] for part in _mutants(claim[place])]
    return out
