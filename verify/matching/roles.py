"""Which cells a statement about a run must have, and why a statement or a role has none."""

from collections.abc import Mapping

from bounds.errors import with_article
from bounds.language.statement import Kind, Statement

STANDARD_ROLES = (
    "homogeneous",
    "heterogeneous",
    "edge of its conditions",
    "strong noise",
    "partial participation",
)

ON_OBJECTS = "it is tested on objects: the vectors, functions or steps that it speaks of, from whatever run"
OF_NO_RUN = "it speaks of no run: a number that follows from what is given"
UNNAMED = "explicit= of a rate names the bound that has them, which is run, and compared by audit"
NO_CONDITION = "it has no condition"


def about_a_run(statement: Statement) -> bool:
    """Whether it relates numbers and names an algorithm: a number that a run could contradict."""
    relates = statement.kind in (Kind.UPPER_BOUND, Kind.EQUALITY)
    return statement.evaluable and relates and statement.algorithm is not None


def why_not_run(statement: Statement) -> str | None:
    """Why a statement needs no cell; None where it needs them."""
    if not statement.evaluable:
        return f"{with_article(statement.kind.value)} without a number: nothing to measure"
    if statement.kind is Kind.RATE:
        run = f"the bound that is run is {statement.explicit}"
        return f"its constants are open; {run if statement.explicit else UNNAMED}"
    if statement.concrete is not None:
        return ON_OBJECTS
    if not about_a_run(statement):
        return OF_NO_RUN
    names = {symbol.name for symbol in statement.left.free_symbols} if statement.left is not None else set()
    if not names & statement.notation.observables.keys():
        return f"{', '.join(sorted(names))} is computed from what is given, and not measured on a run"
    return None


def unfilled(statement: Statement) -> Mapping[str, str | None]:
    """The standard roles that have no cell, each with the reason; None where there is no reason."""
    # the judge loads the engine; whoever asks `why_not_run` does not need it
    from verify.matching.joined import find_runs

    runs = find_runs(statement)
    if runs is None:
        return dict.fromkeys(STANDARD_ROLES)
    reasons = {} if statement.conditions else {"edge of its conditions": NO_CONDITION}
    reasons |= runs.excluded(statement)
    filled = {runs.fills.get(cell.role, cell.role) for cell in runs.cells(statement)}
    return {role: reasons.get(role) for role in STANDARD_ROLES if role not in filled}
