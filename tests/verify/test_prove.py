"""The proofs on file replay, prove their statements and agree with the ledger; nothing false is certified."""

import copy
import time
from functools import reduce
from operator import add, mul, sub, truediv
from typing import Any

import numpy as np
import pytest

import bounds
from bounds.discovery import variants
from bounds.language.finding import FindingClass
from bounds.language.proof.document import document, machine_form
from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm, a_square, because, fact
from bounds.language.statement import Statement
from bounds.papers.textbook.notation import L
from verify.proofs import search, store, table
from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker, check
from verify.proofs.licensed import unlicensed
from verify.proofs.prove import REFUTED, prove
from verify.records.errata import all_errata
from verify.records.refuted import refuted

FORMS = [v for s in bounds.statements() for v in variants(s.id) if machine_form(v) is not None]
BROKEN = {
    store.name_of(e.step, (e.display or 0) + 1)
    for e in all_errata()
    if e.step and e.grade is not FindingClass.LOOSE  # a step that is loose is true
}
TEXTBOOK = "textbook.gradient_descent_nonconvex"


def _concludes(statement: Statement) -> bool:
    """Whether the form proves its statement, and not printed steps alone."""
    form = machine_form(statement)
    return form is not None and any(step.get("name") == "conclusion" for step in form.steps)


def test_the_certificates_on_file_are_those_of_the_forms_that_conclude() -> None:
    concluding = {(form.id, form.variant) for form in FORMS if _concludes(form)}
    assert concluding == store.proved()
    assert len(list(store.STEPS.glob("*.json"))) == len(FORMS) - len(concluding)


@pytest.mark.thinned(16)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.id}.{form.variant}")
def test_a_certificate_is_about_its_statement_and_certifies_no_broken_step(form: Statement) -> None:
    certificate = store.on_file(form)
    assert certificate is not None
    assert store.differs(form, certificate) == ""
    found = prove(form)
    assert found.document is not None
    if (
        form.variant == "printed"
    ):  # an amended form has more hypotheses, under which a printed step may be true
        assert not {s["name"] for s in found.document["steps"] if "claim" in s} & BROKEN
        shown = {step.locator for step in found.steps if step.status == REFUTED}
        assert shown == {s.locator for s in form.steps} & {name.partition(" ")[0] for name in BROKEN}


@pytest.mark.slow("replays every certificate")
def test_all_certificates_replay_in_20_seconds() -> None:
    started = time.process_time()
    for path in store.FOLDER.rglob("*.json"):
        check(store.read(path))
    assert time.process_time() - started < 20


def test_the_five_controls_are_proved() -> None:
    controls = {s.id for s in bounds.statements() if s.paper.key == "textbook"}
    assert controls <= {identity for identity, _ in store.proved()}
    assert len(controls) == 5


def test_no_refuted_statement_has_a_certificate() -> None:
    assert not refuted() & {identity for identity, variant in store.proved() if variant == "printed"}


def test_no_step_on_file_as_broken_is_certified_and_none_that_is_loose_is_refuted() -> None:
    """Both ways, for the printed forms: by the names of the claims on file, which are replayed elsewhere."""
    for form in FORMS:
        if form.variant == "printed":
            assert not BROKEN & store.found_before(form).keys(), form.id
    assert {"B.thm5.eq42", "A.lem3.s8"} <= set(store.found_before(bounds.get("dp_fedavg.theorem_2"))) | set(
        store.found_before(bounds.get("fed_norm_ec.lemma_3"))
    )


@pytest.mark.slow("replays every proof step by step")
def test_the_table_of_the_page_is_the_one_that_is_computed() -> None:
    text = table.PAGE.read_text(encoding="utf-8")
    assert table.page(table.table()) == text


