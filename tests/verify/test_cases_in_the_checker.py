"""What the checker accepts and refuses of proofs by cases, and of largest and least numbers in them."""

from typing import Any

import pytest

from verify.proofs.algebra import Rejected
from verify.proofs.checker import check

GIVEN: list[Any] = [
    {"kind": "operator", "name": "k"},
    {"kind": "operator", "name": "i", "mass": "1"},
    {"kind": "scalar", "name": "s", "sign": "real"},
    {"kind": "scalar", "name": "t", "sign": "real"},
    {"kind": "scalar", "name": "u", "sign": ">"},
    {"kind": "scalar", "name": "e", "sign": "real", "over": ["i"]},
    {"kind": "scalar", "name": "n", "sign": "real", "over": ["k"]},
    {"kind": "extreme", "name": "m", "of": ["s", "t"]},
    {"kind": "extreme", "name": "o", "of": ["e", "0"]},
    {"kind": "extreme", "name": "w", "of": ["n", "0"]},
    {"kind": "hypothesis", "name": "s is low", "assumed": ["-", "u", "s"], "relation": ">= 0"},
    {"kind": "hypothesis", "name": "t is low", "assumed": ["-", "u", "t"], "relation": ">= 0"},
    {"kind": "hypothesis", "name": "t is lower", "assumed": ["-", "u", "t"], "relation": "> 0"},
]
LOW = ["-", "u", "m"]


def claim_cases(claim: Any, *facts: Any, of: Any = "m", relation: str = ">= 0") -> dict[str, Any]:
    by = {"rule": "cases", "of": of, "facts": list(facts)}
    return {"name": "it", "claim": claim, "relation": relation, "by": by}


def combined(name: str, claim: Any, *facts: str, over: tuple[str, ...] = ()) -> dict[str, Any]:
    terms = [{"facts": [fact], "over": list(over)} for fact in facts]
    return {"name": name, "claim": claim, "relation": ">= 0", "by": {"rule": "combination", "terms": terms}}


def signed(name: str) -> dict[str, Any]:
    by = {"rule": "combination", "terms": [{"times": name}]}
    return {"name": "sign", "claim": name, "relation": ">= 0", "by": by}


ACCEPTED = {
    "below": [claim_cases(LOW, "s is low", "t is low")],
    "sign": [signed("o")],
    "divides": [
        {"kind": "extreme", "name": "far", "of": ["u", "s"]},
        {"kind": "named", "name": "d", "stands_for": ["/", "1", "far"]},
    ],
    "opposite": [{"kind": "extreme", "name": "size", "of": ["s", ["-", "s"]]}, signed("size")],
    "bound": [combined("it", ["-", "m", "t"], "bound 2 of m")],
}
REFUSED: dict[str, tuple[list[Any], str]] = {
    "one case": ([claim_cases(LOW, "s is low")], "a fact is needed for each part"),
    "in another order": ([claim_cases(LOW, "t is low", "s is low")], "not the claim in one of the cases"),
    "twice the same": ([claim_cases(LOW, "s is low", "s is low")], "not the claim in one of the cases"),
    "a weak fact": ([claim_cases(LOW, "s is low", "t is lower", relation="> 0")], "not the claim in one"),
    "no extreme": ([claim_cases(["-", "u", "s"], "s is low", "t is low", of="s")], "is not an extreme"),
    "a list": ([claim_cases(LOW, "s is low", "t is low", of=["m"])], "not of the form of a proof"),
    "a bound on the other side": ([combined("it", ["-", "s", "m"], "bound 1 of m")], "differ by"),
    "no sign": ([signed("m")], "no proven sign"),
    "under a mean": (
        [
            combined("zero", "0"),
            claim_cases(["-", "0", ["over", "i", "o"]], "zero", "zero", of="o"),
        ],
        "under an operator",
    ),
    "a divisor": (
        [
            {"kind": "extreme", "name": "far", "of": ["u", "s"]},
            claim_cases(["/", "1", "far"], "s is low", "t is low", of="far"),
        ],
        "divides",
    ),
    "of one": ([{"kind": "extreme", "name": "far", "of": ["s"]}], "of 2 to 6 scalars"),
    "of a vector": ([{"kind": "extreme", "name": "far", "of": ["s", {"x": "1"}]}], "text or a list"),
    "least in words": (
        [{"kind": "extreme", "name": "far", "of": ["s", "t"], "least": "no"}],
        "true or false",
    ),
    "the least divides": (
        [
            {"kind": "extreme", "name": "far", "of": ["u", "s"], "least": True},
            {"kind": "named", "name": "d", "stands_for": ["/", "1", "far"]},
        ],
        "a divisor is not positive",
    ),
    "the least of opposites": (
        [
            {"kind": "extreme", "name": "size", "of": ["s", ["-", "s"]], "least": True},
            signed("size"),
        ],
        "no proven sign",
    ),
    "declared twice": ([{"kind": "extreme", "name": "m", "of": ["s", "s"]}], "declared twice"),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_checker_accepts(name: str) -> None:
    check({"given": GIVEN, "steps": ACCEPTED[name]})


@pytest.mark.parametrize("name", REFUSED)
def test_the_checker_refuses(name: str) -> None:
    steps, why = REFUSED[name]
    with pytest.raises(Rejected, match=why):
        check({"given": GIVEN, "steps": steps})


def test_an_extreme_has_no_members_of_its_own() -> None:
    own = {"kind": "sequence", "name": "w", "index": "k", "next": "0", "first": "0", "last": "0"}
    with pytest.raises(Rejected, match="follows what it stands for"):
        check({"given": [*GIVEN, own], "steps": []})


def test_a_claim_about_what_was_made_of_an_arbitrary_vector_is_not_of_another() -> None:
    steps: list[Any] = [
        {"kind": "arbitrary", "name": "any"},
        {"kind": "extreme", "name": "long", "of": [["square", "any"], "u"]},
        combined("it", ["-", "long", ["square", "any"]], "bound 1 of long"),
        {
            "name": "instance",
            "claim": ["-", "long", ["square", "x"]],
            "relation": ">= 0",
            "by": {
                "rule": "instance",
                "fact": "it",
                "statement": ["-", "long", ["square", "any"]],
                "vector": "any",
                "becomes": {"x": "1"},
            },
        },
    ]
    given = [*GIVEN, {"kind": "vector", "name": "x"}]
    with pytest.raises(Rejected, match="what was made from the vector"):
        check({"given": given, "steps": steps})
