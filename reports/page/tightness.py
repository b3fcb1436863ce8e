"""The picture of how loose a bound is: bound over certified worst case, along one quantity.

The numbers are kept (`verify/worst_case/tightness.json`), so that the page needs no solver.
"""

import shlex
from typing import Any

from reports.plots import light
from verify.worst_case.tightness import Curve, Share, curves_of, shares_of

Plain = dict[str, Any]

PRINTED = "printed"


def tightness(identity: str) -> Plain | None:
    """None for a statement without a worst-case program."""
    curves = curves_of(identity)
    if not curves:
        return None
    axis = curves[0]["axis"]
    in_words = (
        f"Bound of {identity} over its certified worst case, at {len(curves[0]['places'])} values of {axis}"
    )
    drawn = tuple(_curve(curve) for curve in curves)
    y = "bound / worst case"
    chart = light.Chart(x=axis, y=y, in_words=in_words, curves=drawn, levels=(("tight", 1.0),))
    return {
        "svg": light.svg(chart),
        "axis": axis,
        "at": ", ".join(f"{name} = {value}" for name, value in curves[0]["given"].items()),
        "commands": [_command(curve) for curve in curves],
        "rows": [row for curve in curves for row in _rows(curve)],
        "shares": [_share(share) for share in shares_of(identity)],
    }


def _curve(curve: Curve) -> light.Curve:
    look = light.BOUND if curve["variant"] == PRINTED else light.SECOND
    points = tuple((float(one["at"]), one["bound"] / one["upper"]) for one in curve["places"])
    return light.Curve(name=curve["variant"], look=look, points=points)


def _command(curve: Curve) -> str:
    over = f"{curve['axis']}={','.join(one['at'] for one in curve['places'])}"
    given = [f"{name}={value}" for name, value in curve["given"].items()]
    form = [] if curve["variant"] == PRINTED else ["--variant", curve["variant"]]
    return shlex.join(["fedbounds", "worst", curve["id"], *form, "--over", over, "--set", *given])


def _rows(curve: Curve) -> list[Plain]:
    form = curve["variant"]
    return [{"form": form, **one, "ratio": one["bound"] / one["upper"]} for one in curve["places"]]


def _share(share: Share) -> Plain:
    sizes = "; ".join(f"{name} = {', '.join(values)}" for name, values in share["sizes"].items())
    could = "" if share["leading"] is None else f"{share['leading']} could be {share['needed']}"
    return {"form": share["variant"], **share, "could": could, "at": sizes}
