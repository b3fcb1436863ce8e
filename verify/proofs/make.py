"""Write the certificates on file and the table of proofs; `python -m verify.proofs.make`."""

import bounds
from bounds.discovery import variants
from verify.proofs import store, table
from verify.proofs.prove import prove


def make() -> None:
    """Prove every statement; a certificate of a statement that is not proved any more goes.

    Multipliers on file are taken where they still prove the claim, and searched elsewhere.
    """
    proofs = [prove(form) for one in bounds.statements() for form in variants(one.id)]
    store.STEPS.mkdir(parents=True, exist_ok=True)
    for path in store.FOLDER.rglob("*.json"):
        path.unlink()
    for found in proofs:
        if found.document is not None:
            text = store.as_text(found.document)
            folder = store.FOLDER if found.concluded else store.STEPS
            (folder / f"{store.name(found.statement)}.json").write_text(text, encoding="utf-8")
    table.PAGE.write_text(table.page(table.table()), encoding="utf-8")


if __name__ == "__main__":
    make()
