"""What a statement of an installed package lacks before it can be run."""

from bounds.discovery import installed
from bounds.language.statement import Statement
from verify.objects.declared import no_recipe, why_not_drawn

WHERE = "docs/add_a_statement.md, section 6"


def lacks(statement: Statement) -> str | None:
    """The sentence; None of our own papers, whose statements say themselves why nothing runs."""
    if statement.paper.key not in installed():
        return None
    if statement.concrete is not None:
        return why_not_drawn(statement) or no_recipe(statement)
    return (
        f"a run needs a cell under verify/matching/, and a package cannot bring one yet ({WHERE}); "
        "`show`, `eval`, `solve` and `audit` work on it"
    )
