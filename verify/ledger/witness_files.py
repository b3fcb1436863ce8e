"""Files of `falsify` and `worst` that the errata file of a package names as evidence: read and replayed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from bounds.errors import Misuse
from verify.falsify.witness_file import is_witness, replay
from verify.json_numbers import read_decoded
from verify.records.errata import BrokenErrata, Erratum, folder_of
from verify.worst_case.answer import reread_answer
from verify.worst_case.document import is_worst_case
from verify.worst_case.verdict import VIOLATED

RUN = "run"  # the kind of an instance of which the right side may be random too


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """Whether the file refutes again and says so, in words of a replay and of a ledger, and both sides.

    Where the right side is random too, `left` is less its random part, which `moved` says.
    """

    agrees: bool
    sentence: str
    seen: str
    left: float | None
    right: float | None
    moved: bool = False


@cache
def confirmed(erratum: Erratum) -> Replayed:
    """The file, replayed once; refused where it refutes nothing or says what it does not give."""
    found = replayed(erratum)
    if not found.agrees:
        raise BrokenErrata(f"{erratum.source}: {erratum.evidence} does not replay: {found.sentence}")
    return found


def replayed(erratum: Erratum) -> Replayed:
    """The file, replayed now; refused where it is about another statement."""
    try:
        data = read_evidence(erratum)
        about = data.get("target" if is_worst_case(data) else "id"), data.get("variant")
        if about == (erratum.statement, "printed"):
            return _replay_worst(data) if is_worst_case(data) else _replay_search(data)
    except Misuse as error:
        raise BrokenErrata(f"{erratum.source}: {error}") from error
    raise BrokenErrata(f"{erratum.source}: {erratum.evidence} is about {about[0]}, {about[1]}")


def read_evidence(erratum: Erratum) -> Mapping[str, Any]:
    file = folder_of(erratum.paper) / erratum.evidence
    data = read_decoded(file, Misuse)
    if not is_witness(data) and not is_worst_case(data):
        raise Misuse(f"{file} is no file that `falsify` or `worst` writes with --out")
    return dict(data)


def _replay_search(data: Mapping[str, Any]) -> Replayed:
    again = replay(data)
    found = again.confirmation
    return Replayed(
        agrees=again.agrees,
        sentence=again.sentence,
        seen=f"{found.method}: {found.sentence}",
        left=found.left,
        right=found.right,
        moved=found.ratio is None and data["instance"].get("kind") == RUN,
    )


def _replay_worst(data: Mapping[str, Any]) -> Replayed:
    """An instance of the class, followed exactly, that lies above the bound."""
    try:
        again, left, right = reread_answer(data), data["lower"], data["bound"]
        return Replayed(
            agrees=again.agrees and data["verdict"] == VIOLATED,
            sentence=f"{data['target']}: {again.sentence}",
            seen=f"exact: an instance attains {left:.9g}, where at most {right:.9g} is claimed",
            left=left,
            right=right,
        )
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise Misuse(f"the file of `worst` is changed or cut: {error}") from error
