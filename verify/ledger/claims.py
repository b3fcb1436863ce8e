"""What tests a claim: a witness, objects, a cell, its own formula, or nothing.

A claim in words that is about printed formulas is checked on these formulas, and one that small objects
decide on them, exactly. What is left says why: `not_checkable` where nothing could test it, `NOT_TESTED`
where that would take more than this toolkit has.
"""

from collections.abc import Mapping

from bounds.language.statement import Statement
from verify.papers.several.claims_on_formulas import ON_FORMULAS
from verify.papers.several.claims_on_objects import ON_OBJECTS
from verify.records import refuted

NOT_TESTED: Mapping[str, str] = {
    "als_dpfl.claims.trivial": "it says what is left aside, and no relation rests on it",
    "als_dpfl.claims_from_experiments.best_tau_varies": (
        "Figure 2 prints no numbers, and a repetition takes training on image data sets"
    ),
}


def tested_by(statement: Statement) -> str:
    """In words; empty where nothing is said of the claim."""
    from verify.runs.check import standard_cells

    if refuted.worded(statement.id) is not None:
        return "a witness or a cell against it"
    if statement.not_checkable:
        return f"nothing could: {statement.not_checkable}"
    if statement.id in NOT_TESTED:
        return f"nothing does: {NOT_TESTED[statement.id]}"
    if statement.id in ON_FORMULAS:
        return "its formula"
    if statement.id in ON_OBJECTS or statement.concrete is not None:
        return "objects"
    if standard_cells([statement]):
        return "cells"
    return "its formula at points" if statement.evaluable else ""
