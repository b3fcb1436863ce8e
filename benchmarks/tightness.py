"""How loose the bounds are that have a worst-case program: bound, certified worst case, ratio.

    python benchmarks/tightness.py                # prints the table
    python benchmarks/tightness.py --write        # writes benchmarks/tightness.md and the report's numbers
    python benchmarks/tightness.py --draw         # writes docs/figures/tightness.svg, a picture per statement
    python benchmarks/tightness.py --keep         # writes the answers that `fedbounds verify` checks again

The last table scales one term of a bound: the smallest multiple of it with which the bound is still certified
at every size of the table. It is true at these sizes, and no theorem.
"""

import argparse
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from bounds import discovery
from bounds.language.statement import Statement
from reports.documents.json_border import plain
from reports.plots.files import UNDATED
from reports.plots.style import styled
from verify.worst_case import tightness
from verify.worst_case.answer import Answer, worst
from verify.worst_case.document import SCHEMA
from verify.worst_case.numbers import digits_above, digits_below
from verify.worst_case.stored_answers import keep, points_of
from verify.worst_case.tightness import Curve, Place, Share
from verify.worst_case.verdict import SLACK

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


def needed_multiples(answers: list[tuple[Point, Answer]]) -> Mapping[tuple[str, str, str], Fraction]:
    """Find by form and term the largest multiple of the term that any size needs, the others as they are."""
    found: dict[tuple[str, str, str], Fraction] = {}
    for _, answer in answers:
        if answer.found is None or answer.terms is None or answer.bound is None:
            continue
        for name, value in answer.terms.items():
            if value > 0:
                rest = answer.bound - value
                share = max(Fraction(0), (answer.found.upper - rest) / value)
                key = answer.target, str(answer.variant), name
                found[key] = max(share, found.get(key, Fraction(0)))
    return found


def shares(answers: list[tuple[Point, Answer]]) -> list[Share]:
    forms = {(s.id, s.variant): s for s in discovery.forms().values()}
    found: list[Share] = []
    for (identity, variant, name), multiple in needed_multiples(answers).items():
        term = next(term for term in forms[identity, variant].terms if term.name == name)
        leading = Fraction(str(term.expression.as_coeff_Mul()[0]))
        is_left_out = leading == 1 or _shown(multiple) == "1"
        of_form = [at for at, a in answers if (a.target, a.variant) == (identity, variant)]
        found.append(
            Share(
                id=identity,
                variant=variant,
                term=name,
                pays_for=term.pays_for,
                multiple=_shown(multiple),
                leading=None if is_left_out else str(leading),
                needed=None if is_left_out else _shown(multiple * leading),
                sizes=_sizes(of_form),
            )
        )
    return found


def _shown(number: Fraction) -> str:
    """Rounded up, as less would not be certified; the slack of a certificate of a tight bound is left out."""
    return str(round(number)) if number in (0, 1) or abs(number - 1) <= SLACK else digits_above(number, 4)


def _sizes(points: list[Point]) -> dict[str, list[str]]:
    """The values of every quantity that differs between the points."""
    values = {name: sorted({at[name] for at in points}) for name in points[0]}
    return {name: [str(v) for v in found] for name, found in values.items() if len(found) > 1}


def text(answers: list[tuple[Point, Answer]]) -> str:
    lines = [HEAD, "## Ratios", "", *table(answers), "", "## Smallest multiple of a term", ""]
    lines += [
        "The other terms stay as they are, at the sizes above. 0.5 says that half of the term would",
        "still be certified at each of them; the last column has the leading number of the term, and what it",
        "could be. It is a fact about these sizes only.",
        "",
        "| statement | term | pays for | smallest multiple | leading number |",
        "|---|---|---|---:|---:|",
    ]
    for one in shares(answers):
        form = "" if one["variant"] == "printed" else f" ({one['variant']})"
        could = "" if one["leading"] is None else f"{one['leading']} could be {one['needed']}"
        start = f"| `{one['id']}`{form} | {one['term']} | {one['pays_for']} |"
        lines.append(f"{start} {one['multiple']} | {could} |")
    return "\n".join(lines) + "\n"


def curve(statement: Statement, name: str, values: tuple[int, ...]) -> Curve:
    """Bound and certified worst case along an axis, at the first point of the statement that is kept."""
    given = {other: value for other, value in points_of(statement)[0].items() if other != name}
    places = []
    for value in values:
        found = worst(statement.id, given | {name: Fraction(value)}, variant=statement.variant).document
        numbers = {key: plain(found[key]) for key in ("bound", "upper", "lower")}
        places.append(Place(at=str(value), **numbers))
    shown = {other: str(value) for other, value in given.items()}
    return Curve(id=statement.id, variant=statement.variant, axis=name, given=shown, places=places)


def write() -> None:
    answers = [(numbers, worst(name, numbers, variant=variant)) for name, variant, numbers in questions()]
    FILE.write_text(text(answers), encoding="utf-8")
    forms = [s for s in discovery.forms().values() if s.id in AXES]
    kept = {"curves": [curve(s, *AXES[s.id]) for s in forms], "shares": shares(answers)}
    tightness.FILE.write_text(json.dumps(kept, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def draw() -> None:
    """One picture per statement: how many times the certified worst case its bound is."""
    with styled() as figure:
        figure.set_size_inches(7.0, 6.0)
        for place, (identity, (name, values)) in enumerate(AXES.items(), start=1):
            axes = figure.add_subplot(3, 2, place)
            for drawn in tightness.curves_of(identity):
                ratios = [one["bound"] / one["upper"] for one in drawn["places"]]
                axes.plot(values, ratios, marker=".", label=drawn["variant"])
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
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name} and {tightness.FILE.name}")
    parser.add_argument("--keep", action="store_true", help="write the certified answers of the distribution")
    parser.add_argument("--draw", action="store_true", help=f"write {FIGURE.name}")
    asked = parser.parse_args()
    if asked.draw:
        draw()
    elif asked.keep:
        write_kept()
    elif asked.write:
        write()
    else:
        print(text([(at, worst(name, at, variant=form)) for name, form, at in questions()]), end="")


if __name__ == "__main__":
    main()
