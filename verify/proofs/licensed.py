"""Compare what a machine form is given with what its statement assumes.

The checker trusts what is given. A form may therefore not give itself more than its statement has: a property
of a function needs an assumption, a sign of a quantity its domain, and any other hypothesis a source in the
statement.
"""

from collections.abc import Iterator
from typing import Any

from bounds.language.assumptions import (
    BOUNDED_BELOW,
    CONVEX_CLIENTS,
    LIPSCHITZ_CLIENTS,
    MINIMUM_ATTAINED,
    SMOOTH_CLIENTS,
    STRONGLY_CONVEX,
)
from bounds.language.proof.form import DEFINITION, MachineForm
from bounds.language.statement import Statement
from verify.proofs.algebra import ANY, NON_NEGATIVE

LICENSES = {
    "convex": (CONVEX_CLIENTS, STRONGLY_CONVEX),
    "smooth": (SMOOTH_CLIENTS,),
    "strongly_convex": (STRONGLY_CONVEX,),
    "lowest": (BOUNDED_BELOW, MINIMUM_ATTAINED, STRONGLY_CONVEX),
    "lipschitz": (LIPSCHITZ_CLIENTS,),
}


def unlicensed(form: MachineForm, statement: Statement) -> tuple[str, ...]:
    """What the form is given and the statement does not have, in sentences."""
    assumed = {assumption.name for assumption in statement.assumptions}
    return tuple(s for entry in form.given for s in _of(entry, form, statement, assumed))


def _of(entry: dict[str, Any], form: MachineForm, statement: Statement, assumed: set[str]) -> Iterator[str]:
    if entry["kind"] == "function":
        for name in entry["properties"]:
            if not assumed & {license.name for license in LICENSES[name]}:
                yield f"{entry['name']} is given as {name}, which the statement does not assume"
    elif entry["kind"] == "known point" and not entry["known_gradient"]:
        if not assumed & {MINIMUM_ATTAINED.name, STRONGLY_CONVEX.name}:
            yield f"{entry['name']} is given as a minimizer, and the statement does not say that one exists"
    elif entry["kind"] == "scalar" and not _allows(statement, entry["name"], entry["sign"]):
        yield f"{entry['name']} is given as {entry['sign']} 0, and its domain is larger"
    elif entry["kind"] in ("hypothesis", "mean"):
        name = entry["name"] if entry["kind"] == "hypothesis" else f"mean of {next(iter(entry['of']))}"
        source = form.sources[name]
        if source not in {DEFINITION, *assumed, *(s.locator for s in statement.setting)}:
            yield f"{name} has the source {source!r}, which the statement does not name"


def _allows(statement: Statement, name: str, sign: str) -> bool:
    """Whether the domain of the quantity of this name has the sign; other scalars are definitions."""
    quantity = statement.notation.quantities.get(name)
    if quantity is None or sign == ANY:
        return True
    lower, included = quantity.domain.lower, quantity.domain.lower_included
    return lower > 0 or (lower == 0 and (sign == NON_NEGATIVE or not included))
