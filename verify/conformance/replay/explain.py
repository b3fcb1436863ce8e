"""Which lines a code has: the states without noise beside those of the listing and of each known slip.

A slip, or two at different lines, explains the code if it gives every measured state. If nothing does, the
first case that fails names the line, because each case shows one line more than the cases before it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any, Generic, final

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import NotFinite
from verify.conformance.lab import ROUNDING, Lab
from verify.conformance.listing import Part
from verify.conformance.replay.family import Case, Family, L, Variant
from verify.conformance.verdict import Observation, agrees, differs, not_observable
from verify.conformance.verdict import Verdict as V

CLOSE = 10 * ROUNDING  # of the movement: states add up over rounds, and so does their rounding
LAST_BITS = 1e-14  # of the states: an average of equal models moves them by as much


def replayed(lab: Lab, family: Family[Any]) -> list[Observation]:
    """Every observation of a listing whose states are compared; who takes part is told before the average."""
    lab.progress(0, 2, "states without noise")
    found = explain(lab, family)
    lab.progress(1, 2, "noise and draws")
    with np.errstate(all="ignore"):  # a slip at a setting where it has no value
        laws = family.laws(lab, found.lines)
    lab.progress(2, 2, "done")
    sampling = any(one.part is Part.SAMPLING and one.verdict is V.DIFFERS for one in laws)
    return [*(_hide(one) if sampling else one for one in found.observations), *laws]


def _hide(one: Observation) -> Observation:
    """A difference without a cause, where it is known that not every client takes part."""
    if one.verdict is V.DIFFERS and one.slip is None:
        return not_observable(one.part, f"the difference at the line of the {Part.SAMPLING.noun} hides it")
    return one


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """A case, the states that the code returned, and what it drew."""

    case: Case
    states: Floats
    drawn: Any


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explained(Generic[L]):
    """The verdicts on lines that noise-free states show, and the code's own lines if they are known."""

    observations: list[Observation]
    lines: L | None


def explain(lab: Lab, family: Family[L]) -> Explained[L]:
    """Run every case; find the known slips that give the same states, or the line where they part."""
    cases = family.cases(lab)
    if cases[0].tolerance is None:  # else it has noise, which the code may draw from a generator of its own
        lab.refuse_memory(cases[0].shown, cases[0].settings)
    seen = [_seen(lab, case) for case in cases]
    lab.subject.refuse_single([one.states for one in seen])
    failing = [one for one in seen if not _fits(family, family.right, one)]
    if not failing:
        return Explained(observations=_agreeing(family, seen, {}, failing), lines=family.right)
    if (random := _find_draws(lab, family, failing)) is not None:
        # batches have their cause in their law; clients that are left out have hidden every law
        lines = None if family.line(Part.BATCH) is None else family.right
        return Explained(observations=random, lines=lines)
    if nobody := _find_nobody(family, seen):
        return Explained(observations=nobody, lines=None)
    known_alone = any(all(_fits(family, _with(family, [slip]), one) for one in seen) for slip in family.slips)
    if not known_alone and (rounded := _find_rounding(lab, family, seen, failing)):
        return Explained(observations=rounded, lines=family.right)
    ordered = failing + [one for one in seen if one not in failing]
    finite = any(np.isfinite(one.states).all() for one in failing)
    found = next(_explanations(family, ordered), None) if finite else None
    if found is None:
        return Explained(observations=_explain_alone(family, seen) or _unexplained(family, seen), lines=None)
    if len(found) == 1:
        found = (_with_equals(family, found[0], ordered),)
    known = {
        variant.part: _observe_variant(family, variant, _find_clearest(family, failing)) for variant in found
    }
    return Explained(observations=_agreeing(family, seen, known, failing), lines=_with(family, found))


def _find_draws(lab: Lab, family: Family[L], failing: Sequence[Seen]) -> list[Observation] | None:
    """The difference of code that draws where everything is wanted: no other line can be read.

    It draws batches, or the clients of a listing without batches.
    """
    steady = next((one for one in failing if one.case.drawn is None and one.case.tolerance is None), None)
    if steady is None or not np.isfinite(steady.states).all():
        return None
    again = lab.run_until_defined(steady.case.shown, steady.case.settings, steady.case.rounds)
    if is_close(steady.states, again):
        return None
    part, all_of_them, wanted = _wanted(family)
    because = f"without noise, and {all_of_them}, states differ from seed to seed"
    slip = None if part is Part.BATCH else "some_clients"
    return _hide_all(failing, differs(part, "random numbers", wanted, because, slip))


