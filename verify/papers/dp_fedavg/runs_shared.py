"""What the cells of clipped and of normalised private averaging share.

Gaussian noise leaves no certified range, so `holds` rests on a certified second moment: see `second_moment`.
The rest follows from declarations, but for C_hat, in units of its smallest value, and r, safe from below.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt
from typing import Any, final

from bounds.language.statement import Statement
from synthetic.participation import FixedSize, Full, Independent
from synthetic.problem import Problem
from verify.cell import NAMED, Cell, build_problem
from verify.matching import privacy
from verify.matching.cells import required
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.linear_bound import inputs, linear_bound
from verify.matching.measurements.measurement import Certificates
from verify.matching.measurements.measures import LEAST
from verify.matching.privacy import Target
from verify.matching.run_settings import settings_of
from verify.privacy.errors import BadRequest

SAFE = 1 + 1e-12
FIXED_SIZE = "fixed-size sampling"
MOST_CLIENTS = 2000  # of a private cell: more would take minutes
PRIVATE = ("dp_fedavg.theorem_2", "dp_fedavg.theorem_4")
HOMOGENEOUS = {"heterogeneity": 0.0}
QUADRATIC = {"clients": 5, "dimension": 4, "heterogeneity": 1.0, "seed": 2}
HUBER = {"clients": 5, "dimension": 4, "heterogeneity": 0.3, "seed": 2}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The numbers of a run: `threshold` is C = C_hat E, `step` is eta, `scale` is sigma."""

    rounds: int
    local_steps: int
    step: float
    threshold: float
    scale: float
    clients_per_round: float


def point(statement: Statement, cell: Cell) -> Point:
    """What the statement prescribes, at the cell's parameters."""
    evaluation = statement.evaluate(**inputs(statement, cell))
    q = evaluation.inputs | evaluation.derived
    rounds = float(q["K"] if "K" in q else cell.engine["rounds"])
    threshold = float(q["C_hat"]) * float(q["E"])
    dimension = len(cell.engine["start"])
    return Point(
        rounds=int(rounds),
        local_steps=int(q["E"]),
        step=float(q["eta"]),
        threshold=threshold,
        scale=sqrt(rounds) * threshold * float(q["rho"]) / sqrt(dimension),
        clients_per_round=float(cell.engine["clients_per_round"]),
    )


def tell(statement: Statement, cell: Cell, bound: str) -> Any:
    """The settings of either listing; `bound` is its name for the length of an update."""
    p = point(statement, cell)
    r = p.clients_per_round
    drawn = Independent(probability=r / cell.build_problem().clients)
    own = {
        "rounds": p.rounds,
        "clients_per_round": r,
        "noise_scale": p.scale,
        "participation": FixedSize(count=int(r)) if cell.reading == FIXED_SIZE else drawn,
        bound: p.threshold,
    }
    return settings_of(statement, cell, **own)


def make(
    statement: Statement,
    role: str,
    parameters: Mapping[str, Any],
    *,
    problem: str = "quadratic.small",
    arguments: Mapping[str, Any] = QUADRATIC,
    offset: float = 2.0,
    threshold: float = 1.5,
    clients_per_round: float | None = None,
    shares: Mapping[str, float] | None = None,
    reading: str = NAMED,
) -> Cell:
    """A cell that starts at w* + offset in every coordinate.

    `threshold` is in units of the smallest C_hat that the statement allows; a C_hat among the parameters
    comes first.
    """
    built = build_problem(problem, arguments)
    drawn = float(built.clients) if clients_per_round is None else clients_per_round
    sketch = Sketch(
        role=role,
        problem=problem,
        arguments=arguments,
        values={**_choose_threshold(built, threshold), "r": drawn, **parameters},
        shares=shares or {},
        away=offset,
        settings={"clients_per_round": drawn},
        reading=reading,
    )
    (cell,) = fill(statement, (sketch,))
    return cell


def private_cells(statement: Statement, target: Target) -> tuple[Cell, ...]:
    """Everybody takes part, so many that rho stays below 0.2: with the noise at the server, and as listed.

    The average over n clients has per coordinate the noise sigma = s C/n, where s is the accountant's; and
    sigma = sqrt(K) C rho/sqrt(d) by Definition 5.
    """
    if statement.id not in PRIVATE:
        return ()
    rounds, dimension = 20, int(QUADRATIC["dimension"])
    s = privacy.multiplier(target, Full(), clients=1, rounds=rounds)
    clients = max(int(QUADRATIC["clients"]), ceil(s * sqrt(dimension / rounds) / 0.2))
    if clients > MOST_CLIENTS:
        raise BadRequest(
            f"rho below 0.2 at epsilon {target.epsilon:g} takes {clients} clients, and a cell has at most "
            f"{MOST_CLIENTS}; ask for a larger epsilon or delta"
        )
    base = {"K": rounds, "E": 2, "alpha": 2.0, "rho": s / clients * sqrt(dimension / rounds)}
    arguments = QUADRATIC | {"clients": clients, "heterogeneity": 0.0}
    private_cell = make(statement, privacy.role(target), base, arguments=arguments)
    return privacy.both_placements(private_cell, target)


def _choose_threshold(built: Problem, threshold: float) -> dict[str, float]:
    """C_hat, and what a statement takes of the problem that depends on it or is known by another way."""
    gaps, known = certified.uppers(built, "client_gaps_at_minimiser"), built.facts().lipschitz
    lowest = threshold * 4 * sqrt(certified.upper(built, "smoothness") * max(gaps))
    return {
        # Identical clients put no lower limit on the threshold: one that clips early rounds.
        "C_hat": lowest if lowest > 1e-6 else 0.5,
        "Delta_star_mean": sum(gaps) / built.clients * SAFE,
        # Known beforehand where the clients share a minimiser; else left to the run.
        **({} if max(gaps) > 0 else {"unclipped_scaled_delta": 0.0}),
        # A constant that is large enough may be enlarged to what the threshold asks.
        **({} if known is None else {"G": max(float(known), lowest)}),
    }


