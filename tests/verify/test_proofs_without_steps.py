"""A sequence may end where it begins: what follows from the generic step alone does not follow then."""

from typing import Any

import pytest

from verify.proofs.algebra import Rejected
from verify.proofs.checker import Checker

# a_{k+1} = -1 - a_k with members that are at least 0: no such step exists, and a_0 may be any number.
SEQUENCE = {"kind": "sequence", "name": "a", "index": "k", "next": "after", "first": "start", "last": "end"}
RULE = ["-", ["-", "-1", "a"], "after"]
GIVEN: list[dict[str, Any]] = [
    {"kind": "operator", "name": "k"},
    {"kind": "scalar", "name": "a", "sign": ">=", "over": ["k"]},
    {"kind": "scalar", "name": "after", "sign": ">=", "over": ["k"]},
    {"kind": "scalar", "name": "start", "sign": ">="},
    {"kind": "scalar", "name": "end", "sign": ">="},
    {"kind": "scalar", "name": "one", "sign": ">", "over": ["k"]},
    SEQUENCE,
    {"kind": "hypothesis", "name": "rule", "assumed": RULE, "relation": "= 0"},
    {"kind": "hypothesis", "name": "scaled", "assumed": ["*", "one", ["-", "start"]], "relation": ">= 0"},
]


def given() -> Checker:
    checker = Checker()
    for entry in GIVEN:
        checker.accept(entry, trusted=True)
    return checker


def claim(name: str, value: Any, **by: Any) -> dict[str, Any]:
    return {"name": name, "claim": value, "relation": ">= 0", "by": {"rule": "combination"} | by}


@pytest.mark.parametrize(
    "by",
    [
        {
            "terms": [{"times": ["*", "start", "a"]}, {"times": ["*", "start", "after"]}],
            "equalities": [{"fact": "rule", "times": "start"}],
        },
        {"terms": [{"times": ["/", "1", "one"], "facts": ["scaled"]}]},
    ],
)
def test_what_a_step_contradicts_is_not_proved_of_the_first_member(by: dict[str, Any]) -> None:
    with pytest.raises(Rejected, match="follows from a step of k, and there may be none"):
        given().accept(claim("start <= 0", ["-", "start"], **by), trusted=False)


def test_what_a_step_contradicts_is_proved_of_the_last_member_if_it_holds_of_the_first() -> None:
    """a_0 - a_k >= 0: at the first member as it stands, at the next one from the contradiction."""
    checker = given()
    checker.accept(claim("base", "0"), trusted=False)
    terms = [{"times": ["*", "1", "a"]}, {"times": ["*", "1", "start"]}, {"times": "1"}]
    step = claim("step", ["-", "start", "after"], terms=terms, equalities=[{"fact": "rule"}])
    checker.accept(step, trusted=False)
    by: dict[str, Any] = {"rule": "induction", "index": "k", "statement": ["-", "start", "a"], "base": "base"}
    by |= {"step": "step", "times": {"times": "0"}}
    entry = {"name": "end", "claim": ["-", "start", "end"], "relation": ">= 0", "by": by}
    checker.accept(entry, trusted=False)
    assert "end" in checker.proved
