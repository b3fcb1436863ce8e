"""Why a printed step has no claim: `WITHOUT_CLAIM` of the package `proofs` of a paper names a reason."""

from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from importlib.util import find_spec


class Reason(Enum):
    """A reason, as a sentence about the step."""

    DEFINITION = "it defines or chooses something, and claims nothing"
    WORDS = "it says in words what follows"
    AFTER_FALSE = "it rests on a step that a witness refutes"
    FALSE = "it is false, as a finding under its locator says in words"
    ORDER = "it is an order O(.), and the rules have no limits"
    POWER = "it has roots or powers for which there is no rule"
    STRICT = "it is a strict relation of means, and an operator keeps only what is at least 0"
    LAW = "it is about a law of draws, of which a form is given the moments"
    NOT_WRITTEN = "the rules suffice, and nobody has written it"

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
