"""The one place that asks for findings, so that a stronger audit reaches every verb at once."""

from bounds.finding import Finding
from bounds.statement import Statement


def findings(statement: Statement) -> tuple[Finding, ...]:
    from verify import dimension, ledger, rate, substitution

    return (
        *ledger.findings(statement),
        *dimension.audit(statement),
        *rate.audit(statement),
        *substitution.audit(statement),
    )
