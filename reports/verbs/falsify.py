"""`fedbounds falsify`: search for a counterexample to a statement."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.counterexample import print_counterexample
from reports.cli.interrupts import naming_what_is_left
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.documents.search import document
from reports.verbs.options import (
    Json,
    On,
    check_seed,
    check_workers,
    take_number,
    take_path,
    take_whole_number,
)

if TYPE_CHECKING:
    from reports.documents.types.falsify import Attempt
    from reports.errors import RefusedTarget
    from verify.falsify.outcome import Outcome
    from verify.falsify.witness_file import Replayed
    from verify.workers.place import Place

SHOWN = 6
MOST = 10**9  # evaluations: spread points come by 2^30 at most


Variant = Annotated[str, Parameter(help="Form to search: `printed` or `amended`.")]
Evaluations = Annotated[
    int | None,
    take_whole_number(
        "Largest number of instances to try. Results depend on it and on --seed. Default: 4000."
    ),
]
Seconds = Annotated[
    float | None,
    take_number("Stop after this many seconds. Default: never; 60 for your own algorithm."),
]
Seed = Annotated[int, take_whole_number("Random seed, an integer >= 0. Equal seeds repeat a search.")]
Out = Annotated[
    Path | None,
    take_path("File for a counterexample (a witness), if one is found; for several statements, a folder."),
]
Study = Annotated[
    Path | None, take_path("TOML file of statements and caps; --out keeps its rows, and an old run goes on.")
]
Workers = Annotated[int, take_whole_number("Number of statements to search at a time, from 1 to 256.")]
Ids = Annotated[
    str, Parameter(name="ID", help="Ids of statements, modules or papers; '*' is every statement.")
]


def run(
    *ids: Ids,
    variant: Variant = "printed",
    evaluations: Evaluations = None,
    seconds: Seconds = None,
    seed: Seed = 20240601,
    out: Out = None,
    workers: Workers = 1,
    on: On = "local",
    study: Study = None,
    json: Json = False,
) -> int:
    """Search for a counterexample inside the conditions, confirm it and write it to a file."""
    from reports.errors import BadOption
    from reports.inputs.statements import select
    from reports.verbs.several_searches import falsify_several
    from verify.workers.place import place_named

    _check(evaluations, seconds, seed)
    check_workers(workers)
    if study is not None:
        other = {"an ID": ids, "--evaluations": evaluations, "--seconds": seconds}
        return _falsify_study(study, other, out, place_named(on, workers), json=json)
    if not ids:
        raise BadOption("falsify needs the id of a statement; '*' is every statement")
    chosen = select(ids)
    limits = {"evaluations": evaluations, "seconds": seconds, "seed": seed}
    if len(chosen) > 1:
        return falsify_several(chosen, variant, limits, out, place_named(on, workers), json=json)
    return _falsify_one(chosen[0].id, variant, limits, out, json=json)


def _falsify_study(file: Path, other: dict[str, Any], out: Path | None, place: "Place", *, json: bool) -> int:
    from reports.errors import BadOption
    from reports.inputs.studies import read_search_study
    from reports.verbs.several_searches import falsify_study

    for name, value in other.items():
        if value:
            raise BadOption(f"{name} cannot go with --study: the study's file says it")
    if out is None:
        raise BadOption("--study needs --out FOLDER, which keeps the rows of a search that is stopped")
    return falsify_study(read_search_study(file), out, place, json=json)


def _falsify_one(identity: str, variant: str, limits: dict[str, Any], out: Path | None, *, json: bool) -> int:
    from verify.falsify import falsify

    _check_file(out)
    progress = terminal.Progress()
    with naming_what_is_left("one search is not stored before its end; the same command begins anew"):
        found = falsify(identity, variant=variant, progress=progress, **limits)
    progress.close()
    refused = _written(found, out)
    if json:
        terminal.write(json_border.document("falsify", document(found)))
    else:
        terminal.write(str(page(found, out if refused is None else None)))
    if refused is not None:  # print the verdict, which took a search, before the failure to write
        raise refused
    return exits.REFUTED if found.refuted else exits.OK if found.searched else exits.OPEN


def _written(found: "Outcome", out: Path | None) -> "RefusedTarget | None":
    """The witness in its file; returns why it could not be written."""
    if out is None or found.witness is None:
        return None
    from reports.errors import RefusedTarget
    from reports.inputs.files import write_text
    from verify.falsify.witness_file import as_text

    try:
        write_text(out, as_text(found.witness))
    except RefusedTarget as error:
        return error
    return None


def _check_file(out: Path | None) -> None:
    """Refuse a place that cannot be written before the search, not after it."""
    from reports.inputs.files import check_target

    if out is not None:
        check_target(out)


def _check(evaluations: int | None, seconds: float | None, seed: int) -> None:
    """Refuse unusable options before the search, not after it."""
    from math import isfinite

    from reports.errors import BadOption

    if evaluations is not None and not 1 <= evaluations <= MOST:
        raise BadOption(f"--evaluations must be an integer from 1 to {MOST}, but is {evaluations}")
    if seconds is not None and not (isfinite(seconds) and seconds > 0):
        raise BadOption(f"--seconds must be a number > 0, but is {seconds}")
    check_seed(seed)


def page(found: "Outcome", out: Path | None) -> Page:
    page = Page()
    named = found.id if found.variant == "printed" else f"{found.id}, {found.variant}"
    page.title(
        f"{named}: {'refuted' if found.refuted else 'not refuted' if found.searched else 'not searched'}"
    )
    page.paragraph(found.sentence)
    if not found.searched:
        return page
    if found.refuted:
        page.item(f"confirmed by: {found.method}")
        print_counterexample(page, (found.witness or {}).get("details", {}).get("counterexample"))
    if out is not None:
        written = f"witness, for fedbounds replay: {out}"
        page.item(written if found.refuted else f"{out} is not written: there is no witness")
    if found.best is not None:
        page.item(f"in the family: {found.best['in']}")
    if found.families is None:  # what speaks of all instances at once has tried none
        page.item(f"{found.seconds:.1f} s")
    else:
        page.item(
            f"{found.met} instances of {found.evaluations} tried meet every condition; {found.seconds:.1f} s"
        )
    if found.half_refuted is not None:
        page.item(f"half the bound {'is' if found.half_refuted else 'is not'} refuted by the same instance")
    for sentence in found.unconfirmed[:SHOWN]:
        page.item(f"a candidate that was not confirmed: {sentence}")
    if found.families is not None:
        page.heading("Families, by the best (left - right)/(|left| + |right|) that was seen")
        page.columns_of((f"{score:+.4g}", name) for name, score in list(found.families.items())[:SHOWN])
    return page


def replay(witness: dict[str, Any], *, json: bool) -> int:
    """Rebuild the instance and confirm it again; exit with 0 if it still refutes."""
    from verify.falsify.witness_file import replay as again

    found = again(witness)
    printed = json_border.document("falsify", _replayed(witness, found)) if json else None
    terminal.write_replayed(printed, found.agrees, found.sentence)
    return exits.OK if found.agrees else exits.REFUTED


def _replayed(witness: dict[str, Any], found: "Replayed") -> "Attempt":
    """As the original, plus `agrees`."""
    from verify.falsify.outcome import Outcome

    now = found.confirmation
    outcome = Outcome(
        id=str(witness["id"]),
        variant=str(witness["variant"]),
        searched=False,
        refuted=now.refutes,
        sentence=found.sentence,
        ratio=now.ratio,
        excess=None if now.left is None or now.right is None else now.left - now.right,
        left=now.left,
        right=now.right,
        method=now.method,
        witness=witness,
    )
    return {**document(outcome), "agrees": found.agrees}
