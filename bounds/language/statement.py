"""The one object per theorem, corollary, lemma, definition, rule or claim.

One file in spite of its length: an author imports it to state something, and its types name each other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, final

from sympy import Expr, Integer, Symbol, sympify

from bounds.errors import MalformedStatement
from bounds.language import view
from bounds.language.before_any_run import BeforeAnyRun
from bounds.language.condition import Condition
from bounds.language.dimension import infer
from bounds.language.field_kinds import check_fields
from bounds.language.mechanism import AssumedMechanism
from bounds.language.quantity import Notation, formula
from bounds.language.step import Step
from bounds.language.vanishing import Vanishing

if TYPE_CHECKING:
    from bounds.evaluation.compiled import Compiled
    from bounds.evaluation.decide import Checked
    from bounds.evaluation.evaluate import Evaluation
    from bounds.evaluation.inputs import Number
    from bounds.evaluation.on_objects import OnObjects
    from bounds.language.lemmas.declaration import Declaration
    from bounds.language.lemmas.drawn import Drawn

AMENDED = "amended"


class Kind(Enum):
    EQUALITY = "equality"
    UPPER_BOUND = "upper bound"
    RATE = "rate"
    DEFINITION = "definition"
    RULE = "rule"
    CLAIM = "claim"


class EdgeOutcome(Enum):
    """What evaluation says at an edge of the parameter range; a test holds every edge to it."""

    REGULAR = "regular"  # a finite value, nothing special to know but the sentence
    NOT_APPLICABLE = "not applicable"  # a condition cannot hold there
    OUT_OF_DOMAIN = "out of domain"  # refused at the door
    NO_VALUE = "no value"  # the expression has no finite value there


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One source of statements. `package` is where they are, with `transcription.md` beside them.

    `main` names the statements that the paper is cited for, by what follows the key in their ids; a report
    opens with them. `url` leads to the paper; empty if nobody confirmed where it is. `method` is the name by
    which readers know the algorithm, which the title may lack.
    """

    key: str
    title: str
    authors: str
    bibtex: str
    package: str
    notation: Notation = field(hash=False, compare=False)
    url: str = ""
    method: str = ""
    main: tuple[str, ...] = ()
    aliases: tuple["Alias", ...] = field(default=(), hash=False, compare=False)

    def __post_init__(self) -> None:
        check_fields(self, f"the paper {self.key}")

    def __repr__(self) -> str:
        return f"<Paper {self.key}: {self.title}>"


@final
@dataclass(frozen=True, slots=True)
class Alias:
    """An id of the transcription that repeats or describes what the statement `of` holds, and why."""

    locator: str
    of: str
    why: str


@final
@dataclass(frozen=True, slots=True)
class Assumption:
    """A property of the problem. `name` is what `verify.matching` knows it by.

    An author's own brings `certified_by`: asked with what is known of a problem
    (`verify.matching.constants.known`), it answers True, or in a sentence why the problem is not certified to
    have the property. Without it, and under a name that nobody knows, no problem is certified, and no run is
    judged.
    """

    name: str
    text: str
    locator: str
    reconstructed: bool = False
    certified_by: Callable[[Any], bool | str] | None = field(default=None, compare=False, hash=False)

    def __post_init__(self) -> None:
        check_fields(self, f"the assumption {self.name}")


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A hypothesis that says what the symbols stand for: a recursion, an algorithm, an operator.

    Nothing about numbers or about the problem follows from it: those are conditions and assumptions.
    """

    locator: str
    text: str


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A derived quantity: the user may give it directly, and then not its sources.

    `source` is the locator of the statement that defines it, where that is another one than `locator`.
    A definition that is not `needed` serves users who have its sources; else the quantity is an input.
    """

    symbol: Symbol
    expression: Expr
    locator: str
    source: str = ""
    needed: bool = True


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """What the statement prescribes; `absorbed` is the integer that stays an input instead of being set."""

    symbol: Symbol
    expression: Expr
    locator: str
    absorbed: Symbol | None = None

    def __post_init__(self) -> None:
        check_fields(self, f"the choice of {self.symbol}")


@final
@dataclass(frozen=True, slots=True)
class Term:
    """A named summand of the right-hand side: what it pays for and when it vanishes.

    `remark` says of that what is no equation of quantities, for readers only.
    """

    name: str
    expression: Expr
    pays_for: str
    vanishes: tuple[Vanishing, ...] = ()
    non_negative: bool = True
    remark: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", formula(self.expression, f"the term {self.name}"))
        check_fields(self, f"the term {self.name}")


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """What the statement says where something is undefined or a condition becomes empty."""

    symbol: Symbol
    at: int | float
    outcome: EdgeOutcome
    sentence: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """What an amended form changes, why that is enough, and whether what it adds is needed.

    `derivation` is a section of docs/amended. `needed` names, for a condition that is added, the statement
    whose witness or cell refutes the form without it; SUFFICIENT says that no counterexample is known.
    `restores` names the steps of the printed proof whose witness violates what the amended form asks, and
    those that use a statement which is false only there: they hold under its hypotheses, and the derivation
    says why.
    """

    change: str
    because: str
    derivation: str
    needed: str = ""
    restores: tuple[str, ...] = ()


