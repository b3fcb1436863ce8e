"""solve: the border around bounds.solve."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bounds

Fedbounds = Callable[..., Any]

ID = "dp_fedavg.theorem_2"
CONVEX = "textbook.gradient_descent_convex"


def test_a_solution_reaches_the_target(fedbounds: Fedbounds) -> None:
    words = ["--for", "N", "--target", "1/100", "--set", "L=1", "D0=2"]
    done = fedbounds("solve", CONVEX, *words, "--json")
    assert (done.code, done.json["found"]) == (0, True)
    n = done.json["solution"]["N"]
    statement = bounds.get(CONVEX)
    assert statement.evaluate(L=1, D0=2, N=n).value <= 0.01 < statement.evaluate(L=1, D0=2, N=n - 1).value
    page = fedbounds("solve", CONVEX, *words)
    assert page.code == 0
    assert f"N  {n:g}" in page.out


def test_without_a_solution_3_and_the_best(fedbounds: Fedbounds, theorem_2: list[str]) -> None:
    words = ["--for", "K", "--target", "1e-9", "--set", *(w for w in theorem_2 if not w.startswith("K="))]
    done = fedbounds("solve", ID, *words, "--json")
    assert (done.code, done.json["solution"]) == (3, None)
    assert done.json["best"] > 1e-9
    assert done.json["reason"] == done.json["sentence"]
    page = fedbounds("solve", ID, *words)
    assert (page.code, page.out.count("No solution")) == (3, 1)


def test_minimize_over(fedbounds: Fedbounds, theorem_2: list[str]) -> None:
    words = ["--minimize-over", "alpha, C_hat", "--set", *(w for w in theorem_2 if w[:2] not in ("al", "C_"))]
    done = fedbounds("solve", ID, *words, "--json")
    assert done.code == 0
    assert set(done.json["solution"]) == {"alpha", "C_hat"}
    assert [c["id"] for c in done.json["binding_conditions"]]


def test_the_choice_is_by_what_the_left_side_says(fedbounds: Fedbounds) -> None:
    """Theorem 2 is a function of t = E/alpha and C_hat alone once gamma is put in, which was done by hand.

    It grows with C_hat, whose limit is 4 sqrt(L max Delta); 5,000 values of t are tried up to 1/(2 rho).
    """
    L, K, rho, D0, most, mean = 0.5, 200, 0.0443012, 2.0, 0.01, 0.005
    threshold = 4 * np.sqrt(L * most)
    t = np.linspace(0, 1 / (2 * rho), 5001)[1:]
    right = 2 * L * D0**2 / (K * t * rho) + K * threshold**2 * t * rho**3 / (2 * L) + 1.5 * t * rho * mean
    quotient = right / (2 - rho * t - (rho * t) ** 2)
    words = ["K=200", "L=0.5", "rho=0.0443012", "D0=2", "Delta_star_max=0.01", "Delta_star_mean=0.005"]
    done = fedbounds("solve", ID, "--minimize-over", "E,alpha,C_hat", "--set", *words, "--json").json
    said = done["quotient"]
    assert (said["observable"], said["smallest"], done["certified"]) == ("unclipped_gap", True, True)
    assert said["value"] == pytest.approx(quotient.min(), rel=1e-6)
    chosen = np.argmin(quotient)
    assert done["value"] == pytest.approx(right[chosen], rel=1e-3)
    assert done["solution"]["E"] / done["solution"]["alpha"] == pytest.approx(t[chosen], rel=1e-3)
    assert quotient[np.argmin(right)] > 1.01 * quotient.min()  # the smallest right side says less


def test_a_target_is_for_the_bound_and_the_page_says_so(fedbounds: Fedbounds) -> None:
    words = ["E=10", "L=0.5", "rho=0.0443012", "D0=2", "Delta_star_max=0.01", "Delta_star_mean=0.005"]
    asked = ["--for", "K", "--target", "0.2", "--minimize-over", "alpha,C_hat", "--set", *words]
    done = fedbounds("solve", ID, *asked, "--json").json
    assert done["value"] <= 0.2
    assert done["quotient"]["smallest"] is False
    assert done["quotient"]["coefficient"] * done["quotient"]["value"] == pytest.approx(done["value"])
    assert "the target is for the bound itself" in " ".join(fedbounds("solve", ID, *asked).out.split())


def test_a_bound_that_falls_to_the_end_of_the_search_has_no_smallest_value(fedbounds: Fedbounds) -> None:
    done = fedbounds("solve", CONVEX, "--minimize-over", "L", "--set", "N=10", "D0=1", "--json")
    assert (done.code, done.json["solution"]) == (3, None)
    assert "still falls where the search over L ends" in done.json["sentence"]


def test_a_bound_equal_to_what_is_known_says_no_more(fedbounds: Fedbounds) -> None:
    page = fedbounds("solve", CONVEX, "--minimize-over", "D0", "--set", "N=10", "L=1")
    assert "says no more than doing nothing" in " ".join(page.out.split())


def test_constants_serve_solve_too(fedbounds: Fedbounds, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"L": 1, "D0": 2}')
    done = fedbounds("solve", CONVEX, "--for", "N", "--target", "0.01", "--constants", tmp_path / "c.json")
    assert done.code == 0


def test_what_a_file_has_of_the_unknown_is_left_out_and_what_set_has_is_refused(
    fedbounds: Fedbounds, tmp_path: Path
) -> None:
    """A plan holds the rounds that it was made with, and somebody asks for another number of them."""
    (tmp_path / "c.json").write_text('{"L": 1, "D0": 2, "N": 3}')
    words = ("--for", "N", "--target", "0.01", "--constants", tmp_path / "c.json")
    done = fedbounds("solve", CONVEX, *words, "--json")
    assert (done.code, done.json["solution"]["N"]) == (0, 100)  # 4/(4 N + 2) <= 1/100 from N = 99.5 on
    assert fedbounds("solve", CONVEX, *words, "--set", "N=5").code == 2
