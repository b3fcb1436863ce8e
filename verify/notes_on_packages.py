"""Sentences on the statements of installed packages: why one has no verdict, and where its units disagree."""

from bounds.discovery import HOME
from bounds.language.statement import Statement
from verify.audit.units import disagreements
from verify.matching.roles import why_not_run
from verify.objects.declared import no_recipe, why_not_drawn


def lacks(statement: Statement) -> str | None:
    """The sentence; None of our own papers, whose statements say themselves why nothing runs."""
    if _is_ours(statement):
        return None
    if statement.concrete is not None:
        return why_not_drawn(statement) or no_recipe(statement)
    # these load the engine, which whoever only asks about our own papers does not need
    from verify.matching.cells.grounds import why_no_cell
    from verify.matching.declared import declared_runs, why_not_declared

    reason = why_not_run(statement)
    if reason is None or declared_runs(statement) is not None:
        return why_not_declared(statement) or why_no_cell(statement)
    return reason


def say_units(statement: Statement) -> tuple[str, ...]:
    """One sentence for each place where units disagree; none of our own papers, whose ledger has them."""
    found = () if _is_ours(statement) else disagreements(statement)
    return tuple(f"units disagree in {place.name}: {problem.found}" for place, problem in found)


def _is_ours(statement: Statement) -> bool:
    return statement.paper.package.startswith(f"{HOME}.")
