"""The standard cells of a statement whose declarations say how it is run.

Clients alike, clients apart, the edge of the conditions, strong noise, few clients in a round: all on the
first family of problems that meets the assumptions. Then clients apart once on every other family that does,
and on the problems of the statement's own package, there also from far away, from near and at the edge; a
start near the minimizer and one far from it, and a single round.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Final

from bounds.errors import Misuse
from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.problems.interface import Problem
from synthetic.run import runnable
from verify.cell import Cell, Scalar
from verify.matching.cell_parameters import (
    INSIDE,
    USUAL,
    measured_numbers,
    move_into_domain,
    parameters_of,
    usual_values,
)
from verify.matching.constants import parts_of
from verify.matching.grounds import Ground, first_taken, ground_on, inputs_taken, started, why_no_cell
from verify.matching.largest_allowed import EDGE, largest
from verify.matching.run_settings import (
    COUNTS_OF_CLIENTS,
    FEW_CLIENTS,
    NOISES,
    missing_setting,
    settings_that_are_quantities,
)
from verify.matching.standard_problems import CANDIDATES, RESERVE, Candidate, candidates
from verify.parameters.valid import domain_of

NEAR: Final = 1e-3
NEARER: Final = 1e-4
FAR: Final = 100.0  # what holds around the minimizer alone, as too long steps on steep walls do, fails there
SMALL: Final = 0.01
STRONG: Final = 10.0
CURVATURES: Final = frozenset(("strong_convexity", "client_strong_convexity"))
ALIKE: Final = "homogeneous"
BEYOND: Final = 1e-12  # a bound below this share of the one after one round is too small for float64
LONGER: Final = (1, 4, 16, 64)  # times the usual length, where a condition asks for a long run


def cells(statement: Statement, on: Iterable[Candidate] | None = None) -> tuple[Cell, ...]:
    """Every standard cell that exists, on the standard problems or `on` others; see `excluded`."""
    grounds = list(_grounds(statement, candidates(statement) if on is None else on))
    alone = not grounds or _how_apart(grounds[0]) == ALIKE
    if on is None and not statement.problems and alone:
        grounds = [*_grounds(statement, RESERVE), *grounds]
    if not grounds:
        return ()
    first, *others = grounds
    alike = ground_on(statement, first.candidate, first.candidate.alike)
    made = [
        None if alike is None else _cell(statement, "homogeneous", alike),
        None if first == alike else _cell(statement, "heterogeneous", first),
        _at_the_edge(statement, first) if statement.conditions else None,
        # the mean of clients that are apart is smoother than each of them, and stands a longer step
        None if alike is None or alike == first else _find_edge_of(statement, alike, ALIKE),
        *_with_other_noise(statement, first),
        *_with_few_clients(statement, first),
        *_with_one_local_step(statement, started(first, NEAR)),
        _cell(statement, "started near the minimizer", started(first, NEAR)),
        *(_cell(statement, role, ground) for role, ground in _away_from_the_minimizer(grounds)),
        _cell(statement, "one round", first, _single(statement)),
        _near_the_minimizer(statement, first, "edge of its conditions, near the minimizer", EDGE),
        # at the end of its domain a probability is 1: everybody takes part, and no noise is seen
        _near_the_minimizer(statement, first, "edge near the minimizer, inside domains", EDGE, INSIDE),
        _near_the_minimizer(statement, first, "small steps near the minimizer", SMALL),
        *_with_smallest_counts(statement, first),
        *_with_other_settings(statement, first),
        _worst_conditioned(statement, grounds),
        *(_find_edge_of(statement, ground, ground.candidate.family) for ground in others if _is_own(ground)),
        *(_build_on_family(statement, ground) for ground in others),
    ]
    return tuple(cell for cell in made if cell is not None)


def excluded(statement: Statement) -> dict[str, str]:
    """The standard roles that a statement cannot have, each with the reason."""
    reasons = exclude_by_settings(statement)
    roles = {cell.role for cell in cells(statement)}
    if "homogeneous" not in roles:
        reasons["homogeneous"] = "the problems that meet its assumptions have no clients that are alike"
    if not roles:
        why = why_no_cell(statement)
        reasons |= {"heterogeneous": why, "edge of its conditions": why}
    elif "heterogeneous" not in roles:
        reasons["heterogeneous"] = "its assumptions are met only where the clients are alike"
    if roles and "edge of its conditions" not in roles:
        reasons["edge of its conditions"] = "its conditions bound nothing that a run is free to choose"
    return reasons


def exclude_by_settings(statement: Statement) -> dict[str, str]:
    """The standard roles that need a setting which no quantity is."""
    settings = settings_that_are_quantities(statement)
    reasons = {}
    if not settings.keys() & set(NOISES):
        reasons["strong noise"] = f"no quantity is a setting {', '.join(NOISES)}"
    if not settings.keys() & set(FEW_CLIENTS):
        reasons["partial participation"] = f"no quantity is a setting {', '.join(FEW_CLIENTS)}"
    return reasons


def followed(statement: Statement, cell: Cell, given: Mapping[str, Scalar]) -> Cell:
    """The cell with what it leaves free chosen anew for the given parameters; as it is where nothing fits."""
    candidate = Candidate(name=cell.problem, apart=cell.problem_arguments)
    ground = ground_on(statement, candidate, candidate.apart)
    if ground is None:
        return cell
    ground = replace(ground, start=tuple(cell.engine["start"]))
    change = {name: float(value) for name, value in given.items()}
    found = _cell(statement, cell.role, ground, change)
    if found is None or any(found.parameters[name] != value for name, value in given.items()):
        return cell
    return found


def _grounds(statement: Statement, on: Iterable[Candidate]) -> Iterator[Ground]:
    """Clients apart; alike where an assumption, such as one minimizer for all of them, asks for that."""
    for candidate in on:
        for arguments in (candidate.apart, candidate.alike):
            ground = ground_on(statement, candidate, arguments)
            if ground is not None and _cell(statement, "", ground) is not None:
                yield ground
                break


def _away_from_the_minimizer(grounds: Sequence[Ground]) -> Iterator[tuple[str, Ground]]:
    """Far on the first problem and on an author's own, which may be steep there; on those near too."""
    first, *others = grounds
    yield "started far from the minimizer", started(first, FAR)
    for ground in others:
        if _is_own(ground):
            for word, away in (("far from", FAR), ("near", NEAR)):
                yield f"started {word} the minimizer, {ground.candidate.family}", started(ground, away)


