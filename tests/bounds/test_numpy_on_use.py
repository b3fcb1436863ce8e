"""Reading statements does not wait for NumPy; computing with them does, and gets all of it."""

import subprocess
import sys

import numpy
import pytest

from bounds.language import lazy_numpy

READ = "import bounds; from bounds.discovery import forms; assert len(forms()) > 200"
COMPUTE = "bounds.get('textbook.gradient_descent_convex').evaluate(L=1, D0=1, N=1)"
DRAW = "bounds.get('dp_fedavg.fact_3').concrete.numbers(x=0.1, m=3)"


@pytest.mark.thinned(2)
@pytest.mark.parametrize("command", [COMPUTE, DRAW], ids=["at numbers", "on vectors"])
def test_reading_every_statement_does_not_load_it_and_computing_does(command: str) -> None:
    asked = "print('numpy' in sys.modules)"
    code = "; ".join(["import sys", READ, asked, command, asked])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_what_is_asked_for_is_numpys_own() -> None:
    assert lazy_numpy.np.linalg.norm is numpy.linalg.norm
    assert lazy_numpy.np.float64 is numpy.float64
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(lazy_numpy.np, "no_such_name")  # noqa: B009  # unknown to mypy as well
