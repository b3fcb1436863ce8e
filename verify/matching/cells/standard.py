"""The standard cells of a statement whose declarations say how it is run.

Clients alike, clients apart, the edge of the conditions, strong noise, few clients in a round: all on the
first family of problems that meets the assumptions. Then clients apart once on every other family that does,
and on the problems of the statement's own package, there also from far away, from near and at the edge; a
start near the minimizer and one far from it, and a single round. Last the problems on which usual bounds are
reached (`verify.matching.cells.sharp_problems`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bounds.language.part import Of
from bounds.language.statement import Statement
from synthetic.outside.algorithms import is_outside
from synthetic.problem import Problem
from verify.cell import Cell, Scalar
from verify.matching.cells.along_curvatures import cells_along_curvatures, names_strong_convexity
from verify.matching.cells.grounds import (
    Ground,
    first_taken,
    ground_of_any_size,
    ground_on,
    inputs_taken,
    started,
    why_no_cell,
)
from verify.matching.cells.largest_allowed import EDGE, largest
from verify.matching.cells.on_a_slope import cells_on_a_slope
from verify.matching.cells.one_cell import build_cell, set_one_round, shorten
from verify.matching.cells.own_lengths import cell_half_a_step_away, cells_at_thresholds
from verify.matching.cells.own_settings import (
    draw_few,
    find_own_settings,
    find_smallest_counts,
    move_setting,
)
from verify.matching.cells.parameters import (
    INSIDE,
    measured_numbers,
    usual_values,
)
from verify.matching.cells.sharp import sharp_cells
from verify.matching.cells.sharp_problems import NEAR, NEARER
from verify.matching.cells.standard_problems import ALONE, CANDIDATES, RESERVE, Candidate, candidates
from verify.matching.constants.constants import parts_of
from verify.matching.measurements.own_at_start import settle
from verify.matching.run_settings import (
    FEW_CLIENTS,
    NOISES,
    settings_that_are_quantities,
)
from verify.parameters.valid import domain_of

FAR: Final = 100.0  # what holds around the minimizer alone, as too long steps on steep walls do, fails there
SMALL: Final = 0.01
STRONG: Final = 10.0
CURVATURES: Final = frozenset(("strong_convexity", "client_strong_convexity"))
ALIKE: Final = "homogeneous"


def cells(statement: Statement, on: Iterable[Candidate] | None = None) -> tuple[Cell, ...]:
    """Every standard cell that exists, on the standard problems or `on` others; see `excluded`."""
    grounds = _list_grounds(statement, on)
    if not grounds:
        return ()
    first, *others = grounds
    alike = ground_on(statement, first.candidate, first.candidate.alike)
    wanted = [
        None if alike is None else build_cell(statement, "homogeneous", alike),
        None if first == alike else build_cell(statement, "heterogeneous", first),
        _at_the_edge(statement, first) if statement.conditions else None,
        # the mean of clients that are apart is smoother than each of them, and stands a longer step
        None if alike is None or alike == first else _find_edge_of(statement, alike, ALIKE),
        *_with_other_noise(statement, first),
        *_with_few_clients(statement, first),
        *_with_one_local_step(statement, started(first, NEAR)),
        build_cell(statement, "started near the minimizer", started(first, NEAR)),
        *(build_cell(statement, role, ground) for role, ground in _away_from_the_minimizer(grounds)),
        build_cell(statement, "one round", first, set_one_round(statement)),
        _take_rounds_of_the_example(statement, first),
        # the longest step goes farthest along the largest curvature, which further rounds hide
        _one_round_at_the_edge(statement, alike or first),
        _near_the_minimizer(statement, first, "edge of its conditions, near the minimizer", EDGE),
        # at the end of its domain a probability is 1: everybody takes part, and no noise is seen
        _near_the_minimizer(statement, first, "edge near the minimizer, inside domains", EDGE, INSIDE),
        _near_the_minimizer(statement, first, "small steps near the minimizer", SMALL),
        *_with_smallest_counts(statement, first),
        *_with_other_settings(statement, first),
        _worst_conditioned(statement, grounds),
        *(_find_edge_of(statement, ground, ground.candidate.family) for ground in others if _is_own(ground)),
        *(_build_on_family(statement, ground) for ground in others),
        *_along_curvatures(statement, grounds),
    ]
    found = [cell for cell in wanted if cell is not None]
    if on is None and not statement.problems:
        half = cell_half_a_step_away(statement)
        found += [*sharp_cells(statement, found), *cells_on_a_slope(statement)]
        found += [*cells_at_thresholds(statement, first), *([] if half is None else [half])]
    return tuple(found)


def _list_grounds(statement: Statement, on: Iterable[Candidate] | None) -> list[Ground]:
    """The problems to build on; those in reserve come first where the standard ones are alike, or own."""
    grounds = list(_grounds(statement, candidates(statement) if on is None else on))
    if on is not None or statement.problems:
        return grounds
    if not grounds or _how_apart(grounds[0]) == ALIKE:
        grounds = [*_grounds(statement, RESERVE), *grounds]
    if all(_is_own(ground) for ground in grounds):
        grounds = [*_grounds(statement, ALONE), *grounds]
    return grounds


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
    found = build_cell(statement, cell.role, ground, change)
    if found is None or any(found.parameters[name] != value for name, value in given.items()):
        return cell
    return found


def _grounds(statement: Statement, on: Iterable[Candidate]) -> Iterator[Ground]:
    """Clients apart; alike where an assumption, such as one minimizer for all of them, asks for that."""
    for candidate in on:
        for alike in (False, True):
            ground = ground_of_any_size(statement, candidate, alike)
            if ground is not None and build_cell(statement, "", ground) is not None:
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


def _along_curvatures(statement: Statement, grounds: Sequence[Ground]) -> Iterator[Cell | None]:
    """A rate of strong convexity is tried on the first problem, and on an author's own."""
    if not names_strong_convexity(statement):
        return
    first, *others = grounds
    for ground in (first, *(other for other in others if _is_own(other))):
        yield from cells_along_curvatures(statement, ground, both=_is_own(ground))