# What `lemma(...)` makes of a claim; the rest of an amended lemma is that of the printed one.
OF_A_LEMMA = ("kind", "printed", "reading", "left", "terms", "setting", "conditions", "concrete", "example")
SUFFICIENT = "sufficient, not shown necessary"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Concrete:
    """`objects` says what each argument is; `numbers` makes of them what both sides speak of.

    The numbers are computed from the definitions in the paper, never from the relation that is stated.
    `declared` is what `bounds.language.lemmas` knows of the objects of a lemma: enough to draw them. `drawn`
    is the same for the arguments of a function that is no formula.
    """

    objects: Mapping[str, str]
    numbers: Callable[..., Mapping[str, Any]]
    declared: "Declaration | None" = None
    drawn: "Drawn | None" = None

    def __post_init__(self) -> None:
        if self.drawn is not None and set(self.drawn.objects) != self.objects.keys():
            raise MalformedStatement(
                f"drawn(...) has {', '.join(self.drawn.objects)}, and objects= {', '.join(self.objects)}"
            )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement as printed, or as amended: then `amendment` says how.

    `id` is filled in by discovery from the module path. The files of the papers keep the order of the fields.

    `example` is a point at which every condition holds: for a first look, and for the report.
    A statement without terms gives no number: a definition of a map, an algorithm, a claim in prose.
    A claim says what would refute it, or why nothing could (`not_checkable`).
    `mechanism` is what a rule for noise takes the algorithm to release.
    `follows_from` is the id of the statement from which this one is said to follow by its own choices, and
    `in_the_case` what symbols become in the special case in which the two are compared: T = 1, no clipping.
    `derived_from` is the id of the printed statement from which a bound of ours follows that no paper prints.
    `proof` names steps of the transcription, as `FIRST..LAST` or one by one; an amended form may mend one.
    `run_with` fixes settings of the algorithm that are no quantity here: {"participation": "full"}.
    `before_any_run` bounds the left side at the start, where its observables alone do not say it.
    `problems` are the only ones on which it is run; none named: the standard ones and those of its package.
    """

    locator: str
    kind: Kind
    paper: Paper
    title: str
    algorithm: str | None = None
    mechanism: AssumedMechanism | None = field(default=None, hash=False)
    follows_from: str = ""
    derived_from: str = ""
    in_the_case: tuple[Definition, ...] = ()
    printed: tuple[str, ...]
    reading: str
    other_readings: tuple[str, ...] = ()
    left: Expr | None = None
    terms: tuple[Term, ...] = ()
    before_any_run: tuple[BeforeAnyRun, ...] = ()
    refuted_by: str = ""
    not_checkable: str = ""
    explicit: str | None = None
    setting: tuple[Setting, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    choices: tuple[Choice, ...] = ()
    where: tuple[Definition, ...] = ()
    conditions: tuple[Condition, ...] = ()
    amendment: Amendment | None = None
    variant: str = "printed"
    example: Mapping[str, float] = field(default_factory=dict, hash=False)
    concrete: "Concrete | None" = field(default=None, hash=False, compare=False)
    increasing: tuple[Symbol, ...] = ()
    decreasing: tuple[Symbol, ...] = ()
    edges: tuple[Edge, ...] = ()
    proof: tuple[str | Step, ...] = ()
    run_with: Mapping[str, Any] = field(default_factory=dict, hash=False)
    problems: tuple[str, ...] = ()
    id: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_fields(self, f"the statement {self.locator}")
        if self.left is not None and not self.terms and self.kind in (Kind.UPPER_BOUND, Kind.EQUALITY):
            written = 'a right side of 0 is terms=(Term("nothing", 0, "why"),)'
            raise MalformedStatement(f"the statement {self.locator} has a left side and no terms; {written}")

    def __repr__(self) -> str:
        form = "" if self.variant == "printed" else f", {self.variant}"
        return f"<Statement {self.id or self.locator}{form}: {self.title}>"

    def _repr_latex_(self) -> str:
        """The printed text, each formula a display of its own."""
        return "\n".join(line if "$" in line else f"$$\\displaystyle {line}$$" for line in self.printed)

    def _repr_html_(self) -> str | None:
        return view.html(self)

    @property
    def notation(self) -> Notation:
        return self.paper.notation

    @property
    def unit(self) -> str:
        """The unit of the left-hand side; empty for a statement that has none."""
        if self.left is None:
            return ""
        known = {name: q.dimension for name, q in self.notation.quantities.items()}
        known |= {name: o.dimension for name, o in self.notation.observables.items()}
        return str(infer(self.left, known)[0])

    @property
    def right(self) -> Expr:
        return sum((term.expression for term in self.terms), Integer(0))

    @property
    def symbols(self) -> set[Symbol]:
        """The symbols of both sides, and of the weights of their observables."""
        found: set[Symbol] = set(self.right.free_symbols)
        found |= set() if self.left is None else self.left.free_symbols
        known = self.notation.observables
        for observable in [known[symbol.name] for symbol in found if symbol.name in known]:
            found |= {s for s in observable.weight.free_symbols if not self.notation.is_index(s.name)}
        return found

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the proof; the transcription is read when they are first asked for."""
        from bounds.language.proof.steps import steps_of

        return steps_of(self.paper.package, self.proof)

    @property
    def evaluable(self) -> bool:
        """Whether the statement gives a number."""
        return bool(self.terms)

    def evaluate(self, **quantities: "Number") -> "Evaluation":
        """The value at these parameters, term by term, and whether the conditions hold there."""
        from bounds.evaluation.evaluate import evaluate

        return evaluate(self, quantities)

    def compile(self, /, *names: str, checked: bool = False, **fixed: "Number") -> "Compiled":
        """The value as a plain function of `names`, in their order; `fixed` quantities keep their numbers.

        A call checks neither domains nor conditions; with `checked` it refuses a point that violates one.
        """
        from bounds.evaluation.compiled import compile_value

        return compile_value(self, names, fixed, checked)

    def plot(self, over: str | Mapping[str, Any], **quantities: "Number") -> Any:
        """A curve over one quantity or a map over two: `over={"K": (10, 1000)}`, ends or a list of values.

        `over="K"` draws K around its value in the example, with the other values of the example.
        """
        return view.plot(self, over, quantities)

    def check(self, **quantities: "Number") -> "tuple[Checked, ...]":
        """The conditions at these parameters, with margins."""
        return self.evaluate(**quantities).conditions

    def on(self, **objects: Any) -> "OnObjects":
        """Both sides on actual vectors, functions or sequences."""
        from bounds.evaluation.on_objects import on_objects

        return on_objects(self, objects)


