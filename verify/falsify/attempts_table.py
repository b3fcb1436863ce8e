"""Rows of attempts on all statements: made one by one, kept as soon as they are there, shown as a table.

A run that was stopped goes on where it ended. Statements without a row, or with one of a form that was
changed since, are named in the table.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

from bounds import discovery
from bounds.language.statement import Statement
from verify.falsify.attempt import falsify_statement, spaces_of
from verify.falsify.attempted_form import form_of
from verify.falsify.attempts_on_file import ROWS, Rows, end_of_line, every_form, rows_of_now
from verify.falsify.confirm import LEVEL
from verify.falsify.outcome import Outcome
from verify.falsify.short_counterexample import SEED
from verify.matching.joined import find_runs
from verify.records.record import finite
from verify.workers.place import Place

# Seconds are those of the processor: a search gets as far on a machine that is shared. Rows without a clock
# are of earlier versions, which counted the seconds on the wall.
CLOCK: Final = "processor"
# Full caps, of a statement about runs and of any other.
SECONDS_OF_RUNS: Final = 600.0
SECONDS: Final = 60.0
# Evaluations of one search after the other, each from a seed of its own, until the seconds are over. They
# share the level of a row.
GROWTH: Final = (500, 2000, 8000, 32000, 128000)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStudy:
    """Which forms to search, id and variant of each, and the caps."""

    forms: Sequence[tuple[str, str]]
    seconds_of_runs: float = SECONDS_OF_RUNS
    seconds: float = SECONDS

    def cap(self, form: tuple[str, str]) -> float:
        return self.seconds_of_runs if about_runs(discovery.get(*form)) else self.seconds


def about_runs(statement: Statement) -> bool:
    return find_runs(statement) is not None


def attempt(identity: str, variant: str, cap: float) -> dict[str, Any]:
    """One row."""
    statement = discovery.get(identity, variant)
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
        "clock": CLOCK,
        "half_refuted": found.half_refuted,
        "best": found.best,
        "unconfirmed": list(found.unconfirmed),
        "witness": found.witness,
    }
    return dict(finite(row))


def _until(statement: Statement, cap: float) -> tuple[Outcome, float]:
    """The best of several searches."""
    started, best = time.process_time(), None
    for number, evaluations in enumerate(GROWTH):
        left = cap - (time.process_time() - started)
        if best is not None and (left <= 0 or best.refuted or not best.searched):
            break
        found = falsify_statement(
            statement,
            evaluations=evaluations,
            seconds=left,
            seed=SEED + 1000 * number,
            level=LEVEL / len(GROWTH),
            clock=time.process_time,
        )
        best = found if best is None else _better(best, found)
    assert best is not None
    return best, time.process_time() - started


def _better(before: Outcome, after: Outcome) -> Outcome:
    better = after if after.refuted or _score(after) > _score(before) else before
    return replace(better, evaluations=before.evaluations + after.evaluations, met=before.met + after.met)


def _score(found: Outcome) -> float:
    return max((found.families or {}).values(), default=-2.0)


def slim(row: dict[str, Any], witness: str) -> dict[str, Any]:
    """For a repository that holds the witness as a file of this name."""
    return row | {"witness": witness, "best": None} if isinstance(row["witness"], dict) else row


def run(study: SearchStudy, folder: Path, place: Place) -> Iterator[dict[str, Any]]:
    """The rows of `folder`, then one for each form that has none there, or one of a smaller cap.

    A row is on file before it is handed out. An attempt that raises has the key `failed` instead of results
    and gets no row, so that the next run attempts it again.
    """
    rows_on_file = rows_of_now(folder)
    todo = [form for form in study.forms if not _enough(rows_on_file.get(form), form, study.cap(form))]
    yield from (rows_on_file[form] for form in study.forms if form not in todo)
    todo.sort(key=lambda form: about_runs(discovery.get(*form)))  # what is short comes first
    tasks = [(number, (*form, study.cap(form))) for number, form in enumerate(todo)]
    with (folder / ROWS).open("a", encoding="utf-8") as file:
        file.write(end_of_line(folder / ROWS))
        for _, row in place.carry_out(attempt_or_failure, tasks):
            if "failed" not in row:
                file.write(json.dumps(row) + "\n")
                file.flush()
            yield row


def attempt_or_failure(identity: str, variant: str, cap: float) -> dict[str, Any]:
    try:
        return attempt(identity, variant, cap)
    except Exception as error:
        return {"id": identity, "variant": variant, "failed": repr(error)}


def _enough(row: dict[str, Any] | None, form: tuple[str, str], cap: float) -> bool:
    if row is None:
        return False
    if row["refuted"]:
        return True
    if not row["searched"]:  # a recipe may have come since: its code is in no digest
        return not spaces_of(discovery.get(*form), SEED)
    return bool(row["budget"] >= cap)


def markdown(rows: Rows) -> str:
    """Refuted first, then by the best ratio; what has no two sides to search is counted, not shown."""
    searched = [row for row in rows.values() if row["searched"]]
    lines = [
        "| statement | form | refuted | best ratio | half of it | excess | instances | cap | seconds | in |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(searched, key=lambda r: (not r["refuted"], -(r["ratio"] or 0), r["id"])):
        halved = {True: "yes", False: "**no**", None: ""}[row["half_refuted"]]
        numbers = [_number(row["ratio"]), halved, _number(row["excess"]), str(row["instances"])]
        of_wall = "" if row.get("clock") == CLOCK else " (wall)"
        numbers += [f"{row['budget']:g}", f"{row['seconds']:.1f}{of_wall}"]
        verdict = "**yes**" if row["refuted"] else "no"
        cells = [row["id"], row["variant"], verdict, *numbers, row["family"] or "none met the conditions"]
        lines.append(f"| {' | '.join(cells)} |")
    absent = [f"{i} ({v})" for i, v in every_form() if (i, v) not in rows]
    others = len(rows) - len(searched)
    refuted = sum(row["refuted"] for row in searched)
    lines += [
        "",
        f"{len(searched)} forms searched, {refuted} of them refuted; {others} state no relation to search.",
    ]
    lines += ["", f"Rows not yet run: {', '.join(absent) or 'none'}."]
    cut = [f"{i} ({v})" for (i, v), row in rows.items() if row["searched"] and _cut_short(row)]
    lines += ["", f"Rows not yet run at their full cap, {len(cut)}: {', '.join(sorted(cut)) or 'none'}."]
    return "\n".join(lines) + "\n"


def _cut_short(row: dict[str, Any]) -> bool:
    form = (row["id"], row["variant"])
    return not row["refuted"] and row["budget"] < SearchStudy(forms=(form,)).cap(form)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
