"""Certificates on file: whole proofs, with the multipliers that a search found, so that a replay needs no
solver.

`python -m verify.proofs.make` writes those of our papers. A package of an author's own may have its
certificates beside its machine forms, `proofs/NAME.json`.
"""

import json
from importlib import resources
from pathlib import Path
from typing import Any

from bounds import discovery
from bounds.errors import Misuse
from bounds.installed_papers import registered
from bounds.language.proof.document import SCHEMA, document, machine_form
from bounds.language.statement import AMENDED, Statement
from verify.form_digest import form_of
from verify.proofs.algebra import Rejected
from verify.proofs.checker import check
from verify.proofs.definitions import list_unchecked
from verify.proofs.licensed import unlicensed
from verify.proofs.misread import list_misread
from verify.proofs.on_objects import why_none_meets

PRINTED = "printed"
FORM = "form"
HEAD = 400  # characters: the keys before what is given
FOLDER = Path(__file__).with_name("certificates")
STEPS = FOLDER / "steps"  # of printed steps alone: these certificates reach no conclusion
LARGEST_FILE = 4_000_000  # bytes


class BadProof(Misuse):
    """A file that is not a proof."""


def name(statement: Statement) -> str:
    return f"{statement.id}.{AMENDED}" if statement.variant == AMENDED else statement.id


def on_file(statement: Statement) -> dict[str, Any] | None:
    """The certificate of a statement, or of printed steps of its proof, if there is one."""
    if own := _list_own(statement):
        return read(own[0])
    try:
        path: Any = resources.files(f"{statement.paper.package}.proofs") / f"{name(statement)}.json"
    except (ModuleNotFoundError, TypeError):
        return None
    return read(path) if path.is_file() else None


def list_strays(statement: Statement) -> list[str]:
    """Files beside the machine forms of an author's package that are named after no form of a statement."""
    try:
        folder: Any = resources.files(f"{statement.paper.package}.proofs")
    except (ModuleNotFoundError, TypeError):
        return []
    if statement.paper.key not in registered() or not folder.is_dir():
        return []
    read_by_name = {f"{name(form)}.json" for form in discovery.forms(statement.paper.key).values()}
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return [str(folder / file) for file in files if file not in read_by_name]


def _list_own(statement: Statement) -> list[Path]:
    """The certificates that come with this distribution, whose tests replay them."""
    paths = (folder / f"{name(statement)}.json" for folder in (FOLDER, STEPS))
    return [path for path in paths if path.is_file()]


def found_before(statement: Statement) -> dict[str, Any]:
    """The claims of the certificate on file, by name, which are not checked yet."""
    steps = (on_file(statement) or {}).get("steps")
    entries = [step for step in steps if type(step) is dict] if type(steps) is list else []
    return {str(step.get("name")): step for step in entries if "claim" in step}


def read(path: Any) -> dict[str, Any]:
    """The document in a file, which is not checked yet."""
    try:
        text = path.read_text(encoding="utf-8")
        if len(text) > LARGEST_FILE:
            raise BadProof(f"{path} is too large for a proof")
        data = json.loads(text)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadProof(f"{path} cannot be read as a proof: {error}") from error
    if type(data) is not dict:
        raise BadProof(f"{path} is not a proof: it holds no object")
    return dict(data)


def as_text(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def is_proof(data: object) -> bool:
    return isinstance(data, dict) and data.get("schema") == SCHEMA


def replayed(certificate: dict[str, Any]) -> str:
    """Why a certificate does not hold, or is not about the statement that it names; empty if it holds.

    One of steps alone proves no conclusion.
    """
    import bounds
    from bounds.errors import Misuse

    try:
        statement = bounds.get(str(certificate.get("id")), str(certificate.get("variant")))
    except Misuse as error:
        return str(error)
    return differs(statement, certificate)


def is_proved(statement: Statement) -> bool:
    """Whether a certificate on file is of this form of the statement, as it is now; nothing is replayed."""
    path = FOLDER / f"{name(statement)}.json"
    return path.is_file() and _is_of(statement, path)


def _is_of(statement: Statement, path: Path) -> bool:
    """Compare the digest in the head of the file; to read the whole file takes long."""
    with path.open(encoding="utf-8") as file:
        return f'"{FORM}":"{form_of(statement)}"' in file.read(HEAD)


def with_form(whole: dict[str, Any], statement: Statement) -> dict[str, Any]:
    """The document, with the digest of the form that it is about in its head."""
    head = {key: whole[key] for key in ("schema", "id", "variant")}
    return head | {FORM: form_of(statement)} | whole


def certified_steps(statement: Statement) -> tuple[bool, ...]:
    """Which displays of the proof have a claim in the certificate on file.

    Only a certificate of an author's package is replayed: the tests replay those of the distribution.
    """
    certificate, own = on_file(statement), _list_own(statement)
    if certificate is None or (differs(statement, certificate) if not own else not _is_of(statement, own[0])):
        return (False,) * len(statement.steps)
    claims, seen, found = _claims(certificate), dict[str, int](), []
    for step in statement.steps:
        seen[step.locator] = seen.get(step.locator, 0) + 1
        found.append(name_of(step.locator, seen[step.locator]) in claims)
    return tuple(found)


def name_of(locator: str, number: int) -> str:
    """The name of the claim that is the display of this number under a locator."""
    return locator if number == 1 else f"{locator} ({number})"


def differs(statement: Statement, certificate: dict[str, Any]) -> str:
    """Why a certificate does not hold, or is not about this statement; empty if it holds.

    One of steps alone proves no conclusion.
    """
    form = machine_form(statement)
    if form is None:
        return "the statement has no machine form"
    if certificate.get(FORM, form_of(statement)) != form_of(statement):
        return "the certificate is of another form of the statement"
    if missing := unlicensed(form, statement):
        return "; ".join(missing)
    whole = document(form, statement)
    if unchecked := list_unchecked(form, statement, whole["given"]):
        return f"nothing checks what the machine form is given: {', '.join(unchecked)}"
    expected = json.loads(json.dumps(whole))
    if certificate.get("given") != expected["given"]:
        return "the certificate is given something else than the machine form"
    try:
        checker = check(certificate)
    except Rejected as error:
        return str(error)
    if concludes(certificate) and (misread := list_misread(form, statement, certificate, checker)):
        return "; ".join(misread)
    if concludes(certificate) and (why := why_none_meets(statement)):
        return why
    own, needed = (_claims(d) for d in (certificate, expected))
    if own.get("conclusion") != needed.get("conclusion"):
        return "the certificate has another conclusion than the statement"
    if own != needed:
        return "the certificate has other steps than the machine form"
    return ""


def concludes(certificate: dict[str, Any]) -> bool:
    """Whether a certificate that holds reaches the conclusion, and not printed steps alone."""
    return "conclusion" in _claims(certificate)


def _claims(document: dict[str, Any]) -> dict[str, Any]:
    return {s["name"]: (s["claim"], s["relation"]) for s in document["steps"] if "claim" in s}