def _is_own(ground: Ground) -> bool:
    return ground.candidate.name not in {candidate.name for candidate in (*CANDIDATES, *RESERVE)}


def _build_on_family(statement: Statement, ground: Ground) -> Cell | None:
    role, share = f"{_how_apart(ground)}, {ground.candidate.family}", INSIDE
    return _cell(statement, role, ground, share=EDGE if ground.candidate.at_edge else share, of_domain=share)


def _how_apart(ground: Ground) -> str:
    return ALIKE if ground.arguments == ground.candidate.alike else "heterogeneous"


def _single(statement: Statement) -> dict[str, float]:
    """One round: what is wrong with the first one is not hidden by the mean of many."""
    named = [first_taken(statement, (setting,)) for setting in ("rounds", "steps")]
    return {name: move_into_domain(statement, name, 1.0) for name in named if name is not None}


def _cell(
    statement: Statement,
    role: str,
    ground: Ground,
    change: Mapping[str, float] | None = None,
    share: float = INSIDE,
    of_domain: float | None = None,
) -> Cell | None:
    """The cell with these settings changed; None where no parameters meet the conditions.

    `of_domain` is the share of what no condition limits but its domain alone, such as a probability.
    """
    if missing_setting(statement) is not None:
        return None
    fixed = measured_numbers(statement, ground)
    for longer in LONGER:
        usual = usual_values(statement, ground.problem, longer) | dict(change or {})
        parameters = parameters_of(statement, fixed, usual, share, of_domain)
        if parameters is None:
            continue
        cell = Cell(
            statement=statement.id,
            variant=statement.variant,
            algorithm=str(statement.algorithm),
            role=role,
            problem=ground.candidate.name,
            problem_arguments=ground.arguments,
            parameters=parameters,
            engine={"start": list(ground.start)},
        )
        if _applies(statement, parameters):
            # our own algorithms run in fractions, which judge such a bound too
            return _shorten(statement, cell) if runnable(cell.algorithm).outside and not change else cell
    return None


