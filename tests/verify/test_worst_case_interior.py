"""Certificates where rounded multipliers leave their signs: bounded gradients and tiny multipliers."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from scipy.optimize import linprog

from verify.worst_case import worst as worst_module
from verify.worst_case.checker import Form, Program, certified_bound
from verify.worst_case.errors import NoWorstCase
from verify.worst_case.forced import forced_to_zero
from verify.worst_case.setting import DISTANCE, GRADIENT, MEAN_GAP, SMALLEST_GRADIENT, Setting
from verify.worst_case.solver import solve
from verify.worst_case.worst import solved_program, worst_case

pytest.importorskip("clarabel", reason="worst cases are solved with clarabel, of the extra tight")

ONE = Fraction(1)


def bounded(n: int, E: int, K: int, step: str, **more: Any) -> Setting:
    """Clients with gradients of length at most 1."""
    usual: dict[str, Any] = {"G": ONE, "D0": ONE, "observable": SMALLEST_GRADIENT}
    return Setting(clients=n, local_steps=E, rounds=K, local_step=Fraction(step), **(usual | more))


TINY = [
    bounded(5, 3, 2, "1/2", D0=Fraction(3), Delta_star=Fraction(1, 2)),
    bounded(50, 4, 3, "1/4", zeta=Fraction(0), server_step=Fraction(2)),
]


@pytest.mark.parametrize("setting", TINY, ids=str)
def test_a_gradient_of_length_one_is_the_worst_case(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F = ||x|| has it wherever the run does not end in x*, and no gradient is longer.

    Without room for rounding in the multipliers no margin of the slack matrices gives a certificate.
    """
    found = worst_case(setting, with_instance=False)
    upper = certified_bound(solved_program(setting), found.multipliers)
    assert upper == found.upper
    assert ONE <= upper < ONE + Fraction(1, 10**6)
    monkeypatch.setattr(worst_module, "FLOORS", ())
    with pytest.raises(NoWorstCase, match="no certificate was found"):
        worst_case(setting, with_instance=False)


SHORT = Fraction(1, 10)


@pytest.mark.parametrize(
    "setting",
    [
        bounded(1, 4, 3, "3/2", D0=SHORT, zeta_star=SHORT**2, observable=MEAN_GAP),
        bounded(5, 3, 3, "2", G=Fraction(2), D0=SHORT, Delta_star=Fraction(0), observable=DISTANCE),
        bounded(5, 3, 3, "1/100", D0=Fraction(3), Delta_star=ONE, observable=GRADIENT),
    ],
    ids=str,
)
def test_long_and_short_steps_with_bounded_gradients_have_both_ends(setting: Setting) -> None:
    found = worst_case(setting)
    assert found.lower is not None
    assert found.lower <= found.upper < found.lower * (1 + Fraction(1, 10**4))


def test_a_floor_keeps_multipliers_inside_their_signs() -> None:
    small = solved_program(TINY[0])
    forced = forced_to_zero(small)
    found = solve(small, margin=1e-8, floor=1e-8).multipliers
    assert min(y for index, y in enumerate(found) if index not in forced) > 0.9e-8
    assert max(abs(found[index]) for index in forced) < 1e-10


# ---- multipliers that have to be 0


def form(values: dict[int, int], *, is_equation: bool = False) -> Form:
    numbers = {number: Fraction(a) for number, a in values.items()}
    return Form(name="", constant=ONE, values=numbers, entries={}, is_equation=is_equation)


def state(objective: dict[int, int], *constraints: Form) -> Program:
    return Program(blocks=(), values=4, objective=form(objective), constraints=constraints)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (state({}, form({0: 1}), form({0: 2})), {0, 1}),
        (state({}, form({0: 1}), form({0: -2})), set()),
        (state({0: 1}, form({0: 1}), form({0: 2})), set()),
        (state({}, form({0: 1}), form({0: 1}, is_equation=True)), set()),
        (
            state({}, form({0: 1, 1: 1}), form({1: -1, 2: 1}), form({2: -1, 3: 1}), form({3: -1, 1: 2})),
            {0},
        ),
        (state({}, form({0: 1, 1: 1}), form({1: -1, 2: 1}), form({2: -1})), {0, 1, 2}),
    ],
)
def test_one_sign_forces_zeros_and_zeros_force_more(program: Program, expected: set[int]) -> None:
    assert forced_to_zero(program) == expected


@pytest.mark.parametrize(("n", "start"), [*product((1, 3), ("D0", "f0_gap"))])
def test_a_linear_program_finds_no_forced_multiplier_above_zero(n: int, start: str) -> None:
    """The largest sum of the forced multipliers, each at most 1, under the equations alone is 0."""
    more: dict[str, Any] = {"D0": {"G": ONE, "D0": ONE}, "f0_gap": {"L": ONE, "f0_gap": ONE}}[start]
    setting = Setting(
        clients=n,
        local_steps=2,
        rounds=2,
        local_step=ONE,
        observable=GRADIENT,
        Delta_star=ONE,
        **more,
    )
    small = solved_program(setting)
    forced = forced_to_zero(small)
    assert forced
    rows = [[float(c.values.get(v, 0)) for c in small.constraints] for v in range(small.values)]
    right = [-float(small.objective.values.get(v, 0)) for v in range(small.values)]
    cost = [-1.0 if index in forced else 0.0 for index in range(len(small.constraints))]
    found = linprog(cost, A_eq=rows, b_eq=right, bounds=(0, 1))
    assert found.status == 0
    assert abs(found.fun) < 1e-9
