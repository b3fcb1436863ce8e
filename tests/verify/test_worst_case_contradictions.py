"""Settings of worst cases that contradict themselves, or leave a worst case without a bound."""

from fractions import Fraction

import pytest

from verify.worst_case.errors import BadSetting, NoWorstCase
from verify.worst_case.question import complete
from verify.worst_case.setting import CENTRAL, DISTANCE, GAP, GRADIENT, MEAN_GAP, Setting

RUN = {"clients": 1, "local_steps": 1, "rounds": 2, "local_step": 1}


def completed(
    observable: str, *, convex: bool = True, quadratic: bool = False, **more: int | Fraction
) -> Setting:
    fields = {name: Fraction(value) for name, value in {**RUN, "L": 1, **more}.items()}
    return complete(fields, {}, observable, convex=convex, quadratic=quadratic)


def test_what_is_refused_below_is_complete_without_its_fault() -> None:
    assert completed(GAP, D0=1).curvature == 0
    assert completed(GRADIENT, convex=False, f0_gap=1).curvature == -1
    assert completed(DISTANCE, mu=Fraction(1, 2), f0_gap=1).curvature == Fraction(1, 2)


@pytest.mark.parametrize(
    ("observable", "convex", "quadratic", "more", "why"),
    [
        (GAP, True, False, {"D0": 1, "f0_gap": 1}, "keep one"),
        (GRADIENT, False, False, {"f0_gap": 1, "mu": Fraction(1, 2)}, "leave one out"),
        (GAP, True, False, {"D0": 1, "mu": 1}, "mu must be below L"),
        (GRADIENT, False, False, {"f0_gap": 1, "zeta_star": 1}, "zeta_star is measured at"),
        (GRADIENT, False, False, {"f0_gap": 1, "Delta_star": 1}, "Delta_star is measured at"),
        (GAP, True, False, {"D0": 1, "mu_1": 1}, "class without convexity"),
        (MEAN_GAP, True, False, {"D0": 1, "rounds": 0}, "there is none"),
        (CENTRAL, True, False, {"D0": 1}, "of one round"),
        (CENTRAL, True, True, {"D0": 1, "rounds": 1}, "any smooth clients"),
        (GAP, False, True, {"f0_gap": 1}, "quadratic clients are convex"),
        (GAP, True, False, {"D0": 1, "cohort": 2}, "cohort must be at most"),
        (GAP, True, False, {"D0": 1, "G": 1}, "leave out L, mu"),
    ],
)
def test_a_contradiction_is_named(
    observable: str, convex: bool, quadratic: bool, more: dict[str, int | Fraction], why: str
) -> None:
    with pytest.raises(BadSetting, match=why):
        completed(observable, convex=convex, quadratic=quadratic, **more)


@pytest.mark.parametrize(
    ("observable", "convex", "quadratic", "more", "why"),
    [
        (GRADIENT, False, False, {"D0": 1}, "it is not given"),
        (GAP, True, False, {}, "without a bound on the start"),
        (DISTANCE, False, False, {"f0_gap": 1}, "to which a distance could be measured"),
        (DISTANCE, True, False, {"f0_gap": 1}, "arbitrarily far from"),
        (DISTANCE, True, False, {"f0_gap": 1, "mu": Fraction(1, 2), "sigma": 1}, "give D0 instead of f0_gap"),
        (GAP, True, False, {"D0": 1, "clients": 2, "local_steps": 2}, "without a bound on heterogeneity"),
        (GAP, True, True, {"D0": 1, "Delta_star": 1}, "in place of Delta_star"),
        (GAP, True, False, {"D0": 1, "sigma": 1, "rounds": 41}, "over 40 local"),
    ],
)
def test_what_leaves_no_bound_is_named(
    observable: str, convex: bool, quadratic: bool, more: dict[str, int | Fraction], why: str
) -> None:
    with pytest.raises(NoWorstCase, match=why):
        completed(observable, convex=convex, quadratic=quadratic, **more)
