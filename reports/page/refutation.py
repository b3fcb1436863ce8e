"""Why a statement is false: the instance in words and numbers, its picture, and the commands to replay it."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bounds.language.statement import Statement
from reports.page.cells import shown
from reports.page.reproduction import is_safe, replay
from reports.plots import light
from verify.falsify.witness_folder import WITNESSES
from verify.ledger.witness_files import confirmed
from verify.ledger.witnesses import measurement
from verify.objects.both_sides import is_equality
from verify.records.errata import FILE, WITNESS, folder_of
from verify.records.refuted import refuting_cell, worded
from verify.scene import Scene, scenes

Plain = dict[str, Any]

FOLDER = "refutation"
WIDTH = 320  # of the longer of the two bars


def refutation(statement: Statement, violated: Sequence[Plain], directory: Path) -> Plain | None:
    """None for a statement that nothing refutes; `violated` are its entries in the record."""
    erratum = worded(statement.id)
    if erratum is None and not violated:
        return None
    make_scene = scenes().get(statement.id)
    scene = make_scene() if make_scene is not None else None
    cell = _cell(statement.id, violated)
    sides = _sides(statement, scene, cell)
    if sides is None:
        return None
    words, numbers = _words(statement, scene, cell)
    return {
        **sides,
        "words": words,
        "numbers": numbers,
        "right": "" if erratum is None else erratum.right,
        "chart": "" if scene is None else _chart(statement, scene),
        "bars": _bars(sides),
        "commands": _commands(statement, violated, directory),
    }


def file_of(identity: str) -> Path | None:
    """The witness file that the errata file of a package names, or that comes with fedbounds."""
    erratum = worded(identity)
    if erratum is not None and erratum.kind == FILE:
        return folder_of(erratum.paper) / erratum.evidence
    file = WITNESSES / f"{identity}.json"
    return file if is_safe(identity) and file.is_file() else None


def files(identities: Sequence[str]) -> dict[str, str]:
    """The witnesses that the commands name, by their place within the report."""
    known = {i: file for i in identities if (file := file_of(i)) is not None}
    return {
        f"{FOLDER}/{i}.json": json.dumps(json.loads(file.read_text(encoding="utf-8")), indent=1) + "\n"
        for i, file in known.items()
    }


MOVED = "left side less the random part of the right side"


def _sides(statement: Statement, scene: Scene | None, cell: Plain | None) -> Plain | None:
    """Both sides, from the scene, from the witness of the errata file, or from the cell."""
    if scene is not None:
        return _both(scene.attained, scene.allowed)
    erratum = worded(statement.id)
    if erratum is not None and erratum.kind == WITNESS:
        seen = measurement(erratum)
        return _both(seen["left"], seen["right"], equality=seen["equality"])
    if erratum is not None and erratum.kind == FILE:
        found = confirmed(erratum)
        if found.left is not None and found.right is not None:
            return _both(found.left, found.right, equality=is_equality(statement), moved=found.moved)
    if cell is None:
        return None
    measured, bound = cell["measured"]["estimate"], cell["bound"]["value"]
    if measured is None or bound is None:
        return None
    # Where the right side is random too, what is left of it may be small, and no ratio is a factor.
    is_moved = cell.get("ratio") is None
    return _both(measured, bound, moved=is_moved)


def _both(left: float, right: float, *, equality: bool = False, moved: bool = False) -> Plain:
    ratio = left / right if left > 0 and right > 0 and not (equality or moved) else None
    of = MOVED if moved else ""
    return {"left": left, "allowed": right, "equality": equality, "times": ratio, "of": of}


def _cell(identity: str, violated: Sequence[Plain]) -> Plain | None:
    """The cell that the errata file names, else the first one that the record has."""
    return refuting_cell(identity) or next((entry for entry in violated if "parameters" in entry), None)


def _words(statement: Statement, scene: Scene | None, cell: Plain | None) -> tuple[list[str], list[Plain]]:
    """Sentences, and the numbers of the instance with what each means."""
    if scene is not None:
        return list(scene.facts), []
    erratum = worded(statement.id)
    if erratum is not None and erratum.why:
        named = refuting_cell(statement.id)  # the cell that the words are about, if they are about one
        numbers = [] if named is None else _numbers(statement, named["parameters"])
        return [f"{erratum.why[:1].upper()}{erratum.why[1:]}."], numbers
    if cell is None:
        return [], []
    words = [
        f"A run of {cell['algorithm']} on the problem {cell['problem']} ({cell['role']}).",
        f"Result: {cell['sentence']} ({cell['method']}).",
    ]
    return words, _numbers(statement, cell["parameters"])


def _numbers(statement: Statement, parameters: Plain) -> list[Plain]:
    known = statement.notation.quantities | statement.notation.observables
    return [
        {"text": shown({name: value}), "meaning": known[name].meaning if name in known else ""}
        for name, value in parameters.items()
    ]


def _chart(statement: Statement, scene: Scene) -> str:
    looks = (light.BOUND, light.MEASURED, light.SECOND)
    in_words = (
        f"{', '.join(path.name for path in scene.paths)} over {scene.x}, for the instance that refutes "
        f"{statement.id}; the text beside it says what happens"
    )
    curves = tuple(
        light.Curve(name=path.name, look=look, points=path.points)
        for path, look in zip(scene.paths, looks, strict=False)
    )
    level = (f"at most {scene.allowed:.3g} is claimed", scene.allowed)
    return light.svg(
        light.Chart(
            x=scene.x, y=scene.y, in_words=in_words, curves=curves, shaded=scene.stays, levels=(level,)
        )
    )


def _bars(sides: Plain) -> list[Plain]:
    """Two lengths, where neither side is negative."""
    pairs = (("attained", sides["left"]), ("claimed", sides["allowed"]))
    longest = max(abs(value) for _, value in pairs)
    if longest == 0 or min(value for _, value in pairs) < 0:
        return []
    return [{"name": n, "value": v, "width": round(WIDTH * v / longest, 1)} for n, v in pairs]


def _commands(statement: Statement, violated: Sequence[Plain], directory: Path) -> list[Plain]:
    """The instance above first; a search usually found another one, which a file of its own replays."""
    out = []
    if worded(statement.id) is not None:
        recheck = shlex.join(["fedbounds", "errata", statement.id, "--recheck"])
        out.append({"what": "Run this evidence again", "command": recheck})
    for entry in violated[:1]:
        out.append({"what": "Run the violated entry of this record again", "command": str(entry["again"])})
    if file_of(statement.id) is not None:
        again = replay(directory / "report" / FOLDER / f"{statement.id}.json")
        out.append({"what": "Replay the instance that the search found", "command": again})
    return out
