"""`fedbounds prove`: the proof of a statement, replayed step by step."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Identity, Json, take_path

if TYPE_CHECKING:
    from verify.proofs.prove import Proof

GIVEN = "Taken as given, and to be read against the listing"
STEPS_AGAIN = "these printed steps are certified again; they do not reach the conclusion"

# In the order in which a reader wants them.
GROUPS = {
    "refuted": "Steps that a counterexample refutes",
    "open": "Steps that are open",
    "certified": "Steps with a certificate, by the rule that it uses",
    "prose": "Steps that claim nothing",
}

Variant = Annotated[str, Parameter(help="Form to prove: `printed` or `amended`.")]
Out = Annotated[Path | None, take_path("File to write with the certificate, if it is proved.")]


def run(
    identity: Identity,
    /,
    *,
    variant: Variant = "printed",
    out: Out = None,
    json: Json = False,
) -> int:
    """Replay the proof of a statement. Exit with 0 if proved, 1 if a step is refuted, 3 if a step is open."""
    import bounds
    from reports.inputs.files import check_target, write_text
    from verify.ledger.errata_check import check_package, contradiction, finding_against
    from verify.proofs.prove import prove
    from verify.proofs.store import as_text, list_strays

    if out is not None:
        check_target(out)
    statement = bounds.get(identity, variant)
    check_package(statement.paper.key)
    for stray in list_strays(statement):
        terminal.say(f"{stray} is not read: a certificate is called ID.json, or ID.amended.json")
    found = prove(statement)
    if found.concluded and (finding := finding_against(statement)) is not None:
        raise contradiction(finding)
    if out is not None and found.document is not None:
        write_text(out, as_text(found.document))
    if json:
        terminal.write(json_border.document("prove", body(found)))
    else:
        terminal.write(str(_page(found)))
    return code(found)


def code(found: "Proof") -> int:
    statuses = {step.status for step in found.steps}
    if "refuted" in statuses:
        return exits.REFUTED
    return exits.OK if found.concluded and "open" not in statuses else exits.OPEN


def body(found: "Proof") -> dict[str, Any]:
    """The keys that `fedbounds prove --json` promises."""
    return {
        "id": found.statement.id,
        "variant": found.statement.variant,
        "standing": found.standing.value,
        "sentence": found.detail,
        "steps": [
            {
                "locator": step.locator,
                "status": step.status,
                "rule": step.rule,
                "certificate": step.certificate,
                "detail": step.detail,
            }
            for step in found.steps
        ],
        "certificate": found.document,
        "given": [{"source": source, "sentence": sentence} for source, sentence in find_given(found)],
    }


def _page(found: "Proof") -> Page:
    page = Page()
    variant = "" if found.statement.variant == "printed" else f" [{found.statement.variant}]"
    page.title(f"{found.statement.id}{variant}: {found.standing.value}")
    page.paragraph(f"{found.detail[:1].upper()}{found.detail[1:]}.")
    if found.concluded and any(step.status in ("refuted", "open") for step in found.steps):
        page.paragraph("The conclusion has a certificate, without the steps below that are refuted or open.")
    for status, title in GROUPS.items():
        steps = [step for step in found.steps if step.status == status]
        if steps:
            page.heading(f"{title}: {len(steps)}")
            page.columns_of((s.locator, (s.rule if status == "certified" else s.detail) or "") for s in steps)
    if given := find_given(found):
        page.heading(GIVEN)
        for source, sentence in given:
            page.item(source, sentence)
    return page


def find_given(found: "Proof") -> list[tuple[str, str]]:
    """What the machine form takes as given from its listing, with the names that this uses."""
    from bounds.language.proof.document import machine_form
    from reports.given import list_given, list_names

    form = machine_form(found.statement)
    return [] if form is None else [*list_given(form), *list_names(form)]


def replay(certificate: dict[str, Any], *, json: bool) -> int:
    """Check a certificate again, and whether it is about the statement that it names."""
    from verify.proofs import store

    differs = store.replayed(certificate)
    concludes = not differs and store.concludes(certificate)
    sentence = differs if differs or concludes else STEPS_AGAIN
    named = {key: str(certificate.get(key, "")) for key in ("id", "variant")}
    found = {"agrees": not differs, "concludes": concludes, "sentence": sentence}
    printed = json_border.document("prove", named | found) if json else None
    terminal.write_replayed(printed, not differs, sentence or "every step is certified again")
    return exits.REFUTED if differs else exits.OK
