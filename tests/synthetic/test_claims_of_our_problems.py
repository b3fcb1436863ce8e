"""What our problems certify, claimed as an author claims it: no check of claims refuses a true one."""

import inspect
from collections.abc import Iterator

import pytest

from synthetic.certified.facts import Constant
from synthetic.errors import Refusal
from synthetic.outside.claims import SIDES, given_at_least, given_at_most
from synthetic.outside.own_problem import OwnProblem
from synthetic.problem import Problem
from synthetic.problems import build, builder_of, problem_names


def _claims_of(problem: Problem) -> dict[str, Constant]:
    """What one of our problems certifies, as claims of an author."""
    claims = {}
    for name, constant in problem.constants().items():
        if name in SIDES and constant is not None and constant.provenance != "estimated":
            side, make = SIDES[name], given_at_most if SIDES[name] == "upper" else given_at_least
            if (bound := getattr(constant, side)) is not None:
                claims[name] = make(bound, because="certified")
    return claims


def _buildable() -> Iterator[str]:
    for name in problem_names():
        parameters = inspect.signature(builder_of(name)).parameters.values()
        if all(p.default is not p.empty for p in parameters) and name != "quadratic.gaussian_factors":
            yield name


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", list(_buildable()))
@pytest.mark.parametrize("seed", [0, 3])
def test_no_certified_claim_of_our_problems_is_refused(name: str, seed: int) -> None:
    seeded = "seed" in inspect.signature(builder_of(name)).parameters
    if seed and not seeded:
        return
    problem = build(name, **({"seed": seed} if seeded else {}))
    facts, minimum = problem.facts(), problem.constants()["minimum"]
    try:
        minimizer = problem.minimiser()
    except Refusal:
        minimizer = None
    own = OwnProblem(
        clients=problem.clients,
        dimension=problem.dimension,
        value=problem.client_value,
        gradient=problem.client_gradient,
        batched=True,
        minimizer=minimizer,
        minimum=None if minimizer is not None else minimum.lower,
        constants=_claims_of(problem),
        convex=facts.convex,
        quadratic=facts.quadratic,
        bounded_below=facts.bounded_below,
    )
    assert own.facts().convex == facts.convex
