"""The constants that code has in the place of those of the listing: products of powers.

A theorem on the listing holds for such code with the code's own constants in the place of the printed ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import final

Base = str | float  # a constant of the listing, or a number
Product = Mapping[Base, float]  # the power of each base


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """changes: the product in the place of each constant. words: what no product says, in a sentence.

    An `Own` without changes and with words asks the reader to redefine something, so no bound follows.
    """

    changes: Mapping[str, Product] = field(default_factory=dict, hash=False)
    words: str = ""

    def __str__(self) -> str:
        sentences = [_describe(symbol, product) for symbol, product in self.changes.items()]
        if all(sentences[i].startswith("replace ") for i in range(len(sentences))):
            sentences = sentences[:1] + [text.removeprefix("replace ") for text in sentences[1:]]
        *first, last = sentences or [""]
        return (f"{', '.join(first)} and {last}" if first else last) + self.words

    def values(self, at: Mapping[str, float]) -> dict[str, float]:
        """The code's constants where the listing has these."""
        return {symbol: _evaluate(product, at) for symbol, product in self.changes.items()}


def own(**changes: Product) -> Own:
    return Own(changes=changes)


def say_in_words(words: str) -> Own:
    return Own(words=words)


def _evaluate(product: Product, at: Mapping[str, float]) -> float:
    factors = ((at[base] if isinstance(base, str) else base, power) for base, power in product.items())
    return float(prod(base**power for base, power in factors))


def _describe(symbol: str, product: Product) -> str:
    text = _render(product)
    return f"replace {symbol} by {text}" if symbol in product else f"set {symbol} = {text}"


def _render(product: Product) -> str:
    above = [_power(base, power) for base, power in product.items() if power > 0]
    below = [_power(base, -power) for base, power in product.items() if power < 0]
    return "/".join(["*".join(above) or "1", *below])


def _power(base: Base, power: float) -> str:
    text = base if isinstance(base, str) else f"{base:.4g}"
    return {1: text, 0.5: f"sqrt({text})"}.get(power, f"{text}^{power:g}")
