"""Every mutant of the amended and the textbook statements: which are false, and which check catches them.

    python benchmarks/mutants.py [--workers N] [--on local|dask|dask://HOST:PORT]

Mutants, checks and the instances that refute mutants are those of tests/mutation. It writes
benchmarks/mutants.md and tests/mutation/known.json, and ends with an error where a check objects to what was
not changed, or where fewer than 90% of the mutants shown false are caught.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from machine import machine

from verify.workers.place import LOCAL, place_named

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "mutation"))

from planted.checks import AUDIT, CHECKS, objecting
from planted.drawn import SEED, mutants, originals, without_terms
from planted.judged import EVALUATIONS, SEARCH, Judged, by_search, judge, read_one, write
from planted.operators import LOOSENING, STRENGTHENING
from planted.truth import COUNT

REPORT = Path(__file__).with_suffix(".md")
WANTED = 0.9
Job = tuple[str, int]


def work(kind: str, index: int) -> dict[str, Any] | str | None:
    """A mutant, judged, as a row of known.json; of a statement that was not changed, what objects to it."""
    if kind != "original":
        return asdict(judge(mutants(stronger=kind == "stronger")[index], stronger=kind == "stronger"))
    statement = originals()[index]
    found = [*objecting(statement), *([SEARCH] if statement.terms and by_search(statement) else [])]
    return f"{statement.id}: {', '.join(found)}" if found else None


def every_job() -> list[Job]:
    return [
        *(("original", i) for i in range(len(originals()))),
        *(("stronger", i) for i in range(len(mutants(stronger=True)))),
        *(("looser", i) for i in range(len(mutants(stronger=False)))),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--on", default=LOCAL)
    options = parser.parse_args()
    # Workers of a cluster that starts here import `planted` as this process does.
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    began, found = time.monotonic(), dict[int, Judged | str]()
    place = place_named(options.on, options.workers)
    for done, (number, what) in enumerate(place.carry_out(work, enumerate(every_job())), start=1):
        if isinstance(what, str):
            found[number] = what
        elif what is not None:
            found[number] = one = read_one(what)
            print(f"{done} {one.name}: {', '.join(one.caught_by) or '-'}", flush=True)
    in_order = [found[number] for number in sorted(found)]
    alarms = [one for one in in_order if isinstance(one, str)]
    every = [one for one in in_order if isinstance(one, Judged)]
    write(every)
    REPORT.write_text(report(every, alarms, time.monotonic() - began))
    false, caught = counted([j for j in every if j.stronger])
    print(
        f"{len(every)} mutants; {caught} of {false} shown false are caught; objections to originals: {alarms}"
    )
    if alarms or caught < WANTED * false:
        raise SystemExit(1)


def counted(some: Iterable[Judged]) -> tuple[int, int]:
    false = [j for j in some if j.shown_false]
    return len(false), sum(bool(j.caught_by) for j in false)


# ---- the report


def report(every: Sequence[Judged], alarms: Sequence[str], seconds: float) -> str:
    stronger, looser = ([j for j in every if j.stronger is which] for which in (True, False))
    left = [j for j in stronger if not j.shown_false]
    parts = [
        head(every, alarms, seconds),
        "## Strengthening",
        table(stronger, STRENGTHENING),
        "### Shown false and not caught",
        names([j for j in stronger if j.shown_false and not j.caught_by], instance_of),
        "### Caught by the search alone",
        names([j for j in stronger if j.caught_by == (SEARCH,)]),
        "## Loosening",
        table(looser, LOOSENING),
        "### Objected to",
        names([j for j in looser if j.caught_by], by),
        "## Strengthening, true or undecided",
        "No instance refutes these. Objected to all the same:",
        names([j for j in left if j.caught_by and not j.defines], by),
        "Not objected to:",
        names([j for j in left if not j.caught_by and not j.defines]),
        "Definitions and rules, of which a change makes another one and not a false one:",
        names([j for j in left if j.defines], by),
        "## Not readable for a check",
        names([j for j in every if j.unreadable], why_unreadable),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def head(every: Sequence[Judged], alarms: Sequence[str], seconds: float) -> str:
    stronger = [j for j in every if j.stronger]
    false, caught = counted(stronger)
    alone = sum(j.shown_false and bool(set(j.caught_by) - {SEARCH}) for j in stronger)
    on = machine()
    return HEAD.format(
        date=date.today(),
        machine=f"{on['cores']} cores of an {on['cpu']} shared with other work, Python {on['python']}",
        mutants=len(every),
        statements=len(originals()) - len(without_terms()),
        seed=SEED,
        minutes=round(seconds / 60),
        without_terms=", ".join(without_terms()),
        instances=COUNT,
        audit=", ".join(AUDIT),
        verification=", ".join(name for name in CHECKS if name not in AUDIT),
        evaluations=EVALUATIONS,
        false=false,
        caught=caught,
        share=f"{caught / false:.1%}",
        alone=alone,
        share_alone=f"{alone / false:.1%}",
        originals=len(originals()),
        alarms="; ".join(alarms) or "none",
    )


HEAD = """# Mutants

What `make mutants` (`benchmarks/mutants.py`) found. tests/mutation draws the mutants, refutes them and asks
the checks.

### {date}, {machine}

{mutants} mutants of {statements} statements (the amended forms and the textbook controls), drawn from seed
{seed}, in {minutes} minutes. Sentences and listings have no term to change and no mutant:
{without_terms}.

A mutant is **shown false** by an instance of tests/mutation/literal, computed by hand without any code of
`verify` or `synthetic`: all numbers of both sides, where the mutant's conditions hold and its left side is
above its right one in 40 digits ({instances} instances for each statement; what is sampled is moved by six
standard errors). Each check sees the mutant alone: those of the audit ({audit}),
those of the quick verification ({verification}), and the search of `fedbounds falsify` with
{evaluations} evaluations. The search is asked only of mutants shown false to which no other check objects,
and of the statements that were not changed. That a check could not read a mutant counts as no objection.

**Of {false} strengthening mutants shown false {caught} are caught ({share});
{alone} ({share_alone}) without the search.**
Objections to the {originals} statements that were not changed: {alarms}.
"""


def table(some: Sequence[Judged], operators: Iterable[str]) -> str:
    checks = (*CHECKS, SEARCH)
    head = ["operator", "drawn", "shown false", "of these caught", *checks, "others objected to"]
    rows = [head, ["---", *["---:"] * (len(head) - 1)]]
    for label in (*operators, "all"):
        own = [j for j in some if label in (j.operator, "all")]
        false, caught = counted(own)
        by_check = [sum(check in j.caught_by for j in own if j.shown_false) for check in checks]
        others = sum(bool(j.caught_by) and not j.shown_false for j in own)
        rows.append([label, *(str(n) for n in (len(own), false, caught, *by_check, others))])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def by(judged: Judged) -> str:
    return f" ({', '.join(judged.caught_by)})" if judged.caught_by else ""


def instance_of(judged: Judged) -> str:
    return f" (instance {judged.instance})"


def why_unreadable(judged: Judged) -> str:
    return " - " + "; ".join(f"{name}: {what}" for name, what in judged.unreadable.items())


def names(some: Sequence[Judged], more: Callable[[Judged], str] = lambda _: "") -> str:
    return "\n".join(f"- `{j.name}`{more(j)}" for j in some) or "None."


if __name__ == "__main__":
    main()
