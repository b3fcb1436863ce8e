"""The findings of every statement as plain data, on file, so that `errata` prints them without sympy.

The audits of units, rates and substitutions take seconds, and their result changes only with the statements.
`python -m reports.recorded_findings` writes the file, a test computes it again, and `errata --recheck`
compares. Papers of other distributions are not on file: their findings are computed.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.installed_papers import own, registered
from reports.documents.findings_once import Subject, in_order, subject
from reports.inputs.names import matching

if TYPE_CHECKING:
    from bounds.language.statement import Statement

Row = tuple[Subject, list[dict[str, Any]]]
# What most findings have in these fields, which they then lack on file.
USUAL = {"quoted": "formula", "matters": None, "of_conclusion": False, "defect": ""}
FILE = Path(__file__).with_name("recorded_findings.json")
AGAIN = "python -m reports.recorded_findings"


@cache
def recorded() -> tuple[Row, ...]:
    """Every statement of the papers that come with fedbounds, also those without a finding."""
    return tuple(_row(identity, **row) for identity, row in json.loads(FILE.read_text("utf-8")).items())


def _row(identity: str, has_proof: bool, findings: list[dict[str, Any]]) -> Row:
    usual = USUAL | {"statement": identity}
    known = [in_order(usual | found) for found in findings]
    return Subject(identity, identity.partition(".")[0], has_proof), known


def computed(statements: "Iterable[Statement]") -> list[Row]:
    from reports.documents.description import keyed
    from verify.ledger.true_form import findings

    return [(subject(s), [keyed(found) for found in findings(s)]) for s in statements]


def rows(names: tuple[str, ...]) -> list[Row]:
    """The statements that the names mean, with their findings; all statements without names."""
    strangers = sorted(registered())
    known = {row[0].id: row for row in recorded()}
    meant = [matching(name, known) for name in names]
    if not all(meant) or (names and strangers):
        return _selected(names, known)
    if names:
        return [known[identity] for identity in dict.fromkeys(i for ids in meant for i in ids)]
    return _sort_by_paper([*known.values(), *_collect_from_papers(strangers)])


def _selected(names: tuple[str, ...], known: dict[str, Row]) -> list[Row]:
    """Through the statements themselves: a name may mean an installed paper, or nothing, which is refused."""
    from reports.inputs.statements import select_with_findings

    chosen = select_with_findings(names)
    missing = {row[0].id: row for row in computed(s for s in chosen if s.id not in known)}
    return [(known | missing)[s.id] for s in chosen]


def _collect_from_papers(keys: list[str]) -> list[Row]:
    if not keys:
        return []
    from bounds import discovery
    from verify.ledger.errata_check import is_readable

    usable = [key for key in keys if is_readable(key)]
    return computed(s for key in usable for s in discovery.of_paper_or_none(key))


def _sort_by_paper(found: list[Row]) -> list[Row]:
    """Paper by paper, as `list` has them; the sort keeps the order inside a paper."""
    return sorted(found, key=lambda row: row[0].paper)


def differing() -> list[str]:
    """Ids of our statements whose findings on file are not those that are computed.

    A statement without findings need not be on file: a new one changes nothing there.
    """
    now, then = ({row[0].id: row for row in found if row[1]} for found in (_now(), recorded()))
    return [identity for identity in now | then if now.get(identity) != then.get(identity)]


def _now() -> list[Row]:
    return _collect_from_papers(sorted(own()))


def make() -> None:
    entries = {
        s.id: {"has_proof": s.has_proof, "findings": [_unusual(one, s.id) for one in found]}
        for s, found in _now()
    }
    FILE.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    recorded.cache_clear()


def _unusual(found: dict[str, Any], identity: str) -> dict[str, Any]:
    """The fields of a finding that do not follow from where it is on file."""
    usual = USUAL | {"statement": identity}
    return {key: value for key, value in found.items() if key not in usual or value != usual[key]}


if __name__ == "__main__":
    make()
