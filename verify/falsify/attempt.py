"""One attempt to falsify a statement: its spaces, the search, and what is confirmed of what it finds."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bounds import discovery
from bounds.language.statement import Kind, Statement
from synthetic.outside.algorithms import is_outside
from verify.falsify import numbers, objects
from verify.falsify.confirm import LEVEL, confirm
from verify.falsify.outcome import Confirmation, Outcome
from verify.falsify.short_counterexample import SEED, add_counterexample
from verify.falsify.witness_file import document
from verify.objects.declared import no_recipe, why_not_drawn
from verify.papers.als_dpfl import growth_certificates
from verify.papers.several import claims_as_numbers
from verify.progress import Progress, silent
from verify.search.search import Best, Search, Space
from verify.search.trial import Trial
from verify.workers.watched import is_theirs, watched

EVALUATIONS: Final = 4000
# A search that runs an author's algorithm one replicate at a time takes minutes, whatever it finds.
SECONDS_OUTSIDE: Final = 60.0
WORTH_HALVING: Final = 0.55
# Betting on several candidates shares the level. The other confirmations cannot err, and take their time.
ATTEMPTS: Final = 8
ATTEMPTS_IN_DIGITS: Final = 64


def falsify(
    identity: str,
    *,
    variant: str = "printed",
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = SEED,
    progress: Progress = silent,
) -> Outcome:
    statement = discovery.get(identity, variant)
    return falsify_statement(
        statement, evaluations=evaluations, seconds=seconds, seed=seed, progress=progress
    )


def falsify_statement(
    statement: Statement,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = SEED,
    level: float = LEVEL,
    progress: Progress = silent,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """`level` is that of the whole search, whatever number of candidates it tries.

    `seconds` are those of `clock`. Without a budget it tries EVALUATIONS instances; of an algorithm from
    outside, SECONDS_OUTSIDE long.
    """
    asked = partial(
        _searched,
        statement,
        evaluations=evaluations,
        seconds=seconds,
        seed=seed,
        level=level,
        progress=progress,
        clock=clock,
    )
    theirs = is_theirs(statement.id, statement.algorithm, *statement.problems)
    return watched(asked) if theirs else asked()


def _searched(
    statement: Statement,
    *,
    evaluations: int | None,
    seconds: float | None,
    seed: int,
    level: float,
    progress: Progress,
    clock: Callable[[], float],
) -> Outcome:
    started = clock()
    seconds, cap = _cap(statement, evaluations, seconds)
    if (growth := growth_certificates.growth_of(statement)) is not None:
        return replace(_by_a_bound_for_all(statement, growth), seconds=clock() - started)
    if not (spaces := spaces_of(statement, seed)):
        return _without_a_space(statement)
    confirmed: list[tuple[Best, Confirmation]] = []
    search = Search(
        spaces=spaces,
        evaluations=EVALUATIONS if evaluations is None else evaluations,
        seed=seed,
        confirm=lambda best: _confirm_within_attempts(statement, best, confirmed, level),
        deadline=None if seconds is None else started + seconds,
        clock=clock,
        progress=progress,
    )
    search.run()
    outcome = _outcome(statement, search, confirmed, f" before {cap}" if search.cut else "")
    return replace(outcome, seconds=clock() - started)


def _confirm_within_attempts(
    statement: Statement, best: Best, confirmed: list[tuple[Best, Confirmation]], level: float
) -> bool:
    """Whether the instance refutes; `confirmed` takes what was tried, which is a few at most."""
    instance = best.space.instance(best.point)
    if len(confirmed) >= (ATTEMPTS if instance["kind"] == "run" else ATTEMPTS_IN_DIGITS):
        return False
    found = confirm(statement, instance, level=level / ATTEMPTS)
    confirmed.append((best, found))
    return found.refutes


def _without_a_space(statement: Statement) -> Outcome:
    return Outcome(
        id=statement.id,
        variant=statement.variant,
        searched=False,
        refuted=False,
        sentence=why_not(statement),
    )


def _cap(statement: Statement, evaluations: int | None, seconds: float | None) -> tuple[float | None, str]:
    """The longest time of a search, and what a sentence calls it."""
    if evaluations is not None or seconds is not None or not is_outside(statement.algorithm or ""):
        return seconds, "the cap on seconds"
    others = "--evaluations or --seconds set another"
    return SECONDS_OUTSIDE, f"the cap of {SECONDS_OUTSIDE:g} s on an algorithm from outside; {others}"


def _by_a_bound_for_all(statement: Statement, growth: growth_certificates.Growth) -> Outcome:
    """No instance refutes a claim that something exists, and a certificate may."""
    instance, tried = growth_certificates.refutation(growth)
    nothing = Outcome(
        id=statement.id,
        variant=statement.variant,
        searched=True,
        refuted=False,
        evaluations=tried,
        sentence="no certificate was found that every step adds at most a constant",
    )
    if instance is None:
        return nothing
    found, family = confirm(statement, instance), "all instances at once"
    return replace(
        nothing,
        refuted=found.refutes,
        method=found.method,
        best=instance | {"in": family},
        witness=document(statement, family, instance, found) if found.refutes else None,
        sentence=f"refuted: {found.sentence}" if found.refutes else found.sentence,
    )


def spaces_of(statement: Statement, seed: int) -> list[Space]:
    """The search spaces of the statement: objects, numbers, words or runs."""
    found: list[Space] = [*claims_as_numbers.families(statement)]
    if statement.left is None or not statement.evaluable:
        return found
    found = found or [*objects.families(statement, seed)] or [*numbers.families(statement)]
    from verify.falsify import runs

    return [*found, *runs.families(statement, seed)]


def why_not(statement: Statement) -> str:
    """The reason, in one sentence, for which there is nothing to search."""
    if statement.kind is Kind.RATE:
        its_bound = f"; its explicit bound is {statement.explicit}" if statement.explicit else ""
        return f"a rate with constants that are not printed states no relation between numbers{its_bound}"
    if statement.not_checkable:
        return statement.not_checkable
    if statement.kind in (Kind.DEFINITION, Kind.RULE):
        return f"a {statement.kind.value} gives a name or a number: it states no relation that could fail"
    if statement.left is None or not statement.evaluable:
        return "a claim in words: it has no two sides to compare"
    if statement.concrete is not None:
        return why_not_drawn(statement) or no_recipe(statement)
    from verify.falsify import runs

    return runs.why_none(statement)


def _outcome(
    statement: Statement, search: Search, confirmed: list[tuple[Best, Confirmation]], cut: str
) -> Outcome:
    """`cut` says in the sentences by what the search was ended."""
    best = search.best
    common = Outcome(
        id=statement.id,
        variant=statement.variant,
        searched=True,
        refuted=search.refuted,
        sentence="",
        families=dict(sorted(search.of_spaces.items(), key=lambda entry: -entry[1])),
        evaluations=search.spent,
        met=search.met,
        cut=search.cut,
        unconfirmed=tuple(dict.fromkeys(f.sentence for _, f in confirmed if not f.refutes)),
    )
    if best is None:
        found = "was found that meets the conditions" if search.spent else "was tried to its end"
        return replace(common, sentence=f"no instance {found}{cut}")
    if search.refuted:
        return _refuted(common, statement, *[(best, f) for best, f in confirmed if f.refutes][-1])
    instance = best.space.instance(best.point)
    ratio, excess, left, right = _measured_again(statement, instance, best.trial)
    near = "" if ratio is None else f", best ratio {ratio:.6g}"
    return replace(
        common,
        ratio=ratio,
        excess=excess,
        left=left,
        right=right,
        best=instance | {"in": best.space.name},
        # thousands more runs of an author's function, after a search that was to end
        half_refuted=None
        if search.cut and is_outside(statement.algorithm or "")
        else _half_refuted(statement, instance, ratio),
        sentence=f"nothing found in {search.spent} evaluations{cut}{near}",
    )


def _refuted(common: Outcome, statement: Statement, seen: Best, found: Confirmation) -> Outcome:
    assert found.left is not None
    assert found.right is not None
    difference = found.left - found.right
    instance = seen.space.instance(seen.point)
    found = add_counterexample(statement, instance, found)
    return replace(
        common,
        ratio=found.ratio,
        excess=abs(difference) if seen.trial.equality else difference,
        left=found.left,
        right=found.right,
        method=found.method,
        best=instance | {"in": seen.space.name},
        witness=document(statement, seen.space.name, instance, found),
        sentence=f"refuted: {found.sentence}",
    )


def _measured_again(
    statement: Statement, instance: Mapping[str, Any], trial: Trial
) -> tuple[float | None, float, float, float]:
    """Ratio, excess and sides without the luck for which the search selected, and without its rounding."""
    if instance["kind"] == "run":
        from verify.falsify.trial_of_run import measured_again

        again = measured_again(statement, instance) or trial
        return again.ratio, again.excess, again.left, again.right
    found = confirm(statement, instance)
    if found.ratio is None or found.left is None or found.right is None:
        return trial.ratio, trial.excess, trial.left, trial.right
    return found.ratio, found.left - found.right, found.left, found.right


def _half_refuted(statement: Statement, instance: Mapping[str, Any], ratio: float | None) -> bool | None:
    if ratio is None or ratio <= WORTH_HALVING:
        return None
    if instance["kind"] == "words":  # the ratio is exact
        return True
    return confirm(half(statement), instance).refutes


def half(statement: Statement) -> Statement:
    """The statement with half its right side."""
    return replace(
        statement, terms=tuple(replace(term, expression=term.expression / 2) for term in statement.terms)
    )
