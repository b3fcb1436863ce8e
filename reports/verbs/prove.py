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

STEPS_AGAIN = "these printed steps are certified again; they do not reach the conclusion"

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
    from verify.proofs.prove import prove
    from verify.proofs.store import as_text

    if out is not None:
        check_target(out)
    found = prove(bounds.get(identity, variant))
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
    }


def _page(found: "Proof") -> Page:
    page = Page()
    variant = "" if found.statement.variant == "printed" else f" [{found.statement.variant}]"
    page.title(f"{found.statement.id}{variant}: {found.standing.value}")
    page.paragraph(f"{found.detail[:1].upper()}{found.detail[1:]}.")
    for step in found.steps:
        reason = step.rule if step.status == "certified" else step.detail
        page.item(f"{step.status}: {step.locator}", *([reason] if reason else []))
    if found.concluded and any(step.status == "refuted" for step in found.steps):
        page.paragraph("The conclusion has a certificate, although a printed step of its proof is refuted.")
    return page


def replay(certificate: dict[str, Any], *, json: bool) -> int:
    """Check a certificate again, and whether it is about the statement that it names."""
    from verify.proofs import store

    differs = store.replayed(certificate)
    concludes = not differs and store.concludes(certificate)
    sentence = differs if differs or concludes else STEPS_AGAIN
    if json:
        named = {key: str(certificate.get(key, "")) for key in ("id", "variant")}
        found = {"agrees": not differs, "concludes": concludes, "sentence": sentence}
        terminal.write(json_border.document("prove", named | found))
    else:
        page = Page()
        page.title("Replayed")
        page.columns_of([("DIFFERS" if differs else "agrees", sentence or "every step is certified again")])
        terminal.write(str(page))
    return exits.REFUTED if differs else exits.OK
