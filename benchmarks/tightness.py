"""How loose the bounds are that have a worst-case program: bound, certified worst case, ratio.

    python benchmarks/tightness.py                # prints the table
    python benchmarks/tightness.py --write        # writes benchmarks/tightness.md
    python benchmarks/tightness.py --draw         # writes docs/figures/tightness.svg, a picture per statement
    python benchmarks/tightness.py --keep         # writes the answers that `fedbounds verify` checks again

The last table scales one term of a bound: the smallest multiple of it with which the bound is still certified
at every size of the table. It is true at these sizes, and no theorem.
"""

import argparse
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from bounds import discovery
from bounds.language.statement import Statement
from reports.documents.json_border import plain
from reports.plots.files import UNDATED
from reports.plots.style import styled
from verify.worst_case.answer import Answer, worst
from verify.worst_case.document import SCHEMA, digits_above, digits_below
from verify.worst_case.kept import keep, points_of

FILE = Path(__file__).with_name("tightness.md")
FIGURE = Path(__file__).parent.parent / "docs" / "figures" / "tightness.svg"
# The axis of each picture, with the other values those at which the statement is kept.
AXES = {
    "textbook.gradient_descent_convex": ("N", (1, 2, 4, 8, 16)),
    "textbook.gradient_descent_nonconvex": ("N", (1, 2, 4, 8, 16)),
    "textbook.gradient_descent_strongly_convex": ("N", (1, 2, 4, 8, 16)),
    "textbook.federated_averaging_one_client": ("rounds", (1, 2, 3, 4, 6)),
    "textbook.stochastic_gradient_descent": ("K", (1, 5, 10, 20, 50)),
    "fedavg_lojasiewicz.theorem_f2": ("R", (1, 2, 3, 4, 6)),
}
Point = dict[str, Fraction]

HEAD = """# Bounds beside certified worst cases

Made by `python benchmarks/tightness.py --write`. The worst case is certified from above, and rounded up.
`fedbounds worst ID --set ... --out FILE` gives every number with its certificate, and `fedbounds replay FILE`
checks it again. See [docs/worst_case.md](../docs/worst_case.md).
"""


def point(**numbers: int | str) -> Point:
    return {name: Fraction(value) for name, value in numbers.items()}


def questions() -> Iterator[tuple[str, str, Point]]:
    """Every statement with a worst-case program, at several sizes."""
    for steps in (1, 5, 20):
        yield "textbook.gradient_descent_convex", "printed", point(L=1, D0=1, N=steps)
        yield "textbook.gradient_descent_nonconvex", "printed", point(L=1, f0_gap=1, N=steps)
        yield "textbook.gradient_descent_strongly_convex", "printed", point(L=1, mu="1/10", D0=1, N=steps)
    for rounds, local in ((1, 2), (3, 2), (4, 4)):
        yield "textbook.federated_averaging_one_client", "printed", point(L=1, D0=1, rounds=rounds, E=local)
    for steps in (5, 50):
        numbers = point(L=1, mu="1/10", eta="1/2", sigma="1/2", D0=1, K=steps)
        yield "textbook.stochastic_gradient_descent", "printed", numbers
    for variant in ("printed", "amended"):
        for local, rounds in ((1, 1), (2, 2), (4, 2), (2, 6)):
            for gap, zeta, sigma in (("1", 0, 0), ("1/100", 1, 0), ("1", 1, 0), ("1/100", 0, 1)):
                numbers = point(M=10, L=1, mu_1="1/2", sigma=sigma, H=local, R=rounds, f0_gap=gap, zeta=zeta)
                numbers["eta"] = Fraction(1, 18 * local)
                yield "fedavg_lojasiewicz.theorem_f2", variant, numbers


