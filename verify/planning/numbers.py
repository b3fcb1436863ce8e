"""The numbers of a statement that a task decides: constants, the start, counts, and the noise."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isclose, isfinite

import bounds
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.program import compile_expressions
from bounds.errors import OutOfDomain
from bounds.evaluation.free_bound import known_before_any_run
from bounds.evaluation.inputs import check_values
from bounds.evaluation.resolve import names_taken, resolve_with
from bounds.language.part import Of
from bounds.language.quantity import Role
from bounds.language.statement import Kind, Statement
from bounds.solve.free import free_parameters
from verify.cell import build_problem, plain, revived
from verify.matching.constants.at_start import measured_at_start
from verify.matching.constants.constants import offered, parts_of
from verify.matching.constants.known import constants_of
from verify.matching.joined import find_runs
from verify.planning.assumed import refuse_assumptions
from verify.planning.of_records import count_releases, find_batch, find_convention
from verify.planning.simulated import find_confined, visits_components
from verify.planning.task import NotPlanned, Task
from verify.privacy.conventions import Scale, convert
from verify.privacy.mechanism import Full
from verify.privacy.utility import RULES, accounted

# Above the roundings of sums over clients, which others make in another order.
SAFE = 1 + 1e-12
LENGTHS = ("rounds", "steps", "last_round")
DRAWN = ("clients_per_round", "participation.fixed_size")
RATES = ("participation.independent",)
SIZES = {"clients": "clients (how many there are)", "dimension": "dimension (of the parameters)"}
OF_TARGET = ("epsilon", "delta")


def numbers(
    statement: Statement, task: Task, given: Mapping[str, float], least: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Everything that the statement takes and that is not free; what is given comes first.

    `least` raises measures of the start, where the run has more than the gradients there say.
    """
    drawn = participation(statement, task)
    _refuse_other_participation(task, drawn, given)
    known = _compute_for_problem(statement, task, given) | dict(least or {})
    known |= _rounds(statement, task) | drawn
    known |= _steps_of_a_pass(statement, task, given)
    known |= _find_factor_from_start(statement, {**known, **given})
    known |= find_batch(statement, task, given)
    _refuse_without_sizes(statement, task, known, given)
    known |= _noise(statement, task, known, given)
    known = {**known, **_no_heterogeneity(statement, known), **given}
    return _taken(statement, task, known, given)


def _compute_for_problem(statement: Statement, task: Task, given: Mapping[str, float]) -> dict[str, float]:
    """Constants on their safe side and measures of the start, once for each problem and start."""
    if task.problem is None:
        sizes = {"clients": task.clients, "dimension": task.dimension}
        parts = parts_of(statement.notation, Of.CONSTANT)
        known = {name: sizes.get(part.name) for name, part in parts.items()}
        return {name: float(size) for name, size in known.items() if size is not None}
    on_a_set = find_confined(statement, task, given)
    reach = {} if on_a_set is None else {"reach": on_a_set.reach}
    refuse_assumptions(statement, task, reach)
    found = _collect_known(statement, task.problem, json.dumps(plain(task.arguments)), task.start)
    better = {} if on_a_set is None else {n: _rounded_up(v) for n, v in on_a_set.constants.items()}
    return {**dict(found), **better}


@lru_cache(maxsize=64)
def _collect_known(
    statement: Statement, name: str, arguments: str, start: tuple[float, ...]
) -> tuple[tuple[str, float], ...]:
    problem = build_problem(name, revived(json.loads(arguments)))
    counts = {"clients": problem.clients, "dimension": problem.dimension}
    known = offered(statement.notation, constants_of(problem), **counts)
    table, parts = statement.notation.quantities, parts_of(statement.notation, Of.CONSTANT)
    constants = {
        n: o.value if parts[n].lower or parts[n].within or table[n].domain.integer else _rounded_up(o.value)
        for n, o in known.items()
        if o.value is not None
    }
    at_start = measured_at_start(statement, problem, start)
    return tuple((constants | {n: v for n, v in at_start.items() if isfinite(v)}).items())


