"""The experiments of the papers against the conditions of their own theorems.

An experiment is what a paper prints of it: numbers with their places, and, where a problem is drawn from a
printed law, draws of it. A condition all of whose quantities are known is decided there; one with others is
not decidable, and the first that is not printed is named. All conditions together may still be impossible
whatever the rest is: a certificate says so, from the conditions and from what every problem of the class
satisfies. A printed experiment that a theorem says nothing about is a disagreement of two places: the class
is `inconsistent`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, final

import numpy as np
from sympy import Expr, Rational, Symbol

import bounds
from bounds.evaluation.decide import decide
from bounds.evaluation.resolve import resolve
from bounds.language.condition import Condition
from bounds.language.expression import condition_text
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement
from verify.audit.satisfiable.class_facts import START, Fact, Products, far
from verify.infeasibility.checker import (
    POSITIVE,
    Certificate,
    NotACertificate,
    Product,
    System,
    read,
    refutes,
    written,
)
from verify.infeasibility.finder import weighted
from verify.infeasibility.system import Inequality, inequalities, name_products, signs_of, system
from verify.json_numbers import load

FILE = Path(__file__).parents[1] / "experiments.json"
HOLDS, VIOLATED, OPEN = "holds", "violated", "not decidable"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """`numbers` are exact, as printed, several for a grid; `drawn` are problems of a printed law.

    `products` are the constraints and monomials whose sum contradicts the conditions, where there is such a
    sum; the weights are found, and the reader of `verify.infeasibility.checker` decides.
    """

    name: str
    statement: str
    where: str
    printed: str
    right: str
    numbers: Mapping[str, str | tuple[str, ...]]
    drawn: Callable[[], tuple[Mapping[str, float], ...]] | None = None
    facts: tuple[Fact, ...] = ()
    products: Products = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    condition: str
    verdict: str
    detail: str


@cache
def _drawn_quadratics() -> tuple[Mapping[str, float], ...]:
    """Section 5.3 of the DP-FedAvg paper: 100 clients, Q_i = A_i A_i^T of rank 20 in 200 dimensions.

    Q_i has rank 20 and its range holds Q_i w_i*, so the minimum of f_i is 0 and Delta_i* = f_i(w*).
    """
    points: list[Mapping[str, float]] = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        roots = rng.normal(0, 1 / 20, (100, 200, 20))
        centers = rng.normal(0, 1, (100, 200))
        hessians = roots @ roots.transpose(0, 2, 1)
        pulls = np.einsum("idk,ik->id", hessians, centers)
        minimizer = np.linalg.solve(hessians.sum(axis=0), pulls.sum(axis=0))
        away = np.einsum("idk,id->ik", roots, minimizer - centers)
        smoothness = float(np.linalg.eigvalsh(roots.transpose(0, 2, 1) @ roots).max())
        gap = float((away**2).sum(axis=1).max() / 2)
        points += [{"L": smoothness, "Delta_star_max": gap, "C_hat": C / 20} for C in (40, 50, 100)]
    return tuple(points)


_DISTANCE = Symbol(START)
_SMOOTH = Fact(
    name="F is beta-smooth",
    difference=Symbol("beta") ** 2 * _DISTANCE**2 - Symbol("gradient_square"),
    because="||grad F(w_0)|| <= beta ||w_0 - w*||, and the first auxiliary iterate is w_0",
)


def _chain(omega: str, power: int) -> Products:
    """1 >= omega D^power, omega > sigma^2 d and D^2 >= sigma^2 d, times what brings them onto each other."""
    common = {"beta": 1, "tau": 1}
    out: list[tuple[str, Mapping[str, int]]] = []
    for distance in range(power, 3):
        moved = common | {omega: 1, "start_distance": distance}
        out.append(("C.thm2.2", {"beta": 1, "start_distance": distance}))
        for gap in ("C.thm2.4.lower", "C.thm2.4.upper"):
            out += [(gap, moved), (gap, moved | {"lam": 1})]
        out.append(("omega is a minimum", common | {"start_distance": distance - power}))
    return (
        *out,
        ("C.thm2.5", {"tau": 1}),
        ("F is beta-smooth", {"tau": 1}),
        ("C.thm2.1", common | {"start_distance": 2}),
    )


def _adaptive(statement: str, omega: str, power: int, below: str) -> Iterator[Experiment]:
    """`below` is what the audit of the statement shows of every problem."""
    readings = {
        "noise multiplier": ("11/10", "1", "in any dimension"),
        "noise of the batch mean": (
            "11/640",
            "16704",
            "sigma read as 1.1/64, d the weights of the last two layers of the FashionMNIST model",
        ),
    }
    for name, (sigma, d, reading) in readings.items():
        yield Experiment(
            name=name,
            statement=statement,
            where="the experiments (C.exp.optim, C.exp.model)",
            printed="base learning rate 0.5; batch size 64; noise scale 1.1; clipping bound 1",
            right=f"sigma^2 d below {below}: here nothing meets all of C.thm2.1 to C.thm2.5, {reading}",
            numbers={"sigma": sigma, "d": d, "B": "64", "C": "1", "eta": "1/2"},
            facts=(_SMOOTH, far(omega, power)),
            products=_chain(omega, power),
        )


_CLIPPED = ("dp_fedavg.theorem_2", "dp_fedavg.theorem_4")
_THRESHOLDS = ("500", "250", "125", "125/2", "125/4", "125/8")
EXPERIMENTS: tuple[Experiment, ...] = (
    *_adaptive("als_dpfl.theorem_2.theorem_omega", "omega", 1, "0.63"),
    *_adaptive("als_dpfl.theorem_2.lemma_6_omega", "omega_lemma_6", 2, "0.5"),
    *(
        Experiment(
            name="synthetic problem",
            statement=statement,
            where="the synthetic problem of Section 5.3",
            printed="C = 40, 50, 100 with E = 20; Q_i = A_i A_i^T, w_i* ~ N(0, I_200)",
            right="C >= 4 E sqrt(L max Delta*), about twice the largest shown",
            numbers={"n": "100", "d": "200", "E": "20", "K": "500", "epsilon": "5", "delta": "1/1000000"},
            drawn=_drawn_quadratics,
        )
        for statement in _CLIPPED
    ),
    *(
        Experiment(
            name=f"benchmark data sets, n = {n}",
            statement=statement,
            where="the benchmark data sets of Section 6",
            printed="20 local updates; epsilon = 5 and 1.5 with delta = 1e-5; C up to 500; r = 0.2 n",
            right="",
            numbers={
                "n": str(n),
                "r": str(n // 5),
                "E": "20",
                "delta": "1/100000",
                "epsilon": ("5", "3/2"),
                "C_hat": tuple(f"{Fraction(c) / 20}" for c in _THRESHOLDS),
            },
        )
        for statement in (*_CLIPPED, "dp_fedavg.theorem_1")
        for n in (3000, 5000)
    ),
    Experiment(
        name="CIFAR-10",
        statement="fed_norm_ec.theorem_1.main",
        where="the experiments of Section 6",
        printed="alpha = 0.01; beta and gamma among 0.001, 0.01, 0.1; 300 rounds; 20 workers",
        right="",
        numbers={"alpha": "1/100", "K": "299", "M": "20", "beta": ("1/1000", "1/100", "1/10")},
    ),
)


def of(statement: Statement) -> tuple[Experiment, ...]:
    """Experiments with the printed form; no paper has experiments with an amended one."""
    return (
        () if statement.variant != "printed" else tuple(e for e in EXPERIMENTS if e.statement == statement.id)
    )


def judge(experiment: Experiment) -> tuple[Decided, ...]:
    """Every condition, and all of them together where the experiment says how they contradict."""
    statement = bounds.get(experiment.statement)
    resolved = resolve(statement)
    points = _points(experiment)
    decided = [
        _decided(condition, value, limit, points)
        for condition, (value, limit) in zip(statement.conditions, resolved.conditions, strict=True)
    ]
    if experiment.products:
        proof = weighted(*_state_system(experiment))
        verdict = OPEN if proof is None else VIOLATED
        decided.append(Decided(condition="all together", verdict=verdict, detail="certificate"))
    return tuple(decided)


def _points(experiment: Experiment) -> tuple[dict[str, float], ...]:
    grid = {n: (x,) if isinstance(x, str) else x for n, x in experiment.numbers.items()}
    printed = [dict(zip(grid, map(_float, values), strict=True)) for values in product(*grid.values())]
    return tuple(p | dict(q) for p in printed for q in (experiment.drawn() if experiment.drawn else ({},)))


def _float(printed: str) -> float:
    return float(Fraction(printed))


def _decided(condition: Condition, value: Expr, limit: Expr, points: tuple[dict[str, float], ...]) -> Decided:
    names = {s.name for e in (value, limit) for s in e.free_symbols}
    missing = sorted(names - points[0].keys())
    if missing:
        return Decided(condition=condition.id, verdict=OPEN, detail=f"{', '.join(missing)} not printed")
    found = [decide(condition, value, limit, {n: p[n] for n in names}) for p in points]
    failing = [f for f in found if not f.holds]
    shown = min(failing, key=lambda f: abs(f.margin)) if failing else min(found, key=lambda f: f.margin)
    summary = f"{len(failing)} of {len(found)} fail" if failing else f"at {len(found)} points"
    verdict = VIOLATED if len(failing) == len(found) else HOLDS if not failing else OPEN
    detail = f"{condition_text(condition)}: {summary}, the nearest with margin {float(shown.margin):.3g}"
    return Decided(condition=condition.id, verdict=verdict, detail=detail)


def _state_system(experiment: Experiment) -> tuple[System, tuple[Product, ...]]:
    """The conditions at the printed numbers and the facts, and the products that are to be weighted."""
    statement = bounds.get(experiment.statement)
    known = {Symbol(name): Rational(x) for name, x in experiment.numbers.items() if isinstance(x, str)}
    given = frozenset({"h_tau"})  # a variable above 0: its size does not matter
    items = [Inequality(i.name, _at(i.difference, known), i.strict) for i in inequalities(statement, given)]
    items += [Inequality(f.name, _at(f.difference, known), False) for f in experiment.facts]
    signs = {n: s for n, s in signs_of(statement, given).items() if Symbol(n) not in known}
    asked = system(items, signs | {_DISTANCE.name: POSITIVE})
    return asked, name_products(asked, experiment.products)


def _at(expression: Expr, known: Mapping[Symbol, Rational]) -> Expr:
    """Names decide: a quantity's symbol carries its sign, and the facts' symbols carry none."""
    named = {s: known.get(Symbol(s.name), Symbol(s.name)) for s in expression.free_symbols}
    return expression.xreplace(named)


@cache
def load_recorded() -> tuple[dict[str, Any], ...]:
    return tuple(load(FILE))


def findings(statement: Statement) -> tuple[Finding, ...]:
    """One for each condition that an experiment violates for certain."""
    return tuple(
        Finding(
            id=f"{statement.id}:experiment:{experiment.name}:{entry['condition']}",
            statement=statement.id,
            locator=_locator(statement, entry["condition"]),
            grade=FindingClass.INCONSISTENT,
            where=experiment.where,
            printed=experiment.printed,
            right=experiment.right,
            evidence=_evidence(entry, experiment),
        )
        for experiment, entry in rows(statement)
        if entry["verdict"] == VIOLATED
    )


def _locator(statement: Statement, condition: str) -> str:
    return next((c.locator for c in statement.conditions if c.id == condition), statement.locator)


def _evidence(entry: Mapping[str, Any], experiment: Experiment) -> str:
    if entry["certificate"] is None:
        return f"experiment: {entry['detail']}"
    facts = "; ".join(f.because for f in experiment.facts)
    return f"certificate: the conditions and the printed numbers contradict each other, since {facts}"


def recheck() -> list[tuple[str, bool, str]]:
    """(statement, agrees, sentence) of every experiment, judged anew."""
    out = []
    for experiment in EXPERIMENTS:
        filed = _filed(experiment)
        rows = [(e["condition"], e["verdict"], e["detail"]) for e in filed]
        agrees = rows == [(d.condition, d.verdict, d.detail) for d in judge(experiment)]
        for entry in (e for e in filed if e["certificate"] is not None):
            agrees = agrees and _proved(experiment, entry["certificate"])
        failing = ", ".join(e["condition"] for e in filed if e["verdict"] == VIOLATED) or "nothing"
        summary = f"{experiment.statement}, {experiment.name}: {failing} violated"
        out.append((experiment.statement, agrees, f"{summary}, {'agrees' if agrees else 'differs'}"))
    return out


def _proved(experiment: Experiment, document: Any) -> bool:
    try:
        asked, certificate = read(document)
    except NotACertificate:
        return False
    return asked == _state_system(experiment)[0] and refutes(asked, certificate)


def _filed(experiment: Experiment) -> tuple[dict[str, Any], ...]:
    place = experiment.name, experiment.statement
    return tuple(e for e in load_recorded() if (e["name"], e["statement"]) == place)


def rows(statement: Statement) -> Iterator[tuple[Experiment, dict[str, Any]]]:
    """The recorded verdicts of every experiment with the statement, condition by condition."""
    return ((experiment, entry) for experiment in of(statement) for entry in _filed(experiment))


def make() -> None:
    entries: list[dict[str, Any]] = []
    for experiment in EXPERIMENTS:
        for d in judge(experiment):
            proof: tuple[System, Certificate] | None = None
            if d.detail == "certificate" and d.verdict == VIOLATED:
                asked, products = _state_system(experiment)
                found = weighted(asked, products)
                proof = None if found is None else (asked, found)
            entries.append(
                {
                    "name": experiment.name,
                    "statement": experiment.statement,
                    "condition": d.condition,
                    "verdict": d.verdict,
                    "detail": d.detail,
                    "certificate": None if proof is None else written(*proof),
                }
            )
    FILE.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
