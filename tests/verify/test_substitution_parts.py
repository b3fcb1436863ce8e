"""The parts of the audit of what follows: factors of two sides, rounds in words."""

import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction

from sympy import Rational, Symbol, sqrt

from verify.audit.follows.comparison import ABOVE, BELOW, EQUAL_TRIED, IDENTITY, compare
from verify.audit.follows.rounds import where_it_holds

x, y = Symbol("x", positive=True), Symbol("y", positive=True)
TRIED: tuple[Mapping[str, float], ...] = ({"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 0.5}, {"x": 0.25, "y": 0.25})


def test_factors_are_those_of_exact_fractions() -> None:
    found = compare(x / y + 1, x, TRIED)
    exact = [(Fraction(p["x"]) / Fraction(p["y"]) + 1) / Fraction(p["x"]) for p in TRIED]
    assert (found.smallest, found.largest) == (float(min(exact)), float(max(exact)))
    assert found.verdict == ABOVE
    assert not found.touches


def test_equal_identical_and_hardly_below() -> None:
    assert compare((x + y) ** 2, x**2 + 2 * x * y + y**2, TRIED).verdict == IDENTITY
    assert compare(sqrt(x**2 + 2 * x * y + y**2), x + y, TRIED).verdict == EQUAL_TRIED
    assert compare(x, x + Rational(1, 10**36) * y, TRIED).verdict == BELOW


def test_rounds_in_words() -> None:
    def holds_above(limit: int) -> str:
        return where_it_holds(lambda point: point["K"] >= limit, {"K": 0.0}, 0)

    assert holds_above(213).endswith("from K = 213 on")
    assert "for every K" in holds_above(0)
    assert where_it_holds(lambda p: p["K"] <= 77, {"K": 5.0}, 1).endswith("up to K = 77")
    assert "for no K" in where_it_holds(lambda p: False, {"K": 5.0}, 1)
    assert "for some K" in where_it_holds(lambda p: p["K"] in (2.0, 64.0), {"K": 5.0}, 1)
    assert where_it_holds(lambda p: True, {"x": 1.0}, 1) == ""


def test_the_audit_needs_no_hypothesis() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import bounds; from verify.audit.follows.check import audit\n"
        "print(len(audit(bounds.get('fed_norm_ec.corollary_5'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 3