def _rounded_up(constant: float) -> float:
    """At most nine digits, on the safe side: with the last ones a cell's name differs between processors."""
    above = constant * SAFE
    short = float(f"{above:.9g}")
    return short if short >= above else float(f"{above + 1e-8 * abs(above):.9g}")


def _find_factor_from_start(statement: Statement, known: Mapping[str, float]) -> dict[str, float]:
    """A factor of a prescribed measure of the start: R = D_1/(K+1)^(1/6) and the start's R make D_1."""
    starts, found = parts_of(statement.notation, Of.START), {}
    for choice in statement.choices:
        measured = known.get(choice.symbol.name) if choice.symbol.name in starts else None
        unknown = [s for s in choice.expression.free_symbols if s.name not in known]
        if measured is None or len(unknown) != 1:
            continue
        rest, factor = choice.expression.as_independent(unknown[0], as_Add=False)
        if factor == unknown[0]:
            values = {symbol.name: known[symbol.name] for symbol in rest.free_symbols}
            found[factor.name] = measured / float(run_arrays(compile_expressions([rest]), values)[0])
    return found


def _rounds(statement: Statement, task: Task) -> dict[str, float]:
    parts = parts_of(statement.notation, Of.SETTING)
    return {name: float(task.rounds - part.more) for name, part in parts.items() if part.name in LENGTHS}


def participation(statement: Statement, task: Task) -> dict[str, float]:
    """The quantities that the sampling decides: how many clients take part in a round, or how often."""
    rate, clients = task.sampling.rate, task.clients
    out: dict[str, float] = {}
    for name, part in parts_of(statement.notation, Of.SETTING).items():
        if part.name in DRAWN and clients is not None:
            out[name] = rate * clients
        elif part.name in RATES:
            out[name] = rate
    return out


def _refuse_other_participation(task: Task, drawn: Mapping[str, float], given: Mapping[str, float]) -> None:
    """The noise is for the sampling of the task, and a bound of another participation is not its bound.

    Without a target nothing is counted, and `Full` may mean that nobody named a sampling.
    """
    if task.target is None and isinstance(task.sampling, Full):
        return
    for name in drawn.keys() & given.keys():
        if not isclose(given[name], drawn[name]):
            why = f"the sampling ({task.sampling}) makes it {drawn[name]:g}"
            raise NotPlanned(
                f"{name} = {given[name]:g} is given, and {why}",
                "leave it out and name the sampling by --sampling",
            )


def _steps_of_a_pass(statement: Statement, task: Task, given: Mapping[str, float]) -> dict[str, float]:
    """A pass along the components of a client has as many steps as there are, whatever would be best."""
    if task.problem is None or find_runs(statement) is None or not visits_components(statement):
        return {}
    steps = float(getattr(task.build(), "components", 0))
    parts = parts_of(statement.notation, Of.SETTING)
    found = {name: steps for name, part in parts.items() if steps and part.name == "local_steps"}
    for name in found.keys() & given.keys():
        if given[name] != steps:
            count = f"a client of {task.problem} has {steps:g} components"
            raise NotPlanned(
                f"{name} is the length of a pass, and {count}; {name}={given[name]:g} is not that"
            )
    return found


def noise_quantity(statement: Statement) -> str | None:
    """The quantity of the statement that the paper's own convention makes from an accountant's noise."""
    convention = find_convention(statement)
    return None if convention is None else convention.symbol


def counts_privacy(statement: Statement) -> bool:
    """Whether an accountant has something to set: the noise, or the constant of the paper's own rule."""
    return noise_quantity(statement) is not None or _rule_constant(statement) is not None


