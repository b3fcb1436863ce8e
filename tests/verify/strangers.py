"""What theorems of strangers share: symbols by the part that they play, a paper, a statement in few words."""

from typing import Any

from sympy import Symbol

from bounds.language.dimension import ONE, F, X
from bounds.language.part import at_start, constant, lower_constant, setting
from bounds.language.quantity import NON_NEGATIVE, POSITIVE, POSITIVE_INTEGER, PROBABILITY, Notation
from bounds.language.statement import Kind, Paper, Statement, Term

SPREAD = constant("mean_squared_client_gradient_at_minimiser", root=True)
PARTS: dict[str, tuple[Any, ...]] = {
    "K": ("K", "rounds", POSITIVE_INTEGER, ONE, setting("rounds")),
    "E": ("E", "local steps", POSITIVE_INTEGER, ONE, setting("local_steps")),
    "eta": (r"\eta", "step", POSITIVE, X**2 / F, setting("step")),
    "p": ("p", "probability of each client", PROBABILITY, ONE, setting("probability")),
    "sigma": (r"\sigma", "noise of a coordinate", NON_NEGATIVE, F / X, setting("noise")),
    "n": ("n", "clients", POSITIVE_INTEGER, ONE, constant("clients")),
    "d": ("d", "dimension", POSITIVE_INTEGER, ONE, constant("dimension")),
    "L": ("L", "smoothness", POSITIVE, F / X**2, constant("smoothness")),
    "mu": (r"\mu", "strong convexity", POSITIVE, F / X**2, lower_constant("strong_convexity")),
    "mu_i": (r"\mu_i", "of each client", POSITIVE, F / X**2, lower_constant("client_strong_convexity")),
    "D": ("D", "distance at the start", NON_NEGATIVE, X, at_start("distance")),
    "Delta": (r"\Delta", "gap at the start", NON_NEGATIVE, F, at_start("gap")),
    "s": ("s", "root of the mean squared client gradient at the minimizer", NON_NEGATIVE, F / X, SPREAD),
}


def enter(notation: Notation, *names: str) -> tuple[Symbol, ...]:
    return tuple(notation.quantity(name, *PARTS[name]) for name in names)


def paper(key: str, notation: Notation) -> Paper:
    return Paper(key=key, title="", authors="", bibtex="", package=key, notation=notation)


def state(of: Paper, left: Any, *terms: Term, **more: Any) -> Statement:
    """An upper bound with these terms, located by the key of its paper."""
    usual = {"locator": of.key, "kind": Kind.UPPER_BOUND, "title": "a stranger's", "printed": ("x",)}
    return Statement(**(usual | {"paper": of, "reading": "", "left": left, "terms": terms} | more))


def state_with_example(
    of: Paper, values: Any, left: Any, right: Any, assumptions: Any, *conditions: Any, names: str = ""
) -> Statement:
    """Give the statement an example, the values of its symbols; `names`: settings that no formula has."""
    symbols = right.free_symbols.union(*(c.limit.free_symbols | c.value.free_symbols for c in conditions))
    wanted = {symbol.name for symbol in symbols} | set(names.split())
    return state(
        of,
        left,
        Term("right side", right, "everything"),
        assumptions=assumptions,
        conditions=conditions,
        example={name: value for name, value in values.items() if name in wanted},
    )
