"""An amended form falls to a counterexample only if that lies inside of it, and outlives what is decided."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import discovery
from bounds.errors import Misuse, OutOfDomain
from bounds.language.assumptions import SMOOTH_CLIENTS, STRONGLY_CONVEX
from bounds.language.finding import FindingClass
from bounds.language.lemmas.lemma import lemma
from bounds.language.lemmas.measures import inner, norm
from bounds.language.lemmas.objects import function, number, vector
from bounds.language.quantity import POSITIVE, Notation
from bounds.language.statement import AMENDED, Paper, Statement
from verify import witness
from verify.ledger import amended_forms, witness_files, witnesses
from verify.records.errata import FILE, WITNESS, Erratum
from verify.witness import Measured, at_a_point, measured_on
from verify.worst_case.answer import worst
from verify.worst_case.document import SCHEMA

PAPER = Paper(key="p", title="", authors="", bibtex="", package="p", notation=Notation())
L, mu = number("L", POSITIVE), number("mu", POSITIVE)
DESCENT = "textbook.gradient_descent_convex"


def cocoercive(**classes: Any) -> Statement:
    f, x, y = function("f", smooth=L, **classes), vector("x"), vector("y")
    turn = f.gradient(y) - f.gradient(x)
    return lemma(PAPER, "p.lem1", norm(turn) ** 2 <= L * inner(turn, y - x))


def erratum(kind: str) -> Erratum:
    texts = dict.fromkeys(("source", "short", "matters", "why", "right"), "")
    more: dict[str, Any] = {"statement": "p.lemma_1", "place": "p.lem1, conclusion", "evidence": "it"}
    return Erratum(kind=kind, grade=FindingClass.FALSE, display=None, also_at=(), **texts, **more)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[bool, str]]:
    """The answer on an amended form, of a printed one that a witness or a file refutes."""

    def judge(printed: Statement, amended: Statement, evidence: Any) -> tuple[bool, str]:
        forms = (printed, replace(amended, variant=AMENDED))
        monkeypatch.setattr(amended_forms.discovery, "variants", lambda _: forms)
        monkeypatch.setattr(witness.bounds, "get", lambda *_: printed)
        if callable(evidence):
            found = evidence()
            monkeypatch.setattr(witnesses, "measured", lambda _: found)
        monkeypatch.setattr(witness_files, "read_evidence", lambda _: evidence)
        ((_, agrees, sentence),) = amended_forms.judge_amended(
            erratum(WITNESS if callable(evidence) else FILE)
        )
        return agrees, sentence.partition("[amended]: ")[2]

    return judge


def concave() -> Measured:
    """For -x^2/2 the left side is 1 and the right one -1."""
    start, end = np.array([0.0]), np.array([1.0])
    return measured_on("p.lemma_1", gradient_of_f=lambda x: -x, x=start, y=end, L=1.0)


def test_a_counterexample_outside_of_the_amended_form_is_none_against_it(judged: Any) -> None:
    """Convex f are co-coercive, and -x^2/2 is not convex."""
    assert judged(cocoercive(), cocoercive(convex=True), concave)[0]
    assert "outlives it, which lies outside" in judged(cocoercive(), cocoercive(convex=True), concave)[1]
    agrees, sentence = judged(cocoercive(), cocoercive(), concave)
    assert (agrees, sentence) == (False, "falls to it too: 1, where at most -1 is claimed")


def test_what_the_instance_is_not_tried_for_decides_nothing(judged: Any) -> None:
    agrees, sentence = judged(cocoercive(), cocoercive(lojasiewicz=mu), concave)
    assert agrees
    assert sentence.startswith("is not decided by it: ")
    by_hand = Measured(left=1.0, right=0.0, applicable=True)
    assert "written by hand" in judged(cocoercive(), cocoercive(), lambda: by_hand)[1]


def test_a_number_that_is_computed_by_hand_speaks_of_its_own_problem(judged: Any) -> None:
    printed = discovery.get(DESCENT)
    printed = replace(printed, assumptions=(SMOOTH_CLIENTS,))
    stronger = replace(printed, assumptions=(SMOOTH_CLIENTS, STRONGLY_CONVEX))

    def far() -> Measured:
        return at_a_point(DESCENT, 1e3, **{name: float(value) for name, value in printed.example.items()})

    assert judged(printed, printed, far)[1].startswith("falls to it too")
    agrees, sentence = judged(printed, stronger, far)
    assert (agrees, sentence.endswith(": strongly convex")) == (True, True)


def test_a_worst_case_is_put_to_the_amended_form(judged: Any) -> None:
    """L D0^2/(4N + 2) is tight: it is 1/10 for N = 2, and 3/4 of it does not hold."""
    tight = discovery.get(DESCENT)

    def times(factor: Fraction) -> Statement:
        terms = tuple(replace(t, expression=factor * t.expression) for t in tight.terms)
        return replace(tight, terms=terms)

    found = worst(DESCENT, {"L": Fraction(1), "D0": Fraction(1), "N": Fraction(2)})
    data = {"schema": SCHEMA, **found.document}
    assert judged(tight, times(Fraction(3, 4)), data) == (
        False,
        "falls to it too: an instance attains 0.0999999999, which is above its bound",
    )
    assert judged(tight, times(Fraction(2)), data) == (True, "outlives it")
    assert judged(tight, tight, data)[1] == "is not decided by it: the bound is tight"


def test_other_objects_and_other_numbers_are_told_apart(judged: Any) -> None:
    """Each is refused by another error: of what is outside, and of what cannot be compared."""

    def raising(error: Misuse) -> Callable[[], Measured]:
        def again(_: Statement) -> Measured:
            raise error

        return lambda: Measured(left=1.0, right=0.0, applicable=True, again=again)

    assert judged(cocoercive(), cocoercive(), raising(OutOfDomain("t is 2")))[1].startswith("outlives it")
    assert judged(cocoercive(), cocoercive(), raising(Misuse("no t")))[1] == "is not decided by it: no t"