def test_a_form_without_its_condition_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dropped hypotheses, one at a time: the conclusion of Lemma 1 needs each of them."""
    statement = bounds.get("dp_fedavg.lemma_1")
    form = machine_form(statement)
    assert form is not None
    whole = document(form, statement)
    for name, change in {
        "B.lem1": lambda e: e | {"assumed": "0"},
        "f": lambda e: e | {"properties": {k: v for k, v in e["properties"].items() if k != "convex"}},
    }.items():
        weaker = copy.deepcopy(whole)
        weaker["given"] = [change(e) if e.get("name") == name else e for e in weaker["given"]]
        with pytest.raises(Rejected):
            check(_filled(weaker))


def _filled(whole: dict[str, Any]) -> dict[str, Any]:
    """With the multipliers of the certificate in the place of the searches."""
    before = store.found_before(bounds.get(whole["id"], whole["variant"]))
    steps = [
        s | {"by": before[s["name"]]["by"]} if s.get("by", {}).get("rule") == "search" else s
        for s in whole["steps"]
    ]
    return whole | {"steps": steps}


# What a form may give itself.


def _form(**properties: Any) -> MachineForm:
    proof = MachineForm(TEXTBOOK)
    (smooth,) = proof.positive("L")
    proof.function("f", **dict.fromkeys(properties, smooth))
    return proof


def test_a_form_gives_itself_no_more_than_its_statement_has() -> None:
    statement = bounds.get(TEXTBOOK)
    assert unlicensed(_form(smooth=True), statement) == ()
    assert "given as convex" in unlicensed(_form(convex=True), statement)[0]
    proof = _form(smooth=True)
    proof.minimizer("star", "f", proof.vector("x"), Scalar("0"))
    assert "given as a minimizer" in unlicensed(proof, statement)[0]
    assert "a value that is not a real scalar" in unlicensed(proof, statement)[1]
    proof.known_point("flat", "f", proof.vector("y"), proof.vector("g"), proof.scalar("f_star"))
    assert "a gradient that is not 0" in unlicensed(proof, statement)[-1]
    proof = _form(smooth=True)
    client = proof.operator("i")
    proof.function("f_i", [client], smooth=Scalar("L"))
    proof.minimizer("star", "f_i", proof.vector("x"), proof.scalar("f_star"))
    assert [s.partition(" for every ")[0] for s in unlicensed(proof, statement)[1:]] == [
        "star is given one value", "star is given as one minimizer of every member of f_i"
    ]  # fmt: skip
    proof = _form(smooth=True)
    proof.assume("free", Scalar("-1"), source="I say so")
    assert "'I say so'" in unlicensed(proof, statement)[0]
    half = MachineForm(TEXTBOOK)
    half.function("f", smooth=half.positive("L")[0] / 2)
    assert "not declared as smoothness" in unlicensed(half, statement)[0]
    low = _form(smooth=True)
    low.function("h", lowest=Scalar("L"))
    assert "lowest value" in unlicensed(low, statement)[0]
    twice = _form(smooth=True)
    twice.reads = {L: Scalar("L") / 2}
    assert "under its own name too" in unlicensed(twice, statement)[0]
    proof = MachineForm(TEXTBOOK)
    proof.positive("N")
    assert "its domain is larger" in unlicensed(proof, statement)[0]


def test_a_proof_that_gives_itself_more_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get(TEXTBOOK)
    form = machine_form(statement)
    assert form is not None
    given = [
        e | {"properties": e["properties"] | {"convex": "1"}} if e["kind"] == "function" else e
        for e in form.given
    ]
    monkeypatch.setattr(form, "given", given)
    found = prove(statement)
    assert not found.concluded
    assert "given as convex" in found.detail


# The search.


def _started(*, factor: int) -> tuple[Checker, dict[str, Any]]:
    proof = MachineForm(TEXTBOOK)
    smooth, eta = proof.positive("L", "eta")
    f = proof.function("f", smooth=smooth)
    x = proof.point("x", f, proof.vector("at"))
    below = proof.point("below", f, x.at - eta * x.gradient)
    proof.assume("small", 1 - eta * smooth, source="definition")
    proof.assume("other", eta - smooth, "= 0", source="definition")
    proof.search(
        "descent",
        factor * (x.value - below.value) - eta * proof.square(x.gradient),
        because(fact("smooth", below, x)),
        a_square(x.gradient, "small"),
        Equality("other"),
    )
    checker = Checker()
    for entry in proof.given:
        checker.accept(entry, trusted=True)
    return checker, proof.steps[0]


def test_a_missing_multiplier_is_found_and_the_result_is_checked() -> None:
    checker, step = _started(factor=2)
    found = search.find(checker, step)
    assert found.by is not None
    checker.accept(step | {"by": found.by}, trusted=False)
    assert 0 < found.tried <= search.LARGEST


def test_a_false_claim_is_not_found() -> None:
    """With the factor 1 the claim is false: on x^2/2 with L = eta = 1 it asks for 1/2 - 1 >= 0."""
    checker, step = _started(factor=1)
    assert search.find(checker, step).by is None


def _co_coercivity(proof: MachineForm, factor: int) -> Scalar:
    (smooth,) = proof.positive("L")
    f = proof.function("f", smooth=smooth, convex=True)
    x, y = (proof.point(name, f, proof.vector(f"at.{name}")) for name in "xy")
    turn = x.gradient - y.gradient
    return smooth * proof.inner(turn, x.at - y.at) - factor * proof.square(turn)


def _young(proof: MachineForm, factor: int) -> Scalar:
    (weight,) = proof.positive("c")
    a, b = proof.vector("a"), proof.vector("b")
    return weight * proof.square(a) + proof.square(b) / weight - 2 * factor * proof.inner(a, b)


def _jensen(proof: MachineForm, factor: int) -> Scalar:
    mean = proof.operator("E")
    v = proof.vector("v", [mean])
    length = proof.over(mean, proof.norm("length", v))
    return proof.over(mean, proof.square(v)) - factor * length**2


def _mean_of_clients(proof: MachineForm, factor: int) -> Scalar:
    clients = proof.operator("i")
    v = proof.vector("v", [clients])
    return proof.over(clients, proof.square(v)) - factor * proof.square(proof.average("mean", clients, v))


def _descent(proof: MachineForm, factor: int) -> Scalar:
    smooth, eta = proof.positive("L", "eta")
    f = proof.function("f", smooth=smooth)
    proof.assume("step", 1 - eta * smooth, source="definition")
    x = proof.point("x", f, proof.vector("at"))
    below = proof.point("below", f, x.at - eta * x.gradient)
    return 2 * (x.value - below.value) - factor * eta * proof.square(x.gradient)


GUESSED = (_co_coercivity, _young, _jensen, _mean_of_clients, _descent)


@pytest.mark.slow("linear programs over all facts and squares")
@pytest.mark.parametrize("factor", [1, 2])
@pytest.mark.parametrize("lemma", GUESSED)
def test_a_reason_that_is_left_out_is_found_and_that_of_a_false_claim_is_not(lemma: Any, factor: int) -> None:
    """Textbook lemmas without any reason; with the factor 2 each of them is false."""
    proof = MachineForm(TEXTBOOK)
    proof.search("lemma", lemma(proof, factor))
    checker = Checker()
    for entry in proof.given:
        checker.accept(entry, trusted=True)
    found = search.find(checker, proof.steps[0])
    assert (found.by is not None) == (factor == 1)
    if found.by is not None:
        checker.accept(proof.steps[0] | {"by": found.by}, trusted=False)


def test_what_is_left_of_a_claim_is_written_as_one_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    statement, form = bounds.get(TEXTBOOK), machine_form(bounds.get(TEXTBOOK))
    assert form is not None
    step = next(s for s in form.steps if s["name"] == "T.gd.nonconvex.s2")
    changed = [s | {"claim": ["-", s["claim"], "L"]} if s is step else s for s in form.steps]
    monkeypatch.setattr(form, "steps", changed)
    open_steps = [s for s in prove(statement).steps if s.locator == step["name"]]
    assert open_steps[0].detail == "the claim and its reasons differ by 1 terms: -1 L"


# Instances: every claim is true on a run, and a changed claim that is false on it is not certified.


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


@pytest.mark.slow("searches for multipliers for a minute")
@pytest.mark.parametrize("identity", INSTANCES)
def test_no_changed_claim_that_an_instance_refutes_is_certified(identity: str) -> None:
    """Numbers of claims are doubled and differences turned into sums; the multipliers are searched anew."""
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
            if step["by"]["rule"] == "combination":
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
