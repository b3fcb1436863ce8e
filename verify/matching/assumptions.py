"""Assumptions of statements against facts of problems.

Each entry answers None when the problem is certified to satisfy the assumption, else why it is not. A name
without an entry is a defect: a test compares the names with those that the statements use.
"""

from collections.abc import Callable
from math import inf, isfinite

from bounds.language import assumptions as stated
from bounds.language.statement import Statement
from synthetic.certified.facts import Facts
from verify.cell import Cell, Scalar

Judge = Callable[[Facts, dict[str, Scalar]], str | None]


def _convex(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return None if facts.convex else "the clients are not all convex"


def _smooth(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return None if isfinite(facts.smoothness) else "the clients have no common smoothness constant"


def _lipschitz(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return (
        None if facts.lipschitz is not None else "the clients' gradients are unbounded: no Lipschitz constant"
    )


def _bounded_below(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return None if facts.bounded_below else "a client is not bounded below"


def _attained(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return None if facts.minimum_attained else "the mean of the clients is not certified to have a minimizer"


def _strongly_convex(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return None if facts.strong_convexity > 0 else "strong convexity is not certified"


def _divergence(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return None if facts.bounded_gradient_divergence else "the gradient divergence is infinite"


def _bounded_gradients(facts: Facts, parameters: dict[str, Scalar]) -> str | None:
    if facts.lipschitz is None:
        return "the clients' gradients are unbounded"
    below = facts.lipschitz <= parameters["C"]  # type: ignore[operator]  # a number: the judge gets no strings
    return None if below else "gradients can be longer than the clipping bound"


def _by_construction(facts: Facts, _: dict[str, Scalar]) -> str | None:
    # The engine's noise has mean zero and the stated total variance; its law is tested with the engine.
    return None


def _lojasiewicz(facts: Facts, parameters: dict[str, Scalar]) -> str | None:
    """`mu_1` is the constant of exponent 1; `reach` bounds how far from the origin the iterates come."""
    known = facts.lojasiewicz
    if known is None:
        return "no Lojasiewicz inequality is certified for every client"
    reach = float(parameters.get("reach", inf))
    if known.radius is not None and reach > known.radius:
        return (
            f"the inequality is certified only within {float(known.radius):g} of the origin, "
            f"and iterates are known to stay within {reach:g}"
        )
    exponent = 1 if "mu_1" in parameters else parameters.get("alpha", known.exponent)
    constant = parameters.get("mu_1", parameters.get("mu", 0))
    fits = exponent == known.exponent and constant <= known.constant  # type: ignore[operator]  # numbers
    return None if fits else f"certified: exponent {known.exponent:g}, constant {float(known.constant):g}"


def _curvature_along_gradients(facts: Facts, _: dict[str, Scalar]) -> str | None:
    return "no problem of the engine certifies that every gradient changes along its own direction"


JUDGES: dict[str, Judge] = {
    stated.CONVEX_CLIENTS.name: _convex,
    stated.SMOOTH_CLIENTS.name: _smooth,
    stated.LIPSCHITZ_CLIENTS.name: _lipschitz,
    stated.BOUNDED_BELOW.name: _bounded_below,
    stated.MINIMUM_ATTAINED.name: _attained,
    stated.STRONGLY_CONVEX.name: _strongly_convex,
    stated.GRADIENT_DIVERGENCE.name: _divergence,
    stated.BOUNDED_GRADIENTS.name: _bounded_gradients,
    stated.UNBIASED_NOISE.name: _by_construction,
    stated.LOJASIEWICZ.name: _lojasiewicz,
    stated.CURVATURE_ALONG_GRADIENTS.name: _curvature_along_gradients,
}


def refusal(statement: Statement, facts: Facts, cell: Cell) -> str | None:
    """The first assumption that the problem is not certified to satisfy, with the reason."""
    # Where the iterates stay is known to the run alone; the algorithm's file proves it.
    known = dict(cell.parameters) | {n: v for n, v in cell.engine.items() if n == "reach"}
    for assumption in statement.assumptions:
        reason = JUDGES[assumption.name](facts, known)
        if reason is not None:
            return f"{assumption.name} ({assumption.locator}): {reason}"
    return None