def _wanted(family: Family[L]) -> tuple[Part, str, str]:
    """The line of what is drawn, when everything is wanted, and what that is."""
    if family.line(Part.BATCH) is not None:
        return Part.BATCH, "with a batch as large as the data", "every data point once"
    return Part.SAMPLING, "with probability 1", "every client"


def _hide_all(seen: Sequence[Seen], wrong: Observation) -> list[Observation]:
    hidden = f"the difference at the line of the {wrong.part.noun} hides it"
    parts = dict.fromkeys(part for one in seen for part in one.case.exercises)
    return [wrong, *(not_observable(part, hidden) for part in parts if part is not wrong.part)]


def _find_nobody(family: Family[L], seen: Sequence[Seen]) -> list[Observation]:
    """The difference of code that moves where some of what can be drawn is wanted, and never where all is."""
    moved = dict.fromkeys((True, False), False)
    for one in seen:
        moved[one.case.drawn is not None] |= bool(np.ptp(one.states, axis=0).any())
    if moved[False] or not moved[True]:
        return []
    part, all_of_them, wanted = _wanted(family)
    because = f"without noise, and {all_of_them}, no run moves the state; others do"
    slip = "batch_nobody" if part is Part.BATCH else "nobody"
    return _hide_all(seen, differs(part, "nothing", wanted, because, slip))


ROUGH, LITTLE, LOSS = 1e-4, 1e-9, 0.5  # of the movement; a change of slopes; of the answer to it


def _find_rounding(
    lab: Lab, family: Family[L], seen: Sequence[Seen], failing: Sequence[Seen]
) -> list[Observation]:
    """The difference of states that are nearly right, and that do not follow a little change of the slopes.

    Whatever a slip computes, it follows: rounded numbers stay where they are, or jump.
    """
    rough = (is_close(one.states, _predicted(family, family.right, one), ROUGH) for one in failing)
    one = failing[0]
    if one.case.drawn is not None or not all(rough):
        return []
    case = replace(one.case, shown=replace(one.case.shown, slopes=one.case.shown.slopes * (1 + LITTLE)))
    if case.shown.data is not None:
        rows = tuple(data * (1 + LITTLE) for data in case.shown.data)
        case = replace(case, shown=replace(case.shown, data=rows))
    after = _seen(lab, case)
    measured = after.states[-1] - one.states[-1]
    right = _predicted(family, family.right, after)[-1] - _predicted(family, family.right, one)[-1]
    if np.abs(measured - right).max() <= LOSS * np.abs(right).max():
        return []
    because = f"slopes that are {LITTLE:g} longer do not move the states by as much; {_shown(family, one)}"
    return _hide_all(seen, differs(case.of, "other digits", "9 digits", because, "rounded"))


def _find_clearest(family: Family[L], failing: Sequence[Seen]) -> Seen:
    """The first case for which the listing has states: what was drawn may fit none."""
    return next((one for one in failing if _lengths(family, one)[1] is not None), failing[0])


def _seen(lab: Lab, case: Case) -> Seen:
    if case.drawn is None:
        states = lab.run_until_defined(case.shown, case.settings, case.rounds)
        return Seen(case=case, states=states, drawn=None)
    try:
        states = lab.run_until_defined(case.shown, case.settings, case.rounds)
    except NotFinite:  # in no run, so that another line is wrong: it is read from the other cases
        states = np.full((case.rounds + 1, case.shown.dimension), np.nan)
    return Seen(case=case, states=states, drawn=case.drawn(states))


def _with(family: Family[L], variants: Sequence[Variant]) -> L:
    changes = {name: value for variant in variants for name, value in variant.changes.items()}
    return family.changed(family.right, changes)


def _fits(family: Family[L], lines: L, one: Seen) -> bool:
    with np.errstate(all="ignore"):
        states = _predicted(family, lines, one)
    return is_close(one.states, states, one.case.tolerance or CLOSE)


