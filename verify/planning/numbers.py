"""The numbers of a statement that a task decides: constants, the start, counts, and the noise."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from bounds.evaluation.resolve import names_taken, resolve_with
from bounds.language.part import Of
from bounds.language.quantity import Role
from bounds.language.statement import Statement
from bounds.solve.free import free_parameters
from verify.matching.assumptions import unmet
from verify.matching.at_start import measured_at_start
from verify.matching.constants import offered, parts_of
from verify.matching.known import constants_of
from verify.planning.task import NotPlanned, Task
from verify.privacy.conventions import CONVENTIONS, Scale, convert

LENGTHS = ("rounds", "steps", "last_round")
DRAWN = ("clients_per_round", "participation.fixed_size")
RATES = ("participation.independent",)


def numbers(statement: Statement, task: Task, given: Mapping[str, float]) -> dict[str, float]:
    """Everything that the statement takes and that is not free; what is given comes first."""
    problem = task.build()
    reason = unmet(statement, problem, {})
    if reason is not None:
        raise NotPlanned(f"{statement.id}: {reason}")
    constants = {n: o.value for n, o in _offered(statement, task).items() if o.value is not None}
    at_start = measured_at_start(statement, problem, task.start)
    known = constants | {n: v for n, v in at_start.items() if isfinite(v)} | _counts(statement, task)
    known |= _noise(statement, task, given)
    known = {**known, **_no_heterogeneity(statement, known), **given}
    return _taken(statement, known, given)


def _offered(statement: Statement, task: Task) -> dict[str, "object"] | dict:  # type: ignore[type-arg]
    problem = task.build()
    counts = {"clients": problem.clients, "dimension": problem.dimension}
    return offered(statement.notation, constants_of(problem), **counts)


def _counts(statement: Statement, task: Task) -> dict[str, float]:
    """Rounds, and how many clients take part in one."""
    rate, clients = task.sampling.rate, task.build().clients
    out: dict[str, float] = {}
    for name, part in parts_of(statement.notation, Of.SETTING).items():
        if part.name in LENGTHS:
            out[name] = task.rounds - part.more
        elif part.name in DRAWN:
            out[name] = rate * clients
        elif part.name in RATES:
            out[name] = rate
    return out


def noise_quantity(statement: Statement) -> str | None:
    """The quantity of the statement that the paper's own convention makes from an accountant's noise."""
    conventions = CONVENTIONS.get(statement.paper.key, ())
    names = [c.symbol for c in conventions if c.named and c.symbol in names_taken(statement)]
    return names[0] if names else None


def _noise(statement: Statement, task: Task, given: Mapping[str, float]) -> dict[str, float]:
    name = noise_quantity(statement)
    if name is not None and name in given:
        raise NotPlanned(f"{name} is given, and the privacy target sets it; keep one")
    multiplier = task.multiplier()
    if multiplier is None:
        return {}
    if name is None:
        raise NotPlanned(f"{statement.id} has no noise that an accountant could set")
    problem = task.build()
    scale = Scale(
        rate=task.sampling.rate,
        rounds=task.rounds,
        clients=problem.clients,
        dimension=problem.dimension,
        contribution=given.get("C"),
        batch=None,
    )
    converted = convert(statement.paper.key, multiplier, scale)
    found = next(c for c in converted if c.named and c.symbol == name)
    if found.value is None:
        raise NotPlanned(f"the noise {name} of {statement.id} needs {', '.join(found.missing)}")
    return {name: found.value}


def _no_heterogeneity(statement: Statement, known: Mapping[str, float]) -> dict[str, float]:
    """A weighed mean of the Delta_i* is 0 where all of them are."""
    alike = known.get("Delta_star_max") == 0
    return (
        {"unclipped_scaled_delta": 0.0}
        if alike and "unclipped_scaled_delta" in names_taken(statement)
        else {}
    )


def _taken(statement: Statement, known: dict[str, float], given: Mapping[str, float]) -> dict[str, float]:
    """Of the known numbers those that the value needs; a name that is missing is refused with its reason."""
    noise = noise_quantity(statement)
    basis = {n for n in given} | ({noise} if noise in known else set())
    _, resolved = resolve_with(statement, {n for n in basis if n is not None})
    wanted = resolved.required | resolved.optional | set(given)
    taken = {name: float(value) for name, value in known.items() if name in wanted}
    free = set(free_parameters(statement, taken))
    missing = sorted(resolved.required - taken.keys() - free)
    if missing:
        raise NotPlanned(f"{statement.id} needs {_why(statement, missing[0])}")
    return taken


def _why(statement: Statement, name: str) -> str:
    quantity = statement.notation.quantities[name]
    if quantity.role is Role.RUN:
        return f"{name} ({quantity.meaning}), which nobody knows before the run: give it by --set"
    if quantity.role is Role.ORDER_CONSTANT:
        return f"{name}, a constant of an O(.) that is not printed: give it by --set"
    part = quantity.part
    if part is not None and part.of is Of.CONSTANT:
        return f"{name}: {part.name} is infinite or not certified on this problem"
    return f"a value for {name} ({quantity.meaning}): give it by --set"


def with_rounds(task: Task, rounds: int) -> Task:
    return replace(task, rounds=rounds)
