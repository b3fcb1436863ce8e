"""Points that satisfy a statement's conditions, from a seed: half inside its ranges, half at their corners.

`valid_parameters` draws the same limits in the same order for tests; an audit must not need Hypothesis.
"""

import math
import random
from collections.abc import Iterable, Iterator, Mapping

from bounds.evaluation.resolve import resolve
from bounds.language.quantity import Domain
from bounds.language.statement import Statement
from verify.parameters.valid import Limit, UnsolvableCondition, domain_of, drawing_order, limits_on_inputs

SEED = 20240607
DECADES = 3.0
LONGEST = 300
MEAN, LARGEST = "_mean", "_max"  # the ending of a name says how it is taken over the clients


def points(
    statement: Statement, more: Iterable[str], count: int, *, seed: int = SEED
) -> Iterator[dict[str, float]]:
    """At most `count` points; `more` names inputs that the statement does not have, drawn in their domains.

    A corner where two limits leave nothing between them is no point of the statement.
    """
    order, limits = order_inputs(statement, more)
    inner = {name for own in limits.values() for limit in own for name in limit.names}
    for index in range(count):
        generator = random.Random(f"{seed}:{index}")
        point: dict[str, float] = {}
        try:
            for name in order:
                ends = range_of(name, domain_of(statement, name), limits.get(name, []), point)
                corner = index % 2 == 1
                point[name] = ends.corner(generator, name in inner) if corner else ends.inside(generator)
        except UnsolvableCondition:
            continue
        yield point


def order_inputs(statement: Statement, more: Iterable[str]) -> tuple[list[str], Mapping[str, list[Limit]]]:
    """The inputs and `more` in the order in which they are drawn, and the limits on each.

    Raises UnsolvableCondition where a condition is solved for no input.
    """
    resolved = resolve(statement)
    names = resolved.required | resolved.optional
    limits = limits_on_inputs(statement, names)
    inner = {name for own in limits.values() for limit in own for name in limit.names}
    drawn = [*drawing_order(names, limits), *sorted(set(more) - names)]
    # A mean is drawn after the largest, which it does not exceed.
    return sorted(drawn, key=lambda name: name.endswith(MEAN) and name not in inner), limits


class Range:
    """The interval that is left to one input when those before it are drawn."""

    def __init__(self, domain: Domain, low: float, high: float, strict: bool) -> None:
        # A strict limit is kept a little inside, which it cannot be at zero.
        self.low_belongs = (low > domain.lower or domain.lower_included) and not (strict and low == 0)
        self.high_belongs = (high < domain.upper or domain.upper_included) and not (strict and high == 0)
        self.integer = domain.integer
        self.low = float(math.ceil(low)) if domain.integer and math.isfinite(low) else low
        self.high = float(math.floor(high)) if domain.integer and math.isfinite(high) else high
        empty = self.low == self.high and not (self.low_belongs and self.high_belongs)
        if self.low > self.high or empty:
            raise UnsolvableCondition(f"nothing lies between {low} and {high}")

    def corner(self, generator: random.Random, inner: bool) -> float:
        """An end that belongs to the range, or far out, or hardly inside.

        Where another input's limit depends on this one, zero is no corner: that limit may vanish there.
        """
        upper = generator.random() < 0.5
        if inner and self.low == 0 and not self.integer:
            upper = upper or math.isfinite(self.high)
            if not upper:
                return self.inside(generator)
        end, belongs = (self.high, self.high_belongs) if upper else (self.low, self.low_belongs)
        if math.isfinite(end) and belongs:
            return float(end)
        return self._at(10 ** (DECADES if upper else -DECADES), 1e-3 if upper else 0.999)

    def inside(self, generator: random.Random) -> float:
        return self._at(10 ** generator.uniform(-DECADES, DECADES), generator.uniform(0.001, 0.999))

    def _at(self, distance: float, share: float) -> float:
        """`distance` from a single end, or that share of the way from the upper end to the lower one."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            value = self.high - (self.high - self.low) * share
            return float(math.floor(value)) if self.integer else value
        if math.isinf(self.low) and math.isinf(self.high):
            return distance
        if self.integer:
            return float(self.low + min(math.floor(distance), LONGEST))
        if math.isinf(self.high):
            return self.low + (abs(self.low) or 1.0) * distance
        return self.high - (abs(self.high) or 1.0) * distance


def range_of(name: str, domain: Domain, limits: list[Limit], point: dict[str, float]) -> Range:
    uppers = [limit.at(point) for limit in limits if limit.solved.relation.upper]
    lowers = [limit.at(point) for limit in limits if not limit.solved.relation.upper]
    largest = point.get(name.removesuffix(MEAN) + LARGEST, math.inf) if name.endswith(MEAN) else math.inf
    low, high = max([domain.lower, *lowers]), min([domain.upper, *uppers, largest])
    strict = any(limit.solved.relation.strict for limit in limits)
    return Range(domain, low, high, strict)
