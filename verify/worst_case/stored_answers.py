"""Certified worst cases of the distribution: at least one for each form of a statement that has a program.

Each is an answer of `fedbounds worst --out`, at one point. A verification checks it again each time, in
fractions and without a solver: the certificate, the instance, and the statement's own right side.
"""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from bounds.language.statement import Statement
from verify.json_numbers import load
from verify.worst_case.answer import reread_answer
from verify.worst_case.verdict import VIOLATED

FOLDER: Final = Path(__file__).parent / "certificates"
# At which values of its quantities a statement is asked; few steps keep the files small.
F2: Final = {
    **{"M": "10", "L": "1", "H": "2", "R": "3", "eta": "1/36"},
    **{"mu_1": "1/2", "f0_gap": "1", "zeta": "1/10", "sigma": "0"},
}
POINTS: Final[Mapping[str, Sequence[Mapping[str, str]]]] = {
    "textbook.gradient_descent_convex": [{"L": "1", "D0": "1", "N": "3"}],
    "textbook.gradient_descent_nonconvex": [{"L": "1", "f0_gap": "1", "N": "3"}],
    "textbook.gradient_descent_strongly_convex": [{"L": "1", "mu": "1/10", "D0": "1", "N": "3"}],
    "textbook.federated_averaging_one_client": [{"L": "1", "D0": "1", "rounds": "2", "E": "2"}],
    "textbook.stochastic_gradient_descent": [
        {"L": "1", "mu": "1/10", "eta": "1/2", "sigma": "1/2", "D0": "1", "K": "10"}
    ],
    "fedavg_lojasiewicz.theorem_f2": [F2, F2 | {"sigma": "1"}],
}


def file_of(statement: Statement, place: int = 0) -> Path:
    """One for each statement, form and point; `place` is that of the point in POINTS."""
    form = "" if statement.variant == "printed" else f".{statement.variant}"
    number = "" if place == 0 else f".{place + 1}"
    return FOLDER / f"{statement.id}{form}{number}.json"


def points_of(statement: Statement) -> list[dict[str, Fraction]]:
    """The values at which the statement is asked; none for a statement without a kept answer."""
    points = POINTS.get(statement.id, [])
    return [{name: Fraction(value) for name, value in point.items()} for point in points]


def entry_of(statement: Statement, place: int = 0) -> dict[str, Any] | None:
    """What a record keeps of the certified worst case of a statement; None if there is none."""
    file = file_of(statement, place)
    if place >= len(POINTS.get(statement.id, [])) or not file.exists():
        return None
    data = load(file)
    found = reread_answer(data)
    where = ""
    if data["verdict"] == VIOLATED:
        where = f"; `fedbounds replay verify/worst_case/certificates/{file.name}` runs the instance"
    return {
        "id": statement.id,
        "variant": statement.variant,
        "parameters": data["given"],
        "bound": data["bound"],
        "upper": data["upper"],
        "lower": data["lower"],
        "ratio": data["ratio"],
        "verdict": data["verdict"] if found.agrees else "refused",
        "method": "rational certificate over the whole class, checked again without a solver",
        "sentence": f"{found.sentence}{where}",
    }


def entries_of(statements: Sequence[Statement]) -> list[dict[str, Any]]:
    every = (entry_of(one, place) for one in statements for place in range(len(points_of(one))))
    return [entry for entry in every if entry is not None]


def keep(statement: Statement, document: Mapping[str, Any], place: int = 0) -> Path:
    """Write an answer into the distribution."""
    FOLDER.mkdir(exist_ok=True)
    file = file_of(statement, place)
    file.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return file
