"""Why a printed step has no claim: `WITHOUT_CLAIM` of the package `proofs` of a paper names a reason."""

from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from importlib.util import find_spec


class Reason(Enum):
    """A reason, as a sentence about the step."""

    DEFINITION = "it defines or chooses something, and claims nothing"
    WORDS = "it says in words what follows"
    AFTER_FALSE = "it follows from a step that a counterexample refutes"
    FALSE = "it is false, as a finding under its locator says in words"
    ORDER = "it is an order O(.), and no rule takes limits"
    POWER = "no rule covers its roots or powers"
    STRICT = "it is a strict inequality of means, and the rule for means proves only weak ones"
    LAW = "it is about the distribution of the draws, and the rules know only their moments"
    NOT_WRITTEN = "the rules would suffice; nobody has written it in their form yet"

    @property
    def prose(self) -> bool:
        """Whether there is nothing to prove."""
        return self in (Reason.DEFINITION, Reason.WORDS)


def find_reason(package: str, locator: str, number: int = 1) -> Reason:
    """The reason of a display under a locator; one of `LOCATOR (NUMBER)` goes before one of the locator, and
    that before one of the proof.
    """
    module = f"{package}.proofs"
    try:
        known = find_spec(module) is not None
    except ModuleNotFoundError:
        known = False
    named: Mapping[str, Reason] = getattr(import_module(module), "WITHOUT_CLAIM", {}) if known else {}
    names = f"{locator} ({number})", locator, locator.rpartition(".")[0]
    return next((named[name] for name in names if name in named), Reason.NOT_WRITTEN)
