"""Rows of attempts on all statements: made one by one, kept as soon as they are there, shown as a table.

A run that was stopped goes on where it ended. Statements without a row, or with one of a form that was
changed since, are named in the table.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bounds import discovery
from bounds.language.statement import Statement
from verify.falsify.attempt import falsify_statement, spaces_of
from verify.falsify.attempts_on_file import ROWS, Rows, end_of_line, every_form, rows_of_now
from verify.falsify.confirm import LEVEL
from verify.falsify.form_digest import form_of
from verify.falsify.outcome import Outcome
from verify.falsify.short_counterexample import SEED
from verify.matching.joined import find_runs
from verify.places.place import Place
from verify.records.record import finite

# Full caps, of a statement about runs and of any other.
SECONDS_OF_RUNS: Final = 600.0
SECONDS: Final = 60.0
# Evaluations of one search after the other, each from a seed of its own, until the seconds are over. They
# share the level of a row.
GROWTH: Final = (500, 2000, 8000, 32000, 128000)


def about_runs(statement: Statement) -> bool:
    return find_runs(statement) is not None


def attempt(identity: str, variant: str, seconds_of_runs: float, seconds: float) -> dict[str, Any]:
    """One row."""
    statement = discovery.get(identity, variant)
    cap = seconds_of_runs if about_runs(statement) else seconds
    found, spent = _until(statement, cap)
    row = {
        "id": identity,
        "variant": variant,
        "form": form_of(statement),
        "searched": found.searched,
        "refuted": found.refuted,
        "ratio": found.ratio,
        "excess": found.excess,
        "sentence": found.sentence,
        "method": found.method,
        "family": None if found.best is None else found.best["in"],
        "evaluations": found.evaluations,
        "instances": found.met,
        "budget": cap,
        "seconds": spent,
        "half_refuted": found.half_refuted,
        "best": found.best,
        "unconfirmed": list(found.unconfirmed),
        "witness": found.witness,
    }
    return dict(finite(row))


def _until(statement: Statement, cap: float) -> tuple[Outcome, float]:
    """The best of several searches."""
    started, best = time.monotonic(), None
    for number, evaluations in enumerate(GROWTH):
        left = cap - (time.monotonic() - started)
        if best is not None and (left <= 0 or best.refuted or not best.searched):
            break
        found = falsify_statement(
            statement,
            evaluations=evaluations,
            seconds=left,
            seed=SEED + 1000 * number,
            level=LEVEL / len(GROWTH),
        )
        best = found if best is None else _better(best, found)
    assert best is not None
    return best, time.monotonic() - started


def _better(before: Outcome, after: Outcome) -> Outcome:
    kept = after if after.refuted or _score(after) > _score(before) else before
    return replace(kept, evaluations=before.evaluations + after.evaluations, met=before.met + after.met)


def _score(found: Outcome) -> float:
    return max((found.families or {}).values(), default=-2.0)


def slim(row: dict[str, Any], witness: str) -> dict[str, Any]:
    """For a repository that holds the witness as a file of this name."""
    return row | {"witness": witness, "best": None} if isinstance(row["witness"], dict) else row


def run(folder: Path, seconds_of_runs: float, seconds: float, place: Place, *before: Path) -> Iterator[str]:
    """Forms without a row, here or `before`, or with one of a smaller budget; a sentence on each."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = rows_of_now(*before, folder)
    todo = [form for form in every_form() if not _enough(kept.get(form), form, seconds_of_runs, seconds)]
    todo.sort(key=lambda form: about_runs(discovery.get(*form)))  # what is short comes first
    tasks = [(number, (*form, seconds_of_runs, seconds)) for number, form in enumerate(todo)]
    with (folder / ROWS).open("a") as file:
        file.write(end_of_line(folder / ROWS))
        for number, row in place.carry_out(attempt_or_failure, tasks):
            told = f"{todo[number][0]} ({todo[number][1]})"
            if "failed" in row:  # the others go on; the row stays among those not yet run
                yield f"{told}: FAILED, {row['failed']}"
                continue
            file.write(json.dumps(row) + "\n")
            file.flush()
            yield f"{told}: {row['sentence']}"


def attempt_or_failure(identity: str, variant: str, seconds_of_runs: float, seconds: float) -> dict[str, Any]:
    try:
        return attempt(identity, variant, seconds_of_runs, seconds)
    except Exception as error:
        return {"failed": repr(error)}


def _enough(
    row: dict[str, Any] | None, form: tuple[str, str], seconds_of_runs: float, seconds: float
) -> bool:
    if row is None:
        return False
    if row["refuted"]:
        return True
    if not row["searched"]:  # a recipe may have come since: its code is in no digest
        return not spaces_of(discovery.get(*form), SEED)
    asked = seconds_of_runs if about_runs(discovery.get(*form)) else seconds
    return bool(row["budget"] >= asked)


def markdown(kept: Rows) -> str:
    """Refuted first, then by the best ratio; what has no two sides to search is counted, not shown."""
    searched = [row for row in kept.values() if row["searched"]]
    lines = [
        "| statement | form | refuted | best ratio | half of it | excess | instances | cap | seconds | in |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(searched, key=lambda r: (not r["refuted"], -(r["ratio"] or 0), r["id"])):
        halved = {True: "yes", False: "**no**", None: ""}[row["half_refuted"]]
        numbers = [_number(row["ratio"]), halved, _number(row["excess"]), str(row["instances"])]
        numbers += [f"{row['budget']:g}", f"{row['seconds']:.1f}"]
        verdict = "**yes**" if row["refuted"] else "no"
        cells = [row["id"], row["variant"], verdict, *numbers, row["family"] or "none met the conditions"]
        lines.append(f"| {' | '.join(cells)} |")
    absent = [f"{i} ({v})" for i, v in every_form() if (i, v) not in kept]
    others = len(kept) - len(searched)
    refuted = sum(row["refuted"] for row in searched)
    lines += [
        "",
        f"{len(searched)} forms searched, {refuted} of them refuted; {others} state no relation to search.",
    ]
    lines += ["", f"Rows not yet run: {', '.join(absent) or 'none'}."]
    cut = [f"{i} ({v})" for (i, v), row in kept.items() if row["searched"] and _cut_short(row)]
    lines += ["", f"Rows not yet run at their full cap, {len(cut)}: {', '.join(sorted(cut)) or 'none'}."]
    return "\n".join(lines) + "\n"


def _cut_short(row: dict[str, Any]) -> bool:
    full = SECONDS_OF_RUNS if about_runs(discovery.get(row["id"], row["variant"])) else SECONDS
    return not row["refuted"] and row["budget"] < full


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
