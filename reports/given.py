"""What a machine form takes as given, in words, so that a person can read it against the listing.

The replay compares conditions, domains and properties of functions with the statement; they are not listed.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from bounds.language.proof.form import MachineForm

SUM, PRODUCT, ATOM = 0, 1, 2  # how tightly a formula holds together


def list_given(form: MachineForm) -> list[tuple[str, str]]:
    """Each source with what it gives."""
    given = [pair for entry in form.given for pair in _describe(entry, form)]
    return given + [(f"reads {symbol}", f"as {write(value.form)}") for symbol, value in form.reads.items()]


def list_names(form: MachineForm) -> list[tuple[str, str]]:
    """The names of what exists in any case, and what they stand for."""
    return [pair for entry in form.given for pair in _explain(entry)]


def _describe(entry: dict[str, Any], form: MachineForm) -> Iterator[tuple[str, str]]:
    kind, name = entry["kind"], entry.get("name", "")
    if kind == "hypothesis":
        yield form.sources[name], f"{name}: {write(entry['assumed'])} {entry['relation']}"
    elif kind == "mean":
        of, equals = write(entry["of"]), write(entry["equals"])
        yield form.sources[f"mean of {next(iter(entry['of']))}"], f"{entry['over']}[{of}] = {equals}"
    elif kind == "sequence":
        members = ", ".join(f"{where} {write(entry[where])}" for where in ("first", "next", "last"))
        yield "sequence", f"{name} over {entry['index']}: {members}"
    elif kind == "operator":
        mass = write(entry["mass"]) if "mass" in entry else ""
        yield "operator", f"{name}: {_name_operator(mass)}"
    elif kind == "known point" and entry["known_gradient"]:
        slope = f"the subgradient {write(entry['known_gradient'])}"
        yield "point of a step", f"{name}: {entry['function']} has {slope} at {write(entry['at'])}"
    elif kind == "known point":
        yield "minimizer", f"{name}: {entry['function']} at {write(entry['at'])} is {entry['known_value']}"


def _name_operator(mass: str) -> str:
    if not mass:
        return "the index of a sequence"
    return "a mean or an expectation" if mass == "1" else f"a sum with the mass {mass}"


def _explain(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    kind, name = entry["kind"], entry.get("name", "")
    if kind == "let":
        yield name, write(entry.get("equals", entry.get("vector")))
    elif kind == "root":
        yield name, f"the root of {write(entry['of'])}"
    elif kind == "power":
        yield name, f"{write(entry['of'], ATOM)}^{write(entry['exponent'], ATOM)}"
    elif kind == "exponential":
        yield name, f"exp({write(entry['of'])})"
    elif kind == "named":
        yield name, write(entry["stands_for"])
    elif kind == "average":
        yield name, f"{entry['over']}[{write(entry['of'])}]"
    elif kind == "point":
        yield name, f"{entry['function']} at {write(entry['at'])}: {entry['gradient']}, {entry['value']}"
    elif kind == "recursion":
        first, following = write(entry["first"]), write(entry["next"])
        yield name, f"over {entry['index']}: first {first}, next {following}, last {entry['last']}"


def write(formula: Any, within: int = SUM) -> str:
    """A formula of a proof as one writes it, in parentheses where what is around it holds more tightly."""
    text, tight = _write(formula)
    return f"({text})" if tight < within else text


def _write(formula: Any) -> tuple[str, int]:
    if isinstance(formula, str):
        return formula, PRODUCT if "/" in formula or formula.startswith("-") else ATOM
    if isinstance(formula, dict):
        return _add([_multiply(["*", c, name]) for name, c in formula.items()]) if formula else ("0", ATOM)
    head, *parts = formula
    if head in ("inner", "square", "over"):
        u, v = write(parts[0]), write(parts[-1])
        return {"inner": f"<{u}, {v}>", "square": f"||{u}||^2", "over": f"{u}[{v}]"}[head], ATOM
    if head == "^":
        return f"{write(parts[0], ATOM)}^{parts[1]}", ATOM
    if head == "+":
        return _add([_write(part) for part in parts])
    if head == "-":
        negative = [_multiply(["*", "-1", part]) for part in (parts if len(parts) == 1 else parts[1:])]
        return _add(negative if len(parts) == 1 else [_write(parts[0]), *negative])
    return _multiply(formula) if head == "*" else _divide(parts)


def _add(parts: list[tuple[str, int]]) -> tuple[str, int]:
    text = parts[0][0]
    for part, _ in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text, parts[0][1] if len(parts) == 1 else SUM


def _factors(formula: Any) -> Iterator[Any]:
    if isinstance(formula, list) and formula[0] == "*":
        for part in formula[1:]:
            yield from _factors(part)
    elif isinstance(formula, list) and formula[0] == "-" and len(formula) == 2:
        yield "-1"
        yield from _factors(formula[1])
    else:
        yield formula


def _multiply(formula: Any) -> tuple[str, int]:
    """The numbers of a product in front, and no factor of 1."""
    number, rest = Fraction(1), []
    for factor in _factors(formula):
        if isinstance(factor, str) and factor.lstrip("-").replace("/", "").isdigit():
            number *= Fraction(factor)
        else:
            rest.append(write(factor, PRODUCT))
    if not rest:
        return _write(str(number))
    sign = "-" if number < 0 else ""
    front = [] if abs(number) == 1 else [str(abs(number))]
    alone = not sign and len(front) + len(rest) == 1
    return sign + " ".join([*front, *rest]), ATOM if alone else PRODUCT


def _divide(parts: list[Any]) -> tuple[str, int]:
    below = [write(part, ATOM) for part in parts[1:]]
    return "/".join([write(parts[0], PRODUCT), *below]), PRODUCT
