"""What every format shows: how the record was run, verdicts over all statements, then a section for each."""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reports import record
from reports.page import reproduction
from reports.page.no_cell import UNRUN
from reports.page.pictures import RULE, drawer
from reports.page.section import UNCHECKED, Recorded, anchor, installed, stranger

Plain = dict[str, Any]
Progress = Callable[[int, int, str], None]

# The order of a table of standings: what a reader must know first.
STANDINGS = ("refuted", "vacuous", "uninformative", "proved", "unrefuted", "unchecked")


def contents(
    data: Plain,
    directory: Path,
    *,
    pictures: bool = True,
    progress: Progress = lambda done, total, what: None,
) -> Plain:
    """`directory` is where the record is; the commands on the page name it."""
    import bounds

    entries = [*data["cells"], *record.properties(data)]
    alone = {id(entry): reproduction.alone(data, entry, directory) for entry in entries}
    recorded = _recorded(data, {name: one.command for name, one in alone.items()})
    draw = drawer(_level(data)) if pictures else None
    sections, statements = [], bounds.statements()
    for done, statement in enumerate(statements):
        progress(done, len(statements), statement.id)
        sections.append(installed(statement, recorded(statement.id), draw))
    progress(len(statements), len(statements), "done")
    known = {statement.id for statement in statements}
    unknown = dict.fromkeys(entry["id"] for entry in entries if entry["id"] not in known)
    strangers = [stranger(identity, recorded(identity)) for identity in unknown]
    return {
        **_header(data, directory, sections + strangers),
        "papers": _papers(sections, strangers),
        "statements": sections + strangers,
        "rule": RULE if pictures else "",
        "files": {one.file: one.text for one in alone.values() if one.file},
    }


def _level(data: Plain) -> float:
    """Of the pictures: the record's, where it has one."""
    from verify.run import LEVEL

    level = data.get("error_level")
    return level if isinstance(level, float) and 0 < level < 1 else LEVEL


def _recorded(data: Plain, again: Mapping[int, str]) -> Callable[[str], Recorded]:
    """What the record has of a statement, by its id."""
    cells, properties = record.by_statement(data["cells"]), record.by_statement(record.properties(data))
    standings, amended = record.standings(data), record.amended(data)
    return lambda identity: Recorded(
        cells=cells.get(identity, []),
        properties=properties.get(identity, []),
        standing=standings.get(identity, UNCHECKED),
        amended=amended.get(identity, UNCHECKED),
        again=again,
    )


def _header(data: Plain, directory: Path, sections: list[Plain]) -> Plain:
    environment = data.get("environment")
    cells = data["cells"]
    return {
        "summary": record.counts(data),
        "tried": record.properties_counted(data),
        "tally": _tally(sections),
        "level": data.get("error_level"),
        "seed": data.get("seed"),
        "environment": environment if isinstance(environment, dict) else {},
        "verdicts": record.tally(cells),
        "standings": _standings(sections),
        "grades": _grades(sections),
        "replicates": sorted({c["replicates"] for c in cells if isinstance(c.get("replicates"), int)}),
        "command": reproduction.command(data, directory),
        "replay": reproduction.replay(directory),
        "report_command": shlex.join(["fedbounds", "report", str(directory)]),
    }


def _standings(sections: list[Plain]) -> list[tuple[str, int]]:
    """How many statements stand how, by the first word of their standing."""
    words = Counter(section["standing"].split(" ")[0] for section in sections)
    others = sorted(words.keys() - set(STANDINGS))  # of a record from elsewhere
    return [(word, words[word]) for word in (*STANDINGS, *others) if words[word]]


def _tally(sections: list[Plain]) -> str:
    parts = [f"{number} {word}" for word, number in _standings(sections)]
    open_ones = sum(section["no_cell"] == UNRUN for section in sections)
    about_runs = f"; {open_ones} about runs have no cell in this record" if open_ones else ""
    return f"{record.counted(len(sections), 'statement')}: {', '.join(parts)}{about_runs}"


def _grades(sections: list[Plain]) -> list[tuple[str, int]]:
    """Findings by class, gravest first; one place is one finding, however many statements share it."""
    from bounds.finding import FindingClass

    places = {
        (section["paper"]["key"], found["locator"], found["printed"], found["evidence"]): found["class"]
        for section in sections
        for found in section["findings"]
    }
    counts = Counter(places.values())
    return [(grade.value, counts[grade.value]) for grade in FindingClass if counts[grade.value]]


def _papers(sections: list[Plain], strangers: list[Plain]) -> list[Plain]:
    """The statements in groups: those of a paper, then those that are not installed here."""
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
    made = list(groups.values())
    if strangers:
        nowhere = {"key": "not installed here", "title": "Not installed here", "authors": "", "bibtex": ""}
        made.append({**nowhere, "anchor": "paper-unknown", "statements": strangers})
    return made
