"""Whether anything satisfies what is asked: witnesses, lemmas, certificates, and planted contradictions."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bounds
from bounds import discovery
from bounds.language import assumptions as stated
from bounds.language.condition import above, at_least, below
from bounds.language.finding import FindingClass
from bounds.language.statement import AMENDED, EdgeOutcome, Statement
from bounds.papers.textbook.notation import L, eta, mu, sigma
from synthetic.problems import build
from verify.audit import evidence
from verify.audit.satisfiable import class_facts
from verify.audit.satisfiable.excluded import excluded, where_zero
from verify.audit.satisfiable.judge import Verdict, judge
from verify.audit.satisfiable.problem import instance
from verify.cell import revived
from verify.infeasibility.checker import Product, read, refutes, written
from verify.parameters.lemmas import LEMMAS, Leaves, matching
from verify.parameters.region import region
from verify.parameters.valid import UnsolvableCondition
from verify.search.smallest import smallest

PRINTED = bounds.statements()
ADAPTIVE = ("als_dpfl.theorem_2.theorem_omega", "als_dpfl.theorem_2.lemma_6_omega")
SGD = bounds.get("textbook.stochastic_gradient_descent")
CONVEX = bounds.get("textbook.gradient_descent_convex")


@pytest.mark.sampled
@pytest.mark.parametrize("identity", [s.id for s in PRINTED])
def test_every_statement_has_a_witness_or_a_proof(identity: str) -> None:
    statement = bounds.get(identity)
    judged = judge(statement)
    assert judged.verdict is not Verdict.INCONCLUSIVE
    if judged.point is not None:
        assert statement.evaluate(**judged.point).applicable is True
    if judged.instance is not None:
        arguments = {name: revived(value) for name, value in judged.instance.arguments.items()}
        assert build(judged.instance.problem, **arguments).facts().clients >= 1
    for proved in judged.excluded:
        assert refutes(proved.system, proved.certificate)
    if statement.paper.key == "textbook":
        assert judged.verdict is Verdict.SATISFIABLE
        assert judged.excluded == ()


def test_conditions_that_contradict_each_other_are_found() -> None:
    planted = replace(SGD, conditions=(*SGD.conditions, above(mu, 2 * L, locator="planted", printed="")))
    judged = judge(planted)
    assert judged.verdict is Verdict.UNSATISFIABLE
    assert judged.certificate is not None
    assert refutes(*judged.certificate)
    # What only looks contradictory is not called so: mu = L is allowed.
    tight = replace(SGD, conditions=(*SGD.conditions, at_least(mu, L, locator="planted", printed="")))
    assert judge(tight).verdict is not Verdict.UNSATISFIABLE


def test_a_case_that_is_shut_out_is_found() -> None:
    """eta <= sigma^2: without noise no step is left. eta <= 1 + sigma^2 shuts out nothing."""
    shut = below(eta, sigma**2, locator="planted", printed="")
    open_ = below(eta, 1 + sigma**2, locator="planted", printed="")
    assert [p.quantity for p in excluded(replace(SGD, conditions=(*SGD.conditions, shut)))] == ["sigma"]
    assert [*excluded(replace(SGD, conditions=(*SGD.conditions, open_)))] == []


def test_what_a_tight_condition_forces_is_found() -> None:
    """mu <= L - sigma^2 with mu <= L: at mu = L there is no noise."""
    forcing = at_least(L - sigma**2, mu, locator="planted", printed="")
    planted = replace(SGD, conditions=(*SGD.conditions, forcing))
    assert [(p.kind, p.quantity) for p in excluded(planted) if p.kind == "tight"] == [("tight", "sigma")]


def test_zeros_that_are_said_to_be_not_applicable_are_not_refuted_wrongly() -> None:
    """What is proved to be shut out is never an edge at which the statement is said to apply."""
    regular = {
        (s.id, edge.symbol.name)
        for s in PRINTED
        for edge in s.edges
        if edge.outcome is EdgeOutcome.REGULAR and edge.at == 0
    }
    proved = {
        (path.stem, entry["quantity"])
        for path in evidence.FOLDER.glob("*.json")
        for entry in evidence.certified(path.stem)
        if entry["kind"] == "zero"
    }
    assert proved
    assert proved & regular == set()


def test_every_certificate_on_file_is_read_again() -> None:
    rechecked = evidence.recheck()
    assert rechecked
    assert [sentence for _, agrees, sentence in rechecked if not agrees] == []
    for path in evidence.FOLDER.glob("*.json"):
        for entry in evidence.certified(path.stem):
            system, certificate = read(entry["certificate"])
            assert not refutes(system, certificate[:-1])


# The first has an entry of every kind on file, and the other one has findings.
EVERY_KIND, FOUND = ADAPTIVE[0], "fed_norm_ec.theorem_1.main"
ON_FILE = {identity: evidence.certified(identity) for identity in (EVERY_KIND, FOUND)}
both = pytest.mark.parametrize("identity", ON_FILE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in the place of the certificates."""
    monkeypatch.setattr(evidence, "FOLDER", tmp_path)
    evidence.certified.cache_clear()
    yield tmp_path
    evidence.certified.cache_clear()