def requirements(statement: Statement, cell: Cell) -> list[Requirement]:
    """The mean of the clients' ends bounds the mean gap too; a smaller r is the safe side."""
    gaps = certified.uppers(cell.build_problem(), "client_gaps_at_minimiser")
    held = {r.parameter: r for r in required.requirements(statement, cell)}
    # A number for what only the run shows has to be certain before it; fewer clients a round scatter more.
    ends: dict[str, tuple[float | None, float | None]] = {
        "Delta_star_mean": (sum(gaps) / len(gaps), None),
        "unclipped_scaled_delta": (0.0 if max(gaps) == 0 else inf, None),
        "r": (None, float(cell.engine["clients_per_round"])),
    }
    own = {n: Requirement(n, float(cell.parameters[n]), *ends[n]) for n in ends if n in cell.parameters}
    return list((held | own).values())


def certify(statement: Statement, cell: Cell, *, normalised: bool) -> Certificates:
    """There is always noise: it keeps runs away from w*, where alone the rounding of an iterate counts."""
    square = second_moment(statement, cell, normalised=normalised)
    return Certificates(second_moment=square, rounding={})


def second_moment(statement: Statement, cell: Cell, *, normalised: bool) -> float | None:
    """A bound on E[max(x, 0)^2], x = left-hand side minus random right-hand side.

    Let f be a client with the local gradients g_0, ..., g_{E-1}, u their sum, D = ||w - w*|| and eta L <= 1.
    Lengths of gradients do not increase along the steps, so ||g_t - g_0|| <= eta L t ||g_0|| and
        E ||g_0|| (1 - eta L (E - 1)/2) <= ||u|| <= E ||g_0||.
    With f(w) - f(w*) <= ||g_0|| D an update of ||u|| <= C has
        f(w) - f(w*) <= C_hat D / (1 - eta L (E - 1)/2),
    also after weighing by C/||u||. A longer one has ||g_0|| <= sqrt(2 L Delta) + L D. And
    f(w) - f(w*) <= G D. Squares of D: `_mean_squares`.
    x is a mean over rounds; by Jensen the mean over rounds of the bounds on its square will do.
    """
    problem, p = cell.build_problem(), point(statement, cell)
    line = _line(statement, cell, problem, p)
    if line is None:
        return None
    slope, height = line
    squares = _mean_squares(cell, problem, p, normalised=normalised)
    return sum((slope * sqrt(m) + height) ** 2 for m in squares) / len(squares) * (1 + 1e-9)


def _line(statement: Statement, cell: Cell, problem: Problem, p: Point) -> tuple[float, float] | None:
    """Slope and height of the bound on x in D, in one round."""
    smoothness = certified.upper(problem, "smoothness")
    shrinkage = 1 - p.step * smoothness * (p.local_steps - 1) / 2
    if p.step * smoothness > 1 or shrinkage <= 0:
        return None
    weight = {name: float(value) for name, value in linear_bound(statement, cell).left.items()}
    unclipped = max(weight.get("unclipped_gap", 0.0), weight.get("unclipped_scaled_gap", 0.0))
    short = unclipped * p.threshold / p.local_steps / shrinkage
    long = weight.get("clipped_update_norm", 0.0) * p.local_steps
    lipschitz = weight.get("gap", 0.0) * float(cell.parameters.get("G", 0.0))
    largest = max(certified.uppers(problem, "client_gaps_at_minimiser"))
    # A client is either short or long. Theorem 3 has a constant times (C_hat/L) ||grad f_i(w)||.
    steep = long + weight.get("least_of_gap_and_gradient", 0.0) * LEAST * p.threshold / (
        p.local_steps * smoothness
    )
    return max(short, steep * smoothness, lipschitz), steep * sqrt(2 * smoothness * largest)


def _mean_squares(cell: Cell, problem: Problem, p: Point, *, normalised: bool) -> Sequence[float]:
    """Bounds on E ||w_k - w*||^2 in the rounds 0 to K - 1.

    The server's average a is unbiased for the mean of the bounded updates g_i, ||g_i|| <= C, and
    E||a||^2 <= C^2 (1 + (1 - r/n)/r) + d sigma^2, without the middle part if exactly r clients take part.
    The drift -2 eta <mean g_i, w - w*> is at most 2 eta C D. A local step with eta L <= 1 has
    ||w_{t+1} - w*||^2 <= ||w_t - w*||^2 - 2 eta (f_i(w_{t+1}) - f_i(w*)), so <u_i, w - w*> >= -E Delta_i: a
    clipped update points away from w* by no more, and none does where the clients share a minimiser.
    """
    gaps, n, r = certified.uppers(problem, "client_gaps_at_minimiser"), problem.clients, p.clients_per_round
    scatter = 0.0 if cell.reading == FIXED_SIZE else (1 - r / n) / r
    added = p.step**2 * (p.threshold**2 * (1 + scatter) + problem.dimension * p.scale**2)
    away = inf if normalised and max(gaps) > 0 else p.local_steps * sum(gaps) / n
    squares = [(certified.distance(problem, cell.engine["start"]) * SAFE) ** 2]
    for _ in range(p.rounds - 1):
        last = squares[-1]
        squares.append(last + 2 * p.step * min(away, p.threshold * sqrt(last)) + added)
    return squares
