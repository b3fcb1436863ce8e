"""The one place that asks for findings, so that a stronger audit reaches every verb at once."""

from bounds.finding import Finding
from bounds.statement import Statement


def findings(statement: Statement) -> tuple[Finding, ...]:
    from verify import ledger
    from verify.dimension import audit

    return (*ledger.findings(statement), *audit(statement))
