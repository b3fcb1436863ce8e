"""Under two BLAS kernels: the same bits of a replicate, and a record that the other confirms.

`make kernels` asks for all of them.
"""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "kernels.py"
STATEMENTS = (
    "textbook.gradient_descent_convex",
    "textbook.stochastic_gradient_descent",
    "fed_norm_ec.lemma_1",
)


@pytest.mark.slow("a verification and its replay in processes of their own")
def test_a_record_of_one_kernel_is_confirmed_by_another(tmp_path: Path) -> None:
    able = [name for name in ("SkylakeX", "Haswell", "Sandybridge", "Nehalem", "Prescott") if runs(name)][:2]
    if len(able) < 2:
        pytest.skip("this machine's BLAS has no second kernel to choose")
    asked = ["--no-tests", "--kernels", *able, "--statements", *STATEMENTS, "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, str(SCRIPT), *asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("holds") == 4
    assert "2 kernels, 0 failures" in done.stdout


def runs(kernel: str) -> bool:
    code = "import sys, kernels; sys.exit(kernels.kernel_loaded_as(sys.argv[1]) is None)"
    done = subprocess.run([sys.executable, "-c", code, kernel], cwd=SCRIPT.parent, capture_output=True)
    return done.returncode == 0
