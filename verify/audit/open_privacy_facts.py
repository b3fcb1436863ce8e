"""Facts of a guarantee of privacy that a paper does not say: two readings, two guarantees.

A statement that asserts privacy names its mechanism fact by fact; a fact that is open is a finding of class
interpretation. For the neighbouring relation the two readings are counted: replacing a contribution moves the
sum by twice what removing it does, and the exact delta of one release says what that costs.
"""

import math

import bounds
from bounds.language.finding import Finding, FindingClass
from bounds.language.statement import Statement

FACTS = ("unit", "relation", "sampling", "placement", "spread")
EPSILON, NOISE = 1.0, 5.0  # of one release; the noise over one contribution


def findings(statement: Statement) -> tuple[Finding, ...]:
    mechanism = statement.mechanism
    if mechanism is None or statement.variant != "printed":
        return ()
    return tuple(
        Finding(
            id=f"{statement.id}:silent:{fact}",
            statement=statement.id,
            locator=statement.locator,
            grade=FindingClass.INTERPRETATION,
            where=f"{fact} of the guarantee",
            printed=mechanism.said.get(fact, "nothing"),
            right=f"the {fact} said, and the noise counted with it",
            evidence=_evidence(fact),
        )
        for fact in FACTS
        if getattr(mechanism, fact) is None
    )


def _evidence(fact: str) -> str:
    if fact != "relation":
        return "mechanism: the paper's words leave it open"
    removed, replaced = (delta(EPSILON, NOISE / moved) for moved in (1, 2))
    return (
        f"exact: one release with noise {NOISE:g} times a contribution has at epsilon = {EPSILON:g} delta = "
        f"{removed:.3g} where a contribution is removed and {replaced:.3g} where it is replaced"
    )


def delta(epsilon: float, noise: float) -> float:
    """The delta of one Gaussian release, exactly; the noise is in units of what a neighbour moves."""
    near, far = 1 / (2 * noise), epsilon * noise
    return _normal(near - far) - math.exp(epsilon) * _normal(-near - far)


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def recheck() -> list[tuple[str, bool, str]]:
    """A silent relation matters as long as the two readings have different deltas."""
    apart = delta(EPSILON, NOISE / 2) > 2 * delta(EPSILON, NOISE) > 0
    return [
        (statement.id, apart or "relation" not in found.where, f"{found.where} is open in {statement.id}")
        for statement in bounds.statements()
        for found in findings(statement)
    ]