def _is_own(ground: Ground) -> bool:
    return ground.candidate.name not in {candidate.name for candidate in (*CANDIDATES, *RESERVE)}


def _build_on_family(statement: Statement, ground: Ground) -> Cell | None:
    role = f"{_how_apart(ground)}, {ground.candidate.family}"
    share = EDGE if ground.candidate.at_edge else INSIDE
    return build_cell(statement, role, ground, share=share, of_domain=INSIDE)


def _how_apart(ground: Ground) -> str:
    return ALIKE if ground.arguments == ground.candidate.alike else "heterogeneous"


def _at_the_edge(statement: Statement, ground: Ground) -> Cell | None:
    """As near to the limits as it gets; a limit that is no end of a range is looked for from inside."""
    cell = build_cell(statement, "edge of its conditions", ground, share=EDGE)
    inner = build_cell(statement, "edge of its conditions", ground)
    if inner is None or (cell is not None and cell != inner):
        return cell
    free = inner.parameters.keys() - measured_numbers(statement, ground).keys()
    for name in sorted(n for n in free if not statement.notation.quantities[n].domain.integer):
        limit = largest(statement, inner.parameters, name) if float(inner.parameters[name]) > 0 else None
        if limit is not None:
            return settle(statement, replace(inner, parameters={**inner.parameters, name: limit * EDGE}))
    return None


def _find_edge_of(statement: Statement, ground: Ground, where: str) -> Cell | None:
    """The edge on another problem: what is alike, or what an author chose for what shows there."""
    found = _at_the_edge(statement, ground) if statement.conditions else None
    return found and replace(found, role=f"{found.role}, {where}")


def _take_rounds_of_the_example(statement: Statement, ground: Ground) -> Cell | None:
    """Where these are fewer than usual: an author knows after how many a bound is nearly reached."""
    usual = usual_values(statement, ground.problem, 1)
    named = {n: float(statement.example[n]) for n in set_one_round(statement) if n in statement.example}
    fewer = all(1 < count < usual[name] for name, count in named.items())
    if not (named and fewer and is_outside(statement.id)):
        return None
    cell = build_cell(statement, "rounds of the example", ground, named)
    return cell if cell is None or shorten(statement, cell) == cell else None


def _one_round_at_the_edge(statement: Statement, ground: Ground) -> Cell | None:
    one = set_one_round(statement)
    if not (one and statement.conditions):
        return None
    return build_cell(statement, "one round at the edge of its conditions", ground, one, share=EDGE)


