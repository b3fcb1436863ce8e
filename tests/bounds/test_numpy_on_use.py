"""Reading statements does not wait for NumPy; computing with them does, and gets all of it."""

import subprocess
import sys

import numpy
import pytest

from bounds.language import lazy_numpy

READ = "import bounds; from bounds.discovery import forms; assert len(forms()) > 200"
COMPUTE = "bounds.get('textbook.gradient_descent_convex').evaluate(L=1, D0=1, N=1)"
DRAW = "bounds.get('dp_fedavg.fact_3').concrete.numbers(x=0.1, m=3)"


def loads_numpy(*commands: str) -> bool:
    """Whether a fresh interpreter has NumPy after these commands."""
    code = "; ".join([*commands, "import sys; print('numpy' in sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip() == "True"


def test_reading_every_statement_does_not_load_it() -> None:
    assert not loads_numpy(READ)


@pytest.mark.parametrize("command", [COMPUTE, DRAW], ids=["at numbers", "on vectors"])
def test_computing_loads_it(command: str) -> None:
    """The check above can fail."""
    assert loads_numpy(READ, command)


def test_what_is_asked_for_is_numpys_own() -> None:
    assert lazy_numpy.np.linalg.norm is numpy.linalg.norm
    assert lazy_numpy.np.float64 is numpy.float64
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(lazy_numpy.np, "no_such_name")  # noqa: B009  # unknown to mypy as well
