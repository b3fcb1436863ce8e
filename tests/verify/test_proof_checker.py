"""The checker of proofs: what it accepts, and forged proofs, none of which it may accept."""

# ruff: noqa: E501  a forged step is one row of a table

import copy
import json
from typing import Any

import pytest
from true_proofs import CAUCHY, EXPONENTIAL, GIVEN, POWERS, PRODUCT, SQUARE, TANGENT, TRUE, proof, step

from verify.proofs import store
from verify.proofs.algebra import Rejected
from verify.proofs.checker import check


@pytest.mark.parametrize("name", TRUE)
def test_a_true_proof_is_accepted(name: str) -> None:
    check(proof(*TRUE[name]))


BACKWARD = TRUE["induction from the last member"]
BOMB: Any = "2"
for _ in range(8):
    BOMB = ["^", BOMB, 60]
DEEP: Any = "L"
for _ in range(5000):
    DEEP = ["-", DEEP]

FORGED: dict[str, tuple[str, list[Any]]] = {
    "another constant": ("differ", [step(["square", "x"], terms=[{"times": "2", "squares": [{"x": "1"}]}])]),
    "a negative multiplier": ("no proven sign", [step(["-", ["square", "x"]], terms=[{"times": "-1", "squares": [{"x": "1"}]}])]),
    "a multiplier of unknown sign": ("no proven sign", [step(["*", "t", "L"], terms=[{"times": ["*", "t", "L"]}])]),
    "an inner product as a multiplier": ("no proven sign", [step(["inner", "x", "y"], terms=[{"times": ["inner", "x", "y"]}])]),
    "a negative multiple of the claim": ("above 0", [step(["-", ["square", "x"]], times={"squares": [{"x": "1"}]})]),
    "the claim times 0": ("above 0", [step("-1", times={"times": "0"})]),
    "the claim times what may be 0": ("above 0", [step("-1", times={"times": "mu"})]),
    "a variable that nobody declared": ("not declared", [step("z")]),
    "a scalar as a vector": ("not declared", [step(["square", "L"])]),
    "a fact of another class": ("not a fact of f", [step("0", terms=[{"facts": [["convex", "p", "q"]]}])]),
    "a fact without its property": ("not a fact of h", [step("0", terms=[{"facts": [["lowest_value", "r"]]}])]),
    "a fact of two functions": ("one function", [step("0", terms=[{"facts": [["smooth", "p", "r"]]}])]),
    "an invented fact": ("not a fact", [step("-1", terms=[{"facts": [["anything", "p"]]}])]),
    "a wrong norm": ("is not that of", [step(CAUCHY, terms=[{"facts": [["cauchy_schwarz", "x", "norm.y", "y", "norm.x"]]}])]),
    "a norm without sign": ("sign", [step("0", terms=[{"facts": [["cauchy_schwarz", "x", ["-", "norm.x"], "y", "norm.y"]]}])]),
    "a claim before its proof": ("neither given nor proved", [step("-1", terms=[{"facts": ["later"]}])]),
    "a claim that proves itself": ("neither given nor proved", [step("-1", terms=[{"facts": ["s"]}])]),
    "a multiple of any sign of an inequality": ("needs an equality", [step(["-", "1", "t"], equalities=[{"fact": "t >= 1", "times": "-1"}])]),
    "an equality from an inequality": ("equalities only", [step(["square", "x"], "= 0", terms=[{"squares": [{"x": "1"}]}])]),
    "strict from a square": ("above 0", [step(["square", "x"], "> 0", terms=[{"squares": [{"x": "1"}]}])]),
    "strict from what may be 0": ("above 0", [step("mu", "> 0", terms=[{"times": "mu"}])]),
    "strict from a weak hypothesis": ("above 0", [step(["-", "t", "1"], "> 0", terms=[{"facts": ["t >= 1"]}])]),
    "division by what may be 0": ("not positive", [step(["-", ["/", "mu", "mu"], "1"], "= 0")]),
    "division by 0": ("divides", [step(["/", "1", "0"])]),
    "a hypothesis between the steps": ("may not be declared", [{"kind": "hypothesis", "name": "h", "assumed": "-1", "relation": ">= 0"}]),
    "a positive scalar between the steps": ("may not be declared", [{"kind": "scalar", "name": "z", "sign": ">"}]),
    "a function between the steps": ("may not be declared", [{"kind": "function", "name": "z", "properties": {}}]),
    "a mean between the steps": ("may not be declared", [{"kind": "mean", "over": "i", "of": {"g": "1"}, "equals": {}}]),
    "a sequence between the steps": ("may not be declared", [{"kind": "sequence", "name": "count", "index": "k", "next": "0", "first": "0", "last": "0"}]),
    "a minimizer between the steps": ("may not be declared", [{"kind": "known point", "name": "z", "function": "f", "at": "x", "known_gradient": {}, "known_value": "0"}]),
    "a point with a known gradient": ("declared twice", [{"kind": "point", "name": "z", "function": "f", "at": "x", "gradient": "x", "value": "v"}]),
    "a root of what may be below 0": ("below 0", [{"kind": "root", "name": "z", "of": "t"}]),
    "a named scalar with a borrowed sign": ("another expression", [{"kind": "named", "name": "z", "stands_for": ["-", "t"], "because": "t >= 1"}]),
    "a second mean of a vector": ("the mean is known", [{"kind": "average", "name": "z", "over": "i", "of": {"g": "1"}}]),
    "a mean that is no mean": ("one vector", [{"kind": "average", "name": "z", "over": "i", "of": {"g": "1", "x": "1"}}]),
    "a name twice": ("declared twice", [{"kind": "let", "name": "x", "equals": "1"}]),
    "a mean of a square as the square of a mean": (
        "differ",
        [step(["-", ["square", "mean.g"], ["over", "i", ["square", "g"]]], terms=[{"squares": [{"g": "1", "mean.g": "-1"}], "over": ["i"]}])],
    ),
    "a mean without its operator": ("differ", [step(["-", ["square", "g"], ["square", "mean.g"]], terms=[{"squares": [{"g": "1", "mean.g": "-1"}]}])]),
    "noise that multiplies itself": ("differ", [step(["over", "draw", ["square", "noise"]], "= 0")]),
    "a sum over an index": ("an index", [step(["over", "k", "count"])]),
    "an induction without its base": (
        "base",
        [step("1", name="base", terms=[{}]), step("1", name="next", terms=[{}]), TRUE["induction"][2]],
    ),
    "an induction without its step": (
        "step",
        [step("0", name="base"), step("2", name="next", terms=[{"times": "2"}]), TRUE["induction"][2]],
    ),
    "an induction with a negative multiplier": (
        "no proven sign",
        [*TRUE["induction"][:2], TRUE["induction"][2] | {"by": TRUE["induction"][2]["by"] | {"times": {"times": "-1"}}}],
    ),
    "an induction forward that holds backward alone": (
        "base",
        [*BACKWARD[:2], BACKWARD[2] | {"by": BACKWARD[2]["by"] | {"backward": False}}],
    ),
    "an induction backward that holds forward alone": (
        "base",
        [*TRUE["induction"][:2], TRUE["induction"][2] | {"by": TRUE["induction"][2]["by"] | {"backward": True}}],
    ),
    "an induction backward with the step of one forward": (
        "next member",
        [step("mu", name="base", terms=[{"times": "mu"}]), step("1", name="next", terms=[{}]), BACKWARD[2] | {"claim": "count", "by": BACKWARD[2]["by"] | {"statement": "count"}}],
    ),
    "an induction backward that claims another member": (
        "not the statement",
        [*BACKWARD[:2], BACKWARD[2] | {"claim": ["-", ["-", "mu", "count"], "2"]}],
    ),
    "an induction of an equality from an inequality": (
        "0 from equalities",
        [step("0", "= 0", name="base"), step("1", name="next", terms=[{}]), TRUE["induction"][2] | {"relation": "= 0"}],
    ),
    "an induction of an equality that begins with an inequality": (
        "0 from equalities",
        [step("mu", name="base", terms=[{"times": "mu"}]), step("0", "= 0", name="next"), TRUE["induction"][2] | {"relation": "= 0"}],
    ),
    "a strict induction": (
        "0 from equalities",
        [*TRUE["induction"][:2], TRUE["induction"][2] | {"relation": "> 0"}],
    ),
    "a root whose reason is about another expression": (
        "another expression",
        [{"kind": "root", "name": "z", "of": "t", "because": "t >= 1"}],
    ),
    "a vector recursion with a sign": (
        "not declared",
        [
            {"kind": "recursion", "name": "a", "index": "k", "type": "vector", "next": {"a": "1"}, "first": {}, "last": "a.last", "sign": ">"},
            step("a", terms=[{"times": "a"}]),
        ],
    ),
    "an induction of what does not move": (
        "sequence is not declared",
        [
            {"kind": "recursion", "name": "a", "index": "k", "type": "scalar", "next": "a", "first": "0", "last": "a.last"},
            {"kind": "named", "name": "b", "stands_for": "a"},
            step("0", name="base"),
            {"name": "z", "claim": "b", "relation": ">= 0", "by": {"rule": "induction", "index": "k", "statement": "b", "base": "base", "step": "base"}},
        ],
    ),
    "an induction over clients": (
        "without a mass",
        [step("0", name="base"), {"name": "z", "claim": "0", "relation": ">= 0", "by": {"rule": "induction", "index": "i", "statement": "0", "base": "base", "step": "base"}}],
    ),
    "a recursion with a sign that it loses": (
        "keep the sign",
        [{"kind": "recursion", "name": "a", "index": "k", "type": "scalar", "next": ["-", "a", "1"], "first": "1", "last": "a.last", "sign": ">="}],
    ),
    "a recursion from its own last member": (
        "not declared",
        [{"kind": "recursion", "name": "a", "index": "k", "type": "scalar", "next": "a.last", "first": "1", "last": "a.last"}],
    ),
    "a recursion over clients": (
        "without a mass",
        [{"kind": "recursion", "name": "a", "index": "i", "type": "scalar", "next": "a", "first": "1", "last": "a.last"}],
    ),
    "an instance of a given vector": (
        "not an arbitrary vector",
        [SQUARE, {"name": "z", "claim": "0", "relation": ">= 0", "by": {"rule": "instance", "fact": "s", "statement": ["square", {"x": "1", "y": "-2"}], "vector": "x", "becomes": {}}}],
    ),
    "an instance inside an operator that binds it": (
        "bound",
        [
            {"kind": "arbitrary", "name": "any"},
            step(["over", "draw", ["inner", "noise", "any"]], "= 0", name="all"),
            {
                "name": "z",
                "claim": ["over", "draw", ["square", "noise"]],
                "relation": "= 0",
                "by": {"rule": "instance", "fact": "all", "statement": ["over", "draw", ["inner", "noise", "any"]], "vector": "any", "becomes": "noise"},
            },
        ],
    ),
    "an instance of what was made from the vector": (
        "made from",
        [
            {"kind": "arbitrary", "name": "any"},
            {"kind": "root", "name": "n", "of": ["square", "any"]},
            step(["-", ["^", "n", 2], ["square", "any"]], "= 0", name="all"),
            step(["-", "n", "n"], "= 0", name="same"),
            step(["-", ["+", "n", ["square", "any"]], "n"], name="more", terms=[{"squares": [{"any": "1"}]}]),
            step(["+", "n", ["square", "any"]], name="sum", terms=[{"times": ["+", "n", ["square", "any"]]}]),
            {
                "name": "z",
                "claim": ["+", "n", ["square", "x"]],
                "relation": ">= 0",
                "by": {"rule": "instance", "fact": "sum", "statement": ["+", "n", ["square", "any"]], "vector": "any", "becomes": "x"},
            },
        ],
    ),
    "a smaller root in the place of the larger": (
        "not known",
        [
            step(["-", ["^", "t", 2], "1"], name="squares", terms=[{"facts": ["t >= 1", "t >= 1"]}, {"times": "2", "facts": ["t >= 1"]}]),
            {"name": "z", "claim": ["-", ["-", "t"], "1"], "relation": ">= 0", "by": {"rule": "larger square", "larger": ["-", "t"], "smaller": "1", "facts": ["squares"]}},
        ],
    ),
    "a larger square that nobody proved": (
        "difference of the squares",
        [{"name": "z", "claim": ["-", "L", "mu"], "relation": ">= 0", "by": {"rule": "larger square", "larger": "L", "smaller": "mu", "facts": ["t >= 1"]}}],
    ),
    "an instance of what the fact does not say": (
        "not the statement about the arbitrary vector",
        [
            {"kind": "arbitrary", "name": "any"},
            step(["square", "any"], name="all", terms=[{"squares": [{"any": "1"}]}]),
            {"name": "z", "claim": ["-", ["square", "x"]], "relation": ">= 0", "by": {"rule": "instance", "fact": "all", "statement": ["-", ["square", "any"]], "vector": "any", "becomes": "x"}},
        ],
    ),
    "an instance with a stricter relation": (
        "not the statement about the arbitrary vector",
        [
            {"kind": "arbitrary", "name": "any"},
            step(["square", "any"], name="all", terms=[{"squares": [{"any": "1"}]}]),
            {"name": "z", "claim": ["square", "x"], "relation": "> 0", "by": {"rule": "instance", "fact": "all", "statement": ["square", "any"], "vector": "any", "becomes": "x"}},
        ],
    ),
    "a recursion that follows a client, and says that it follows none": (
        "depends on more",
        [{"kind": "recursion", "name": "a", "index": "k", "type": "scalar", "next": ["square", "g"], "first": "0", "last": "a.last"}],
    ),
    "a recursion that begins at a member of a sequence": (
        "depends on more",
        [{"kind": "recursion", "name": "a", "index": "k", "type": "scalar", "next": "a", "first": "count", "last": "a.last"}],
    ),
    "a recursion of points": (
        "of scalars or of vectors",
        [{"kind": "recursion", "name": "a", "index": "k", "type": "point", "next": "0", "first": "0", "last": "a.last"}],
    ),
    "a mean over an index": ("a mean is over an operator", [{"kind": "average", "name": "z", "over": "k", "of": {"x": "1"}}]),
    "a mean of what a constant multiplies": ("a factor is constant", [{"kind": "average", "name": "z", "over": "i", "of": {"g": "t"}}]),
    "an operation that nobody knows": ("not an operation", [step(["max", "L", "mu"])]),
    "the square of two vectors": ("number of arguments", [step(["square", "x", "y"])]),
    "an inner product of three vectors": ("number of arguments", [step(["inner", "x", "y", "y"])]),
    "a list of vectors": ("a vector is a name", [step(["square", ["x"]])]),
    "a name that holds a constant": ("not a name", [{"kind": "let", "name": "smooth h", "equals": "0"}]),
    "a power of what may be below 0": ("may be below 0", [{"kind": "power", "name": "z", "of": "t", "exponent": "L"}]),
    "a power that may be 0": ("above 0", [{"kind": "power", "name": "z", "of": "L", "exponent": "mu"}]),
    "a power that is another number in every round": ("above 0", [{"kind": "power", "name": "z", "of": "L", "exponent": ["+", "1", "count"]}]),
    "a tangent of two powers": (
        "two exponents",
        [*POWERS, {"kind": "power", "name": "z", "of": "mu", "exponent": "1"}, step("0", terms=[{"facts": [["power_tangent", "z", "mu^L"]]}])],
    ),
    "a tangent from the other side": ("differ", [*POWERS, step(["-", TANGENT], terms=[{"facts": [["power_tangent", "mu^L", "norm.x^L"]]}])]),
    "a tangent of what is no power": ("KeyError", [*POWERS, step("0", terms=[{"facts": [["power_tangent", "mu", "mu^L"]]}])]),
    "a power of another product": ("of the product", [*POWERS, PRODUCT, step("0", equalities=[{"fact": ["power_of_product", "z", "mu^L", "mu^L"]}])]),
    "a tangent as an equality": ("needs an equality", [*POWERS, step("0", equalities=[{"fact": ["power_tangent", "mu^L", "norm.x^L"]}])]),
    "a tangent of an exponential that is too steep": (
        "differ",
        [EXPONENTIAL, step(["-", "z", "1", ["*", "2", "t"]], terms=[{"facts": [["exp_tangent", "z"]]}])],
    ),
    "a tangent of what is no exponential": ("KeyError", [*POWERS, step("0", terms=[{"facts": [["exp_tangent", "mu^L"]]}])]),
    "a huge exponent": ("exponent", [step(["^", "L", 10**9])]),
    "a tower of exponents": ("too l", [step(BOMB)]),
    "a tower of powers": ("exponent|too many", [step(["^", ["^", ["+", "L", "mu", "t", "low"], 60], 60])]),
    "a chain of abbreviations": (
        "too many",
        [
            {"kind": "let", "name": f"l{n}", "equals": ["+", *([f"l{n - 1}"] * 2)] if n else "L"}
            for n in range(50)
        ],
    ),
    "a chain of vectors": (
        "too many|too deep",
        [
            {"kind": "let", "name": f"l{n}", "vector": {f"l{n - 1}": ["+", "1", "1"]} if n else "x"}
            for n in range(50)
        ]
        + [{"kind": "let", "name": "m0", "equals": ["square", "l49"]}]
        + [{"kind": "let", "name": f"m{n}", "equals": ["*", *([f"m{n - 1}"] * 2)]} for n in range(1, 40)],
    ),
    "a deep expression": ("too deep|not of the form", [step(DEEP)]),
    "a long number": ("not declared", [step("9" * 500)]),
    "a float": ("text or a list", [step(0.5)]),
    "a rule that nobody knows": ("needs a rule", [{"name": "s", "claim": "0", "relation": ">= 0", "by": {"rule": "trust me"}}]),
    "a key that nobody reads": ("unexpected keyword argument 'hint'", [step("0", hint="x")]),
    "a key of a claim that nobody reads": ("unexpected keyword argument", [step("0") | {"hint": "x"}]),
    "a declaration that calls itself trusted": ("multiple values", [{"kind": "scalar", "name": "z", "sign": ">", "trusted": True}]),
    "a fact of a point and itself": ("two different points", [step(["inner", "grad.p", "x"], terms=[{"facts": [["smooth_below", "p", "p"]]}])]),
    "a fact of a point that nobody declared": ("not declared as a point", [step("0", terms=[{"facts": [["smooth", "p", "x"]]}])]),
    "a method in the place of a kind": ("may not be declared", [{"kind": "declare_operator", "name": "z"}]),
    "a given vector as an arbitrary one": (
        "declared twice",
        [{"kind": "arbitrary", "name": "x"}, SQUARE, {"name": "z", "claim": "0", "relation": ">= 0", "by": {"rule": "instance", "fact": "s", "statement": ["square", {"x": "1", "y": "-2"}], "vector": "x", "becomes": {}}}],
    ),
    "a relation that nobody knows": ("relation", [step("0", "<= 0")]),
    "a step of the wrong type": ("not an object", [[]]),
    "a list in the place of a reason": ("reason is not an object", [step("0") | {"by": ["1/2"]}]),
    "a list in the place of a name": ("own name", [step("0", name=[])]),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_proof_is_rejected(name: str) -> None:
    words, steps = FORGED[name]
    with pytest.raises(Rejected, match=words):
        check(proof(*steps))


@pytest.mark.parametrize(
    "fixed",
    [
        {"kind": "power", "name": "z", "of": "count", "exponent": "1"},
        {"kind": "named", "name": "z", "stands_for": "count"},
    ],
)
def test_what_stands_for_a_formula_has_no_members_of_its_own(fixed: dict[str, Any]) -> None:
    members = {"kind": "sequence", "name": "z", "index": "k", "next": "L", "first": "L", "last": "L"}
    check({"given": [*GIVEN, fixed], "steps": []})
    with pytest.raises(Rejected, match="follows what it stands for"):
        check({"given": [*GIVEN, fixed, members], "steps": []})


def _member(**changed: Any) -> dict[str, Any]:
    other = {"kind": "sequence", "name": "a", "index": "k", "next": "a", "first": "0", "last": "mu"}
    return other | changed


OF_K = {"kind": "scalar", "name": "a", "sign": "real", "over": ["k"]}
FORGED_GIVEN: dict[str, tuple[str, list[Any]]] = {
    "a second next member": ("a sequence already", [OF_K, _member(), _member(next=["+", "a", "1"])]),
    "a sequence of what does not change": ("does not depend on k", [_member(name="t")]),
    "a sequence without a last member": ("a next, a first and a last", [OF_K, {k: v for k, v in _member().items() if k != "last"}]),
    "a mean that depends on more than its vector": ("depends on more than its vector", [
        {"kind": "vector", "name": "other", "over": ["draw"]},
        {"kind": "vector", "name": "own", "over": ["i"]},
        {"kind": "mean", "over": "i", "of": {"own": "1"}, "equals": {"other": "1"}},
    ]),
    "a mass without a sign": ("a mass has a sign", [{"kind": "operator", "name": "sum", "mass": "t"}]),
    "a mass that a draw decides": ("depends on nothing", [
        {"kind": "scalar", "name": "drawn", "sign": ">", "over": ["draw"]},
        {"kind": "operator", "name": "sum", "mass": "drawn"},
    ]),
    "a sign that nobody knows": ("not a sign", [{"kind": "scalar", "name": "z", "sign": "<"}]),
    "a draw that nobody declared": ("not declared", [{"kind": "vector", "name": "z", "over": ["other"]}]),
    "a property that nobody knows": ("unknown property", [{"kind": "function", "name": "z", "properties": {"flat": "1"}}]),
    "a constant of one client as that of all": ("depends on more", [
        {"kind": "scalar", "name": "own", "sign": ">", "over": ["i"]},
        {"kind": "function", "name": "z", "properties": {"smooth": "own"}},
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED_GIVEN)
def test_a_forged_declaration_is_rejected(name: str) -> None:
    words, entries = FORGED_GIVEN[name]
    check({"given": [*GIVEN, *entries[:-1]], "steps": []})
    with pytest.raises(Rejected, match=words):
        check({"given": [*GIVEN, *entries], "steps": []})


def test_the_members_of_a_sequence_depend_on_no_other_draw() -> None:
    """(E|w + noise|^2)^2 is not E|w + noise|^4, although both are |w|^4 for a fixed w without noise."""
    given: list[dict[str, Any]] = [
        *GIVEN,
        {"kind": "vector", "name": "w", "over": ["k"]},
        {"kind": "vector", "name": "w.last"},
    ]
    member = {"kind": "sequence", "name": "w", "index": "k", "next": {"w": "1", "noise": "1"}, "first": "x"}
    check({"given": [*given, member | {"next": {"w": "1", "y": "1"}, "last": "w.last"}], "steps": []})
    with pytest.raises(Rejected, match="the next member of w depends on more"):
        check({"given": [*given, member | {"last": "w.last"}], "steps": []})
    with pytest.raises(Rejected, match="the last member of w depends on more"):
        check({"given": [*given, member | {"next": "w", "last": "noise"}], "steps": []})


def test_a_certificate_of_another_problem_is_told_apart() -> None:
    import bounds

    statement = bounds.get("textbook.gradient_descent_nonconvex")
    certificate = store.on_file(statement)
    assert certificate is not None
    assert store.differs(statement, certificate) == ""
    easier = copy.deepcopy(certificate)
    easier["given"].append({"kind": "hypothesis", "name": "h", "assumed": "-1", "relation": ">= 0"})
    assert "given something else" in store.differs(statement, easier)
    other = json.loads(json.dumps(certificate))
    conclusion = next(s for s in other["steps"] if s["name"] == "conclusion")
    conclusion["claim"], conclusion["by"] = "0", {"rule": "combination"}
    assert "another conclusion" in store.differs(statement, other)


def test_the_checker_imports_the_standard_library_alone() -> None:
    import ast
    from pathlib import Path

    import verify.proofs

    folder = Path(verify.proofs.__file__).parent
    files = ["algebra", "reader", "facts", "declarations", "checker"]
    allowed = {"re", "dataclasses", "fractions", "typing", "collections"}
    for file in files:
        for node in ast.walk(ast.parse((folder / f"{file}.py").read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in allowed or name.removeprefix("verify.proofs.") in files, name
