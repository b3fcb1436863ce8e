"""What every format shows: how the record was run, verdicts over all statements, then a section for each."""

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bounds
from bounds.language.finding import Status
from bounds.language.statement import AMENDED, Kind
from reports.documents import record
from reports.inputs.statements import with_readable_findings
from reports.page import attempts, explorer, front, privacy, refutation, reproduction
from reports.page.pictures import RULE
from reports.page.section import TIERS, UNRUN, Recorded, Wanted, anchor, stranger
from reports.page.sections import sections
from reports.page.words import explain_words
from reports.page.worst_cases import worst_cases
from verify.progress import Progress, silent
from verify.records.part import as_parent
from verify.records.record import FILE
from verify.records.standings import summary
from verify.standing import standing_of

Plain = dict[str, Any]
Entries = Sequence[Plain]

NO_CLAIM = (Kind.DEFINITION.value, Kind.RULE.value)
# The order of a table of standings: what a reader must know first.
STANDINGS = tuple(status.value for status in Status)


def contents(
    data: Plain,
    directory: Path,
    *,
    only: str | None = None,
    pictures: bool = True,
    audit: bool = True,
    explore: bool = True,
    workers: int = 1,
    progress: Progress = silent,
) -> Plain:
    """`directory` is where the record is; the commands on the page name it. `only`: one paper, by its key."""
    statements = with_readable_findings(bounds.statements(only), named=only is not None)
    data = data if only is None else _summarize_paper(data, only)
    entries, parent = [*data["cells"], *record.properties(data)], as_parent(data)
    alone = [reproduction.alone(data, entry, directory, parent) for entry in entries]
    with_commands = [entry | {"again": one.command} for entry, one in zip(entries, alone, strict=True)]
    rows = attempts.read(directory)
    recorded = _recorded(data, with_commands, rows)
    wanted = Wanted(pictures=pictures, audit=audit, level=_level(data), directory=directory)
    own_sections = sections(statements, recorded, wanted, workers=workers, progress=progress)
    strangers = _strangers(entries, recorded)
    every = own_sections + strangers
    found = _found(every)
    titles = {section["id"]: section["title"] for section in every}
    return {
        **_header(data, directory, every, found),
        "found": found,
        "forms": explorer.forms(statements) if explore else [],
        "opening": front.opening(statements, own_sections, found),
        "papers": _papers(own_sections, strangers),
        "statements": every,
        "unrun": _unrun(own_sections),
        "rules": privacy.rules(own_sections),
        "kept": privacy.guarantees(data["cells"], titles),
        "worst_cases": worst_cases(data, {*titles}, only),
        "attempted": bool(rows),
        "rule": RULE if pictures else "",
        "files": {one.file: one.text for one in alone if one.file} | _files(own_sections, rows),
    }


def _strangers(entries: Entries, recorded: Callable[[str], Recorded]) -> list[Plain]:
    """A section for each statement of the record that is not installed here."""
    known = {statement.id for statement in bounds.statements()}
    unknown = dict.fromkeys(entry["id"] for entry in entries if entry["id"] not in known)
    return [stranger(identity, recorded(identity)) for identity in unknown]


def _files(entries: Entries, rows: attempts.Rows) -> dict[str, str]:
    """Witnesses and searches, by the names of their files."""
    refuted = [section["id"] for section in entries if section["refutation"]]
    return attempts.files(rows) | refutation.files(refuted)


def _summarize_paper(data: Plain, key: str) -> Plain:
    """The entries of one paper, and what they come to."""
    cells, properties = (
        [entry for entry in entries if str(entry["id"]).startswith(f"{key}.")]
        for entries in (data["cells"], record.properties(data))
    )
    certified = [entry for entry in record.worst_cases(data) if str(entry.get("id")).startswith(f"{key}.")]
    counted = summary([*cells, *properties], certified)
    return data | {
        "cells": cells,
        "properties": properties,
        "worst_cases": certified,
        "summary": counted,
    }


def _level(data: Plain) -> float:
    """The error level of the pictures: the record's, where it has one."""
    from verify.runs.check import LEVEL

    level = data.get("error_level")
    return level if isinstance(level, float) and 0 < level < 1 else LEVEL


