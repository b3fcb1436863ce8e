"""What a counterexample prints of a function is that function: each formula, read and computed by itself."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from verify.objects import classes
from verify.objects.constants import Constants, Kind
from verify.objects.draw import RANDOM, Draw
from verify.objects.growing import GROWING
from verify.objects.plain_draw import PlainDraw
from verify.objects.weakly_convex import HILLS

Points = NDArray[np.float64]


def constants(**known: float) -> Constants:
    return Constants(**dict.fromkeys(("smooth", "strong", "lipschitz", "lojasiewicz")) | known)


CLASSES: list[tuple[dict[str, Kind], Constants]] = [
    (classes.SMOOTH, constants(smooth=2.0)),
    (classes.STRONG, constants(smooth=2.0, strong=0.5)),
    (classes.STRONG_AND_GROWING, constants(smooth=2.0, strong=0.5, growth=0.5)),
    (classes.LOJASIEWICZ, constants(smooth=64.0, lojasiewicz=0.5)),
    (classes.LEVELLING, constants(smooth=2.0, lipschitz=3.0)),
    (classes.KINKED, constants(lipschitz=3.0)),
    (classes.STRONG_WITH_KINKS, constants(strong=0.5)),
    (classes.HOLDER, constants(smooth=2.0, exponent=0.5)),
    (GROWING, constants(smooth=2.0, growth=0.5)),
    (HILLS, constants(smooth=2.0, weak=1.0, lipschitz=3.0)),
]
KINDS = [(name, make, known) for kinds, known in CLASSES for name, make in kinds.items()]

# ---- a reader of such formulas, which knows nothing of how they are written

REWRITTEN = (
    (r"\|\|([^|]*)\|\|", r"norm(\1)"),
    (r"\|([^|]*)\|", r"abs(\1)"),
    (r"<([^<>=]*)>", r"inner(\1)"),
    (r"\bH (?=[x(])", "H @ "),
    (r"(?<=[\d)]) (?=[\da-z(])", "*"),
    (r"\^", "**"),
)
FUNCTIONS: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("exp", "log", "cosh", "sin", "cos", "abs")},
    "max": max,
    "norm": np.linalg.norm,
    "inner": lambda u, v: np.dot(u, v),
}


def evaluate(text: str, names: dict[str, Any]) -> Any:
    for pattern, instead in REWRITTEN:
        text = re.sub(pattern, instead, text)
    return eval(text, {"__builtins__": {}}, FUNCTIONS | names)  # noqa: S307  our own formula, in a test


def coordinates(name: str, point: Points) -> dict[str, Any]:
    alone = point[0] if len(point) == 1 else point
    return {name: alone} | {f"{name}_{j}": entry for j, entry in enumerate(point, 1)}


def cut_in_pieces(argument: str, body: str) -> Callable[[Any], Any]:
    """h(t) = A for |t| <= a, B for |t| <= b, else C."""
    pieces = re.findall(r"(?:^|, )(?!else)(.+?) for ([^,]+)", body)

    def piece(value: Any) -> Any:
        given = {argument: value}
        fit = (text for text, condition in pieces if evaluate(condition, given))
        return evaluate(next(fit, body.rpartition("else ")[2]), given)

    return piece


def read(text: str, x: Points) -> float:
    formula, _, meaning = text.partition(" with ")
    names, (what, _, body) = coordinates("x", x), meaning.partition(" = ")
    if function := re.fullmatch(r"(\w+)\((\w)\)", what):
        names[function[1]] = cut_in_pieces(function[2], body)
    elif what == "t":
        names |= coordinates("t", evaluate(body, names))
    elif what == "H":
        names["H"] = np.array(evaluate(body, names))
    return float(evaluate(formula, names))


@pytest.mark.parametrize(("kind", "make", "known"), KINDS, ids=[name for name, _, _ in KINDS])
def test_a_printed_function_has_the_values_of_the_drawn_one(kind: str, make: Kind, known: Constants) -> None:
    random = np.random.default_rng(3)
    for d in (1, 2, 3):
        for draw in (PlainDraw(1, d), PlainDraw(2, d), Draw(RANDOM, np.random.default_rng([5, d]))):
            drawn = make(draw, d, known)
            for offset in (0.0, 1.5, -0.1):
                moved = classes._moved(drawn, offset)
                centre = np.zeros(d) if drawn.minimizer is None else drawn.minimizer
                for x in centre + random.normal(size=(6, d)) * [[0.1], [0.5], [1], [1], [3], [6]]:
                    by_value = float(moved.value(x[None])[0])
                    assert read(moved.formula(), x) == pytest.approx(by_value, rel=1e-9, abs=1e-9)
