"""The worst case of a setting: a certified upper end, and an instance that attains a lower one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import final

import numpy as np

from verify.progress import Progress, silent
from verify.worst_case.checker import NotACertificate, Program, certified_bound, combined, slack
from verify.worst_case.equal_quadratics import equal_quadratics
from verify.worst_case.errors import NoWorstCase
from verify.worst_case.federated_averaging import START, program
from verify.worst_case.free_vectors import without_unmeasured
from verify.worst_case.instance import Attained, attaining_instance
from verify.worst_case.long_quadratics import followed_in_integers
from verify.worst_case.methods.program import method_program
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.quadratic_instance import attaining_quadratic, best_followed
from verify.worst_case.rounding import rational_multipliers
from verify.worst_case.setting import ProblemClass, Setting
from verify.worst_case.solver import Proposal, solve
from verify.worst_case.spectral import spectral_program
from verify.worst_case.spectral_solver import fitted_to_measure, solve_on_interval

MANY = 1500  # conditions of a program that takes half a minute or more
MARGINS = (1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
# Floors of multipliers, times the margin; they cost more than that where many constraints are slack.
FLOORS = (0.01, 1.0)
INFEASIBLE = "PrimalInfeasible"  # what the solver says if no multipliers prove a bound
TOLERANCE = 1e-13  # of a slack matrix that may be singular, times its largest entry if that is above 1


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class WorstCase:
    """`upper` is certified, `lower` attained, both in the units of the user; None without an instance.

    `multipliers` certify the program of one round if a random run is followed round by round. Unless the
    program describes the noise exactly the lower end is that of equal quadratics.
    """

    setting: ProblemClass
    upper: Fraction
    multipliers: Mapping[int, Fraction]
    attained: Attained | None
    lower: Fraction | None


def worst_case(
    setting: ProblemClass, *, with_instance: bool = True, progress: Progress = silent
) -> WorstCase:
    """Solve and certify, and `with_instance` find an instance; a large program is announced."""
    asked = solved_program(setting)
    report = progress if len(asked.constraints) >= MANY else silent
    sizes = " and ".join(map(str, asked.blocks))
    size = f"{len(asked.constraints):,} conditions on matrices of {sizes} rows"
    report(0, 2, f"solving for {size}, which takes half a minute or more")
    multipliers = _certified(asked)
    report(1, 2, "looking for an instance")
    upper = upper_end(setting, multipliers)
    sought = with_instance and setting.has_exact_noise and setting.has_all_pairs
    attained = _attained(setting, upper / setting.unit) if sought else None
    lower = None if attained is None else attained.objective * setting.unit
    if isinstance(setting, Setting) and not setting.has_exact_noise:
        lower = equal_quadratics(setting).observable
    return WorstCase(setting=setting, upper=upper, multipliers=multipliers, attained=attained, lower=lower)


def _attained(setting: ProblemClass, upper: Fraction) -> Attained | None:
    if isinstance(setting, Setting) and setting.is_spectral:
        fitted = partial(fitted_to_measure, setting, spectral_program(setting))
        return best_followed(setting, upper, fitted, followed_in_integers)
    if isinstance(setting, Setting) and setting.quadratic:
        return attaining_quadratic(setting, upper)
    return attaining_instance(points_program(setting), upper)


def points_program(setting: ProblemClass) -> Program:
    """The program over the points of the run; `solved_program` has fewer vectors, or measures instead."""
    if isinstance(setting, MethodSetting):
        return method_program(setting)
    assert isinstance(setting, Setting)
    return program(setting)


def solved_program(setting: ProblemClass) -> Program:
    """The program that the multipliers are for: of one round if rounds are followed one by one, else all."""
    if not isinstance(setting, Setting):
        return without_unmeasured(points_program(setting))
    one = replace(setting, rounds=1) if setting.is_followed_in_rounds else setting
    return spectral_program(one) if one.is_spectral else without_unmeasured(points_program(one))


def upper_end(setting: ProblemClass, multipliers: Mapping[int, Fraction]) -> Fraction:
    """The bound that the multipliers prove, in the units of the user; raises NotACertificate if none.

    Of one random round they prove E||x_1 - x*||^2 <= a ||x_0 - x*||^2 + c with a the multiplier of the start.
    As they do not depend on the start, every round has the same a and c, and the bounds add up.
    """
    one_round = solved_program(setting)
    bound = certified_bound(one_round, multipliers)
    if not setting.is_followed_in_rounds:
        return bound * setting.unit
    (start,) = (i for i, form in enumerate(one_round.constraints) if form.name == START)
    factor = multipliers.get(start, Fraction(0))
    total = Fraction(1)
    assert isinstance(setting, Setting)
    for _ in range(setting.rounds):
        total = factor * total + (bound - factor)
    return total * setting.unit


def is_promising(small: Program, multipliers: Mapping[int, Fraction]) -> bool:
    """Whether the slack matrices are semidefinite in floats; to refute one in fractions takes long."""
    if small.on_interval:  # the checker soon finds a place below 0
        return True
    total = combined(small, multipliers)
    try:
        slacks = [np.array(slack(total, b, size), dtype=float) for b, size in enumerate(small.blocks) if size]
    except OverflowError:  # no useful certificate has an entry above 1e308
        return False
    return all(np.linalg.eigvalsh(m)[0] >= -TOLERANCE * max(1.0, float(np.abs(m).max())) for m in slacks)


def _certified(small: Program) -> dict[int, Fraction]:
    """Rational multipliers that prove a bound, with the first margin and floor at which rounding succeeds."""
    status = ""
    for proposal in _proposals(small):
        status = proposal.status
        multipliers = rational_multipliers(small, proposal.multipliers)
        if not is_promising(small, multipliers):
            continue
        try:
            certified_bound(small, multipliers)
        except NotACertificate:
            continue
        return multipliers
    ended = f"the solver ended with {status} at every margin from {MARGINS[0]:g} to {MARGINS[-1]:g}"
    if status == INFEASIBLE:
        raise NoWorstCase(
            f"no certificate was found, as if nothing limits the worst case ({ended}): an assumption may be "
            "missing, such as a bound on heterogeneity (zeta_star), on the distance at the start (D0), or mu"
        )
    raise NoWorstCase(f"no certificate was found: {ended}")


def _proposals(small: Program) -> Iterator[Proposal]:
    """The optimal multipliers at every margin, then ones with a floor, the smallest margins first.

    Where a free number has tiny multipliers only, of constraints that do not matter, exact elimination takes
    them below 0; multipliers inside their signs keep room for it, as slack matrices do. Where that succeeds
    depends on the processor.
    """
    if small.on_interval:
        yield from (solve_on_interval(small, margin=margin)[0] for margin in MARGINS)
    else:
        yield from (solve(small, margin=m) for m in MARGINS)
        yield from (solve(small, margin=m, floor=part * m) for m in MARGINS for part in FLOORS)
