"""A certificate on file is rejected with another number in a claim."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from example_count import count_examples

from verify.proofs import store
from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker

Document = dict[str, Any]


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every number in a document."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _numbers(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _numbers(part, (*path, place))
    elif isinstance(value, str) and value.lstrip("-").replace("/", "").isdigit():
        yield path


def _changed(document: Document, path: tuple[Any, ...], change: Callable[[str], str]) -> Document:
    copied = copy.deepcopy(document)
    at = copied
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = change(at[path[-1]])
    return copied


@pytest.mark.thinned(6)
@pytest.mark.parametrize("path", sorted(store.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_no_claim_survives_another_number(path: Any) -> None:
    """A claim with one number changed is rejected in its place, unless the number stands before 0."""
    document = store.read(path)
    places = [p for p in _numbers(document["steps"]) if p[1] == "claim"]
    chosen, rejected = places[:: max(1, len(places) // count_examples(20))], 0
    checker = Checker()
    for entry in document["given"]:
        checker.accept(entry, trusted=True)
    for number, entry in enumerate(document["steps"]):
        for place in (p[1:] for p in chosen if p[0] == number):
            forged, known = (
                _changed(entry, place, lambda text: f"{text.split('/')[0]}7/5"),
                checker.proved.copy(),
            )
            try:
                checker.accept(forged, trusted=False)
                assert checker.proved[entry["name"]][0] == checker.scalar(entry["claim"])
            except Rejected:
                rejected += 1
            checker.proved, checker.work = known, 0
        checker.accept(entry, trusted=False)
    assert rejected >= 2