def rechecked(folder: Path, identity: str, entries: Iterable[Any]) -> list[tuple[bool, str]]:
    """Whether each of these entries agrees, and its sentence, with nothing else on file."""
    entries = list(entries)
    (folder / f"{identity}.json").write_text(json.dumps(entries), encoding="utf-8")
    found = [(agrees, said) for name, agrees, said in evidence.recheck() if name == identity]
    return found[: len(entries)]  # lemmas come after them


@both
def test_what_is_on_file_agrees_entry_by_entry(folder: Path, identity: str) -> None:
    found = rechecked(folder, identity, ON_FILE[identity])
    assert len(found) == len(ON_FILE[identity])
    assert all(agrees and sentence.endswith(", agrees") for agrees, sentence in found)


@both
def test_words_that_no_certificate_says_differ(folder: Path, identity: str) -> None:
    """The certificate is good, and the file says of it that the theorem holds for no parameters at all."""
    words = ("it holds for no parameters at all", "K", "zero", "", None, 1, [])
    forged = [
        changed
        for entry in ON_FILE[identity]
        for key in ("kind", "quantity", "condition", "shows", "where", "right")
        for changed in (
            *(entry | {key: said} for said in words if said != entry[key]),
            {other: entry[other] for other in entry if other != key},
        )
    ]
    forged += [entry | {"said too": "more"} for entry in ON_FILE[identity]]
    found = rechecked(folder, identity, forged)
    assert len(found) == len(forged)
    assert [sentence for agrees, sentence in found if agrees or not sentence.endswith(", differs")] == []


@both
def test_a_wrong_certificate_of_the_right_system_does_not_agree(folder: Path, identity: str) -> None:
    """Forged: the system is the statement's own, and the products prove nothing."""
    forged = []
    for entry in ON_FILE[identity]:
        whole = entry["certificate"]
        first, *others = whole["products"]
        for products in ([], [first, *others][:-1], [first | {"coefficient": "-1"}, *others]):
            forged.append(entry | {"certificate": whole | {"products": products}})
    found = rechecked(folder, identity, forged)
    assert len(found) == len(forged)
    assert [sentence for agrees, sentence in found if agrees or not sentence.endswith(", differs")] == []


@both
def test_a_certificate_that_is_not_read_does_not_agree(folder: Path, identity: str) -> None:
    entry = ON_FILE[identity][0]
    forged = [entry | {"certificate": c} for c in (None, {}, [], entry["certificate"] | {"signs": {}})]
    forged.append({key: entry[key] for key in entry if key != "certificate"})
    found = rechecked(folder, identity, forged)
    assert len(found) == len(forged)
    assert [sentence for agrees, sentence in found if agrees or ", is not read: " not in sentence] == []


def test_a_power_that_absorbs_another_proves_nothing(folder: Path) -> None:
    """delta < 1, times delta^1e17 in floats, would shut out sensitivity = 0, which meets all conditions."""
    identity = "als_dpfl.gaussian_mechanism"
    there = where_zero(bounds.get(identity), "sensitivity")
    (index,) = (i for i, c in enumerate(there.constraints) if c.name == "domain of delta")
    plain = written(there, (Product(Fraction(1), (index,)),))
    entry = {
        "kind": "zero",
        "quantity": "sensitivity",
        "condition": "",
        "shows": "no parameters qualify where sensitivity = 0",
        "where": "the case sensitivity = 0",
        "right": "conditions that sensitivity = 0 meets: the bound is said to be smallest there",
    }
    forged = []
    for exponent in (1e17, 1000, "1000"):
        product = plain["products"][0] | {"monomial": {"delta": exponent}}
        forged.append(entry | {"certificate": plain | {"products": [product]}})
    assert [agrees for agrees, _ in rechecked(folder, identity, forged)] == [False, False, False]


