"""The reasons why a statement that is asked for has no job, by its id."""

import pytest

from reports.errors import EmptySelection
from reports.inputs.verification import join_reasons, standard_jobs

DESCENT, SGD, LEMMA = (
    "textbook.gradient_descent_convex",
    "textbook.stochastic_gradient_descent",
    "dp_fedavg.lemma_3",
)


def reasons(*ids: str, problem: str | None = None, algorithm: str | None = None) -> dict[str, str]:
    return standard_jobs(ids, problem, algorithm, None, None)[1]


def test_an_algorithm_that_is_chosen_is_the_reason() -> None:
    assert reasons(DESCENT, SGD, algorithm="gradient_descent") == {
        SGD: "it has no cell with --algorithm gradient_descent"
    }


def test_a_problem_that_is_chosen_is_the_reason_for_what_runs_on_no_problem() -> None:
    found = reasons(DESCENT, LEMMA, problem="quadratic.diagonal", algorithm="gradient_descent")
    assert found == {
        LEMMA: "it has no cell with --problem quadratic.diagonal and --algorithm gradient_descent"
    }


def test_nothing_is_missing_where_nothing_is_chosen_or_nothing_is_asked_for() -> None:
    assert reasons(DESCENT, SGD) == {}
    assert reasons(algorithm="gradient_descent") == {}


def test_a_choice_without_a_cell_is_refused() -> None:
    with pytest.raises(EmptySelection, match="--algorithm nobody selects no cell"):
        reasons(DESCENT, algorithm="nobody")


def test_each_form_keeps_its_reason() -> None:
    one, both = {"no noise": ["printed", "amended"]}, {"no noise": ["printed"], "no step": ["amended"]}
    assert join_reasons(one) == "no noise"
    assert join_reasons(both) == "printed: no noise; amended: no step"
