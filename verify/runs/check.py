"""From statements to judged cells, and from a record back to the same cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import bounds
from bounds import discovery
from bounds.errors import Misuse
from bounds.evaluation.evaluate import Evaluation
from bounds.language.expression import condition_text
from bounds.language.finding import Verdict
from bounds.language.statement import Edge, EdgeOutcome, Statement
from synthetic.engine.disturbance import disturbed
from synthetic.errors import AuthorMistake
from synthetic.outside.own_problem import given_facts
from synthetic.problem import Problem
from synthetic.releases import noisy_sum
from synthetic.run import runnable
from verify.cell import NAMED, Cell
from verify.matching.assumptions import refusal
from verify.matching.constants import certified
from verify.matching.joined import find_runs, get_runs
from verify.matching.linear_bound import LinearBound, inputs, linear_bound
from verify.matching.measurements.measurement import Computed, Measurement, Sampled
from verify.matching.measurements.shared_runs import stream_of
from verify.matching.privacy import STANDARD, Target, spent, target_of
from verify.privacy.errors import Unaccountable
from verify.privacy.guarantee import facts
from verify.record_limits import MOST_REPLICATES
from verify.runs import rounding
from verify.runs.judge import Interval, Judged, judge
from verify.runs.longer import refute_by_more
from verify.runs.work import most_calls, most_replicates
from verify.statistics.error_level import per_cell

REPLICATES = 2048
QUICK_REPLICATES = 512
LEVEL = 1e-3
SEED = 20240601
NOT_RUN = "not run"


class NothingToRun(Misuse):
    """None of the selected statements speaks about a run that the engine can make."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """A judged cell. Fields that do not exist for its verdict are None.

    privacy: what the run kept of its clients' privacy, where the cell asks for that.
    rounding: what another kernel, library or device may change in groups of numbers; None if it is not known.
    """

    cell: Cell
    digest: str
    bound: float | None
    terms: dict[str, float]
    measured: Interval | None
    excess: Interval | None
    ratio: float | None
    verdict: Verdict
    certified: bool
    level: float
    method: str
    sentence: str
    seed: int
    replicates: int
    privacy: dict[str, Any] | None = None
    rounding: dict[str, float] | None = None


def standard_cells(statements: Sequence[Statement], target: Target = STANDARD) -> tuple[Cell, ...]:
    """The cells of every statement, in its form, that speaks about a run of an algorithm joined here.

    target: of the cells whose noise follows from a privacy that they are to keep.
    """
    out: list[Cell] = []
    for statement in statements:
        runs = find_runs(statement)
        if runs is not None:
            out.extend(runs.cells(statement))
            out.extend(runs.private_cells(statement, target))
    return tuple(out)


def forms(statements: Sequence[Statement], variant: str | None = None) -> tuple[Statement, ...]:
    """Every form of each statement, printed first, or those of one variant."""
    every = (form for statement in statements for form in discovery.variants(statement.id))
    return tuple(form for form in every if variant in (None, form.variant))


def verify(
    ids: Sequence[str] | None = None, *, level: float = LEVEL, seed: int = SEED, quick: bool = False
) -> tuple[CellResult, ...]:
    """Run and judge the standard cells of statements as printed; the level is shared by all of them."""
    chosen = [bounds.get(i) for i in ids] if ids else list(bounds.statements())
    return _run_cells(standard_cells(chosen), level=level, seed=seed, quick=quick)


def _run_cells(cells: Sequence[Cell], *, level: float, seed: int, quick: bool) -> tuple[CellResult, ...]:
    if not cells:
        raise NothingToRun("nothing to run: no cell exists for what was selected")
    own, replicates = per_cell(level, len(cells)), QUICK_REPLICATES if quick else REPLICATES
    return tuple(run_cell(cell, level=own, seed=seed, replicates=replicates) for cell in cells)


def run_cell(cell: Cell, *, level: float, seed: int, replicates: int) -> CellResult:
    """Conditions before the run: what does not apply is not run, and says why."""
    statement = discovery.get(cell.statement, cell.variant)
    runs: dict[str, Any] = {"level": level, "seed": seed, "replicates": replicates}
    common = runs | {"cell": cell, "digest": cell.digest}
    evaluation = statement.evaluate(**inputs(statement, cell))
    excluded = _excluded(statement, cell, evaluation)
    if excluded is not None:
        return _not_run(common, *excluded)
    try:
        privacy = _count_privacy(statement, cell)
    except Unaccountable as error:
        return _not_run(common, Verdict.REFUSED, f"refused: what the run keeps is not counted: {error}")
    linear = linear_bound(statement, cell)
    judging = _Judging(statement=statement, cell=cell, bound=linear, **runs)
    try:
        judging, judged = judging.judged_at_length()
        judged = judging.spared(judged)
    except (AuthorMistake, Misuse) as error:  # at these numbers: the other cells are judged
        return refused_cell(cell, str(error), **runs)
    common["replicates"] = judging.replicates
    constant, lower = float(linear.constant), judged.measured.lower
    positive = lower is not None and lower > 0 and constant > 0 and not linear.right
    return CellResult(
        **common,
        bound=constant,
        terms=dict(evaluation.terms),
        measured=judged.measured,
        excess=judged.excess,
        ratio=judged.measured.estimate / constant if positive else None,
        verdict=judged.verdict,
        certified=judged.certified,
        method=judged.method,
        sentence=judged.sentence + on_whose_word(cell.build_problem()),
        privacy=privacy,
        rounding=judging.roundings(evaluation, judged),
    )


def refused_cell(cell: Cell, why: str, *, level: float, seed: int, replicates: int) -> CellResult:
    """What comes of a cell that an author's mistake keeps from being judged."""
    common = {"cell": cell, "digest": cell.digest, "level": level, "seed": seed, "replicates": replicates}
    return _not_run(common, Verdict.REFUSED, f"refused: {why}")


