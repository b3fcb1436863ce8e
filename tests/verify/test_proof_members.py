"""A sequence that a form is given goes on as its members: what says more is named, and proves nothing."""

import copy
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

import bounds
from bounds.language.proof.document import document, machine_form
from bounds.language.proof.expression import Scalar, square
from bounds.language.proof.form import DEFINITION, MachineForm, Point, because
from bounds.language.statement import Term
from bounds.papers.textbook.notation import D0, N, f0_gap, final_gap, mu
from bounds.papers.textbook.notation import L as LARGEST
from verify.proofs import prove as proving
from verify.proofs.definitions import list_unchecked

STATEMENT = bounds.get("textbook.gradient_descent_convex")
L, E, AFTER, FIRST, END = (Scalar(name) for name in ("L", "e", "e.next", "e.0", "e.N"))
Said = Callable[[MachineForm, Point, Point, Point, Point], None]


def _begin(said: Said) -> MachineForm:
    """Gradient descent over k, with the gradients and values of its points unless `said` says otherwise."""
    proof = MachineForm(STATEMENT.id)
    proof.index("k"), proof.operator("i"), proof.positive("L"), proof.non_negative("N")
    proof.scalar("f_star")
    f = proof.function("f", smooth=L, convex=True)
    now = proof.point("now", f, proof.vector("x", ["k"]))
    following = proof.point("next", f, now.at - now.gradient / L)
    start, end = proof.point("start", f, proof.vector("x0")), proof.point("end", f, proof.vector("xN"))
    (
        proof.scalar("e", over=["k"]),
        proof.scalar("e.next", over=["k"]),
        proof.scalar("e.0"),
        proof.scalar("e.N"),
    )
    said(proof, now, following, start, end)
    return proof


def _left(said: Said) -> tuple[str, ...]:
    proof = _begin(said)
    return list_unchecked(proof, STATEMENT, document(proof, STATEMENT)["given"])


def _define(proof: MachineForm, *values: tuple[Scalar, Scalar]) -> None:
    for symbol, value in values:
        proof.assume(f"definition of {symbol.form}", symbol - value, "= 0", source=DEFINITION)