def _shorten(statement: Statement, cell: Cell) -> Cell:
    """The cell with the most rounds after which roundings do not hide on which side of the bound a run is.

    No fewer: what is wrong with a bound may show only where its largest term has died away.
    """
    single = {name: int(count) for name, count in _single(statement).items()}
    found = _change_rounds(cell, single)
    if not _applies(statement, found.parameters):
        return cell
    least = BEYOND * _size(statement, found)
    if _size(statement, cell) >= least:
        return cell
    counts = {name: int(cell.parameters[name]) for name in single}
    enough, most = max(single.values()), max(counts.values())
    while most - enough > 1:
        rounds = (enough + most) // 2
        shorter = _change_rounds(cell, {name: min(rounds, count) for name, count in counts.items()})
        if _applies(statement, shorter.parameters) and _size(statement, shorter) >= least:
            enough, found = rounds, shorter
        else:
            most = rounds
    return found


def _change_rounds(cell: Cell, rounds: Mapping[str, float]) -> Cell:
    return replace(cell, parameters={**cell.parameters, **rounds})


def _size(statement: Statement, cell: Cell) -> float:
    return abs(float(statement.evaluate(**{n: float(v) for n, v in cell.parameters.items()}).value))


def _applies(statement: Statement, parameters: Mapping[str, Scalar]) -> bool:
    try:
        evaluation = statement.evaluate(**{name: float(value) for name, value in parameters.items()})
    except Misuse:
        return False
    return evaluation.applicable is True and isfinite(float(evaluation.value))


def _at_the_edge(statement: Statement, ground: Ground) -> Cell | None:
    """As near to the limits as it gets; a limit that is no end of a range is looked for from inside."""
    cell = _cell(statement, "edge of its conditions", ground, share=EDGE)
    inner = _cell(statement, "edge of its conditions", ground)
    if inner is None or (cell is not None and cell != inner):
        return cell
    free = inner.parameters.keys() - measured_numbers(statement, ground).keys()
    for name in sorted(n for n in free if not statement.notation.quantities[n].domain.integer):
        limit = largest(statement, inner.parameters, name) if float(inner.parameters[name]) > 0 else None
        if limit is not None:
            return replace(inner, parameters={**inner.parameters, name: limit * EDGE})
    return None


def _find_edge_of(statement: Statement, ground: Ground, where: str) -> Cell | None:
    """The edge on another problem: what is alike, or what an author chose for what shows there."""
    found = _at_the_edge(statement, ground) if statement.conditions else None
    return found and replace(found, role=f"{found.role}, {where}")


