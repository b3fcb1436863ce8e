"""The lower bound known for every amended form; `--write` puts the table into docs/amended/strength.md.

The numbers are the best ratios of benchmarks/falsify.jsonl and the certified worst cases that
verify/worst_case/stored_answers.py lists.
"""

import argparse
from pathlib import Path

from bounds import discovery
from bounds.language.statement import Statement
from verify.falsify.attempts_on_file import Rows, rows_of_now
from verify.worst_case import stored_answers

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "amended" / "strength.md"
HEADING = "## Every amended form\n"
# Forms without two sides that a search compares.
WITHOUT_SIDES = {
    "C.alg2": "rules: a run that follows them keeps the budget, exactly if the last round spends it",
    "C.G": "1.00: it is the bound of C.thm2",
    "C.phi.thm": "a definition, of the step that C.thm2 pays for",
    "C.h.main": "1.00 at tau = 2 (certified); h is 1.17 and 1.35 times the worst case at tau = 3, 4",
    "C.h.app": "as C.h.main, which it repeats",
    "C.gi": "a definition; C.lem3 uses it",
    "C.alg2.tau": "a rule: no choice of tau in the range gives a smaller G",
    "A.disc.rate": "a rate: the order of A.disc.full, whose first term is reached",
    "A.disc.drift": "an equality: the term of the printed bound, in its right unit",
    "A.disc.ig0": "an equality: the error is 0 by its definition",
    "A.cor1": "a rate: the order of A.cor1.s8",
    "A.cor1.app": "a rate: the order of A.cor1.s8",
    "A.cor3": "a rate: the order of A.cor3.s10",
    "A.cor6": "a rate: the order of A.thm2 at its choices",
}


def table() -> str:
    rows = rows_of_now(HERE / "falsify.jsonl")
    lines = [
        "| form | what it changes | share of it that a search reached | certified |",
        "|---|---|---|---|",
    ]
    amended = [form for form in discovery.forms().values() if form.amendment is not None]
    for form in sorted(amended, key=lambda s: (s.paper.key, s.id)):
        assert form.amendment is not None
        cells = [
            f"{form.locator}: `{form.id}`",
            form.amendment.change,
            _reached(form, rows),
            _certified(form),
        ]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _reached(form: Statement, rows: Rows) -> str:
    row = rows.get((form.id, form.variant))
    if form.locator in WITHOUT_SIDES:
        return WITHOUT_SIDES[form.locator]
    if row is None:
        return "not searched since its last change"
    if row["ratio"] is not None:
        return f"{row['ratio']:.3f}"
    return f"reached up to {abs(row['excess']):.0e}" if row["excess"] else "reached"


def _certified(form: Statement) -> str:
    entry = stored_answers.entry_of(form)
    return "" if entry is None else f"{1 / entry['ratio']:.4f} at one point"


def page(before: str) -> str:
    """The page with the section as it is now; what is above the heading is written by hand."""
    above, _, below = before.partition(HEADING)
    told = below.partition("\n\n| form |")[0]
    return f"{above}{HEADING}{told}\n\n{table()}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    if parser.parse_args().write:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
