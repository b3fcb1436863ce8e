"""What a search for a counterexample found, as `fedbounds falsify --json` prints it."""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from reports.documents.types.falsify import Attempt, Witness
    from verify.falsify.outcome import Outcome


def document(found: "Outcome") -> "Attempt":
    """The keys that `fedbounds falsify --json` promises."""
    return {
        "id": found.id,
        "variant": found.variant,
        "searched": found.searched,
        "refuted": found.refuted,
        "ratio": found.ratio,
        "excess": found.excess,
        "left": found.left,
        "right": found.right,
        "method": found.method,
        "sentence": found.sentence,
        "families": [{"name": n, "best_score": s} for n, s in (found.families or {}).items()],
        "evaluations": found.evaluations,
        "instances": found.met,
        "best": None if found.best is None else dict(found.best),
        "half_refuted": found.half_refuted,
        "witness": cast("Witness | None", found.witness),
        "unconfirmed": list(found.unconfirmed),
        "cut": found.cut,
        "seconds": found.seconds,
    }
