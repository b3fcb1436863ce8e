"""The function that breaks Lemma 3, and the privacy that the rule for noise gives at large epsilon."""

import math
from collections.abc import Callable, Mapping
from typing import Final

from verify.papers.dp_fedavg.witnesses import statements
from verify.scene import Path, Scene

START, STEP = 0.1, 0.5  # of the witness of Lemma 3
DELTA = 1e-5  # of the witness of Definition 2


def lemma_3() -> Scene:
    """f = cos w: near its top a step leads to a steeper place."""
    found = statements.lemma_3()
    end = START + STEP * math.sin(START)
    places = [k / 100 for k in range(26)]
    return Scene(
        facts=(
            f"f(w) = cos w is smooth with L = 1 and not convex; one step of eta = {STEP:g} leads from "
            f"w = {START:g} to {end:.4g}.",
            f"The gradient grows from {math.sin(START):.4g} to {math.sin(end):.4g} in length. Its square is "
            f"then {found.left:.4g}, where the lemma allows at most {found.right:.4g}.",
        ),
        x="w",
        y="squared gradient",
        paths=(Path(name="f'(w)^2", points=tuple((w, math.sin(w) ** 2) for w in places)),),
        attained=found.left,
        allowed=found.right,
        stays=(START, end),
    )


def privacy() -> Scene:
    """The exact delta of the Gaussian mechanism under the rule's noise, over epsilon."""
    found = statements.large_epsilon()
    ratio = math.sqrt(2 * math.log(1.25 / DELTA))
    places = [1 + k / 4 for k in range(77)]
    return Scene(
        facts=(
            f"The rule sets the noise for (epsilon, {DELTA:g}); the curve is the delta that two values at "
            "the largest distance really get, by the exact formula of the Gaussian mechanism.",
            f"At epsilon = 20 it is {found.left:.4g}, where {found.right:.4g} was asked.",
        ),
        x="epsilon",
        y="delta",
        paths=(Path(name="exact delta", points=tuple((e, _delta(e, e / ratio)) for e in places)),),
        attained=found.left,
        allowed=found.right,
    )


def _delta(epsilon: float, shift: float) -> float:
    """Balle and Wang, 2018: Phi(m/2 - e/m) - exp(e) Phi(-m/2 - e/m) for means m deviations apart."""
    below = _normal(-shift / 2 - epsilon / shift)
    return _normal(shift / 2 - epsilon / shift) - math.exp(epsilon) * below


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


SCENES: Final[Mapping[str, Callable[[], Scene]]] = {
    "dp_fedavg.lemma_3": lemma_3,
    "dp_fedavg.definitions.privacy": privacy,
}