@final
@dataclass(slots=True, kw_only=True)
class _Judging:
    """A cell while it is judged; the measurement that is judged is kept, to see what roundings change."""

    statement: Statement
    cell: Cell
    bound: LinearBound
    level: float
    seed: int
    replicates: int
    main: Measurement | None = None
    moved: Measurement | None = None

    def run(self, purpose: str, count: int) -> Measurement:
        runs = get_runs(self.statement)
        stream = f"{stream_of(self.statement, self.cell, runs.settings)}/{purpose}"
        found = runs.measure(self.statement, self.cell, count, self.seed, stream)
        if purpose == "main" and self.main is None:
            self.main = found
        return found

    def judged(self) -> Judged:
        return judge(self.bound, self.run, self.replicates, self.level)

    def judged_at_length(self) -> "tuple[_Judging, Judged]":
        """Its verdict, or that of the same run with more replicates where that one refutes.

        Only refutations are taken from the longer run, so a mistake that its author's function makes there
        undoes no verdict; it is told.
        """
        judged = self.judged()

        def run_with(replicates: int) -> "tuple[_Judging, Judged]":
            longer = replace(self, replicates=replicates, main=None, moved=None)
            return longer, longer.judged()

        most = min(most_replicates(self.cell), MOST_REPLICATES)
        if runnable(self.cell.algorithm).outside:
            most = min(most, most_calls(self.cell))
        try:
            return refute_by_more(judged, self.replicates, most, run_with) or (self, judged)
        except AuthorMistake as error:
            broken_off = f"{judged.sentence}; a run of more replicates broke off: {error}"
            return self, replace(judged, sentence=broken_off)

    def roundings(self, evaluation: Evaluation, judged: Judged) -> rounding.Roundings | None:
        if not isinstance(self.main, Sampled):
            many = isinstance(self.main, Computed) and self.main.outcomes > rounding.FEW
            turns = 1 if many else rounding.TURNS
            return rounding.measure_on_cell(
                evaluation, self.bound, judged, self.judged, self.replicates, turns
            )
        moved = self.run_disturbed()
        return rounding.measure_on_samples(evaluation, self.bound, judged, self.main, moved, self.replicates)

    def spared(self, judged: Judged) -> Judged:
        """No refutation by an author's run that roundings explain: what is measured has any size."""
        outside = runnable(self.cell.algorithm).outside
        if not (judged.verdict is Verdict.VIOLATED and outside and self._is_explained(judged)):
            return judged
        explained = f"{judged.sentence}, but roundings change this run by as much"
        return replace(judged, verdict=Verdict.INCONCLUSIVE, sentence=explained)

    def _is_explained(self, judged: Judged) -> bool:
        if isinstance(self.main, Computed):
            return not rounding.recurs(judged, self.main, self.judged)
        return isinstance(self.main, Sampled) and rounding.explain(
            self.bound, self.main, self.run_disturbed()
        )

    def run_disturbed(self) -> Measurement:
        """The same replicates, or a few of them where each one costs a call of an author's function."""
        if self.moved is None:
            outside = runnable(self.cell.algorithm).outside
            count = min(rounding.FEW, self.replicates) if outside else self.replicates
            with disturbed():
                self.moved = self.run("main", count)
        return self.moved