def _with_other_noise(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """Strong; near the minimizer too, where the start hides no noise, and weak noise hides no other term."""
    name = first_taken(statement, NOISES)
    if name is not None:
        usual = usual_values(statement, ground.problem, 1)[name]
        yield _cell(statement, "strong noise", ground, {name: usual * STRONG})
        near = started(ground, NEAR)
        yield _cell(statement, "strong noise near the minimizer", near, {name: usual * STRONG})
        yield _cell(statement, "weak noise near the minimizer", near, {name: usual * SMALL})


def _worst_conditioned(statement: Statement, grounds: Sequence[Ground]) -> Cell | None:
    """At the edge near the minimizer, where the strong convexity that a formula names is least beside L."""
    parts = parts_of(statement.notation, Of.CONSTANT)
    named = {parts[name].name for name in inputs_taken(statement) & parts.keys()}
    worst = min(grounds, key=lambda ground: _condition(ground.problem))
    if not named & CURVATURES or worst is grounds[0] or _is_own(worst):
        return None
    word = "edge of its conditions," if statement.conditions else "started"
    role = f"{word} near the minimizer, {worst.candidate.family}"
    return _cell(statement, role, started(worst, NEAR), share=EDGE, of_domain=INSIDE)


def _condition(problem: Problem) -> float:
    facts = problem.facts()
    return float(facts.strong_convexity) / float(facts.smoothness)


def _with_few_clients(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """Away from the minimizer what the choice of clients costs is small beside the start.

    Small steps show a wrong power of the step, which a longer one hides.
    """
    few = _draw_few(statement, ground)
    if few is not None:
        near = started(ground, NEAR)
        yield _cell(statement, "partial participation", ground, few)
        yield _cell(statement, "few clients near the minimizer", near, few)
        yield _cell(statement, "few clients, small steps near the minimizer", near, few, 1 / STRONG)


def _draw_few(statement: Statement, ground: Ground) -> dict[str, float] | None:
    """One client in a round, or one on average where each is drawn by itself."""
    count, coin = (first_taken(statement, s) for s in (COUNTS_OF_CLIENTS, ("participation.independent",)))
    if count is not None:
        return {count: 1.0}
    return None if coin is None else {coin: 1 / ground.problem.clients}


def _near_the_minimizer(
    statement: Statement, ground: Ground, role: str, share: float, of_domain: float | None = None
) -> Cell | None:
    """At another share of the ranges: a term whose power of a step is wrong is too small on one side."""
    near = started(ground, NEAR)
    usual = _cell(statement, "started near the minimizer", near)
    at_limits = usual if of_domain is None else _cell(statement, role, near, share=share)
    known = [cell.parameters for cell in (usual, at_limits) if cell is not None]
    found = _cell(statement, role, near, share=share, of_domain=of_domain)
    return None if found is None or not known or found.parameters in known else found


def _own_settings(statement: Statement) -> dict[str, str]:
    """Quantity to setting, of those that have no usual value here: what only the author knows."""
    usual = {*USUAL, *COUNTS_OF_CLIENTS, *NOISES, *FEW_CLIENTS}
    named = settings_that_are_quantities(statement)
    return {q: s for s, q in named.items() if s not in usual and q in inputs_taken(statement)}


def _with_smallest_counts(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """One client drawn, one coordinate sent: at the edge of what the conditions then leave."""
    for name in sorted(_own_settings(statement)):
        domain = domain_of(statement, name)
        if domain.integer and isfinite(domain.lower):
            yield _cell(statement, f"smallest {name}", ground, {name: max(domain.lower, 1.0)}, share=EDGE)


def _with_other_settings(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """Ten times a setting and a tenth, if allowed: the scale of a noise, a threshold of clipping.

    At the minimizer, but for a hair, each one tiny while the others are not: else the term of one of two
    steps, or of a probability, hides that another is missing, or has a wrong power.
    """
    inner = _cell(statement, "", ground)
    if inner is None:
        return
    real = [name for name in sorted(_own_settings(statement)) if not domain_of(statement, name).integer]
    changes = [("large {}", STRONG, ground), ("small {}", 1 / STRONG, ground)]
    if len(real) > 1:  # of a single one there are `small steps near the minimizer`
        changes.append(("tiny {} near the minimizer", SMALL, started(ground, NEARER)))
    for name in real:
        for role, times, place in changes:
            value = float(inner.parameters[name]) * times
            other = _cell(statement, role.format(name), place, {name: value})
            if other is not None and other.parameters[name] == value:
                yield other


def _with_one_local_step(statement: Statement, near: Ground) -> Iterator[Cell | None]:
    """Near the minimizer and without drift, whose term hides that one for noise or sampling is missing."""
    name = first_taken(statement, ("local_steps",))
    if name is None or domain_of(statement, name).lower > 1:
        return
    one, few = {name: 1.0}, _draw_few(statement, near)
    yield _cell(statement, "one local step near the minimizer", near, one)
    if few is not None:
        yield _cell(statement, "one local step, few clients near the minimizer", near, one | few)
