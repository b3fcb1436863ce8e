"""One question in Python: does this theorem survive, on this algorithm and this problem?

`check` runs the standard cells, tries the statement on objects, searches for a counterexample, and says in
one line what is bounded by what. Theorem, algorithm and problem are names, or objects of this process alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Any, final

from bounds import discovery
from bounds.errors import Misuse
from bounds.language.finding import Verdict
from bounds.language.statement import Statement
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.algorithms import adopt as adopt_algorithm
from synthetic.outside.callables import as_function
from synthetic.outside.problems import adopt_problem
from synthetic.problem import Problem
from synthetic.problems import builder_of
from synthetic.problems.from_data.problem import is_data
from verify.campaign.campaign import Job, run_campaign
from verify.cell import Cell
from verify.conformance.listings import FAMILIES, LISTINGS
from verify.falsify.attempt import falsify_statement
from verify.falsify.outcome import Outcome
from verify.matching.declared import declared_runs
from verify.matching.in_place import settings_of_another
from verify.matching.joined import written_runs
from verify.matching.linear_bound import NotLinear, linear_bound
from verify.matching.roles import why_not_run
from verify.matching.run_settings import settings_of_a_function
from verify.notes_on_packages import lacks, say_units
from verify.objects.check import QUICK_TRIALS, TRIALS, Property, properties
from verify.records import record
from verify.runs.beside import ours_in
from verify.runs.check import LEVEL, QUICK_REPLICATES, REPLICATES, SEED, NothingToRun, standard_cells
from verify.workers.watched import is_theirs, watched

_numbers = count(1)
SEARCH = "search"  # beside the roles of cells
NOT_JUDGED = (Verdict.REFUSED.value, Verdict.VACUOUS.value)
SECONDS = 10.0  # of the search, unless more are asked for


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`entries` are what a record keeps of cells and objects; `search` is None where none was asked for.

    `beside` says, by role, what our own listing does in a cell that an algorithm in its place violates.
    `listing` is the one in whose place another algorithm was run, if `conform` can compare the two.
    `units` says where those of the statement disagree.
    """

    statement: Statement
    entries: tuple[Mapping[str, Any], ...]
    search: Outcome | None
    record: Path | None
    known_without_a_run: float | None
    beside: Mapping[str, str] = field(default_factory=dict)
    listing: str | None = None
    units: tuple[str, ...] = ()

    @property
    def refuted(self) -> bool:
        """Whether a cell, objects or the search broke it."""
        return bool(self._violated) or (self.search is not None and self.search.refuted)

    @property
    def _violated(self) -> list[Mapping[str, Any]]:
        return [entry for entry in self.entries if entry["verdict"] == Verdict.VIOLATED.value]

    @property
    def cells(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(entry for entry in self.entries if "role" in entry)

    @property
    def sentence(self) -> str:
        """What it comes to, in one line."""
        return "; ".join([self._verdict, *self.units])

    @property
    def _verdict(self) -> str:
        name = self.statement.id
        if self._violated:
            first = self._violated[0]
            role = first.get("role", "on objects")
            beside = f"; {self.beside[role]}" if role in self.beside else ""
            return f"{name}: refuted, {role}: {first['sentence']}{beside}"
        if self.search is not None and self.search.refuted:
            beside = f"; {self.beside[SEARCH]}" if SEARCH in self.beside else ""
            return f"{name}: refuted by the search: {self.search.sentence}{beside}"
        searched = "" if self.search is None else f"; {self.search.sentence.splitlines()[0]}"
        unjudged = [entry for entry in self.entries if entry["verdict"] in NOT_JUDGED]
        if unjudged and len(unjudged) == len(self.entries):
            return f"{name}: nothing was judged: {unjudged[0]['sentence']}{searched}"
        judged = f"{len(self.entries) - len(unjudged)} results"
        without = f" ({len(unjudged)} more were not judged)" if unjudged else ""
        return f"{name}: not refuted by {judged}{without}{self._nearest}{searched}{self._not_shown}"

    @property
    def _not_shown(self) -> str:
        """A bound that holds with room to spare holds for many a slip as well."""
        if self.listing is None:
            return ""
        return f"; this does not show that the code is {self.listing}: `fedbounds conform` compares its lines"

    @property
    def _nearest(self) -> str:
        """The cell that comes nearest to its bound."""
        measured = [entry for entry in self.cells if _share(entry) is not None]
        if not measured:
            return ""
        best = max(measured, key=lambda entry: _share(entry) or 0.0)
        free = self.known_without_a_run
        without = "nothing is known without a run" if free is None else f"known without any run: {free:.4g}"
        return (
            f"; nearest ({best['role']}): bound {best['bound']['value']:.4g}, "
            f"measured {best['measured']['estimate']:.4g}, {without}"
        )

    def document(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "id": self.statement.id,
            "variant": self.statement.variant,
            "refuted": self.refuted,
            "sentence": self.sentence,
            "units": list(self.units),
            "known_without_a_run": self.known_without_a_run,
            "entries": list(self.entries),
            "beside": dict(self.beside),
            "witness": None if self.search is None else self.search.witness,
            "record": None if self.record is None else str(self.record),
        }

    def __repr__(self) -> str:
        lines = [self.sentence]
        lines += [
            f"  {e['verdict']:12} {e.get('role', 'tried on objects')}: {e['sentence']}" for e in self.entries
        ]
        return "\n".join(lines)


def check(
    theorem: str | Statement,
    *,
    algorithm: str | Algorithm | Callable[..., Any] | None = None,
    problem: str | Problem | None = None,
    variant: str = "printed",
    level: float = LEVEL,
    seed: int = SEED,
    quick: bool = False,
    search: float = SECONDS,
    out: str | Path | None = None,
) -> Answer:
    """Judge a theorem by runs, on objects, and by a search of `search` seconds (0: none).

    `algorithm` replaces the one that the theorem names; a function is one round of it. `problem` takes the
    place of the standard problems. `out` is a folder for the record.
    """
    if out is not None:
        record.make_folder(Path(out))  # before the work, not after it
    statement = _named(theorem, variant, algorithm, problem)
    asked = partial(
        _found,
        statement,
        problem,
        level=level,
        seed=seed,
        quick=quick,
        search=search,
        out=out,
    )
    theirs = is_theirs(statement.id, statement.algorithm, *statement.problems)
    return Answer(
        statement=statement,
        listing=None if algorithm is None else _listing_of(theorem, variant),
        units=say_units(statement),
        **(watched(asked) if theirs else asked()),
    )


def _found(
    statement: Statement,
    problem: object,
    *,
    level: float,
    seed: int,
    quick: bool,
    search: float,
    out: str | Path | None,
) -> dict[str, Any]:
    """The parts of an answer that come of runs and searches."""
    jobs = _jobs(statement, problem)
    replicates = QUICK_REPLICATES if quick else REPLICATES
    trials = QUICK_TRIALS if quick else TRIALS
    entries = run_campaign(jobs, None, level=level, seed=seed, replicates=replicates, trials=trials)
    found = falsify_statement(statement, seconds=search, seed=seed) if search > 0 else None
    data = record.document(entries, level=level, seed=seed)
    return {
        "entries": tuple(entries),
        "search": found,
        "record": None if out is None else record.write(data, Path(out)),
        "known_without_a_run": _known_without(statement, jobs, entries),
        "beside": _beside(statement, jobs, entries) | _beside_search(statement, found, level),
    }


def _listing_of(theorem: str | Statement, variant: str) -> str | None:
    """The algorithm that the theorem is about, if code can be compared with it line by line."""
    named = discovery.get(theorem, variant) if isinstance(theorem, str) else theorem
    return named.algorithm if named.algorithm in {*LISTINGS, *FAMILIES} else None


def _jobs(statement: Statement, problem: object) -> list[Job]:
    """Its cells, those on the named problem where one is named; and the statement on objects."""
    cells = standard_cells([statement])
    if isinstance(problem, str):
        known = sorted({cell.problem for cell in cells})
        cells = tuple(cell for cell in cells if cell.problem == problem)
        if known and not cells:
            raise NothingToRun(
                f"{statement.id} has no cell on {problem}; there are cells on {', '.join(known)}"
            )
    tried: Sequence[Property] = () if problem is not None else properties([statement])
    if not cells and not tried:
        why = lacks(statement) or why_not_run(statement) or "no cell exists, and no objects to try it on"
        raise NothingToRun(f"nothing to run for {statement.id}: {why}")
    return [*cells, *tried]


def _beside(
    statement: Statement, jobs: Sequence[Job], entries: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Our own listing in every cell that an algorithm in its place violates."""
    found = {}
    for job, entry in zip(jobs, entries, strict=True):
        if isinstance(job, Cell) and entry["verdict"] == Verdict.VIOLATED.value:
            run = {name: entry[name] for name in ("level", "seed", "replicates")}
            clause = ours_in(statement, job, **run)
            if clause is not None:
                found[job.role] = clause
    return found


def _beside_search(statement: Statement, found: Outcome | None, level: float) -> dict[str, str]:
    """Our own listing in the cell of the search's counterexample."""
    if found is None or not found.refuted or found.best is None or "cell" not in found.best:
        return {}
    entry = found.best["cell"]
    seed, replicates = int(entry["seed"]), int(entry["replicates"])
    clause = ours_in(statement, record.cell_of(entry), level=level, seed=seed, replicates=replicates)
    return {} if clause is None else {SEARCH: clause}


def _share(entry: Mapping[str, Any]) -> float | None:
    """Measured over bound; of a right side that is random too, what is left of both without that part."""
    ratio, bound = entry.get("ratio"), entry.get("bound", {}).get("value")
    if ratio is not None or bound is None or bound <= 0 or "role" not in entry:
        return ratio
    estimate = entry["measured"]["estimate"]
    return None if estimate is None or not isfinite(estimate) else float(estimate / bound)


def _known_without(
    statement: Statement, jobs: Sequence[Job], entries: Sequence[Mapping[str, Any]]
) -> float | None:
    """At the cell that comes nearest to its bound: what the left side is below, whatever the run does."""
    pairs = [(_share(entry), job) for job, entry in zip(jobs, entries, strict=True)]
    cells = [(ratio, job) for ratio, job in pairs if isinstance(job, Cell) and ratio is not None]
    return _free_value(statement, max(cells, key=lambda pair: pair[0])[1]) if cells else None


def _named(theorem: str | Statement, variant: str, algorithm: Any, problem: Any) -> Statement:
    """The statement under its id; one that only this process has, or has with another run, is adopted."""
    statement = discovery.get(theorem, variant) if isinstance(theorem, str) else theorem
    if isinstance(problem, str) and not is_data(problem):
        builder_of(problem)  # refuses a name that nobody has, with the nearest one
    changes: dict[str, Any] = {}
    if algorithm is not None:
        changes["algorithm"] = _name_of_algorithm(statement, algorithm)
    if problem is not None and (changes or not isinstance(problem, str) or not statement.id):
        changes["problems"] = (problem if isinstance(problem, str) else _adopted(problem),)
    # a statement that was changed in this process keeps its id, under which the unchanged one would be run
    if statement.id and not changes and statement == discovery.get(statement.id, statement.variant):
        return statement
    return discovery.adopt(replace(statement, **changes))


def _adopted(problem: Problem) -> str:
    # a name for each object: problems are built once for each name
    return adopt_problem(problem, f"problem_{next(_numbers)}")


def _name_of_algorithm(statement: Statement, algorithm: Any) -> str:
    """A bare function has the settings that the statement's quantities are."""
    if isinstance(algorithm, str):
        return algorithm
    if isinstance(algorithm, Algorithm):
        return adopt_algorithm(algorithm)
    if callable(algorithm):
        written = None if declared_runs(statement) else written_runs(statement)
        names = settings_of_another(statement, written) if written else settings_of_a_function(statement)
        declared = dict.fromkeys(names, REQUIRED)
        return adopt_algorithm(
            Algorithm(round=as_function(algorithm), settings=dict(statement.run_with) | declared)
        )
    raise Misuse(f"algorithm is a name, an Algorithm or a function of one round, not {algorithm!r}")


def _free_value(statement: Statement, cell: Cell) -> float | None:
    """From the free bounds of its observables; None where one of them has none that the cell can evaluate."""
    try:
        bound = linear_bound(statement, cell, free=True)
    except NotLinear:
        return None
    total = sum(float(weight) * float(bound.highest[name]) for name, weight in bound.left.items())
    return total if total < float("inf") else None
