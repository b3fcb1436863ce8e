"""Under two BLAS kernels: the same bits of a replicate, and a record that the other confirms.

`make kernels` asks for all of them; `make test-all` asks for a few, on some statements.
"""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "kernels.py"
STATEMENTS = (
    "textbook.gradient_descent_convex",
    "textbook.stochastic_gradient_descent",
    "fed_norm_ec.lemma_1",
)


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    return import_module("kernels")


def able(kernels: Any, *names: str) -> list[str]:
    """Those of the names that this processor runs; a skip names the others."""
    loaded = {name: kernels.kernel_loaded_as(name) for name in names}
    found = [name for name, its in loaded.items() if its is not None]
    if len({loaded[name] for name in found}) < 2:
        pytest.skip(f"of the kernels {', '.join(names)} this machine's BLAS has {', '.join(found) or 'none'}")
    return found


def test_a_record_is_confirmed_by_another_kernel_and_a_forged_one_is_not(
    kernels: Any, tmp_path: Path
) -> None:
    """One cell is forged, and the replay names it alone."""
    newest, oldest = able(kernels, "Haswell", "Prescott")
    record = kernels.verify(newest, STATEMENTS[1:2], tmp_path, **kernels.ONE_THREAD)
    assert len(record["cells"]) > 3
    cell = next(cell for cell in record["cells"] if cell["rounding"] and not cell["measured"]["exact"])
    cell["measured"]["estimate"] += 3 * cell["rounding"]["estimate"]  # just outside
    (tmp_path / "record.json").write_text(json.dumps(record))
    failure, remark = kernels.replay(oldest, tmp_path)
    assert remark.split(",")[0] == f"{len(record['cells'])} agree"  # it counts those that were tried
    assert (failure.count("differs in"), "differs in measured" in failure) == (1, True)
    assert failure.startswith(cell["id"])


@pytest.mark.slow("a verification and its replay in processes of their own")
def test_records_of_two_kernels_confirm_each_other(kernels: Any, tmp_path: Path) -> None:
    two = able(kernels, "SkylakeX", "Haswell", "Sandybridge", "Nehalem", "Prescott")[:2]
    asked = ["--no-tests", "--kernels", *two, "--statements", *STATEMENTS, "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, str(SCRIPT), *asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("holds") == 4
    assert "2 kernels, 0 failures" in done.stdout
