"""Stores of several machines in one: what two of them have must be the same."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from bounds.errors import Misuse
from verify.campaign.store import FILE, Store
from verify.records.agreement import same


class Contradiction(Misuse):
    """Two stores have other results under one key, which names everything that decides a result."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """How many results came from each store, and how many there are now."""

    added: tuple[int, ...]
    results: int


def merge(sources: Sequence[Path], target: Path) -> Merged:
    """Nothing is written before all of them have been compared."""
    found: dict[str, str] = {}
    added = []
    for folder in (target, *sources):
        if folder == target and not (target / FILE).exists():
            added.append(0)
            continue
        with Store(folder, reading=True) as store:
            added.append(_compared(found, store.rows(), folder))
    with Store(target) as store:
        store.put_all(found)
    return Merged(added=tuple(added[1:]), results=len(found))


def _compared(found: dict[str, str], rows: dict[str, str], folder: Path) -> int:
    new = 0
    for key, result in rows.items():
        if key not in found:
            found[key] = result
            new += 1
        elif not same(json.loads(found[key]), json.loads(result)):
            cell = json.loads(result)
            name = f"{cell['id']} ({cell.get('role', 'tried on objects')})"
            raise Contradiction(
                f"{folder / FILE} has another result for {name} than a store before it, under one key: "
                "one of the machines computes wrongly, or one of the files was changed"
            )
    return new
