"""Both sides of a statement at one point of a search."""

from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import final


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`share` is the excess over the sum of the magnitudes of all terms, which may cancel in the sides.

    `positive` where both sides are certainly not negative: only then is there a ratio. Roundings may have
    changed the excess by `rounding`: the score counts the rest, as a search would climb them for nothing.
    """

    left: float
    right: float
    share: float
    equality: bool = False
    positive: bool = True
    rounding: float = 0.0

    @property
    def excess(self) -> float:
        return abs(self.left - self.right) if self.equality else self.left - self.right

    @property
    def score(self) -> float:
        """From -1 to 1, growing with the ratio of positive sides; above 0 where the statement is broken."""
        if isnan(self.left) or isnan(self.right) or self.right == inf:
            return -inf
        if self.left == inf:
            return 1.0
        scale = abs(self.left) + abs(self.right)
        if scale == 0:  # 0 <= 0 says nothing of how near to breaking it is, 0 = 0 is all that is claimed
            return 0.0 if self.equality else -1.0
        certain = self.excess - self.rounding
        certain = max(certain, 0.0) if self.equality else certain
        return max(certain / scale, -1.0) if isfinite(scale) else -inf

    @property
    def guide(self) -> float:
        """The score; where that is flat, at -1, the share tells how far the left side is below."""
        return self.score + min(self.share, 0.0) if self.score == -1 else self.score

    @property
    def ratio(self) -> float | None:
        has_ratio = self.positive and not self.equality and self.left >= 0 and self.right > 0
        return self.left / self.right if has_ratio and isfinite(self.left) else None
