"""The counterexample of a witness as text for a review, from the draws near the instance."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bounds.language.statement import Statement
from verify.falsify.confirm import make_objects
from verify.falsify.outcome import Confirmation
from verify.objects.counterexample import counterexample
from verify.objects.declared import parts_declared
from verify.objects.recipes import seeds_of

SEED: Final = 20240601  # of searches, and of the draws that a replay makes again


def add_counterexample(
    statement: Statement, instance: Mapping[str, Any], found: Confirmation
) -> Confirmation:
    """Add the counterexample as text, where the lemma declares its objects."""
    if instance["kind"] != "objects" or parts_declared(statement) is None:
        return found
    case = make_objects(statement, instance)
    near = [d for d in seeds_of(statement, seed=SEED, trials=2) if d[0].name == instance["family"]]
    shown = None if case is None else counterexample(statement, case, near)
    return found if shown is None else replace(found, details={**found.details, "counterexample": shown})
