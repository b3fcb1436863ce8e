"""What a finding quotes of the statement that it is about."""

from bounds.language.statement import Statement
from verify.records.errata import CONCLUSION, Erratum


def quotations(statement: Statement, erratum: Erratum) -> tuple[str, ...]:
    """What the finding quotes. A hypothesis that is a condition of the statement is quoted itself."""
    if erratum.step:
        displays = [step.printed for step in statement.steps if step.locator == erratum.step]
        return (displays[erratum.display or 0],)
    if erratum.display is not None:
        return (statement.printed[erratum.display],)
    if erratum.where == CONCLUSION:
        return statement.printed
    return (condition(statement, erratum) or statement.printed[0],)


def condition(statement: Statement, erratum: Erratum) -> str | None:
    """The printed text of the condition that the place of a finding names."""
    named = (c.printed for c in statement.conditions if erratum.where == f"hypothesis {c.locator}")
    return next(named, None)