def sets(symbol: Symbol, expression: Expr | int, *, locator: str) -> Choice:
    return Choice(symbol, sympify(expression), locator)


def absorbs(free: Symbol, integer: Symbol, expression: Expr, *, locator: str) -> Choice:
    """The prescription of `integer` solved for the free real constant: the integer is never rounded."""
    return Choice(free, sympify(expression), locator, absorbed=integer)


def amend(
    statement: Statement,
    *,
    change: str,
    because: str,
    derivation: str = "",
    needed: str = "",
    restores: tuple[str, ...] = (),
    printed: tuple[str, ...] = (),
    to: Statement | None = None,
    **changes: Any,
) -> Statement:
    """The amended form, which reads `printed`; what is not changed is as in the paper, but for its proof.

    `to` is the right lemma, made by `lemma(...)`, whose words and objects take the place of the printed ones.
    """
    if to is not None:
        taken = [name for name in OF_A_LEMMA if not (name == "printed" and printed)]
        changes = {name: getattr(to, name) for name in taken} | changes
    elif not printed:
        raise MalformedStatement(
            f"the amended form of {statement.locator} has no printed=(...), the formula that is right"
        )
    amendment = Amendment(
        change=change, because=because, derivation=derivation, needed=needed, restores=restores
    )
    others: dict[str, Any] = {"proof": ()} | changes
    return replace(statement, variant=AMENDED, amendment=amendment, **{"printed": printed} | others)


def define(symbol: Symbol, expression: Expr | int, *, locator: str) -> Definition:
    return Definition(symbol, sympify(expression), locator)


def defined_by(statement: Statement, *, locator: str, needed: bool = True) -> Definition:
    """What another statement defines, used at `locator`."""
    if not isinstance(statement.left, Symbol) or not statement.terms:
        raise MalformedStatement(f"{statement.locator} defines no quantity")
    return Definition(statement.left, statement.right, locator, statement.locator, needed)


def set_by(statement: Statement, *, locator: str) -> Choice:
    """What another statement prescribes, used at `locator`."""
    definition = defined_by(statement, locator=locator)
    return Choice(definition.symbol, definition.expression, locator)
