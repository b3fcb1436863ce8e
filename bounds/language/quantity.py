"""Quantities, observables and the notation table that is the only maker of a paper's symbols.

Two sympy symbols with one name and different assumptions are different symbols; a table hands out
each name once, so that no file can make a second one by accident.
"""

from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from typing import Any, final

from sympy import Expr, Integer, Rational, Symbol, SympifyError, sympify

from bounds.errors import MalformedStatement
from bounds.language.before_any_run import BeforeAnyRun
from bounds.language.condition import Condition, above, at_least, at_most, below
from bounds.language.dimension import ONE, Dimension
from bounds.language.field_kinds import check_fields
from bounds.language.part import Of, Part


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """An interval of reals, or of integers; `assumed` when the paper prints none."""

    lower: float = float("-inf")
    upper: float = float("inf")
    lower_included: bool = True
    upper_included: bool = True
    integer: bool = False
    assumed: bool = False

    def ends(self, name: str) -> tuple[Condition, ...]:
        """The finite ends of the interval as conditions on a quantity that is derived, not given."""
        symbol, where = Symbol(name), f"domain of {name}"
        out = []
        if isfinite(self.lower):
            make = at_least if self.lower_included else above
            out.append(make(symbol, Rational(self.lower), locator=where, printed=str(self)))
        if isfinite(self.upper):
            make = at_most if self.upper_included else below
            out.append(make(symbol, Rational(self.upper), locator=where, printed=str(self)))
        return tuple(out)

    def __str__(self) -> str:
        kind = "integer" if self.integer else "real"
        parts = []
        if self.lower != float("-inf"):
            parts.append(f"{'>=' if self.lower_included else '>'} {self.lower:g}")
        if self.upper != float("inf"):
            parts.append(f"{'<=' if self.upper_included else '<'} {self.upper:g}")
        return f"{kind} {' and '.join(parts)}".strip() + (" (domain assumed)" if self.assumed else "")


REAL = Domain()
POSITIVE = Domain(lower=0, lower_included=False)
NON_NEGATIVE = Domain(lower=0)
AT_LEAST_ONE = Domain(lower=1)
ABOVE_ONE = Domain(lower=1, lower_included=False)
POSITIVE_INTEGER = Domain(lower=1, integer=True)
NATURAL = Domain(lower=0, integer=True)
PROBABILITY = Domain(lower=0, upper=1, lower_included=False)
OPEN_UNIT = Domain(lower=0, upper=1, lower_included=False, upper_included=False)