def is_close(measured: Floats, predicted: Floats, tolerance: float = CLOSE) -> bool:
    """Equal up to rounding of the states, or the tolerance relative to how far they move."""
    if measured.shape != predicted.shape or not np.isfinite(predicted).all():
        return False
    scale = max(np.abs(states - states[0]).max() for states in (measured, predicted))
    return bool(np.abs(measured - predicted).max() <= tolerance * scale + LAST_BITS * np.abs(predicted).max())


def _explanations(family: Family[L], ordered: Sequence[Seen]) -> Iterator[tuple[Variant, ...]]:
    """Single slips first, then pairs of slips at different lines."""
    steady = [one for one in ordered if one.case.drawn is None]
    rest = [one for one in ordered if one.case.drawn is not None]
    unmoved = all(_fits(family, family.right, one) for one in steady)
    second: list[tuple[Variant, ...]] = []
    singles = ((slip,) for slip in family.slips)
    for found in chain(singles, _pairs(family, ordered[0])):  # pairs cost much: only if no single slip does
        lines = _with(family, found)
        if not all(_fits(family, lines, one) for one in steady):
            continue
        if all(_fits(family, lines, one) for one in rest):
            yield found
        elif not unmoved:
            second.append(found)
    yield from second  # what was drawn cannot be read if another line is wrong as well


def _with_equals(family: Family[L], found: Variant, ordered: Sequence[Seen]) -> Variant:
    """The slip with the causes of the others of its line that give every state as well."""
    equals = [
        slip
        for slip in family.slips
        if slip.part is found.part
        and slip.name != found.name
        and all(_fits(family, _with(family, [slip]), one) for one in ordered)
    ]
    return replace(found, cause=", or ".join([found.cause, *(slip.cause for slip in equals)]))


def _pairs(family: Family[L], first: Seen) -> Iterator[tuple[Variant, ...]]:
    """Pairs of slips at different lines that can give the first case: both show there, or one fits it."""
    shows, fits = {}, {}
    with np.errstate(all="ignore"):
        right = family.predict(family.right, first.case, first.drawn)
        for slip in family.slips:
            lines = _with(family, [slip])
            fits[slip.part, slip.name] = _fits(family, lines, first)
            shows[slip.part, slip.name] = not is_close(right, _predicted(family, lines, first))
    for one, other in combinations(family.slips, 2):
        if one.part is other.part or set(one.changes) & set(other.changes):
            continue
        keys = (one.part, one.name), (other.part, other.name)
        if all(shows[key] for key in keys) or any(fits[key] for key in keys):
            yield one, other


def _predicted(family: Family[L], lines: L, one: Seen) -> Floats:
    """The states, or not-a-number at a setting where the lines have no value."""
    try:
        return family.predict(lines, one.case, one.drawn)
    except (ZeroDivisionError, OverflowError):
        return np.full_like(one.states, np.nan)


def _observe_variant(family: Family[L], variant: Variant, first: Seen) -> Observation:
    measured, expected = _lengths(family, first)
    return Observation(
        part=variant.part,
        verdict=V.DIFFERS,
        measured=measured,
        expected=expected,
        cause=variant.cause,
        slip=variant.name,
        conversion=variant.conversion,
        because=f"this slip gives every state that was measured; {_shown(family, first)}",
    )


def _list_others(family: Family[L], one: Seen, part: Part, established: Collection[Part]) -> str:
    """Name the other lines that the first failing case shows and no case before it."""
    parts = (p for p in one.case.exercises if p is not part and p not in established)
    others = [line for p in parts if (line := family.line(p))]
    if not others:
        return ""
    return f"; this run also shows, as none before it, {', '.join(line.locator for line in others)}"


def _lengths(family: Family[L], one: Seen) -> tuple[float, float | None]:
    """How far the last state is from the start, measured and in the listing if it has such states."""
    right = family.predict(family.right, one.case, one.drawn)
    measured, expected = (float(np.linalg.norm(s[-1] - s[0])) for s in (one.states, right))
    return measured, expected if np.isfinite(expected) else None


