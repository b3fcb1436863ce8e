"""Two packages with one key, or a package with a key of ours, are named, and nothing else is lost."""

from importlib.metadata import EntryPoint

import pytest

from bounds import discovery, installed_papers
from bounds.errors import BrokenPaper


def forget() -> None:
    discovery._packages.cache_clear()
    installed_papers._claims_on.cache_clear()


@pytest.fixture
def claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint(name="same", value="one_package", group=installed_papers.GROUP),
        EntryPoint(name="same", value="another", group=installed_papers.GROUP),
        EntryPoint(name="textbook", value="usurper", group=installed_papers.GROUP),
        EntryPoint(name="several", value="many", group=installed_papers.GROUP),
    ]
    monkeypatch.setattr(installed_papers, "entry_points", lambda group: points)
    forget()
    monkeypatch.setattr(discovery, "_left_out", {})


@pytest.fixture(autouse=True)
def fresh() -> object:
    yield
    forget()


@pytest.mark.usefixtures("claimed")
def test_a_key_of_two_packages_is_refused_with_both_names() -> None:
    with pytest.raises(
        BrokenPaper, match="two installed packages have the key same: one_package and another"
    ):
        discovery.statements("same")


@pytest.mark.usefixtures("claimed")
def test_the_others_stay_usable_and_both_conflicts_are_told() -> None:
    found = {statement.paper.key for statement in discovery.statements()}
    assert {"textbook", "dp_fedavg"} <= found
    told = " ".join(map(str, discovery.left_out()))
    assert "the key textbook of usurper is taken by fedbounds" in told
    assert "the key several of many is taken by fedbounds" in told
    assert "several" not in discovery.papers()
    assert "one_package and another" in told