def on_whose_word(problem: Problem) -> str:
    """What of a problem is its author's word, which nothing here proves."""
    given = given_facts(problem)
    return (
        f"; on the author's word: {', '.join(f'{fact.name} {fact.claim}' for fact in given)}" if given else ""
    )


def _count_privacy(statement: Statement, cell: Cell) -> dict[str, Any] | None:
    """The privacy that the run keeps, counted from what it releases; None where the cell asks for none."""
    asked = cell.engine.get("privacy")
    if asked is None:
        return None
    settings = get_runs(statement).settings
    if settings is None:
        raise Unaccountable(f"no settings of {cell.algorithm} say what its runs release")
    return facts(spent(noisy_sum(settings(statement, cell), cell.build_problem()), target_of(asked)))


def _excluded(statement: Statement, cell: Cell, evaluation: Evaluation) -> tuple[Verdict, str] | None:
    """The assumption or the condition that keeps the cell from being run."""
    unmet = refusal(statement, cell)
    if unmet is not None:
        return Verdict.REFUSED, f"refused: {unmet}"
    unfit = certified.unfit(get_runs(statement).requirements(statement, cell))
    unfit = unfit or certified.blurred(cell.build_problem(), cell.engine.get("start"))
    if unfit is not None:
        return Verdict.REFUSED, f"refused: {unfit}"
    open_ones = [c for c in evaluation.conditions if c.holds is None]
    if open_ones:
        names = ", ".join(sorted({name for c in open_ones for name in c.needs}))
        return Verdict.REFUSED, f"refused: {open_ones[0].condition.id} is undecided without {names}"
    failed = [c for c in (*evaluation.conditions, *evaluation.left_domains) if c.holds is False]
    if not failed:
        return None
    first = failed[0].condition
    empty = [edge.sentence for edge in _edges_without_room(statement, evaluation.inputs)]
    verdict = Verdict.VACUOUS if empty else Verdict.REFUSED
    what = f"{verdict.value}: {first.id} ({condition_text(first)}) fails"
    return verdict, "; ".join([what, *empty])


def _edges_without_room(statement: Statement, inputs: Mapping[str, Any]) -> list[Edge]:
    """Edges of the parameter range that the cell sits on and where no parameters qualify."""
    return [
        edge
        for edge in statement.edges
        if edge.outcome is EdgeOutcome.NOT_APPLICABLE and inputs.get(edge.symbol.name) == edge.at
    ]


def _not_run(common: dict[str, Any], verdict: Verdict, sentence: str) -> CellResult:
    return CellResult(
        **common,
        bound=None,
        terms={},
        measured=None,
        excess=None,
        ratio=None,
        verdict=verdict,
        certified=True,
        method=NOT_RUN,
        sentence=sentence,
    )


def decides(result: CellResult) -> bool:
    """Only the named reading speaks for the statement."""
    return result.cell.reading == NAMED


def as_contract(result: CellResult) -> dict[str, Any]:
    """The keys that `fedbounds verify --json` promises for a cell."""
    return (
        result.cell.document()
        | {
            "measured": _interval(result.measured),
            "bound": {"value": result.bound, "terms": result.terms},
            "excess": _interval(result.excess),
            "ratio": result.ratio,
            "verdict": result.verdict.value,
            "certified": result.certified,
            "level": result.level,
            "method": result.method,
            "sentence": result.sentence,
            "seed": result.seed,
            "replicates": result.replicates,
            "digest": result.digest,
            "rounding": result.rounding,
        }
        | ({} if result.privacy is None else {"privacy": result.privacy})
    )


def _interval(interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {"estimate": None, "lower": None, "upper": None, "exact": None}
    return {
        "estimate": interval.estimate,
        "lower": interval.lower,
        "upper": interval.upper,
        "exact": interval.exact,
    }
