"""The rule of induction by itself, on sequences that no declaration would let through."""

import pytest

from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker

GIVEN = [
    {"kind": "operator", "name": "k"},
    {"kind": "scalar", "name": "a", "sign": ">=", "over": ["k"]},
    {"kind": "scalar", "name": "c", "sign": ">=", "over": ["k"]},
    {"kind": "scalar", "name": "start", "sign": ">="},
]
GROWING = {"rule": "induction", "index": "k", "statement": "a", "base": "base", "step": "next"}


def given() -> Checker:
    checker = Checker()
    for entry in GIVEN:
        checker.accept(entry, trusted=True)
    return checker


def prove(first: str, last: str) -> None:
    """That a sequence with these ends, which grows by 1, is at least 0."""
    checker = given()
    checker.sequences["k", "a"] = {"next": ["+", "a", "1"], "first": first, "last": last}
    combine = {"rule": "combination"}
    base = {"name": "base", "claim": first, "relation": ">= 0", "by": combine | {"terms": [{"times": first}]}}
    step = {"name": "next", "claim": "1", "relation": ">= 0", "by": combine | {"terms": [{}]}}
    for entry in (base, step, {"name": "s", "claim": "a", "relation": ">= 0", "by": GROWING}):
        checker.accept(entry, trusted=False)


@pytest.mark.parametrize(("first", "last"), [("c", "start"), ("start", "c"), ("c", "c")])
def test_members_at_an_end_that_move_with_the_index_begin_nothing(first: str, last: str) -> None:
    """From a_0 = c_k would follow, for every k at once, what holds of that k alone."""
    prove("start", "start")
    with pytest.raises(Rejected, match="the first and the last member depend on k"):
        prove(first, last)
    sequence = {"kind": "sequence", "name": "a", "index": "k", "next": ["+", "a", "1"]}
    checker = given()
    with pytest.raises(Rejected, match="member of a depends on more than a"):
        checker.accept(sequence | {"first": first, "last": last}, trusted=True)
