"""One figure of a plan: the bound beside what is known without it, and the gap of the run, round by round."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.plots.files import UNDATED
from reports.plots.style import AREAS, CURVES, styled, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from verify.planning.planned import Plan

KINDS = ("svg", "pdf")


def pictures(plan: "Plan") -> dict[str, bytes]:
    """figure.svg and figure.pdf."""
    return {f"figure.{kind}": picture(plan, kind) for kind in KINDS}


def picture(plan: "Plan", kind: str) -> bytes:
    stream = BytesIO()
    with styled() as figure:
        draw(plan, figure)
        figure.savefig(stream, format=kind, metadata=UNDATED[kind])
    return stream.getvalue()


def draw(plan: "Plan", figure: "Figure") -> None:
    width, height = figure.get_size_inches()
    if plan.simulated is None:
        _bars(figure.add_subplot(), plan)
    else:
        figure.set_size_inches(width * 1.5, height)
        left, right = figure.subplots(1, 2, width_ratios=(2, 3))
        _bars(left, plan)
        _rounds(right, plan)
    # of a file its name: a long path does not fit
    place = "from constants alone" if plan.task.problem is None else f"on {Path(plan.task.problem).name}"
    figure.suptitle(wrapped(f"{plan.statement.id} {place}", 90))


def _bars(axes: Any, plan: "Plan") -> None:
    """The free bound, the bound term by term, and what the run measured."""
    bottom = 0.0
    for (color, hatch), (name, value) in zip(_looks(plan), plan.evaluation.terms.items(), strict=True):
        axes.bar(
            1, value, bottom=bottom, color=color, hatch=hatch, edgecolor="0.3", linewidth=0.5, label=name
        )
        bottom += float(value)
    free = plan.worth.informed.free.value
    if free is not None:
        axes.bar(0, free, color="0.75", edgecolor="0.3", linewidth=0.5)
    labels = ["known\nwithout a run", "bound"]
    if plan.simulated is not None and plan.simulated.left is not None:
        estimate, low, high = plan.simulated.left
        axes.errorbar(
            2, estimate, yerr=[[estimate - low], [high - estimate]], fmt="o", color="black", capsize=4
        )
        labels.append("measured")
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.set_ylim(bottom=0)
    axes.set_ylabel(f"what the statement bounds [{plan.statement.unit}]")
    # below the axes: above them a legend hides a bar
    axes.legend(
        fontsize="small",
        title="terms of the bound",
        title_fontsize="small",
        loc="upper center",
        bbox_to_anchor=(0.5, -0.16),
        ncols=2,
    )


def _looks(plan: "Plan") -> list[tuple[str, str]]:
    return [AREAS[i % len(AREAS)] for i in range(len(plan.evaluation.terms))]


def _rounds(axes: Any, plan: "Plan") -> None:
    assert plan.simulated is not None
    bands = [("the statement's setting", plan.simulated.gap)]
    if plan.tuned is not None:
        bands.append(("best setting by simulation", plan.tuned.gap))
    for (color, line, _), (label, band) in zip(CURVES, bands, strict=False):
        places = np.arange(len(band.mean))
        axes.plot(places, band.mean, color=color, linestyle=line, label=label)
        axes.fill_between(places, band.lower, band.upper, color=color, alpha=0.18, linewidth=0)
    axes.axhline(plan.simulated.gap.mean[0], color="0.5", linewidth=0.8, linestyle=":", label="at the start")
    axes.set_xlabel("round")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_ylabel("gap [F]")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")
