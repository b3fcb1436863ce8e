"""An expression at another member of a sequence, so that a proof by induction states itself once.

The checker makes the same replacement on its own; what this file gets wrong is rejected there.
"""

from typing import Any

Members = dict[tuple[str, str], dict[str, Any]]  # (index, name): its next, first and last member


def move(form: Any, index: str, where: str, members: Members, abbreviations: dict[str, Any]) -> Any:
    """The expression with the sequences of the index at their next, first or last member."""
    if isinstance(form, str):
        if form in abbreviations:
            return move(abbreviations[form], index, where, members, abbreviations)
        return members[index, form][where] if (index, form) in members else form
    if isinstance(form, list):
        return [form[0], *(move(part, index, where, members, abbreviations) for part in form[1:])]
    if isinstance(form, dict):
        return _move_vector(form, index, where, members, abbreviations)
    return form


def _move_vector(form: dict[str, Any], *to: Any) -> dict[str, Any]:
    """The coefficients of the atoms after each atom is replaced by a vector."""
    total: dict[str, Any] = {}
    for name, coefficient in form.items():
        times, vector = move(coefficient, *to), move(name, *to)
        for atom, own in vector.items() if isinstance(vector, dict) else ((vector, "1"),):
            part = times if own == "1" else ["*", times, own]
            total[atom] = ["+", total[atom], part] if atom in total else part
    return total
