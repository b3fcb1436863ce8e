"""Strong convexity contradicts Lipschitz clients where its constant is positive, and only there."""

import pytest
from strangers import enter, paper, state

from bounds.language.assumptions import LIPSCHITZ_CLIENTS, STRONGLY_CONVEX
from bounds.language.dimension import F, X
from bounds.language.part import constant, lower_constant
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, Domain, Notation, Over
from bounds.language.statement import Statement, Term
from verify.parameters.lemmas import leaving_nothing


def subgradient_method(of_mu: Domain | None) -> Statement:
    """min f(x_k) - f* <= D^2/(2 eta (K + 1)) + eta G^2/2, which is true of convex Lipschitz f."""
    notation = Notation()
    K, eta, D = enter(notation, "K", "eta", "D")
    G = notation.quantity("G", "G", "Lipschitz", POSITIVE, F / X, part=constant("lipschitz"))
    if of_mu is not None:
        notation.quantity("mu", "m", "mu", of_mu, F / X**2, part=lower_constant("strong_convexity"))
    gap = notation.observable("gap", "g", "", F, Over.MINIMUM_OF_MEANS, measured="gap")
    right = Term("all", D**2 / (2 * eta * (K + 1)) + eta * G**2 / 2, "")
    return state(paper("s", notation), gap, right, assumptions=(STRONGLY_CONVEX, LIPSCHITZ_CLIENTS))


@pytest.mark.parametrize(
    ("of_mu", "empty"),
    [(POSITIVE, True), (None, True), (Domain(lower=0.5), True), (NON_NEGATIVE, False), (Domain(), False)],
)
def test_a_constant_that_may_be_zero_contradicts_nothing(of_mu: Domain | None, empty: bool) -> None:
    assert (leaving_nothing(subgradient_method(of_mu)) is not None) is empty
