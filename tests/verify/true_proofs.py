"""Small true proofs, one for each rule and fact of the checker, over the same givens."""

# ruff: noqa: E501  a step is one row of a table

from typing import Any

Document = dict[str, Any]

GIVEN: list[Any] = [
    {"kind": "operator", "name": "k"},
    {"kind": "operator", "name": "i", "mass": "1"},
    {"kind": "operator", "name": "draw", "mass": "1"},
    {"kind": "scalar", "name": "L", "sign": ">"},
    {"kind": "scalar", "name": "mu", "sign": ">="},
    {"kind": "scalar", "name": "t", "sign": "real"},
    {"kind": "scalar", "name": "low", "sign": "real"},
    {"kind": "scalar", "name": "count", "sign": ">=", "over": ["k"]},
    {"kind": "vector", "name": "x"},
    {"kind": "vector", "name": "y"},
    {"kind": "vector", "name": "g", "over": ["i"]},
    {"kind": "vector", "name": "noise", "over": ["draw"]},
    {"kind": "mean", "over": "draw", "of": {"noise": "1"}, "equals": {}},
    {"kind": "average", "name": "mean.g", "over": "i", "of": {"g": "1"}},
    {"kind": "root", "name": "norm.x", "of": ["square", "x"]},
    {"kind": "root", "name": "norm.y", "of": ["square", "y"]},
    {"kind": "function", "name": "f", "properties": {"smooth": "L", "lowest": "low"}},
    {"kind": "function", "name": "h", "properties": {"convex": "1"}},
    {"kind": "point", "name": "p", "function": "f", "at": "x", "gradient": "grad.p", "value": "f.p"},
    {"kind": "point", "name": "q", "function": "f", "at": "y", "gradient": "grad.q", "value": "f.q"},
    {"kind": "point", "name": "r", "function": "h", "at": "y", "gradient": "grad.r", "value": "h.r"},
    {"kind": "hypothesis", "name": "t >= 1", "assumed": ["-", "t", "1"], "relation": ">= 0"},
    {"kind": "hypothesis", "name": "t = mu", "assumed": ["-", "t", "mu"], "relation": "= 0"},
    {
        "kind": "sequence",
        "name": "count",
        "index": "k",
        "next": ["+", "count", "1"],
        "first": "0",
        "last": "mu",
    },
]


def proof(*steps: Any) -> Document:
    return {"given": GIVEN, "steps": list(steps)}


def step(claim: Any, relation: str = ">= 0", name: str = "s", **by: Any) -> Document:
    return {"name": name, "claim": claim, "relation": relation, "by": {"rule": "combination"} | by}