def _rule_constant(statement: Statement) -> str | None:
    """The constant of the noise rule, for a statement that prescribes its noise by it."""
    rule = RULES.get(statement.paper.key)
    names = names_taken(statement)
    open_one = rule is not None and {rule.constant, "epsilon", "delta"} <= names
    return rule.constant if rule is not None and open_one else None


def _noise(
    statement: Statement, task: Task, known: Mapping[str, float], given: Mapping[str, float]
) -> dict[str, float]:
    """Where the statement names its noise, that; else the constant of its rule at this epsilon and delta."""
    if task.target is None:
        return {}
    name, constant = noise_quantity(statement), _rule_constant(statement)
    for taken in (name, constant):
        if taken is not None and taken in given:
            raise NotPlanned(f"{taken} is given, and the privacy target sets it; keep one")
    if name is not None and name not in {choice.symbol.name for choice in statement.choices}:
        noise = {name: _converted(statement, task, name, given)}
        try:
            check_values(statement.notation, noise)
        except OutOfDomain as error:
            advice = "more clients or a larger epsilon lower the noise"
            raise NotPlanned(f"{statement.id} says nothing at so much privacy: {error}", advice) from error
        return noise
    if constant is None:
        raise NotPlanned(f"{statement.id} has no noise that an accountant could set")
    target = task.target
    asked = {"epsilon": target.epsilon, "delta": target.delta}
    _, missing = _sort(statement, {**known, **asked, constant: 1.0, **given}, given)
    if missing and task.problem is None:
        raise _without_values(statement, missing)
    found = accounted(
        statement,
        {**known, **given, **asked},
        accountant=target.accountant,
        relation=target.relation,
        sampling=task.sampling,
        dimension=task.dimension,
    )
    return {constant: found.value} | asked


def _converted(statement: Statement, task: Task, name: str, given: Mapping[str, float]) -> float:
    multiplier = task.multiplier(count_releases(statement, given))
    assert multiplier is not None
    scale = Scale(
        rate=task.sampling.rate,
        rounds=task.rounds,
        clients=task.clients,
        dimension=task.dimension,
        contribution=given.get("C"),
        batch=None,
    )
    converted = convert(statement.paper.key, multiplier, scale)
    found = next(c for c in converted if c.named and c.symbol == name)
    if found.value is None:
        raise NotPlanned(f"the noise {name} of {statement.id} needs {', '.join(found.missing)}")
    return found.value


def _refuse_without_sizes(
    statement: Statement, task: Task, known: Mapping[str, float], given: Mapping[str, float]
) -> None:
    """Where the noise needs a size that nobody gives: with it all else that is missing."""
    convention = None if task.target is None else find_convention(statement)
    needed = () if convention is None else convention.needs
    sizes = [name for name in SIZES if name in needed and getattr(task, name) is None]
    if convention is not None and sizes:
        _, missing = _sort(statement, {**known, convention.symbol: 1.0, **given}, given)
        raise _without_values(statement, missing, sizes)


def _no_heterogeneity(statement: Statement, known: Mapping[str, float]) -> dict[str, float]:
    """A weighed mean of the Delta_i* is 0 where all of them are."""
    alike = known.get("Delta_star_max") == 0
    return (
        {"unclipped_scaled_delta": 0.0}
        if alike and "unclipped_scaled_delta" in names_taken(statement)
        else {}
    )


def _taken(
    statement: Statement, task: Task, known: dict[str, float], given: Mapping[str, float]
) -> dict[str, float]:
    """The known numbers that the value needs; a name that is missing is refused with its reason."""
    taken, missing = _sort(statement, known, given)
    if missing:
        reasons = (_without(statement, name, task) for name in missing)
        raise next((reason for reason in reasons if reason is not None), _without_values(statement, missing))
    table = statement.notation
    known_names = table.quantities.keys() | table.observables.keys()  # others are refused where they are used
    try:
        check_values(table, {name: value for name, value in taken.items() if name in known_names})
    except OutOfDomain as error:  # as a distance that has to be positive, from a start at the minimizer
        raise NotPlanned(f"{statement.id} says nothing here: {error}") from error
    return taken