def test_findings_follow_from_what_is_proved() -> None:
    for statement in PRINTED:
        for finding in evidence.findings(statement):
            assert statement.paper.key != "textbook"
            assert finding.grade in (FindingClass.VACUOUS, FindingClass.INTERPRETATION)
            assert finding.evidence.startswith(("lemma, ", "certificate: "))
    vacuous = {s.id for s in PRINTED if judge_is_trivial(s)}
    assert vacuous == {s.id for s in PRINTED if any(m.leaves is Leaves.TRIVIAL for m in matching(s))}


def judge_is_trivial(statement: Statement) -> bool:
    return any(lemma.leaves is not Leaves.OTHERS for lemma in matching(statement)) and (
        judge(statement).verdict in (Verdict.TRIVIAL_ONLY, Verdict.UNSATISFIABLE)
    )


def test_a_strongly_convex_lipschitz_problem_is_refused_by_its_lemma() -> None:
    planted = replace(SGD, assumptions=(*SGD.assumptions, stated.LIPSCHITZ_CLIENTS))
    assert judge(planted).verdict is Verdict.UNSATISFIABLE
    assert judge(SGD).verdict is Verdict.SATISFIABLE


@pytest.mark.parametrize(("bound", "found"), [({"C": 1.0}, True), ({"C": 0.5}, False), ({}, True)])
def test_gradients_are_held_below_the_bound_of_the_point(bound: dict[str, float], found: bool) -> None:
    """Below an infinite one every bounded gradient was; the clients of the engine have gradients up to 1."""
    qualified, why = instance(bounds.get("als_dpfl.lemma_2"), bound)
    assert (qualified is not None) is found
    assert found or "gradients can be as long as 1, above the bound C" in why


def test_the_lemmas_have_proofs_and_match_no_control() -> None:
    for lemma in LEMMAS:
        assert len(lemma.proof) > 100
    for statement in PRINTED:
        if statement.paper.key == "textbook":
            assert matching(statement) == ()


def test_a_defect_of_assumptions_quotes_them_and_says_what_was_reconstructed() -> None:
    (finding,) = evidence.findings(bounds.get("fedavg_lojasiewicz.lemma_f3"))
    assert finding.printed.startswith("FL-2: ")
    assert finding.printed.endswith("(reconstructed)")
    (finding,) = evidence.findings(bounds.get("als_dpfl.lemma_6"))  # of a condition on a path
    assert r"F(\hat{\mathbf{v}}_{[k]}(k\tau))" in finding.printed


def test_lemma_on_shrinking_gradients_in_numbers() -> None:
    """On a quadratic the hypothesis holds with lam the least curvature: gradients grow backwards."""
    generator = np.random.default_rng(1)
    for _ in range(100):
        curvature = generator.uniform(0.1, 1.0, size=4)
        eta, least = generator.uniform(0.1, 0.9) / curvature.max(), curvature.min()
        before = generator.normal(size=4)
        there, here = curvature * before, curvature * (before - eta * curvature * before)
        turn = np.linalg.norm(here - there)
        assert turn >= eta * least * np.linalg.norm(there) * (1 - 1e-12)
        assert here @ here <= (1 - (eta * least) ** 2) * (there @ there) * (1 + 1e-12)


def test_lemma_on_growth_beyond_quadratic_in_numbers() -> None:
    """Where the engine certifies an exponent above 1, every gap in the set is below (2L/mu)^(1/(alpha-1))."""
    problem = build("lojasiewicz.small")
    facts = problem.facts()
    known = facts.lojasiewicz
    assert known is not None
    limit = (2 * float(facts.smoothness) / float(known.constant)) ** (1 / (known.exponent - 1))
    # |x|^3 on [-r, r]: L = 6 r, and (3 x^2)^2 >= mu |x|^4 with alpha = 4/3 and mu = 9.
    for r in (0.5, 1.0, 4.0):
        assert r**3 <= (2 * 6 * r / 9) ** (1 / (4 / 3 - 1))
    assert limit > 0


def test_lemma_on_the_constant_in_numbers() -> None:
    """f = m x^2/2 has mu = 2 m with ||grad f||^2 >= mu (f - f*), and L = m: mu <= 2 L with equality."""
    for m in (0.01, 1.0, 100.0):
        x = np.linspace(-3, 3, 13)
        assert np.allclose((m * x) ** 2, 2 * m * (m * x**2 / 2))


def test_lemma_on_gaussian_noise_in_numbers() -> None:
    """The chance that 1 - eta (1 + n) lies within 0.1 of 0 is above 0 for every sigma > 0."""
    for deviation in (0.1, 1.0, 10.0):
        step = 0.5
        low, high = ((1 - step + end) / step / deviation / math.sqrt(2) for end in (-0.1, 0.1))
        assert (math.erf(high) - math.erf(low)) / 2 > 0