def _recorded(data: Plain, entries: Entries, rows: attempts.Rows) -> Callable[[str], Recorded]:
    """What the record has of a statement, by its id."""
    count = len(data["cells"])
    cells, properties = record.by_statement(entries[:count]), record.by_statement(entries[count:])
    standings, amended = record.standings(data), record.standings(data, AMENDED)
    return lambda identity: Recorded(
        cells=cells.get(identity, []),
        properties=properties.get(identity, []),
        standing=standings.get(identity) or standing_of(identity),
        amended=amended.get(identity) or standing_of(identity, AMENDED),
        attempts=rows.get(identity, {}),
    )


def _unrun(sections: Entries) -> list[Plain]:
    """The statements without a cell, by the reason, the most frequent first."""
    reasons: dict[str, list[Plain]] = {}
    for section in sections:
        if section["no_cell"]:
            reasons.setdefault(section["no_cell"], []).append(section)
    ordered = sorted(reasons.items(), key=lambda item: -len(item[1]))
    return [{"why": why, "statements": statements} for why, statements in ordered]


def _header(data: Plain, directory: Path, sections: list[Plain], found: Entries) -> Plain:
    environment = data.get("environment")
    cells = data["cells"]
    return {
        "summary": record.counts(data),
        "tried": record.properties_counted(data),
        "tally": _tally(sections),
        "words": explain_words(),
        "level": data.get("error_level"),
        "seed": data.get("seed"),
        "environment": environment if isinstance(environment, dict) else {},
        "verdicts": record.tally(cells),
        "standings": _standings(sections),
        "grades": _grades(found),
        "replicates": sorted({c["replicates"] for c in cells if isinstance(c.get("replicates"), int)}),
        "command": reproduction.command(data, directory),
        "replay": reproduction.replay(directory),
        "record": str(directory / FILE),
        "schema": data.get("schema"),
        "report_command": shlex.join(["fedbounds", "report", str(directory)]),
    }


def _standings(sections: list[Plain]) -> list[tuple[str, int]]:
    """How many statements stand how."""
    counts = Counter(section["status"] for section in sections)
    return [(status, counts[status]) for status in STANDINGS if counts[status]]


def _tally(sections: list[Plain]) -> str:
    parts = [f"{number} {word}" for word, number in _standings(sections)]
    open_ones = sum(section["no_cell"] == UNRUN for section in sections)
    about_runs = f"; {open_ones} about runs without a cell in this record" if open_ones else ""
    named = sum(s["status"] == Status.UNCHECKED.value and s.get("kind") in NO_CLAIM for s in sections)
    of_these = f" ({named} of them definitions and rules, which claim nothing)" if named else ""
    return f"{record.counted(len(sections), 'statement')}: {', '.join(parts)}{of_these}{about_runs}"


def _found(sections: list[Plain]) -> list[Plain]:
    """The findings of the statements that are installed, gravest first, each defect once."""
    from reports.documents.findings_once import list_once, subject

    here = {statement.id: subject(statement) for statement in bounds.statements()}
    return list_once((here[s["id"]], s["keyed"]) for s in sections if s["id"] in here)


def _grades(found: Entries) -> list[tuple[str, int]]:
    """How many findings each class has; one defect counts once, however many places have it."""
    from reports.documents.findings_once import GRAVITY

    counts = Counter(entry["class"] for entry in found)
    return [(grade, counts[grade]) for grade in GRAVITY if counts[grade]]


def _papers(sections: list[Plain], strangers: list[Plain]) -> list[Plain]:
    """The statements in groups: those of a paper by tier, then those that are not installed here."""
    groups: dict[str, Plain] = {}
    for section in sections:
        key = section["paper"]["key"]
        groups.setdefault(
            key,
            {
                **section["paper"],
                "bibtex": section["bibtex"],
                "anchor": anchor(f"paper {key}"),
                "statements": [],
            },
        )["statements"].append(section)
    papers = list(groups.values())
    for group in papers:
        group["tiers"] = _tiers(group["statements"])
    if strangers:
        nowhere = {"key": "not installed here", "title": "Not installed here", "authors": "", "bibtex": ""}
        papers.append({**nowhere, "anchor": "paper-unknown", "statements": strangers})
        papers[-1]["tiers"] = _tiers(strangers)
    return papers


def _tiers(sections: Entries) -> list[Plain]:
    """The statements of a paper, those that it is cited for first, names last."""
    groups = [(title, [s for s in sections if s["tier"] == tier]) for tier, title in TIERS.items()]
    return [{"title": title, "statements": group} for title, group in groups if group]