def _sort(
    statement: Statement, known: Mapping[str, float], given: Mapping[str, float]
) -> tuple[dict[str, float], list[str]]:
    """What the value takes of the known numbers, and what it needs besides."""
    noise = noise_quantity(statement)
    basis = set(given) | ({noise} if noise is not None and noise in known else set())
    _, resolved = resolve_with(statement, basis)
    wanted = resolved.required | resolved.optional | set(given)
    taken = {name: float(value) for name, value in known.items() if name in wanted}
    sides = {symbol.name for pair in resolved.conditions for side in pair for symbol in side.free_symbols}
    needed = (resolved.required | sides) - taken.keys() - set(free_parameters(statement, taken))
    return taken, sorted(needed)


def _without_values(statement: Statement, names: Sequence[str], sizes: Sequence[str] = ()) -> NotPlanned:
    """All at once: a user would else meet one refusal after the other."""
    table = statement.notation.quantities
    sizes, names = _name_sizes_once(statement, names, sizes)
    meant = {name: f"{name} ({table[name].meaning})" for name in names}
    of_runs = [meant[name] for name in names if table[name].role is Role.RUN]
    others = [SIZES[name] for name in sizes]
    others += [meant[name] for name in names if table[name].role is not Role.RUN]
    a_value = "a value" if len(others) == 1 else "values"
    parts = [f"{', '.join(of_runs)}, which nobody knows before the run"] if of_runs else []
    parts += [f"{a_value} for {', '.join(others)}"] if others else []
    them = "it" if len(names) + len(sizes) == 1 else "them"
    others_of_paper = _without_runs(statement) if of_runs else []
    instead = f", or plan with {' or '.join(others_of_paper)}, which needs nothing of a run"
    return NotPlanned(
        f"{statement.id} needs {'; and '.join(parts)}",
        f"give {them} by --set{instead if others_of_paper else ''}",
    )


def _name_sizes_once(
    statement: Statement, names: Sequence[str], sizes: Sequence[str]
) -> tuple[list[str], list[str]]:
    """A count that the statement has too is asked for once, and what is drawn follows from the clients."""
    parts = {name: part.name for name in names if (part := statement.notation.quantities[name].part)}
    found = [size for size in SIZES if size in sizes or size in parts.values()]
    idle = {*found, *(DRAWN if "clients" in found else ())}
    return found, [name for name in names if parts.get(name) not in idle]


def _without_runs(statement: Statement) -> list[str]:
    """Bounds on the same algorithm, in the same paper, that take no quantity of a run."""
    table = statement.notation.quantities
    return [
        s.id
        for s in bounds.statements(statement.paper.key)
        if s.algorithm == statement.algorithm
        and s.kind is Kind.UPPER_BOUND
        and known_before_any_run(s)
        and all(name in table and table[name].role is not Role.RUN for name in names_taken(s))
    ]


def _without(statement: Statement, name: str, task: Task) -> NotPlanned | None:
    """Why the number is missing, other than that nobody gave it."""
    quantity, needs = statement.notation.quantities[name], f"{statement.id} needs {name}"
    part, advice = quantity.part, "give it by --set"
    if task.target is None and name in {noise_quantity(statement), _rule_constant(statement), *OF_TARGET}:
        target = "give a privacy target by --epsilon, --delta and --relation"
        return NotPlanned(f"{statement.id} is about private runs and needs {name}", f"{target}, or {advice}")
    if quantity.role is Role.ORDER_CONSTANT:
        return NotPlanned(f"{needs}, a constant of an O(.) that is not printed", advice)
    if part is not None and part.of is Of.CONSTANT and task.problem is not None:
        return NotPlanned(f"{needs}: {part.name} is infinite or not certified on this problem")
    return None
