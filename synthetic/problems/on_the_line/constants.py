"""The constants of piecewise quadratic problems on the line, all in rationals."""

from fractions import Fraction

from synthetic.certified import rationals
from synthetic.certified.divergence import DIVERGENCES
from synthetic.certified.facts import Constant
from synthetic.problems.on_the_line.curves import Block, Curve, at, difference, lowest, mean_curve, steepest

MINIMA = (
    "minimum",
    "minimiser",
    "client_minima",
    "infimum_gap",
    "client_gaps_at_minimiser",
    "largest_client_gap_at_minimiser",
    "client_gradient_norms_at_minimiser",
    "mean_squared_client_gradient_at_minimiser",
)


def constants_of(blocks: list[Block], *, exact: bool) -> dict[str, Constant | None]:
    curves = [block.curve() for block in blocks]
    mean = mean_curve(curves)

    def point(value: Fraction | None) -> Constant | None:
        return None if value is None else rationals.point(value, exact=exact)

    def points(values: list[Fraction]) -> Constant:
        return rationals.points(values, exact=exact)

    bends = [max(abs(piece.bend) for piece in curve) for curve in curves]
    slopes = [steepest(curve) for curve in curves]
    known = [slope for slope in slopes if slope is not None]
    return {
        "smoothness": point(max(bends)),
        "client_smoothness": points(bends),
        "mean_smoothness": point(max(abs(piece.bend) for piece in mean)),
        "strong_convexity": point(max(Fraction(0), min(piece.bend for piece in mean))),
        "client_strong_convexity": points(
            [max(Fraction(0), min(piece.bend for piece in curve)) for curve in curves]
        ),
        "lipschitz": point(max(known)) if len(known) == len(slopes) else None,
        **_minima(blocks, curves, mean, exact=exact),
        **_divergences(curves, mean, exact=exact),
    }


def _minima(
    blocks: list[Block], curves: list[Curve], mean: Curve, *, exact: bool
) -> dict[str, Constant | None]:
    """A constant is None where a client or the mean is unbounded below, so that it does not exist."""
    place = lowest(mean)
    infima = [block.infimum for block in blocks if block.infimum is not None]
    bounded = len(infima) == len(blocks)
    out: dict[str, Constant | None] = dict.fromkeys(MINIMA)
    if bounded:
        out["client_minima"] = rationals.points(infima, exact=exact)
    if place is not None:
        minimum, x = place
        slopes = [abs(at(curve, x).derivative(x)) for curve in curves]
        out["minimum"] = rationals.point(minimum, exact=exact)
        out["minimiser"] = rationals.points([x], exact=exact)
        out["client_gradient_norms_at_minimiser"] = rationals.points(slopes, exact=exact)
        squares = rationals.mean([slope * slope for slope in slopes])
        out["mean_squared_client_gradient_at_minimiser"] = rationals.point(squares, exact=exact)
    if place is not None and bounded:
        gaps = [at(curve, x).value(x) - low for curve, low in zip(curves, infima, strict=True)]
        out["infimum_gap"] = rationals.point(minimum - rationals.mean(infima), exact=exact)
        out["client_gaps_at_minimiser"] = rationals.points(gaps, exact=exact)
        out["largest_client_gap_at_minimiser"] = rationals.point(max(gaps), exact=exact)
    return out


def _divergences(curves: list[Curve], mean: Curve, *, exact: bool) -> dict[str, Constant | None]:
    found = [steepest(difference(curve, mean)) for curve in curves]
    largest = [each for each in found if each is not None]
    if len(largest) < len(found):
        return dict.fromkeys(DIVERGENCES)
    constants = (
        rationals.points(largest, exact=exact),
        rationals.point(rationals.mean(largest), exact=exact),
        rationals.point(rationals.mean([each * each for each in largest]), exact=exact),
        rationals.point(max(largest), exact=exact),
    )
    return dict(zip(DIVERGENCES, constants, strict=True))
