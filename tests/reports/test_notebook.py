"""Objects show themselves in one line, and as HTML in a notebook; a catalogue searches; a theorem plots."""

import csv
import re
from pathlib import Path

import pytest

import bounds
import fedbounds
from bounds.catalogue import Catalogue
from bounds.errors import Misuse
from bounds.language import view
from bounds.language.finding import REFUTED
from bounds.language.quantity import Role
from verify.ledger import findings

THEOREM = "dp_fedavg.theorem_2"
CONVEX = "textbook.gradient_descent_convex"


def test_every_statement_shows_itself_in_one_line() -> None:
    for statement in bounds.statements():
        shown = repr(statement)
        assert statement.id in shown
        assert statement.title in shown
        assert len(shown) < 250
        assert "\n" not in shown
    assert len(repr(bounds.statements())) < 10_000


def test_a_statement_in_a_notebook() -> None:
    theorem = fedbounds.get(THEOREM)
    assert r"\hat{C}" in theorem._repr_latex_()
    html = theorem._repr_html_()
    assert html is not None
    for words in (THEOREM, "B.thm2", "<math", "heterogeneity"):
        assert words in html


def test_an_evaluation_tells_value_and_conditions() -> None:
    theorem = fedbounds.get(THEOREM)
    found = theorem.evaluate(**theorem.example)
    assert repr(found) == f"<Evaluation of {THEOREM}: {found.value:.6g} F, applicable>"
    assert "initialization" in (found._repr_html_() or "")
    terms = r"\underbrace{1.40417}_{\text{initialization}} + \underbrace{0.045}_{\text{heterogeneity}}"
    assert found._repr_latex_() == rf"$$\displaystyle 1.44917 = {terms}$$"
    outside = theorem.evaluate(**theorem.example | {"C_hat": 0.1})
    assert "not applicable" in repr(outside)
    assert "fails" in (outside._repr_html_() or "")
    many = theorem.evaluate(**theorem.example | {"K": [10, 20, 40]})
    assert "3 values from" in repr(many)
    assert many._repr_latex_() is None
    assert "applicable at 3" in repr(many)
    rate = fedbounds.get("dp_fedavg.theorem_3")
    known = rate.notation.quantities
    open_ = {n: v for n, v in rate.example.items() if known[n].role is not Role.ORDER_CONSTANT}
    assert "no value until" in repr(rate.evaluate(**open_))


def test_the_formula_of_an_evaluation_writes_small_numbers_with_powers_of_ten() -> None:
    theorem = fedbounds.get(CONVEX)
    small = theorem.evaluate(**theorem.example | {"D0": 1e-4})
    assert r" \times 10^{-" in (small._repr_latex_() or "")


def test_findings_and_standings() -> None:
    (found, *_) = findings.findings(bounds.get("dp_fedavg.theorem_4"))
    assert repr(found).startswith("<Finding false at B.thm4, conclusion: ")
    assert "Right: " in (found._repr_html_() or "")
    assert "refuted" in (REFUTED._repr_html_() or "")


def test_whatever_is_shown_is_escaped() -> None:
    from dataclasses import replace

    evil = replace(bounds.get(CONVEX), title="<script>1</script>", reading="<b>")
    html = evil._repr_html_() or ""
    assert "<script>" not in html
    assert "<b>" not in html


def test_the_catalogue_searches_and_is_a_tuple() -> None:
    every = fedbounds.statements()
    assert isinstance(every, tuple)
    found = every.search("Clip convex")
    assert THEOREM in [s.id for s in found]
    assert 0 < len(found) < len(every)
    assert repr(found).splitlines()[0] == f"{len(found)} statements"
    assert repr(every.search("no such words")) == "0 statements"
    assert repr(Catalogue([bounds.get(CONVEX)])).startswith("1 statement\n")
    assert "<table>" in (found._repr_html_() or "")


def test_a_document_shows_itself_in_one_line() -> None:
    document = fedbounds.errata("dp_fedavg")
    assert isinstance(document, dict)
    assert repr(document) == f"<fedbounds/errata/1: findings ({len(document['findings'])})>"
    html = document._repr_html_()
    assert html.count("<tr>") > len(document["findings"])


def test_a_plot_draws_what_evaluate_gives(tmp_path: Path) -> None:
    theorem = fedbounds.get(THEOREM)
    given = {name: value for name, value in theorem.example.items() if name != "K"}
    plot = theorem.plot(over={"K": (10, 1000)}, **given)
    assert repr(plot).startswith("<Plot of Theorem 2")
    ((name, points),) = plot.points.items()
    assert name == THEOREM
    for (at,), value in (points[0], points[-1]):
        assert value == pytest.approx(float(theorem.evaluate(**given, K=at).value))
    assert re.match(r"<\?xml", plot._repr_svg_())
    written = plot.save(str(tmp_path))
    assert [Path(path).suffix for path in written] == [".svg", ".pdf", ".csv"]
    rows = list(csv.reader(Path(written[-1]).read_text(encoding="utf-8").splitlines()))
    assert len(rows) > len(points)
    listed = theorem.plot(over={"K": [10, 20]}, **given)
    assert [at for (at,), _ in listed.points[THEOREM]] == [10.0, 20.0]


@pytest.mark.parametrize(("name", "ends"), [("K", (5, 500)), ("rho", (0.01, 0.55))])
def test_a_name_alone_is_drawn_around_the_example(name: str, ends: tuple[float, float]) -> None:
    theorem = fedbounds.get(THEOREM)
    points = theorem.plot(over=name).points[THEOREM]
    assert (points[0][0][0], points[-1][0][0]) == pytest.approx(ends)
    for (at,), value in points[:1]:
        assert value == pytest.approx(float(theorem.evaluate(**{**theorem.example, name: at}).value))
    with pytest.raises(Misuse, match="has no nothing > 0; give a range, such as"):
        theorem.plot(over="nothing")


def test_a_plot_over_a_name_that_does_not_exist_is_refused() -> None:
    theorem = fedbounds.get(CONVEX)
    with pytest.raises(Misuse, match="nothing"):
        theorem.plot(over={"nothing": (1, 2)}, L=1, D0=1)


def test_without_a_view_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_load", [])
    theorem = bounds.get(CONVEX)
    assert theorem._repr_html_() is None
    with pytest.raises(Misuse, match="import fedbounds"):
        theorem.plot(over={"N": (1, 9)}, L=1, D0=1)
