"""The hardest attempt to break each form of every statement; hours in all, kept row by row.

    python benchmarks/falsify.py [--out FOLDER] [--seconds-of-runs S] [--seconds S] [--workers N] [--on PLACE]
    python benchmarks/falsify.py [--out FOLDER] --table benchmarks/falsify.md  # of the rows so far
    python benchmarks/falsify.py [--out FOLDER] --witnesses                    # of the rows, into verify/
    python benchmarks/falsify.py [--out FOLDER] --keep benchmarks/falsify.jsonl  # the rows, without witnesses

Rows are in FOLDER/falsify.jsonl, beside those that the repository keeps (--rows FILE). A form with a row of
the same caps, or refuted, is not attempted again, unless it was changed since.
"""

import argparse
import json
from datetime import date
from pathlib import Path

from machine import machine

from verify.falsify.attempts_on_file import NotARow, Rows, rows_of_now
from verify.falsify.attempts_table import SECONDS, SECONDS_OF_RUNS, markdown, run, slim
from verify.falsify.witness_file import file_of, write_kept
from verify.places.place import place_named

KEPT = Path(__file__).parent / "falsify.jsonl"
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
    parser.add_argument("--rows", type=Path, default=KEPT, help="rows to start from, where the file exists")
    parser.add_argument("--seconds-of-runs", type=float, default=SECONDS_OF_RUNS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--on", default="local", help="local, dask or dask://HOST:PORT")
    parser.add_argument("--table", type=Path, help="write the rows so far as a table")
    parser.add_argument("--note", default="", help="what else the reader of the table has to know")
    parser.add_argument("--witnesses", action="store_true", help="write those of the rows into verify/")
    parser.add_argument("--keep", type=Path, help="write the rows so far without the bodies of witnesses")
    asked = parser.parse_args()
    if asked.witnesses:
        for row in rows_of_now(asked.out).values():
            if row["witness"] is not None:
                print(write_kept(row["witness"]))
    elif asked.table is not None:
        asked.table.write_text(table(rows_of_now(asked.rows, asked.out), asked.note), encoding="utf-8")
    elif asked.keep is not None:
        keep(rows_of_now(asked.rows, asked.out), asked.keep)
    else:
        failed = 0
        place = place_named(asked.on, asked.workers)
        for sentence in run(asked.out, asked.seconds_of_runs, asked.seconds, place, asked.rows):
            print(sentence, flush=True)
            failed += ": FAILED, " in sentence
        if failed:
            raise SystemExit(f"{failed} attempts failed; all others have their rows")


if __name__ == "__main__":
    try:
        main()
    except NotARow as error:
        raise SystemExit(str(error)) from None
