"""How a form of a statement stands: one answer for every verb and every page."""

from dataclasses import replace

import bounds
from bounds.errors import Misuse
from bounds.installed_papers import registered
from bounds.language.finding import REFUTED, UNCHECKED, Standing, Status
from bounds.language.statement import Statement
from verify.ledger.errata_check import is_readable
from verify.proofs import store
from verify.records.refuted import refuted_in


def standing_of(identity: str, variant: str = store.PRINTED, shown: Standing = UNCHECKED) -> Standing:
    """What the entries of a record have shown, with all that is known without a run, the gravest first.

    A counterexample of the ledger refutes. Where a lemma leaves only trivial problems, neither a proof nor a
    run says anything. Then a certificate on file proves, with what was run beside it.
    """
    if shown.status is Status.REFUTED or (variant == store.PRINTED and _is_in_ledger(identity)):
        return REFUTED
    try:
        statement = bounds.get(identity, variant)
    except Misuse:  # the record is of a package that is not installed here
        return shown
    return _beside_ledger(statement, shown)


def _is_in_ledger(identity: str) -> bool:
    paper = identity.partition(".")[0]
    return (paper not in registered() or is_readable(paper)) and identity in refuted_in(paper)


def _beside_ledger(statement: Statement, shown: Standing) -> Standing:
    from verify.parameters.lemmas import leaving_nothing

    if leaving_nothing(statement) is not None:
        return Standing(status=Status.VACUOUS)
    return replace(shown, status=Status.PROVED) if store.is_proved(statement) else shown