def _shown(family: Family[L], one: Seen) -> str:
    """Where the distances come from; states at one distance from the start may be far apart."""
    n, rounds = one.case.shown.clients, one.case.rounds
    text = f"the numbers are distances from the start, {_count(n, 'client')}, {_count(rounds, 'round')}"
    apart = np.abs(one.states - family.predict(family.right, one.case, one.drawn)).max()
    return f"{text}; the states are up to {apart:.2g} apart" if np.isfinite(apart) else text


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _agreeing(
    family: Family[L], seen: Sequence[Seen], known: dict[Part, Observation], failing: Sequence[Seen]
) -> list[Observation]:
    """The known differences; every other line that some case shows agrees."""
    parts = dict.fromkeys(part for one in seen for part in one.case.exercises)
    because = f"states of {len(seen)} runs without noise, equal to 8 digits"
    if failing:
        because += " to the listing's with the difference beside"
    agreeing = {part: because for part in parts if part not in known}
    if family.bounded[0] in agreeing:
        agreeing[family.bounded[0]] += f"; {_tried(family, seen)}"
    return [*known.values(), *(agrees(part, None, None, shown) for part, shown in agreeing.items())]


def _tried(family: Family[L], seen: Sequence[Seen]) -> str:
    """The lengths of what is bounded that some case shows, in words."""
    _, bounded, bound = family.bounded
    pairs = [one.case.lengths for one in seen if one.case.lengths is not None]
    least, most = min(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    return f"{bounded} of {least:.1g} to {most:.0e} times {bound} were tried"


def _is_another_count(family: Family[L], seen: Sequence[Seen]) -> bool:
    """Whether some number of local steps, another one in each case, gives every state.

    None at all in every case is no number of steps: something else keeps the state where it is.
    """
    counts = [_count_of(family, one) for one in seen if not _fits(family, family.right, one)]
    return None not in counts and any(counts)


def _count_of(family: Family[L], one: Seen) -> int | None:
    """The number of local steps that gives the states of this case."""
    lines = (family.changed(family.right, {"count": _constant(count)}) for count in range(41))
    return next((count for count, changed in enumerate(lines) if _fits(family, changed, one)), None)


def _constant(count: int) -> Any:
    return lambda *values: count


def _explain_alone(family: Family[L], seen: Sequence[Seen]) -> list[Observation]:
    """The slip that gives every state of a client alone, where a random order hides what several do."""
    alone = [one for one in seen if one.case.shown.clients == 1 and one.case.drawn is None]
    failing = [one for one in alone if not _fits(family, family.right, one)]
    for variant in family.slips if failing else ():
        if all(_fits(family, _with(family, [variant]), one) for one in failing) and all(
            _fits(family, _with(family, [variant]), one) for one in alone
        ):
            wrong = _observe_variant(family, variant, failing[0])
            because = f"this slip gives every state of a client alone; {_shown(family, failing[0])}"
            return _hide_all(seen, replace(wrong, because=because))
    return []


def _unexplained(family: Family[L], seen: Sequence[Seen]) -> list[Observation]:
    """The line of the first failing case; lines that a passing case before it has shown agree."""
    established: dict[Part, None] = {}
    for one in seen:
        if _fits(family, family.right, one):
            established |= dict.fromkeys(one.case.exercises)
            continue
        measured, expected = _lengths(family, one)
        chosen = one.case.of is Part.SEARCH  # where any number of steps would be one that is chosen
        part = Part.LOCAL_COUNT if not chosen and _is_another_count(family, seen) else one.case.of
        right = family.predict(family.right, one.case, one.drawn)
        part = family.blamed(part, one.states, right)
        because = _shown(family, one) + _list_others(family, one, part, established)
        if not np.isfinite(measured) and Part.BATCH_DIVISOR in one.case.exercises:
            part, expected = Part.BATCH_DIVISOR, None
            because = "the states are no numbers where batches are drawn, as after 0/0 for an empty batch"
        wrong = Observation(
            part=part, verdict=V.DIFFERS, measured=measured, expected=expected, because=because
        )
        hidden = f"the difference at the line of the {part.noun} hides it"
        others = dict.fromkeys(p for case in seen for p in case.case.exercises if p is not part)
        return [
            wrong,
            *(
                agrees(p, None, None, "states of runs without noise, equal to 8 digits")
                if p in established
                else not_observable(p, hidden)
                for p in others
            ),
        ]
    raise AssertionError("no case fails")