def on_paths(statement: Statement) -> bool:
    return "Gaussian noise keeps no condition on every path" in {lemma.name for lemma in matching(statement)}


def test_a_condition_on_a_mean_is_none_on_a_path() -> None:
    """Lemma 4 prints an expectation, Lemma 6 a gap; so does Lemma 4 with that condition planted."""
    mean, path = bounds.get("als_dpfl.lemma_4"), bounds.get("als_dpfl.lemma_6")
    assert not on_paths(mean)
    assert on_paths(path)
    assert on_paths(replace(mean, conditions=(*mean.conditions, path.conditions[1])))
    found = {v.id for s in PRINTED for v in discovery.variants(s.id) if v.variant == AMENDED and on_paths(v)}
    assert found == set()


def test_how_much_noise_the_class_leaves_is_certified_and_no_less() -> None:
    """2^(-2/3) = 0.62996 and 1/2: a little below, the conditions and the facts have a common point."""
    for identity, less in ((ADAPTIVE[0], Fraction(62, 100)), (ADAPTIVE[1], Fraction(49, 100))):
        statement = bounds.get(identity)
        limit = class_facts.limit_of(statement)
        assert limit is not None
        found = class_facts.proof(statement, limit)
        assert found is not None
        assert refutes(*found)
        assert class_facts.proof(statement, replace(limit, below=less)) is None
        distance = 2 * float(less) ** 0.5
        assert float(less) < distance**-limit.power
        assert [p.kind for p in excluded(statement)].count("class") == 1


def test_the_facts_of_the_class_in_numbers() -> None:
    """On bowls of any curvature up to beta: eta (1/beta - eta) ||grad F||^2 is at most a quarter of D^2."""
    rng = np.random.default_rng(4)
    for _ in range(500):
        beta, distance = 10 ** rng.uniform(-3, 3, 2)
        share, part = rng.random(2)
        eta = share / beta
        slope = part * beta * distance
        assert eta * (1 / beta - eta) * slope**2 <= distance**2 / 4 * (1 + 1e-12)


def test_points_of_a_region_meet_the_conditions() -> None:
    statement = bounds.get("fed_norm_ec.theorem_2")
    own = region(statement)
    generator = np.random.default_rng(2)
    made = 0
    for _ in range(50):
        try:
            point = own.at({name: generator.normal(0, 3) for name in own.order})
        except UnsolvableCondition:  # a zero that the conditions shut out
            continue
        made += 1
        assert statement.evaluate(**point).applicable is True
    assert made > 25


def test_the_search_finds_a_known_smallest_value_and_stops_where_it_is_enough() -> None:
    """L D0^2/(4N + 2) over L D0^2/2 is 1/(2N + 1): small for large N, below 1/2 from N = 1 on."""
    own = region(CONVEX)
    value, point = smallest(own, lambda points: 1 / (2 * points["N"] + 1))
    assert point is not None
    assert value < 1e-11
    value, _ = smallest(own, lambda points: 1 / (2 * points["N"] + 1), enough=0.5)
    assert value <= 0.5


def test_lower_bounds_below_the_infima_leave_the_case() -> None:
    """f_1 = f_2 = x^2/2 from 1, with f_i^inf = -100 for the infimum 0: Theorem 1 has steps."""
    infima, lower = 0.0, -100.0
    given = {"K": 9, "M": 2, "L": 1, "f0_gap": 0.5 - infima, "R": 1, "alpha": 1, "beta": 1, "eta": 0.1}
    given |= {"T": 5, "p": 1, "sigma_DP": 0}
    theorem = bounds.get(FOUND)
    assert theorem.evaluate(**given, Delta_inf=infima - lower).applicable is True
    assert theorem.evaluate(**given, Delta_inf=0).applicable is False
    grades = {f.where: (f.grade, f.evidence) for f in evidence.findings(theorem)}
    grade, said = grades["the case Delta_inf = 0"]
    assert grade is FindingClass.INTERPRETATION
    assert "lower bounds below" in said
    assert "lower bounds" not in grades["the case R = 0"][1]


def test_certificates_of_a_package_are_found_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package has no such files: a statement of ours gets what is on file if it is asked as a package's."""
    identity = "fed_norm_ec.theorem_1.main"
    on_file = evidence.certified(identity)
    monkeypatch.setattr(evidence, "registered", lambda: {"fed_norm_ec": "a_package"})
    evidence.certified.cache_clear()
    try:
        assert len(on_file) > 0
        assert evidence.certified(identity) == on_file
    finally:
        evidence.certified.cache_clear()
