"""The rows of `make falsify-long`, which hold the hardest attempt to break each form, into the repository.

    python benchmarks/falsify.py --table benchmarks/falsify.md    # the rows as a table
    python benchmarks/falsify.py --witnesses                      # their witnesses, into verify/
    python benchmarks/falsify.py --keep benchmarks/falsify.jsonl  # the rows, without witnesses

`make falsify-long` is the study benchmarks/falsify.toml. Its rows are in out/falsify.jsonl (--out FOLDER).
"""

import argparse
import json
from datetime import date
from pathlib import Path

from machine import machine

from verify.falsify.attempts_on_file import NotARow, Rows, rows_of_now
from verify.falsify.attempts_table import markdown, slim
from verify.falsify.witness_file import write_witness
from verify.falsify.witness_folder import file_of

TITLE = """# The hardest attempts

`make falsify-long`, {day}: {where}. What the columns mean: [docs/falsify.md](../docs/falsify.md).{note}

"""


def table(rows: Rows, note: str) -> str:
    described = machine()
    where = f"{described['cpu']}, {described['cores']} cores, Python {described['python']}"
    return TITLE.format(
        day=date.today().isoformat(), where=where, note=f" {note}" if note else ""
    ) + markdown(rows)


def keep(rows: Rows, file: Path) -> None:
    slimmed = (slim(row, file_of(*form).name) for form, row in sorted(rows.items()))
    file.write_text("".join(json.dumps(row) + "\n" for row in slimmed), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--table", type=Path, help="write the rows so far as a table")
    parser.add_argument("--note", default="", help="what else the reader of the table has to know")
    parser.add_argument("--witnesses", action="store_true", help="write those of the rows into verify/")
    parser.add_argument("--keep", type=Path, help="write the rows so far without the bodies of witnesses")
    asked = parser.parse_args()
    rows = rows_of_now(asked.out)
    if asked.witnesses:
        found = [row["witness"] for row in rows.values() if isinstance(row["witness"], dict)]
        for witness in found:
            print(write_witness(witness))
    if asked.table is not None:
        asked.table.write_text(table(rows, asked.note), encoding="utf-8")
    if asked.keep is not None:
        keep(rows, asked.keep)


if __name__ == "__main__":
    try:
        main()
    except NotARow as error:
        raise SystemExit(str(error)) from None
