"""`fedbounds falsify` of several statements, or of a study of searches: one table tells all verdicts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.cli import exits, terminal
from reports.cli.interrupts import NOTHING, naming_what_is_left, say_what_resumes
from reports.cli.terminal import Page
from reports.documents import json_border

if TYPE_CHECKING:
    from bounds.language.statement import Statement
    from verify.falsify.attempts_table import SearchStudy
    from verify.workers.place import Place


def falsify_several(
    statements: "Sequence[Statement]",
    variant: str,
    budget: Mapping[str, Any],
    out: Path | None,
    place: "Place",
    *,
    json: bool,
) -> int:
    """A witness is written as soon as it is found, into the folder `out`."""
    from verify.falsify.confirm import LEVEL

    if out is not None:
        _check_folder(out)
    forms = [s.id for s in statements if variant in _variants(s.id)]
    level = LEVEL / max(1, len(forms))  # shared by all searches
    tasks = [(number, (identity, variant, dict(budget), level)) for number, identity in enumerate(forms)]
    found: dict[int, dict[str, Any]] = {}
    progress = terminal.Progress()
    with naming_what_is_left(NOTHING if out is None else f"witnesses found so far are in {out}"):
        for number, result in place.carry_out(searched, tasks):
            found[number] = result
            if out is not None and result["witness"] is not None:
                _keep(result, out)
            progress(len(found), len(tasks), result["id"])
    progress.close()
    results = [found[number] for number in range(len(tasks))]
    if json:
        terminal.write(json_border.document("falsify-several", {"results": results}))
    else:
        terminal.write(str(_page(results, out)))
    return _code(results)


def falsify_study(study: "SearchStudy", out: Path, place: "Place", *, json: bool) -> int:
    """Rows are kept in the folder `out`, so that the same command goes on where it was stopped."""
    from verify.falsify.attempts_table import run

    _check_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    progress = terminal.Progress()
    with naming_what_is_left(say_what_resumes("rows", out)):
        for row in run(study, out, place):
            rows.append(row)
            if isinstance(row.get("witness"), dict):
                _keep(row, out)
            progress(len(rows), len(study.forms), row["id"])
    progress.close()
    if json:
        terminal.write(json_border.document("falsify-study", {"rows": rows}))
    else:
        page = _page([row for row in rows if "failed" not in row], out)
        for row in rows:
            if "failed" in row:
                page.item(f"{row['id']} ({row['variant']}) was not searched to its end: {row['failed']}")
        terminal.write(str(page))
    return _code(rows)


def _check_folder(out: Path) -> None:
    """Refuse the name of a file, which an author of one search goes on to use for several."""
    from reports.errors import RefusedTarget
    from reports.inputs.files import check_folder

    if out.suffix == ".json" and not out.is_dir():
        raise RefusedTarget(f"cannot write {out}: several searches have a folder for their witnesses")
    check_folder(out)


def _code(results: Sequence[Mapping[str, Any]]) -> int:
    """What raised is open, whatever the others say, unless one of them is refuted."""
    if any(result.get("refuted") for result in results):
        return exits.REFUTED
    failed = any("failed" in result for result in results)
    return exits.OK if any(result.get("searched") for result in results) and not failed else exits.OPEN


def _variants(identity: str) -> set[str]:
    from bounds import discovery

    return {form.variant for form in discovery.variants(identity)}


def searched(identity: str, variant: str, budget: dict[str, Any], level: float) -> dict[str, Any]:
    """One search, wherever it is carried out."""
    from bounds import discovery
    from reports.documents.search import document
    from verify.falsify.attempt import falsify_statement
    from verify.records.record import finite

    return dict(finite(document(falsify_statement(discovery.get(identity, variant), level=level, **budget))))


def _keep(result: dict[str, Any], out: Path) -> None:
    from reports.inputs.files import write_text
    from verify.falsify.witness_file import as_text

    write_text(out / f"{result['id']}.{result['variant']}.json", as_text(result["witness"]))


def _page(results: Sequence[dict[str, Any]], out: Path | None) -> Page:
    page = Page()
    refuted = [result for result in results if result["refuted"]]
    tried = [result for result in results if result["searched"]]
    page.title(f"{len(refuted)} of {len(tried)} searched statements are refuted")
    page.columns_of(
        (_verdict(result), result["id"], result["variant"], result["sentence"]) for result in results
    )
    if out is not None and refuted:
        page.item(f"witnesses: {len(refuted)} files in {out}")
    return page


def _verdict(result: dict[str, Any]) -> str:
    if result["refuted"]:
        return "refuted"
    return "not refuted" if result["searched"] else "not searched"