def table(answers: list[tuple[Point, Answer]]) -> Iterator[str]:
    yield "| statement | at | bound | worst case, certified | attained | bound / worst case |"
    yield "|---|---|---:|---:|---:|---:|"
    for numbers, answer in answers:
        found = answer.document
        at = ", ".join(f"{name}={value}" for name, value in numbers.items())
        form = "" if answer.variant == "printed" else f" ({answer.variant})"
        assert answer.found is not None
        lower = answer.found.lower
        ends = digits_above(answer.found.upper, 7), "-" if lower is None else digits_below(lower, 7)
        shown = f"{float(found['bound']):.7g} | {' | '.join(ends)} | {float(found['ratio']):.7g}"
        yield f"| `{answer.target}`{form} | {at} | {shown} |"


def needed_shares(answers: list[tuple[Point, Answer]]) -> Mapping[tuple[str, str], Fraction]:
    """By statement and term, the largest multiple of the term that any size needs, the others as they are."""
    found: dict[tuple[str, str], Fraction] = {}
    for _, answer in answers:
        if answer.found is None or answer.terms is None or answer.bound is None:
            continue
        form = answer.target if answer.variant == "printed" else f"{answer.target} ({answer.variant})"
        for name, value in answer.terms.items():
            if value > 0:
                rest = answer.bound - value
                share = max(Fraction(0), (answer.found.upper - rest) / value)
                found[form, name] = max(share, found.get((form, name), Fraction(0)))
    return found


def text() -> str:
    answers = [(numbers, worst(name, numbers, variant=variant)) for name, variant, numbers in questions()]
    lines = [HEAD, "## Ratios", "", *table(answers), "", "## Smallest multiple of a term", ""]
    lines += [
        "The other terms stay as they are, at the sizes above. 0.5 says that half of the term would",
        "still be certified at each of them. It is a fact about these sizes only.",
        "",
        "| statement | term | pays for | smallest multiple |",
        "|---|---|---|---:|",
    ]
    forms = {
        s.id if s.variant == "printed" else f"{s.id} ({s.variant})": s for s in discovery.forms().values()
    }
    for (form, name), share in needed_shares(answers).items():
        paid = next(term.pays_for for term in forms[form].terms if term.name == name)
        named = form.replace(" (", "` (") if "(" in form else f"{form}`"
        lines.append(f"| `{named} | {name} | {paid} | {float(share):.4g} |")
    return "\n".join(lines) + "\n"


def ratios(statement: Statement, name: str, values: tuple[int, ...]) -> list[float]:
    """The bound over the certified worst case along an axis."""
    at = points_of(statement)[0]
    answers = [worst(statement.id, at | {name: Fraction(v)}, variant=statement.variant) for v in values]
    return [float(answer.document["ratio"]) for answer in answers]


def draw() -> None:
    """One picture per statement: how many times the certified worst case its bound is."""
    with styled() as figure:
        figure.set_size_inches(7.0, 6.0)
        for place, (identity, (name, values)) in enumerate(AXES.items(), start=1):
            axes = figure.add_subplot(3, 2, place)
            for statement in (s for s in discovery.forms().values() if s.id == identity):
                axes.plot(values, ratios(statement, name, values), marker=".", label=statement.variant)
            axes.set_ylim(0.9, 1.1 * axes.get_ylim()[1])  # a tight bound is drawn inside the panel
            axes.set_title(identity, fontsize="small")
            axes.set_xlabel(name)
            axes.set_ylabel("bound / worst case")
            axes.legend()
        figure.savefig(FIGURE, format="svg", metadata=UNDATED["svg"])


def write_kept() -> None:
    for statement in discovery.forms().values():
        for place, point in enumerate(points_of(statement)):
            answer = worst(statement.id, point, variant=statement.variant)
            print(keep(statement, plain({"schema": SCHEMA, **answer.document, "seconds": 0.0}), place))


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare bounds with certified worst cases.")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    parser.add_argument("--keep", action="store_true", help="write the certified answers of the distribution")
    parser.add_argument("--draw", action="store_true", help=f"write {FIGURE.name}")
    asked = parser.parse_args()
    if asked.draw:
        draw()
    elif asked.keep:
        write_kept()
    elif asked.write:
        FILE.write_text(text(), encoding="utf-8")
    else:
        print(text(), end="")


if __name__ == "__main__":
    main()