SQUARE = step(["square", {"x": "1", "y": "-2"}], terms=[{"squares": [{"x": "1", "y": "-2"}]}])
CAUCHY = ["-", ["*", "norm.x", "norm.y"], ["inner", "x", "y"]]
POWERS = [{"kind": "power", "name": f"{x}^L", "of": x, "exponent": "L"} for x in ("mu", "norm.x")]
TANGENT = [
    "-",
    ["-", ["*", "mu", "mu^L"], ["*", "norm.x", "norm.x^L"]],
    ["*", ["+", "1", "L"], "norm.x^L", ["-", "mu", "norm.x"]],
]
PRODUCT = {"kind": "power", "name": "z", "of": ["*", "mu", "norm.x"], "exponent": "L"}
EXPONENTIAL = {"kind": "exponential", "name": "z", "of": "t"}  # of any t, with the sign of an exponential
TRUE: dict[str, list[Any]] = {
    "tangent of an exponential": [EXPONENTIAL, step(["-", "z", "1", "t"], terms=[{"facts": [["exp_tangent", "z"]]}])],
    "an exponential is above 0": [EXPONENTIAL, step("z", "> 0", terms=[{"times": "z"}])],
    "tangent of a power": [*POWERS, step(TANGENT, terms=[{"facts": [["power_tangent", "mu^L", "norm.x^L"]]}])],
    "power of a product": [*POWERS, PRODUCT, step(["-", "z", ["*", "mu^L", "norm.x^L"]], "= 0", equalities=[{"fact": ["power_of_product", "z", "mu^L", "norm.x^L"]}])],
    "square": [SQUARE],
    "fact": [step(["-", "f.p", "low"], terms=[{"facts": [["lowest_value", "p"]]}])],
    "cauchy_schwarz": [step(CAUCHY, terms=[{"facts": [["cauchy_schwarz", "x", "norm.x", "y", "norm.y"]]}])],
    "jensen": [
        step(
            ["-", ["over", "i", ["square", "g"]], ["square", "mean.g"]],
            terms=[{"squares": [{"g": "1", "mean.g": "-1"}], "over": ["i"]}],
        )
    ],
    "unbiased": [
        step(
            ["-", ["over", "draw", ["square", {"x": "1", "noise": "1"}]], ["+", ["square", "x"], ["over", "draw", ["square", "noise"]]]],
            relation="= 0",
        )
    ],
    "equality": [step(["-", ["*", "t", "L"], ["*", "mu", "L"]], "= 0", equalities=[{"fact": "t = mu", "times": "L"}])],
    "strict": [step(["+", "L", "mu"], "> 0", terms=[{"times": ["+", "L", "mu"]}])],
    "triangle": [
        {"kind": "root", "name": "norm.sum", "of": ["square", {"x": "1", "y": "1"}]},
        step(CAUCHY, name="cs", terms=[{"facts": [["cauchy_schwarz", "x", "norm.x", "y", "norm.y"]]}]),
        step(
            ["-", ["^", ["+", "norm.x", "norm.y"], 2], ["^", "norm.sum", 2]],
            name="squares",
            terms=[{"times": "2", "facts": ["cs"]}],
        ),
        {
            "name": "triangle",
            "claim": ["-", ["+", "norm.x", "norm.y"], "norm.sum"],
            "relation": ">= 0",
            "by": {"rule": "larger square", "larger": ["+", "norm.x", "norm.y"], "smaller": "norm.sum", "facts": ["squares"]},
        },
    ],
    "induction": [
        step("0", name="base"),
        step("1", name="next", terms=[{}]),
        {
            "name": "all",
            "claim": "mu",
            "relation": ">= 0",
            "by": {"rule": "induction", "index": "k", "statement": "count", "base": "base", "step": "next"},
        },
    ],
    "induction from the last member": [
        step("0", name="base"),
        step("1", name="next", terms=[{}]),
        {
            "name": "all",
            "claim": ["-", "mu", "count"],
            "relation": ">= 0",
            "by": {"rule": "induction", "index": "k", "statement": ["-", "mu", "count"], "base": "base", "step": "next", "backward": True},
        },
    ],
    "induction of an equality": [
        {"kind": "recursion", "name": "twice", "index": "k", "type": "scalar", "next": ["+", "twice", "2"], "first": "0", "last": "twice.last"},
        step("0", "= 0", name="base"),
        step("0", "= 0", name="next"),
        {
            "name": "all",
            "claim": ["-", ["*", "2", "mu"], "twice.last"],
            "relation": "= 0",
            "by": {"rule": "induction", "index": "k", "statement": ["-", ["*", "2", "count"], "twice"], "base": "base", "step": "next"},
        },
    ],
    "instance": [
        {"kind": "arbitrary", "name": "any"},
        step(["square", {"any": "1", "x": "-1"}], name="all", terms=[{"squares": [{"any": "1", "x": "-1"}]}]),
        {
            "name": "one",
            "claim": ["square", {"g": "1", "x": "-1"}],
            "relation": ">= 0",
            "by": {"rule": "instance", "fact": "all", "statement": ["square", {"any": "1", "x": "-1"}], "vector": "any", "becomes": "g"},
        },
    ],
}  # fmt: skip
