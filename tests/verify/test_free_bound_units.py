"""What is known before a run has the unit of the left side that it is about."""

import pytest

import bounds
from bounds.discovery import variants
from bounds.evaluation.free_bound import known_before_any_run
from bounds.language.dimension import ONE
from bounds.papers.dp_fedavg.notation import D0, L
from verify.audit.units import _dimensions, infer

FORMS = [form for s in bounds.statements() for form in variants(s.id) if known_before_any_run(form)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.id}-{form.variant}")
def test_the_unit_is_that_of_the_left_side(form: bounds.Statement) -> None:
    known = _dimensions(form)
    left, _ = infer(form.left, known)
    for each in known_before_any_run(form):
        unit, inside = infer(each.expression, known)
        assert not inside
        assert unit == left


def test_a_planted_unit_is_seen() -> None:
    form = bounds.get("dp_fedavg.theorem_2")
    known = _dimensions(form)
    assert infer(L * D0, known)[0] != infer(form.left, known)[0]
    assert infer(L * D0, known)[0] != ONE