def _with_other_noise(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """Strong; near the minimizer too, where the start hides no noise, and weak noise hides no other term."""
    name = first_taken(statement, NOISES)
    if name is not None:
        usual = usual_values(statement, ground.problem, 1)[name]
        yield build_cell(statement, "strong noise", ground, {name: usual * STRONG})
        near = started(ground, NEAR)
        yield build_cell(statement, "strong noise near the minimizer", near, {name: usual * STRONG})
        yield build_cell(statement, "weak noise near the minimizer", near, {name: usual * SMALL})
        # where clipped vectors are as long as they may be, a term for them stands alone
        far = started(ground, FAR)
        yield build_cell(statement, "weak noise far from the minimizer", far, {name: usual * SMALL})


def _worst_conditioned(statement: Statement, grounds: Sequence[Ground]) -> Cell | None:
    """At the edge near the minimizer, where the strong convexity that a formula names is least beside L."""
    parts = parts_of(statement.notation, Of.CONSTANT)
    named = {parts[name].name for name in inputs_taken(statement) & parts.keys()}
    worst = min(grounds, key=lambda ground: _condition(ground.problem))
    if not named & CURVATURES or worst is grounds[0] or _is_own(worst):
        return None
    word = "edge of its conditions," if statement.conditions else "started"
    role = f"{word} near the minimizer, {worst.candidate.family}"
    return build_cell(statement, role, started(worst, NEAR), share=EDGE, of_domain=INSIDE)


def _condition(problem: Problem) -> float:
    facts = problem.facts()
    return float(facts.strong_convexity) / float(facts.smoothness)


def _with_few_clients(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """Away from the minimizer what the choice of clients costs is small beside the start.

    Small steps show a wrong power of the step, which a longer one hides; weak noise shows a wrong factor.
    """
    few, noise = draw_few(statement, ground), first_taken(statement, NOISES)
    if few is not None:
        near = started(ground, NEAR)
        yield build_cell(statement, "partial participation", ground, few)
        yield build_cell(statement, "few clients near the minimizer", near, few)
        yield build_cell(statement, "few clients, small steps near the minimizer", near, few, 1 / STRONG)
        if noise is not None:
            weak = {noise: usual_values(statement, ground.problem, 1)[noise] * SMALL}
            yield build_cell(statement, "few clients, weak noise near the minimizer", near, few | weak)


def _near_the_minimizer(
    statement: Statement, ground: Ground, role: str, share: float, of_domain: float | None = None
) -> Cell | None:
    """At another share of the ranges: a term whose power of a step is wrong is too small on one side."""
    near = started(ground, NEAR)
    usual = build_cell(statement, "started near the minimizer", near)
    at_limits = usual if of_domain is None else build_cell(statement, role, near, share=share)
    known = [cell.parameters for cell in (usual, at_limits) if cell is not None]
    found = build_cell(statement, role, near, share=share, of_domain=of_domain)
    return None if found is None or not known or found.parameters in known else found


def _with_smallest_counts(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """One client drawn, one coordinate sent: at the edge of what the conditions then leave."""
    for name, least in find_smallest_counts(statement).items():
        yield build_cell(statement, f"smallest {name}", ground, {name: least}, share=EDGE)


def _with_other_settings(statement: Statement, ground: Ground) -> Iterator[Cell | None]:
    """Ten times a setting and a tenth, if allowed: the scale of a noise, a threshold of clipping.

    At the minimizer, but for a hair, each one tiny while the others are not: else the term of one of two
    steps, or of a probability, hides that another is missing, or has a wrong power.
    """
    inner = build_cell(statement, "", ground)
    if inner is None:
        return
    own = find_own_settings(statement) & statement.example.keys()
    given = {name: float(statement.example[name]) for name in sorted(own)}
    if any(inner.parameters[name] != value for name, value in given.items()):
        # far away, so that what these do in a whole run is not over after a few rounds
        yield build_cell(statement, "settings of the example", started(ground, FAR), given, INSIDE, INSIDE)
    real = [name for name in sorted(find_own_settings(statement)) if not domain_of(statement, name).integer]
    near = started(ground, NEAR)
    changes = [("large {}", STRONG, ground, INSIDE), ("small {}", 1 / STRONG, ground, INSIDE)]
    if statement.conditions:  # a limit that lacks a setting is too large where that is
        changes += [
            ("large {} at the edge near the minimizer", STRONG, near, EDGE),
            ("small {} at the edge near the minimizer", 1 / STRONG, near, EDGE),
        ]
    # of a single one that a condition limits there are `small steps near the minimizer`
    if len(real) > 1 or _near_the_minimizer(statement, ground, "", SMALL) is None:
        changes.append(("tiny {} near the minimizer", SMALL, started(ground, NEARER), INSIDE))
    for name in real:
        for role, times, place, share in changes:
            value = move_setting(statement, name, float(inner.parameters[name]), times)
            other = build_cell(statement, role.format(name), place, {name: value}, share, INSIDE)
            if other is not None and other.parameters[name] == value:
                yield other


def _with_one_local_step(statement: Statement, near: Ground) -> Iterator[Cell | None]:
    """Near the minimizer and without drift, whose term hides that one for noise or sampling is missing."""
    name = first_taken(statement, ("local_steps",))
    if name is None or domain_of(statement, name).lower > 1:
        return
    one, few = {name: 1.0}, draw_few(statement, near)
    yield build_cell(statement, "one local step near the minimizer", near, one)
    if few is not None:
        yield build_cell(statement, "one local step, few clients near the minimizer", near, one | few)
