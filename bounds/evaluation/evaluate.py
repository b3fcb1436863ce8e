"""The value of a statement at given parameters, term by term, with its conditions."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NoReturn, final

import numpy as np
from mpmath import isnan, mpf

from bounds import errors
from bounds.arithmetic.arrays import run_arrays
from bounds.arithmetic.multiprecision import evaluate_precisely, evaluate_side_by_side, exact
from bounds.arithmetic.program import Program, compile_expressions, find_counts_of_summands
from bounds.evaluation import labelled
from bounds.evaluation.decide import Checked, decide
from bounds.evaluation.inputs import Number, check_values, read_numbers
from bounds.evaluation.resolve import Resolved, _only_to_derive, names_in, resolve_with
from bounds.language import view
from bounds.language.quantity import Role
from bounds.language.statement import Statement

# At 60 digits this step leaves more than 20 correct ones.
DIFFERENCE_DIGITS = 60
DIFFERENCE = Fraction(1, 10**25)
STEEP = 1e3


def evaluate(statement: Statement, given: Mapping[str, Number]) -> "Evaluation":
    _check_evaluable(statement)
    inputs = read_numbers(given)
    derived, resolved = resolve_with(statement, inputs)
    _check_names(statement, resolved, inputs, derived)
    check_values(statement.notation, inputs)
    return Evaluation(statement, resolved, inputs, _unset(statement, resolved, inputs, derived))


def fix(
    statement: Statement, names: Sequence[str], given: Mapping[str, Number]
) -> tuple[Resolved, dict[str, float]]:
    """Resolve for `names`, whose numbers come later, and for `given`, whose numbers are checked here."""
    _check_evaluable(statement)
    inputs = read_numbers(given)
    for name, value in inputs.items():
        if not isinstance(value, float):
            raise errors.NotANumber(f"{name} must be a single number, not {value!r}")
    everything = dict.fromkeys(names, 0.0) | inputs
    derived, resolved = resolve_with(statement, everything)
    _check_names(statement, resolved, everything, derived)
    check_values(statement.notation, inputs)
    unset = _unset(statement, resolved, everything, derived)
    if unset:
        raise errors.MissingQuantity(
            f"{statement.id or statement.locator} gives no number without a value for {', '.join(unset)}"
        )
    return resolved, inputs


def _check_evaluable(statement: Statement) -> None:
    if not statement.evaluable:
        raise errors.NotEvaluable(
            f"{statement.id or statement.locator} gives no number: "
            f"it is {errors.with_article(statement.kind.value)} without one"
        )


def _unset(
    statement: Statement,
    resolved: Resolved,
    inputs: Mapping[str, Any],
    derived: Mapping[str, tuple[str, ...]],
) -> tuple[str, ...]:
    """The constants of an O(.) that are not given; anything else that is missing is refused."""
    missing = sorted(resolved.required - inputs.keys())
    unset = [name for name in missing if _role(statement, name) is Role.ORDER_CONSTANT]
    if len(missing) > len(unset):
        needed = [name for name in missing if name not in unset]
        raise errors.MissingQuantity(
            f"{statement.id or statement.locator} needs a value for {', '.join(needed)}"
            + _instead(derived, needed)
        )
    return tuple(unset)


def _instead(derived: Mapping[str, tuple[str, ...]], needed: Sequence[str]) -> str:
    """Derived quantities that could be given in place of several missing sources."""
    hints = [
        f"{name} may be given instead of {', '.join(sources)}"
        for name, sources in derived.items()
        if len(sources) > 1 and set(sources) <= set(needed)
    ]
    return f"; {'; '.join(hints)}" if hints else ""


def _role(statement: Statement, name: str) -> Role | None:
    quantity = statement.notation.quantities.get(name)
    return quantity.role if quantity else None


def _check_names(
    statement: Statement,
    resolved: Resolved,
    inputs: Mapping[str, Any],
    derived: Mapping[str, tuple[str, ...]],
) -> None:
    prescribed = {c.symbol.name: c.expression for c in statement.choices}
    known = resolved.required | resolved.optional | derived.keys()
    label = statement.id or statement.locator
    for name, sources in resolved.sources.items():
        if sources and sources <= inputs.keys():
            raise errors.OverdeterminedQuantity(
                f"{name} is given together with all that it derives from: {', '.join(sorted(sources))}"
            )
    for name in inputs:
        if name in prescribed:
            raise errors.PrescribedQuantity(f"{label} prescribes {name} = {prescribed[name]}; do not set it")
        if name in resolved.shadowed:
            raise errors.OverdeterminedQuantity(
                f"{resolved.shadowed[name]} is given, so {name}, which only serves to derive it, may not be"
            )
        if name not in known:
            _refuse(statement, label, name, known, inputs)


def _refuse(
    statement: Statement, label: str, name: str, known: Iterable[str], inputs: Mapping[str, Any]
) -> NoReturn:
    definition = _only_to_derive(statement).get(name)
    if definition is None:
        raise errors.UnknownName(f"{label} has no quantity {name}: {errors.nearest(name, known)}")
    absent = sorted(names_in(definition.expression) - inputs.keys())
    raise errors.MissingQuantity(
        f"{name} only serves to derive {definition.symbol}, which needs {', '.join(absent)} too"
    )


def _at_a_point(program: Program, inputs: Mapping[str, Any]) -> list[float]:
    """In float64; in multiprecision, rounded once, where something on the way leaves the range of float64."""
    try:
        return [r.item() for r in run_arrays(program, inputs, trouble="raise")]
    except FloatingPointError:
        point = {name: exact(inputs[name]) for name in program.inputs}
        return [float(r) for r in evaluate_precisely(program, point)]


def elasticity(program: Program, point: Mapping[str, Fraction], name: str) -> float:
    """x d(log f)/dx by a difference, cases of a Piecewise held fixed; infinite at the foot of a root.

    A difference that leaves the domain of the value is taken to the other side.
    """

    def difference(step: Fraction) -> Any:
        moved = {**point, name: point[name] * (1 + step)}
        base, there = evaluate_side_by_side(program, point, moved, DIFFERENCE_DIGITS)
        return (there - base) / base / step if base else mpf("nan")

    for sign in (1, -1):
        coarse = difference(sign * DIFFERENCE)
        if not isnan(coarse):
            break
    # A slope does not depend on the step; a root at zero grows as the step shrinks.
    if abs(coarse) > STEEP and abs(difference(sign * DIFFERENCE / 10**4)) > 2 * abs(coarse):
        return inf if coarse > 0 else -inf
    return float(coarse)


def _write_tex(number: Any) -> str:
    digits, _, power = f"{number:.6g}".partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if power else digits


@final
class Evaluation:
    """Computed on demand: the value alone does not pay for the terms, nor either for the conditions."""

    def __init__(
        self, statement: Statement, resolved: Resolved, inputs: Mapping[str, Any], unset: tuple[str, ...]
    ) -> None:
        self.statement = statement
        self.resolved = resolved
        self.inputs = dict(inputs)
        self.unset = unset

    def __repr__(self) -> str:
        return f"<Evaluation of {self.statement.id or self.statement.locator}: {self._summary}>"

    @property
    def _summary(self) -> str:
        """One number and whether the conditions hold; of an array its ends."""
        if self.unset:
            return f"no value until {', '.join(self.unset)} is set"
        unit = "" if self.statement.unit in ("", "1") else f" {self.statement.unit}"
        if self.shape:
            low, high = float(np.min(self.value)), float(np.max(self.value))
            usable = int(np.sum(self.applicable == True))  # noqa: E712  # an array may hold None
            return f"{self.value.size} values from {low:.6g} to {high:.6g}{unit}, applicable at {usable}"
        words = {True: "applicable", False: "not applicable", None: "some conditions are undecided"}
        return f"{self.value:.6g}{unit}, {words[self.applicable]}"

    def _repr_html_(self) -> str | None:
        return view.html(self)

    def _repr_latex_(self) -> str | None:
        """The value as the sum of its named terms; None where it is no single number."""
        if self.unset or self.shape:
            return None
        names = [name.replace("_", " ") for name in self.terms]
        terms = zip(names, self.terms.values(), strict=True)
        braces = [rf"\underbrace{{{_write_tex(value)}}}_{{\text{{{name}}}}}" for name, value in terms]
        return rf"$$\displaystyle {_write_tex(self.value)} = {' + '.join(braces)}$$"

    def to_frame(self) -> Any:
        """A pandas frame of inputs, value, terms and margins, a row for each point (extra `tables`)."""
        return labelled.make_frame(self)

    def to_xarray(self) -> Any:
        """The same as a labelled array over the inputs that vary, with units (extra `tables`)."""
        return labelled.make_array(self)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes((), *(np.shape(v) for v in self.inputs.values()))

    @cached_property
    def value(self) -> Any:
        """The right-hand side; None while a constant of an O(.) is not set."""
        if "terms" in self.__dict__ or self.unset:
            return self._terms_and_value[1]
        return self._run(self.resolved.only_value)[0]

    @cached_property
    def terms(self) -> dict[str, Any]:
        return self._terms_and_value[0]

    @cached_property
    def _terms_and_value(self) -> tuple[dict[str, Any], Any]:
        names = [term.name for term in self.statement.terms]
        if self.unset:
            return dict.fromkeys(names), None
        *terms, value = self._run(self.resolved.program)
        return dict(zip(names, terms, strict=True)), value

    def _run(self, program: Program) -> list[Any]:
        if not self.shape:
            return _at_a_point(program, self.inputs)
        results = run_arrays(program, self.inputs)
        return [np.broadcast_to(r, self.shape) for r in results]

    @cached_property
    def conditions(self) -> tuple[Checked, ...]:
        pairs = zip(self.statement.conditions, self.resolved.conditions, strict=True)
        return tuple(decide(condition, *sides, self.inputs) for condition, sides in pairs)

    @cached_property
    def left_domains(self) -> tuple[Checked, ...]:
        """Derived or prescribed quantities that leave their domain here."""
        known = [(c, e) for c, e in self.resolved.domains if names_in(e) <= self.inputs.keys()]
        checked = [decide(c, e, c.limit, self.inputs, within_rounding=True) for c, e in known]
        return tuple(c for c in checked if not np.all(c.holds))

    @property
    def applicable(self) -> Any:
        """False where a condition fails, else None where one is undecided."""
        holds = [c.holds for c in (*self.conditions, *self.left_domains) if c.holds is not None]
        verdict = np.logical_and.reduce([np.broadcast_to(h, self.shape) for h in holds]) if holds else True
        undecided = any(c.holds is None for c in (*self.conditions, *self.left_domains))
        if self.shape:
            full = np.broadcast_to(verdict, self.shape)
            return np.where(full, np.array(None), np.array(False)) if undecided else full
        return False if not verdict else (None if undecided else True)

    @cached_property
    def derived(self) -> dict[str, Any]:
        """Prescribed and derived quantities that the inputs determine."""
        known = [(n, e) for n, e in self.resolved.derived if names_in(e) <= self.inputs.keys()]
        values = run_arrays(compile_expressions([e for _, e in known]), self.inputs) if known else []
        return {n: v.item() if not v.shape else v for (n, _), v in zip(known, values, strict=True)}

    @property
    def elasticities(self) -> dict[str, float]:
        """x d(log f)/dx for every input of the value: by a 60-digit difference, at single points only.

        What counts the summands of a sum is a whole number, and has no slope.
        """
        return self._slopes[0]

    @property
    def without_slopes(self) -> str:
        """Why there are no elasticities although the value has them; empty where that is not so."""
        return self._slopes[1]

    @cached_property
    def _slopes(self) -> tuple[dict[str, float], str]:
        if self.shape or self.unset:
            return {}, ""
        program = compile_expressions([sum(self.resolved.terms)])
        point = {name: exact(self.inputs[name]) for name in program.inputs}
        counted = find_counts_of_summands(program)
        names = [name for name in program.inputs if name not in counted]
        try:
            return {name: elasticity(program, point, name) for name in names}, ""
        except errors.TooManySummands as error:
            return {}, str(error)

    @property
    def condition_number(self) -> float | None:
        """sum |x df/dx| / |f|: how much relative errors of the inputs are amplified."""
        return sum(abs(e) for e in self.elasticities.values()) if self.elasticities else None
