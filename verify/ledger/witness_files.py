"""Witness files of `falsify` that the errata file of a package names as evidence: read and replayed."""

from functools import cache

from bounds.errors import Misuse
from verify.falsify.witness_file import Replayed, read, replay
from verify.records.errata import BrokenErrata, Erratum, folder_of


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
        data = read(folder_of(erratum.paper) / erratum.evidence)
        about = data.get("id"), data.get("variant")
        if about == (erratum.statement, "printed"):
            return replay(data)
    except Misuse as error:
        raise BrokenErrata(f"{erratum.source}: {error}") from error
    raise BrokenErrata(f"{erratum.source}: {erratum.evidence} is about {about[0]}, {about[1]}")
