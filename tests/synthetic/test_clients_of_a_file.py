"""A column of a data file that says whose each row is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic.data import files
from synthetic.errors import UnreadableData, WrongArguments
from synthetic.problems.from_data.problem import data_problem

ROWS = [(0.5, "north", 1), (1.5, "south", 0), (2.5, "north", 0), (-1.0, "east", 1), (0.1, "south", 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.csv"
    lines = [f"{x},{x * x},{who},{y}" for x, who, y in ROWS]
    file.write_text("\n".join(["x,square,hospital,ill", *lines]))
    return file


@pytest.mark.parametrize("column", ["hospital", 2, "2"])
def test_each_client_has_its_rows(path: Path, column: str | int) -> None:
    data = files.read(path, client=column)
    assert data.features.shape == (5, 2)
    assert data.owners is not None
    assert data.owners.tolist() == [1, 2, 1, 0, 2]  # east, north, south
    problem = data_problem(str(path), {"client": column, "standardise": False, "intercept": False})
    assert problem.clients == 3
    x = np.array([[0.3, -0.2]])
    slopes = np.asarray(problem.client_gradients(x))[:, 0]
    for place, who in enumerate(["east", "north", "south"]):
        own = [(np.array([a, a * a]), 2 * y - 1) for a, name, y in ROWS if name == who]
        by_hand = np.mean([-y * z / (1 + np.exp(y * (z @ x[0]))) for z, y in own], axis=0)
        assert slopes[place] == pytest.approx(by_hand, rel=1e-12)


def test_numbers_name_clients_by_their_value(tmp_path: Path) -> None:
    file = tmp_path / "numbered.csv"
    file.write_text("x,who,y\n1,10,0\n2,9,1\n3,10.0,1\n4,9,0\n")
    owners = files.read(file, client="who").owners
    assert owners is not None
    assert owners.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"client": "hospitol"}, "no column hospitol"),
        ({"client": "ill"}, "the target and the client are one column"),
        ({}, "set client=hospital"),
    ],
)
def test_a_column_that_is_none_is_refused(path: Path, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(UnreadableData, match=said):
        data_problem(str(path), arguments)


def test_a_client_without_a_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "gap.csv"
    file.write_text("x,who,y\n1,a,0\n2,,1\n3,b,1\n")
    with pytest.raises(UnreadableData, match="line 3 has no client"):
        files.read(file, client="who")


def test_a_mark_for_a_missing_name_is_no_client(tmp_path: Path) -> None:
    file = tmp_path / "gap.csv"
    file.write_text("x,who,y\n1,a,0\n2,NaN,1\n3,b,1\n")
    with pytest.raises(UnreadableData, match="line 3 has no client; found 'NaN'"):
        files.read(file, client="who")


def test_rows_are_not_split_besides(path: Path) -> None:
    with pytest.raises(WrongArguments, match="leave out clients, or leave out client"):
        data_problem(str(path), {"client": "hospital", "clients": 2})


def test_svmlight_has_no_such_column(tmp_path: Path) -> None:
    file = tmp_path / "data.svm"
    file.write_text("1 1:2\n-1 1:3\n")
    with pytest.raises(UnreadableData, match="no columns with names"):
        files.read(file, client="who")