def a_path(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    proof.path("k", now, after, start, end)


def gaps_of_a_path(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    a_path(proof, now, after, start, end)
    proof.sequence("k", E, AFTER, FIRST, END)
    lowest = Scalar("f_star")
    pairs = (E, now), (AFTER, after), (FIRST, start), (END, end)
    _define(proof, *((symbol, point.value - lowest) for symbol, point in pairs))


def a_mean_of_clients(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    g, g0, gN = proof.vector("g", ["i", "k"]), proof.vector("g0", ["i"]), proof.vector("gN", ["i"])
    proof.sequence("k", g, g - now.at, g0, gN)
    mean = proof.average("mean.g", "i", g)
    proof.sequence("k", proof.vector("x.sum", ["k"]), mean, start.at, end.at)
    first, last = proof.average("mean.g0", "i", g0), proof.average("mean.gN", "i", gN)
    proof.sequence("k", now.at, after.at, start.at, end.at)
    proof.sequence("k", mean, mean - now.at, first, last)


@pytest.mark.parametrize("said", [a_path, gaps_of_a_path, a_mean_of_clients], ids=lambda said: said.__name__)
def test_a_sequence_that_goes_on_as_its_members_is_left_out(said: Said) -> None:
    assert _left(said) == ()


def halved_values(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    proof.sequence("k", now.at, after.at, start.at, end.at)
    proof.sequence("k", now.value, now.value / 2 + Scalar("f_star") / 2, start.value, end.value)


def no_more_gradients(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    proof.sequence("k", now.at, after.at, start.at, end.at)
    proof.sequence("k", now.gradient, after.gradient - after.gradient, start.gradient, end.gradient)


def values_of_another_end(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    proof.sequence("k", now.at, after.at, start.at, end.at)
    proof.sequence("k", now.value, after.value, start.value, start.value)


def values_without_points(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    proof.sequence("k", now.value, after.value, start.value, end.value)


def a_mean_that_stays(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    g, g0, gN = proof.vector("g", ["i", "k"]), proof.vector("g0", ["i"]), proof.vector("gN", ["i"])
    proof.sequence("k", g, g / 2, g0, gN)
    mean = proof.average("mean.g", "i", g)
    proof.sequence("k", mean, mean, proof.average("mean.g0", "i", g0), proof.average("mean.gN", "i", gN))


def a_recursion_that_goes_elsewhere(
    proof: MachineForm, now: Point, after: Point, start: Point, end: Point
) -> None:
    proof.index("t")
    member, _ = proof.recursion("power", "t", lambda power: power / 2, 1, over=["k"])
    proof.sequence("k", member, member / 2, 1, 1)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (halved_values, "value.now over k"),
        (no_more_gradients, "grad.now over k"),
        (values_of_another_end, "value.now over k"),
        (values_without_points, "value.now over k"),
        (a_mean_that_stays, "mean.g over k"),
        (a_recursion_that_goes_elsewhere, "power over k"),
    ],
    ids=lambda given: getattr(given, "__name__", None),
)
def test_a_sequence_that_says_more_than_its_members_is_named(said: Said, named: str) -> None:
    assert _left(said) == (named,)


def a_halved_gap(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    a_path(proof, now, after, start, end)
    proof.sequence("k", E, AFTER, FIRST, END)
    _define(proof, (E, now.value - Scalar("f_star")), (AFTER, E / 2))


def a_gap_that_is_0_at_the_start(
    proof: MachineForm, now: Point, after: Point, start: Point, end: Point
) -> None:
    a_path(proof, now, after, start, end)
    proof.sequence("k", E, AFTER, FIRST, END)
    _define(proof, (E, square(now.at)), (FIRST, Scalar("f_star") - Scalar("f_star")))


def a_formula_for_the_next_gap(
    proof: MachineForm, now: Point, after: Point, start: Point, end: Point
) -> None:
    a_path(proof, now, after, start, end)
    proof.sequence("k", E, E / 2, FIRST, END)
    _define(proof, (E, now.value - Scalar("f_star")))


def a_short_step(proof: MachineForm, now: Point, after: Point, start: Point, end: Point) -> None:
    step, longest = proof.non_negative("s", "longest")
    proof.sequence("k", now.at, now.at - step * now.gradient, start.at, end.at)
    proof.assume("s is short", longest - step, source=DEFINITION)
    _define(proof, (longest, Scalar("f_star") - Scalar("f_star") + 1))


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (a_halved_gap, "definition of e.next"),
        (a_gap_that_is_0_at_the_start, "definition of e.0"),
        (a_formula_for_the_next_gap, "definition of e"),
        (a_short_step, "s is short"),
    ],
    ids=lambda given: getattr(given, "__name__", None),
)
def test_a_definition_that_restricts_a_sequence_is_named(said: Said, named: str) -> None:
    assert named in _left(said)


def test_values_that_are_halved_prove_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradient descent halves no gap of a flat function: each claim is certified, and nothing is proved."""
    halves = (Term("initialization", f0_gap / 2**N, "half in each step"),)
    statement = replace(STATEMENT, terms=halves, example={"N": 10, "f0_gap": 1, "L": 1})
    proof = _prove_halves()
    monkeypatch.setattr(proving, "machine_form", lambda _: proof)
    found = proving.prove(statement)
    assert not found.concluded
    assert "nothing checks: value.now over k" in found.detail


def _prove_halves() -> MachineForm:
    proof = _begin(halved_values)
    start, end, now = (Scalar(f"value.{name}") - Scalar("f_star") for name in ("start", "end", "now"))
    power, last = proof.recursion("power", "k", lambda power: power / 2, 1, sign=">=")
    proof.reads = {final_gap: end, f0_gap: start, 2 ** (-N): last}
    _, every = proof.induct("rounds", "k", power * start - now, times=Fraction(1, 2), search=True)
    proof.conclude(because(every), search=True)
    return proof


CONTRACTION = bounds.get("textbook.gradient_descent_strongly_convex")


@pytest.mark.parametrize(
    ("times", "counted", "concluded"),
    [(1, None, True), (1, 1, True), (5, None, False), (5, 1, False), (5, 5, True)],
)
def test_an_index_counts_as_many_steps_as_the_statement_or_a_counter_has(
    monkeypatch: pytest.MonkeyPatch, times: int, counted: int | None, *, concluded: bool
) -> None:
    """N steps contract by q^(2 N): q^(10 N) is of five times as many, which only a reader can allow."""
    power = ((LARGEST - mu) / LARGEST) ** (2 * times * N)
    statement = replace(CONTRACTION, terms=(replace(CONTRACTION.terms[0], expression=power * D0**2),))
    own = machine_form(CONTRACTION)
    assert own is not None
    proof = copy.deepcopy(own)
    (measured, distance), (_, last) = proof.reads.items()
    proof.reads = {measured: distance, power: last}
    if counted is not None:
        entry = {"kind": "scalar", "name": "k_now", "sign": ">=", "over": ["k"]}
        members = {"next": ["+", "k_now", "1"], "first": "0", "last": ["*", str(counted), "N"]}
        proof.given += [entry, {"kind": "sequence", "name": "k_now", "index": "k"} | members]
    monkeypatch.setattr(proving, "machine_form", lambda _: proof)
    found = proving.prove(statement)
    assert found.concluded == concluded
    assert concluded or f"nothing says that k counts {times}*N steps" in found.detail


def test_the_first_sentence_counts_what_a_person_reads() -> None:
    """The iterates and a counter, and the gap of the last point."""
    found = proving.prove(STATEMENT)
    assert found.concluded
    assert found.detail.endswith("given 2 sequences and 1 reading that a person compares with its listing")
    smallest = proving.prove(bounds.get("textbook.gradient_descent_nonconvex"))  # and the gap at the start
    assert smallest.detail.endswith("2 sequences and 2 readings that a person compares with its listing")
