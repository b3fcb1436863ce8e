"""FedAVG on quadratic agents, in exact moments: there is no sampling error, and the law of the noise is free.

Agents f_c(x) = 1/2 (x - c)^T A (x - c) share A = diag(1, 1/4) unless said otherwise, so that their gradients
differ by A (c - c') everywhere and zeta exists. f_c* = 0, hence F* = 0, although F does not attain it. Strong
convexity m gives ||grad f||^2 >= 2 m (f - f*): exponent 1 with mu = 2 m.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from bounds.language.assumptions import GRADIENT_DIVERGENCE_AT_ITERATES
from bounds.language.statement import Statement
from synthetic.algorithms.fedavg import Settings
from synthetic.errors import NotCertified
from synthetic.moments.fedavg import fedavg_moments
from synthetic.moments.gradient_descent import Moments
from synthetic.participation import Full
from synthetic.problem import Problem
from synthetic.problems.quadratic import Quadratic
from verify.cell import Cell, Scalar
from verify.matching.confined import Confined
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.measurements import observed
from verify.matching.measurements.measurement import Exact, Measurement
from verify.matching.runs import Runs
from verify.papers.fedavg_lojasiewicz.confined_runs import confine
from verify.papers.fedavg_lojasiewicz.runs_shared import (
    PAPER,
    Role,
    Values,
    make,
    require_counts,
    settings,
    values_of,
)

STATEMENTS = (
    "equation_35",
    "equation_36",
    "equation_37",
    "equation_38",
    "equation_39",
    "lemma_f1",
    "recursions.f2_one_step",
    "recursions.f2",
    "theorem_f2",
    "unrolled.f2_one_step",
)
ONE_LOCAL_STEP = ("equation_35", "recursions.f2_one_step", "unrolled.f2_one_step")

STEEP, FLAT = Fraction(1), Fraction(1, 4)


def cells(statement: Statement) -> tuple[Cell, ...]:
    return tuple(make(statement, role, quantities) for role in roles(statement))


def _role(name: str, arguments: Mapping[str, Any], values: Values, fraction: float = 0.5) -> Role:
    return Role(
        name=name, problem="quadratic.diagonal", arguments=arguments, values=values, fraction=fraction
    )


def roles(statement: Statement) -> tuple[Role, ...]:
    name = statement.id.partition(".")[2]
    local = 1 if name in ONE_LOCAL_STEP else 4
    half, half_step = Fraction(1, 2), Fraction(1, 4)
    base = {
        "start": _reached(Fraction(1, 2)),
        "participants": 2,
        "H": local,
        "R": 20,
        "r": 20,
        "sigma": half,
        "eta": half_step,
    }
    apart = _agents(Fraction(1, 10))
    found = (
        _role("homogeneous", _agents(Fraction(0)), base),
        _role("heterogeneous", apart, base),
        _role("edge of its conditions", apart, base | {"eta": 1 / STEEP}, fraction=1.0),
        _role("strong noise", apart, base | {"sigma": Fraction(10)}),
        _role("partial participation", apart, base | {"participants": 1}),
        _role("different curvatures", _DIFFERENT, base | {"start": _BETWEEN}),
    )
    return (*found, _FLAT_AND_NOISY) if name == "theorem_f2" else found


def _reached(length: Fraction) -> list[Fraction]:
    """The x with A x = length (3, 4): its gradient has the rational norm 5 length."""
    return [3 * length / STEEP, 4 * length / FLAT]


def _agents(apart: Fraction) -> dict[str, Any]:
    """Two agents on either side of the origin, with gradients 5 `apart` from their mean, everywhere."""
    center = _reached(apart)
    return {"curvatures": [[STEEP, FLAT]] * 2, "centers": [center, [-c for c in center]]}


# Gradients that differ by more the farther one goes: no zeta. The mean curvature is 5/8 in all directions.
_DIFFERENT = {"curvatures": [[STEEP, FLAT], [FLAT, STEEP]], "centers": [[Fraction(0)] * 2] * 2}
_BETWEEN = [Fraction(3, 2) / ((STEEP + FLAT) / 2), 2 / ((STEEP + FLAT) / 2)]

# f = m x^2/2, one agent, H = 1, started at its minimum: the stationary gap is eta sigma^2/(2 (2 - eta m)).
# The theorem has 16 eta m sigma^2, not divided by mu: too small for m < 9/560 at eta = 1/(18 m).
_FLAT_AND_NOISY = Role(
    name="flat, noisy, started at rest",
    problem="quadratic.diagonal",
    arguments={"curvatures": [[Fraction(1, 1024)]], "centers": [[Fraction(0)]]},
    values={
        "start": [Fraction(0)],
        "participants": 1,
        "H": 1,
        "R": 100,
        "sigma": Fraction(1),
        "eta": Fraction(32),
    },
    fraction=1.0,
)


# Which side of the truth is safe. A gradient drives the drift and pays for descent: there both ends bind.
_SAFE = {
    "f0_gap": "above",
    "gap": "above",
    "gradient_norm": "both",
    "drift": "above",
    "direction_error": "above",
    "mean_square_move": "above",
    "mean_move": "below",
}
_ROOTS = ("gradient_norm", "direction_error", "mean_move")


def quantities(problem: Quadratic, values: Values) -> dict[str, Scalar]:
    """What the statements take of the run, and of the point where the round, or the run, starts.

    Agents without a zeta have 0 here: what asks for one is refused for them.
    """
    true = _measure_truth(problem, values)
    roots = {n: certified.rational_root(true[n], below=_SAFE[n] == "below") for n in _ROOTS}
    finite = problem.facts().bounded_gradient_divergence
    return {**true, **roots, **({} if finite else {"zeta": Fraction(0)})}


def _measure_truth(problem: Quadratic, values: Values) -> dict[str, Fraction]:
    """The numbers of an exact run; of roots their squares."""
    one = _moments(problem, values, rounds=1)
    gap = one.gap[0] + certified.exact_upper(problem, "infimum_gap")
    move, variance = _moved(one, 1)
    return {
        "f0_gap": gap,
        "gap": gap,
        "gradient_norm": one.squared_gradient_norm[0],
        "drift": _drift(problem, values),
        "direction_error": _direction_error_square(problem, values, one),
        "mean_square_move": _square(move) + variance,
        "mean_move": _square(move),
    }


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """Roots are compared by their squares."""
    problem, p = cell.build_problem(), cell.parameters
    if not isinstance(problem, Quadratic) or "reach" in cell.engine:
        return _require_in_floats(statement, cell, problem)
    own = [
        Requirement(
            f"{name}^2" if name in _ROOTS else name,
            Fraction(p[name]) ** (2 if name in _ROOTS else 1),
            at_least=None if _SAFE[name] == "below" else true,
            at_most=None if _SAFE[name] == "above" else true,
        )
        for name, true in _measure_truth(problem, values_of(cell)).items()
        if name in p
    ]
    return [*require_counts(statement, cell, one_local_step=ONE_LOCAL_STEP), *own]


def _require_in_floats(statement: Statement, cell: Cell, problem: Problem) -> list[Requirement]:
    """On other clients, or on a ball, the numbers of a round, such as its drift, are not computed."""
    of_a_round = sorted(_SAFE.keys() & cell.parameters.keys() - {"f0_gap"})
    if of_a_round:
        raise NotCertified(
            asked=f"run of {statement.id} on {cell.problem}",
            failed=f"{', '.join(of_a_round)} is computed in fractions, on quadratic clients",
            found=cell.problem,
            needed="a problem of quadratic clients",
            change="choose one, such as quadratic.gaussian_factors",
        )
    held = require_counts(statement, cell, one_local_step=ONE_LOCAL_STEP)
    values = values_of(cell)
    on_a_set = confined(statement, problem, values["start"], values)
    if on_a_set is None:
        return held
    held = [r for r in held if r.parameter not in on_a_set.constants]
    held += [
        Requirement(n, float(values[n]), at_least=end) for n, end in on_a_set.constants.items() if n in values
    ]
    reach = float(values.get("reach", on_a_set.reach))
    return [*held, Requirement("reach", reach, at_least=on_a_set.reach)]


def confined(statement: Statement, problem: Problem, start: Sequence[Any], given: Values) -> Confined | None:
    """As amended the theorem asks FL-2 and FL-3 at the global iterates, and keeps eta H L <= 1/18."""
    at_iterates = GRADIENT_DIVERGENCE_AT_ITERATES.name in {a.name for a in statement.assumptions}
    return confine(problem, start, given) if at_iterates else None


def _square(vector: list[Fraction]) -> Fraction:
    return sum((x * x for x in vector), Fraction(0))


def measure(
    statement: Statement, cell: Cell, of_run: Settings, replicates: int, seed: int, stream: str
) -> Measurement:
    """The drift and the direction of a round are no measure of its states."""
    left, how = str(statement.left), _OF_A_ROUND.get(str(statement.left))
    if how is None:
        return observed.measure(statement, cell, of_run, replicates, seed, stream)
    value = how(cell.build_problem(), values_of(cell))
    return Exact(observables={left: value}, method="exact moments in rationals")


def _moments(problem: Quadratic, values: Values, *, rounds: int, local_steps: int | None = None) -> Moments:
    return fedavg_moments(
        problem,
        start=values["start"],
        rounds=rounds,
        local_steps=int(values["H"]) if local_steps is None else local_steps,
        local_step=Fraction(values["eta"]),
        participation=Full(),
        gradient_noise=Fraction(values["sigma"]) ** 2 / problem.dimension,
    )


def _drift(problem: Quadratic, values: Values) -> Fraction:
    """Mean over agents and h < H of E||theta_{r,h}^c - theta_r||^2: each agent takes its steps alone."""
    total, local = Fraction(0), int(values["H"])
    for c in range(problem.clients):
        alone = _moments(problem.chosen(slice(c, c + 1)), values, rounds=local - 1, local_steps=1)
        for h in range(1, local):
            move, spread = _moved(alone, h)
            total += _square(move) + spread
    return total / (problem.clients * local)


def _moved(moments: Moments, k: int) -> tuple[list[Fraction], Fraction]:
    """The mean of the move to state k, and the trace of its covariance."""
    move = [Fraction(a) - Fraction(b) for a, b in zip(moments.mean[k], moments.mean[0], strict=True)]
    return move, Fraction(moments.covariance[k].trace())


def _direction_error_square(problem: Quadratic, values: Values, one: Moments | None = None) -> Fraction:
    """||grad F(theta_r) - E[theta_r - theta_{r+1}]/(eta H)||^2; one: the moments of the round."""
    one = one or _moments(problem, values, rounds=1)
    move, _ = _moved(one, 1)
    weight = 1 / (Fraction(values["eta"]) * int(values["H"]))
    slopes = problem.gradient(one.mean[:1])[0]
    return sum(((g + weight * m) ** 2 for g, m in zip(slopes, move, strict=True)), Fraction(0))


_OF_A_ROUND: dict[str, Callable[[Any, Values], Fraction]] = {
    "mean_drift": _drift,
    "direction_error_square": _direction_error_square,
}

RUNS = Runs(
    algorithm="fedavg",
    statements=tuple(f"{PAPER}.{name}" for name in STATEMENTS),
    cells=cells,
    requirements=requirements,
    settings=settings,
    observe=measure,
    confined=confined,
    in_fractions=True,
)