class Role(Enum):
    PARAMETER = "parameter"
    RUN = "run quantity"  # of the trajectory: omega in ALS-DPFL, hypotheses "for all k"
    ORDER_CONSTANT = "constant of an O(.)"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A symbol of a paper."""

    name: str
    latex: str
    meaning: str
    domain: Domain
    dimension: Dimension
    role: Role = Role.PARAMETER
    detail: str = ""  # readings of a run quantity; what an order constant may depend on
    independent_of: tuple[str, ...] = ()  # what the constant of an O(.) may not depend on; () for no number
    part: Part | None = None
    measured: str = ""  # of a run quantity: what a run measures, averaged over its rounds

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", read_dimension(self.dimension, f"the quantity {self.name}"))
        check_fields(self, f"the quantity {self.name}")


class Over(Enum):
    """How a functional of the run becomes the number that a statement bounds."""

    MINIMUM_OF_MEANS = "min over rounds of the mean (not the mean of the min)"
    UNIFORM_ROUND = "mean over a uniformly random round and over the run"
    SUM = "sum over rounds of a weight times the mean"
    LAST = "mean at the last iterate"
    FIXED_STEP = "mean at a given step"
    ONE_STEP = "value after one step, for every realisation"


class States(Enum):
    """Which states of a run with rounds 0 to K - 1 an observable is taken of."""

    ALL = "before the first round to after the last"
    BEFORE_A_ROUND = "before each round, so without the last one"
    AFTER_A_ROUND = "after each round, so without the first one"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Observable:
    """A named functional of a run, and what is known of it without running anything.

    `free_bound` holds for every run; `before_any_run` bounds the value at the start. No sample is below
    `lowest` (None: nothing is known of that), so that samples can show a mean above a bound. None is above
    `highest`, and the mean of the squares is at most `second_moment`: only with one of them can samples
    show that a mean is smaller than claimed, in an equality or a lower bound.
    `measured` is what the algorithm measures at every state, such as "gap"; empty where no run is joined
    with the statement by its declarations. `weight` is that of a state in a sum over rounds.
    """

    name: str
    latex: str
    meaning: str
    dimension: Dimension
    over: Over
    lowest: Expr | None = Integer(0)
    free_bound: Expr | None = None
    before_any_run: tuple[BeforeAnyRun, ...] = ()
    moments: str = "mean and variance exist"
    measured: str = ""
    states: States = States.ALL
    highest: Expr | None = None
    second_moment: Expr | None = None
    weight: Expr = Integer(1)

    def __post_init__(self) -> None:
        for what in ("lowest", "free_bound", "highest", "second_moment", "weight"):
            given = getattr(self, what)
            if given is not None:
                object.__setattr__(self, what, formula(given, f"{what}= of the observable {self.name}"))
        object.__setattr__(self, "dimension", read_dimension(self.dimension, f"the observable {self.name}"))
        check_fields(self, f"the observable {self.name}")


@final
@dataclass(slots=True)
class Notation:
    """The notation table of one paper."""

    quantities: dict[str, Quantity] = field(default_factory=dict)
    observables: dict[str, Observable] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Notation: {len(self.quantities)} quantities, {len(self.observables)} observables>"

    def quantity(
        self,
        name: str,
        latex: str,
        meaning: str,
        domain: Domain,
        dimension: Dimension = ONE,
        part: Part | None = None,
    ) -> Symbol:
        return self._enter(
            Quantity(name=name, latex=latex, meaning=meaning, domain=domain, dimension=dimension, part=part)
        )

    def is_index(self, name: str) -> bool:
        """Whether it is the number of a round, which has a value inside a sum only."""
        part = self.quantities[name].part if name in self.quantities else None
        return part is not None and part.of is Of.INDEX

    def run_quantity(
        self,
        name: str,
        latex: str,
        meaning: str,
        domain: Domain,
        dimension: Dimension,
        readings: str,
        measured: str = "",
    ) -> Symbol:
        return self._enter(
            Quantity(
                name=name,
                latex=latex,
                meaning=meaning,
                domain=domain,
                dimension=dimension,
                role=Role.RUN,
                detail=readings,
                measured=measured,
            )
        )

    def order_constant(
        self,
        name: str,
        latex: str,
        meaning: str,
        may_depend_on: str,
        dimension: Dimension = ONE,
        independent_of: tuple[str, ...] = (),
    ) -> Symbol:
        return self._enter(
            Quantity(
                name=name,
                latex=latex,
                meaning=meaning,
                domain=POSITIVE,
                dimension=dimension,
                role=Role.ORDER_CONSTANT,
                detail=may_depend_on,
                independent_of=independent_of,
            )
        )

    def observable(
        self,
        name: str,
        latex: str,
        meaning: str,
        dimension: Dimension,
        over: Over,
        lowest: Expr | None = Integer(0),
        free_bound: Expr | None = None,
        before_any_run: tuple[BeforeAnyRun, ...] = (),
        moments: str = "mean and variance exist",
        measured: str = "",
        states: States = States.ALL,
        highest: Expr | None = None,
        second_moment: Expr | None = None,
        weight: Expr = Integer(1),
    ) -> Symbol:
        self._refuse_second(name)
        self.observables[name] = Observable(
            name=name,
            latex=latex,
            meaning=meaning,
            dimension=dimension,
            over=over,
            lowest=lowest,
            free_bound=free_bound,
            before_any_run=before_any_run,
            moments=moments,
            measured=measured,
            states=states,
            highest=highest,
            second_moment=second_moment,
            weight=weight,
        )
        return Symbol(name, real=True)

    def _enter(self, quantity: Quantity) -> Symbol:
        self._refuse_second(quantity.name)
        self.quantities[quantity.name] = quantity
        return Symbol(quantity.name, **_assumptions(quantity.domain))

    def _refuse_second(self, name: str) -> None:
        if name in self.quantities or name in self.observables:
            raise MalformedStatement(f"the notation table already has a symbol named {name}")


def read_dimension(given: Any, what: str) -> Dimension:
    """The dimension as an author writes it; the number 1 is that of what has none."""
    if isinstance(given, Dimension):
        return given
    if isinstance(given, int | Integer) and given == 1:
        return ONE
    raise MalformedStatement(
        f"the dimension of {what} is {given!r}; it is a product of powers of F and X, such as F / X**2, or 1"
    )


def formula(side: Any, what: str) -> Expr:
    """A side, a weight or an end as an author writes it, such as 0 or 2, as a formula; no text is one."""
    try:
        return sympify(side, strict=True)
    except SympifyError as error:
        raise MalformedStatement(f"{what} is {side!r}, which is no formula of quantities") from error


def _assumptions(domain: Domain) -> dict[str, bool]:
    assumptions = {"real": True}
    if domain.integer:
        assumptions["integer"] = True
    if domain.lower > 0 or (domain.lower == 0 and not domain.lower_included):
        assumptions["positive"] = True
    elif domain.lower == 0:
        assumptions["nonnegative"] = True
    return assumptions
