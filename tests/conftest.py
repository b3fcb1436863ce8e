"""What every folder of tests shares: a skip says why.

The closing lines of a run name every skip with its reason (`-rfEs --no-fold-skipped` in pyproject.toml). A
skip without a reason fails, since nobody could tell what would have to be installed for it to run.
"""

from collections.abc import Generator
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
NO_REASON = {"", "unconditional skip"}  # the second is what pytest says of a bare @pytest.mark.skip


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _with_a_reason((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _with_a_reason((yield))


def _with_a_reason(report: Report) -> Report:
    """A skip without a reason becomes a failure; an expected failure is not a skip."""
    if report.outcome == "skipped" and not hasattr(report, "wasxfail") and isinstance(report.longrepr, tuple):
        path, line, text = report.longrepr
        if text.removeprefix("Skipped").removeprefix(":").strip() in NO_REASON:
            report.outcome = "failed"
            report.longrepr = f"{path}:{line}: skipped without a reason; write why, pytest.skip('...')"
    return report
