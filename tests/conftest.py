"""What every folder of tests shares: two tiers, a skip says why, and the slowest files are named.

Tier one (`make test`) is every test that is not marked `slow`; `make test-all` runs both tiers. A test
becomes slow

- by hand, `@pytest.mark.slow("why")`, where one case is heavy: a package that is built, a kill, a search;
- by rule, `@pytest.mark.sampled`, where one property is asked of every statement. Tier one keeps `each`
  cases (1 by default) of every paper, printed and amended apart, of every kind of statement, and of every
  value of the other parameters. A digest of the case's name decides which: a new statement needs no list,
  and every property looks at other statements;
- by rule, `@pytest.mark.thinned(n)`, where heavy cases are of one kind: tier one keeps every n-th of them.

A property of many examples, `max_examples=count_examples(n)`, is tried on a third of them in tier one.
"""

import gc
import hashlib
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Hashable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for `example_count`
# Each worker collects more than 20,000 cases: the collector of garbage would look at them, and at what the
# tests import, some thousand times, a tenth of the whole time of a collection.
gc.set_threshold(100_000, 20, 20)
# The tests start some hundred processes, and the workers of xdist are processes too: with bytecode switched
# off, each would compile every source again.
os.environ["PYTHONDONTWRITEBYTECODE"] = ""

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
NO_REASON = {"", "unconditional skip"}  # the second is what pytest says of a bare @pytest.mark.skip
MANY_VALUES = 40  # a parameter with more values than these is a list of cases, not a dimension of them
SHARE = 0.08  # of the time of a whole run: a file beyond it is named in the closing lines
MEASURED = 60.0  # seconds: in a shorter run a share says nothing
NAMED = 10  # slowest files in the closing lines

COLLECTED = pytest.StashKey[list[pytest.Item]]()


# ---- two tiers


@pytest.hookimpl(tryfirst=True)  # before `-m "not slow"` looks at the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)
    sampled, thinned = defaultdict(list), defaultdict(list)
    for item in items:
        for mark in item.iter_markers("slow"):
            if not (len(mark.args) == 1 and isinstance(mark.args[0], str) and mark.args[0].strip()):
                raise pytest.UsageError(
                    f"{item.nodeid}: slow without a reason; write @pytest.mark.slow('why')"
                )
        if item.get_closest_marker("sampled"):
            sampled[item.nodeid.split("[")[0]].append(item)
        if item.get_closest_marker("thinned"):
            thinned[item.nodeid.split("[")[0]].append(item)
    for cases in sampled.values():
        for item in _left_out(cases):
            item.add_marker(pytest.mark.slow("other cases of its kind are in tier one"))
    for cases in thinned.values():
        (each,) = cases[0].get_closest_marker("thinned").args
        for number, item in enumerate(cases):
            if number % each:
                item.add_marker(pytest.mark.slow("other cases of its kind are in tier one"))


def pytest_collection_finish() -> None:
    """Keep the collector of garbage from looking, in every test that calls it, at what lives to the end."""
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def forget_adopted_statements() -> Iterator[None]:
    """Drop the statements that a file adopts: `worst` takes `here.NAME` for one of them, not an algorithm."""
    discovery = sys.modules.get("bounds.discovery")
    before = dict(vars(discovery)["_adopted"]) if discovery else {}
    yield
    if (discovery := sys.modules.get("bounds.discovery")) is not None:
        known = vars(discovery)["_adopted"]
        known.clear()
        known.update(before)


@pytest.fixture(scope="session")
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Every collected case, of both tiers."""
    return request.config.stash[COLLECTED]


def _left_out(cases: list[Any]) -> Iterator[Any]:
    """The cases that show no facet that has not been shown `each` times by cases of smaller digest."""
    from bounds.discovery import forms  # no test that is not sampled waits for it

    statements = forms()
    each = cases[0].get_closest_marker("sampled").kwargs.get("each", 1)
    values = defaultdict(set)
    for case in cases:
        for name, value in case.callspec.params.items():
            values[name].add(repr(value))
    shown: Counter[Hashable] = Counter()
    for case in sorted(cases, key=lambda case: hashlib.sha256(case.nodeid.encode()).digest()):
        facets: set[Hashable] = set()
        for name, value in case.callspec.params.items():
            if isinstance(value, str) and value in statements:
                statement = statements[value]
                facets |= {(statement.paper.key, bool(statement.amendment)), statement.kind}
            elif len(values[name]) <= MANY_VALUES:
                facets.add((name, repr(value)))
        if not facets:
            raise pytest.UsageError(
                f"{case.nodeid}: sampled, but by no statement and no parameter of few values"
            )
        if all(shown[facet] >= each for facet in facets):
            yield case
        else:
            shown.update(facets)


# ---- the slowest files


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    spent: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                spent[report.nodeid.split("::")[0]] += report.duration
    total = spent.total()
    if total < MEASURED or len(spent) * SHARE < 1:  # of so few files one must be beyond its share
        return
    terminalreporter.section(f"slowest files, of {total:.0f} s in {len(spent)} files")
    for path, seconds in spent.most_common(NAMED):
        terminalreporter.line(f"{seconds:7.1f} s {seconds / total:6.1%}  {path}")
    for path, seconds in spent.most_common():
        if seconds > SHARE * total:
            terminalreporter.line(
                f"WARNING: {path} takes {seconds / total:.1%} of the time; its share is {SHARE:.0%}"
            )


# ---- a skip says why
# The closing lines name it (`-rfEs --no-fold-skipped` in pyproject.toml); without a reason nobody could tell
# what would have to be installed for it to run.


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
