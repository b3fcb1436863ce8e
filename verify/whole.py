"""What a record says of itself as a whole, beside its cells: error level, seed, counts, standings.

A record may hold some of the cells that its level was shared by, as the ledger does. Its summary is then that
of the cells that are here, or that of the larger record, of which only a part can be counted again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard, final

from bounds.finding import Standing
from verify.level import per_cell
from verify.on_file import agree, close, is_finite
from verify.standings import Entry, apart, summary

KEYS: Final = frozenset(("schema", "error_level", "seed", "environment", "summary", "cells", "properties"))
COUNTED: Final = ("cells", "properties")
STANDINGS: Final = ("standings", "amended")
ASYMPTOTIC: Final = "holds, asymptotic"  # counted among those that hold
# More entries of a statement never lower its standing.
ORDER: Final = (Standing.UNCHECKED.value, Standing.UNREFUTED.value, Standing.REFUTED.value)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """`part` where the summary counts more than is here."""

    agrees: bool
    part: bool
    sentence: str


def whole(data: Mapping[str, Any], entries: Sequence[Entry]) -> Whole:
    """`entries` are those that came out again: what a record says of itself has to follow from them."""
    here = summary(entries, elsewhere=())
    told = _of_cells_alone(data.get("summary"), here, summary(entries))
    shared = _shared_by(data, entries)
    unlike = [*_keys(data), *([] if shared else ["error_level"]), *_seed(data, entries)]
    part = not agree(here, told)
    unlike += _unlike_a_larger(here, told, shared or 0) if part else []
    if unlike:
        said = f"the record as a whole: differs in {', '.join(dict.fromkeys(unlike))}"
        return Whole(agrees=False, part=part, sentence=said)
    if part:
        said = "the summary is that of a larger record; it agrees as far as its cells are here"
        return Whole(agrees=True, part=True, sentence=said)
    return Whole(agrees=True, part=False, sentence="the record as a whole: agrees")


def _of_cells_alone(told: Any, here: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """Standings that are those of the ledger count as those of the cells: it may have grown since."""
    standings = told.get("standings") if isinstance(told, Mapping) else None
    if not isinstance(standings, Mapping):
        return told
    own = here["standings"]
    alone = {i: own[i] if i in own and s == known["standings"][i] else s for i, s in standings.items()}
    return {**told, "standings": alone}


def _keys(data: Mapping[str, Any]) -> list[str]:
    """Records from before properties have none."""
    return sorted((data.keys() - KEYS) | (KEYS - {"properties"} - data.keys()))


def _seed(data: Mapping[str, Any], entries: Sequence[Entry]) -> list[str]:
    return [] if all(agree(entry["seed"], data.get("seed")) for entry in entries) else ["seed"]


def _shared_by(data: Mapping[str, Any], entries: Sequence[Entry]) -> int | None:
    """By how many cells the level was shared, by at least as many as are here; None where it was not."""
    level, cells = data.get("error_level"), apart(entries)[0]
    if not _is_level(level):
        return None
    if not cells:
        return 1
    own = cells[0]["level"]
    if not _is_level(own) or not all(close(cell["level"], own) for cell in cells):
        return None
    share = level / own
    count = round(share) if is_finite(share) else 0
    return count if count >= len(cells) and close(per_cell(level, count), own) else None


def _is_level(value: Any) -> TypeGuard[float]:
    return is_finite(value) and 0 < value < 1


def _unlike_a_larger(here: Mapping[str, Any], told: Any, shared: int) -> list[str]:
    """Keys of a summary that no record with these entries, and with more, has."""
    if not isinstance(told, Mapping) or here.keys() != told.keys():
        return ["summary"]
    follows = {name: _at_least(here[name], told[name]) for name in COUNTED}
    if all(follows.values()):
        sizes = [(_total(here[name]), _total(told[name])) for name in COUNTED]
        if all(counted == said for counted, said in sizes):
            return [f"summary.{name}" for name in here if not agree(here[name], told[name])]
        counted, said = sizes[0]
        follows["cells"] = not counted or said in (counted, shared)
    follows |= {name: _no_lower(here[name], told[name]) for name in STANDINGS}
    return [f"summary.{name}" for name in here if not follows[name]]


def _at_least(here: Mapping[str, int], told: Any) -> bool:
    if not isinstance(told, Mapping) or here.keys() != told.keys():
        return False
    whole_numbers = all(isinstance(n, int) and not isinstance(n, bool) for n in told.values())
    return whole_numbers and all(told[verdict] >= count for verdict, count in here.items())


def _total(counts: Mapping[str, int]) -> int:
    return sum(count for verdict, count in counts.items() if verdict != ASYMPTOTIC)


def _no_lower(here: Mapping[str, str], told: Any) -> bool:
    """Of every statement that is here; what the others are cannot be said."""
    if not isinstance(told, Mapping):
        return False
    return all(_rank(told.get(identity)) >= _rank(standing) for identity, standing in here.items())


def _rank(standing: Any) -> int:
    """Of its first word: behind it stand numbers of cells and cases."""
    word = standing.partition(" ")[0] if isinstance(standing, str) else ""
    return ORDER.index(word) if word in ORDER else -1
