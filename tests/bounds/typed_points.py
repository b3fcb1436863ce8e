"""What the tables golden*.py share: 50 digits, roots, lists of points, and what a formula gives at a point.

Needs mpmath and nothing of this project. A table's file prints itself: `python golden_clipping.py`.
"""

from mpmath import mp, mpf

mp.dps = 50


def root(x, n=2):
    return mp.root(x, n)


def joined(*lists):
    """Points whose inputs come from several lists of the same length."""
    return [{name: x for part in parts for name, x in part.items()} for parts in zip(*lists, strict=True)]


def plus(points, *more):
    """Points with more inputs each."""
    return joined(points, more)


def each(name, *values):
    return [{name: value} for value in values]


def without(points, *names):
    return [{name: value for name, value in point.items() if name not in names} for point in points]


class Inputs:
    """The exact values of the floats that the program is given."""

    def __init__(self, point):
        self.__dict__.update({name: mpf(value) for name, value in point.items()})


def margin(value, relation, limit):
    slack = limit - value if relation in ("<", "<=") else value - limit
    return slack / abs(limit) if limit != 0 else slack


def golden(statements):
    """(locator, point, terms, value, derived, [(holds, margin)]) for every point, as 50-digit numbers."""
    for locator, (formula, points) in statements.items():
        for point in points:
            terms, derived, conditions = formula(Inputs(point))
            decided = []
            for value, relation, limit in conditions:
                size = margin(value, relation, limit)
                decided.append((size > 0 or (size == 0 and relation in ("<=", ">=")), size))
            yield locator, point, terms, sum(terms.values()), derived, decided


def show(statements):
    for locator, point, terms, value, derived, conditions in golden(statements):
        print(locator, point)
        print("  value", mp.nstr(value, 40))
        for name, number in (terms | derived).items():
            print(f"  {name} {mp.nstr(number, 40)}")
        for holds, size in conditions:
            print("  holds" if holds else "  fails", mp.nstr(size, 20))
