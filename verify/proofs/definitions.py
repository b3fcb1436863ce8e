"""Whether the definitions of a machine form only say what its symbols are, and restrict no problem.

A definition does no harm if its symbol has a value that meets it whatever everything else is. So the symbols
are taken away one by one: one whose definitions have such a shape, until no more can be. A definition that is
left is a hypothesis that nothing checks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from sympy import Expr, Symbol, fraction, together
from sympy.functions.elementary.miscellaneous import MinMaxBase

from bounds.errors import MalformedStatement
from bounds.language.proof.form import DEFINITION, MachineForm
from bounds.language.proof.formulas import choose, translate
from bounds.language.quantity import Over
from bounds.language.statement import Statement
from verify.proofs.algebra import Polynomial, Rejected, add
from verify.proofs.checker import Checker
from verify.proofs.declarations import AT_LEAST, EQUAL
from verify.proofs.members import Members
from verify.proofs.misread import list_used
from verify.proofs.shapes import (
    DOWN,
    Definition,
    Shapes,
    get_number,
    is_multiple,
    names_in,
    scale,
    split,
)

# What a name stands for, by the kind of its declaration.
MADE_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "let": ("equals", "vector"),
    "named": ("stands_for",),
    "root": ("of",),
    "power": ("of", "exponent"),
    "exponential": ("of",),
    "extreme": ("of",),
    "average": ("of",),
    "point": ("at",),
    "recursion": ("next", "first"),
}
# What says something of the symbols in it, by the kind of the declaration.
SAYING: Final[Mapping[str, tuple[str, ...]]] = {
    "hypothesis": ("assumed",),
    "mean": ("of", "equals"),
    "known point": ("at", "known_gradient", "known_value"),
    "sequence": ("next", "first", "last"),
}
Shape = Callable[[str, list[Definition]], bool]


def list_unchecked(form: MachineForm, statement: Statement, given: list[dict[str, Any]]) -> tuple[str, ...]:
    """The names of the definitions that are left, and of the sequences that do not go on as their members.

    `given` has the conditions of the statement in it.
    What a lemma is given is compared with its declaration, entry by entry: it has no definitions of its own.
    """
    if statement.concrete is not None and statement.concrete.declared is not None:
        return ()
    checker = Checker()
    for entry in given:
        checker.accept(entry, trusted=True)
    found = list(_list_definitions(form, checker))
    names = {one.name for one in found}
    others = (e for e in given if e["kind"] == "hypothesis" and e["name"] not in names)
    assumed = tuple(checker.scalar(e["assumed"]) for e in others if e["relation"] != EQUAL)
    shapes = Shapes(checker, tuple(_list_ranges(given, found, checker)), assumed)
    made_of = _list_made_of((*given, *form.steps))
    members = Members(checker, given, {e["name"]: e["assumed"] for e in given if e["kind"] == "hypothesis"})
    used = list_used(form, statement)
    elimination = _Elimination(form, statement, given, used, shapes, made_of, members, found)
    return (*elimination.list_left(), *members.list_untied())


def name_given(entry: Mapping[str, Any]) -> str:
    """The name under which the form has the source of a hypothesis or of a mean; empty for anything else."""
    if entry["kind"] == "mean":
        return f"mean of {next(iter(entry['of']))}"
    return str(entry["name"]) if entry["kind"] == "hypothesis" else ""


def _list_definitions(form: MachineForm, checker: Checker) -> Iterator[Definition]:
    for entry in form.given:
        if entry["kind"] == "hypothesis" and form.sources[entry["name"]] == DEFINITION:
            written = entry["assumed"]
            product = isinstance(written, list) and written[0] == "*"
            factors = tuple(map(checker.scalar, written[1:])) if product else ()
            yield Definition(entry["name"], checker.scalar(written), entry["relation"], factors)


def _list_ranges(
    given: list[dict[str, Any]], found: list[Definition], checker: Checker
) -> Iterator[Polynomial]:
    """A counter that a sequence moves by a number lies between its first and its last member."""
    for entry in given:
        if entry["kind"] != "sequence" or checker.kinds[entry["name"]] != "scalar":
            continue
        keys = ("name", "first", "next", "last")
        own, first, after, last = (checker.scalar(entry[key]) for key in keys)
        for one in found:  # b = a - 1 says what b is, where the member after a is called b
            if one.relation == EQUAL and names_in(entry["next"]) <= checker.atoms(one.value):
                way, value = split(str(entry["next"]), one.value)
                after = value if way else after
        step = get_number(add(after, own, -1))
        if step:
            sign = 1 if step > 0 else -1
            yield scale(add(own, first, -1), sign)
            yield scale(add(last, after, -1), sign)


def _list_made_of(entries: Iterable[Mapping[str, Any]]) -> dict[str, set[str]]:
    """Every name that stands for something, with the names in what it stands for."""
    made = dict[str, set[str]]()
    for entry in entries:
        parts = [entry[key] for key in MADE_OF.get(str(entry.get("kind")), ()) if key in entry]
        names = [entry[key] for key in ("name", "gradient", "value", "last") if type(entry.get(key)) is str]
        if parts:
            made |= dict.fromkeys(names, set[str]().union(*map(names_in, parts)))
    return made


@final
@dataclass(slots=True)
class _Elimination:
    form: MachineForm
    statement: Statement
    given: list[dict[str, Any]]
    used: set[Expr]
    shapes: Shapes
    made_of: dict[str, set[str]]
    members: Members
    left: list[Definition] = field(default_factory=list)
    every: tuple[Definition, ...] = ()  # but for ranges, and for what the statement prescribes

    def list_left(self) -> Iterator[str]:
        means = (e for e in self.form.given if e["kind"] == "mean")
        for entry in means:
            if self.form.sources[name_given(entry)] == DEFINITION and not self._commutes(entry):
                yield name_given(entry)
        self.left = [one for one in self.left if not (self._is_range(one) or self._is_prescribed(one))]
        self.every = tuple(self.left)
        while any(self._take_symbol(shape) for shape in self._list_shapes()):
            pass
        yield from (one.name for one in self.left)

    def _commutes(self, entry: Mapping[str, Any]) -> bool:
        """Whether both sides are the same means of one vector, in another order."""
        averages = {e["name"]: e for e in self.given if e["kind"] == "average"}
        outer, whole = (averages.get(_get_name(entry[side])) for side in ("of", "equals"))
        inner = averages.get(_get_name(whole["of"])) if whole is not None else None
        if outer is None or whole is None or inner is None:
            return False
        same = outer["over"] == whole["over"] and inner["over"] == entry["over"]
        return bool(same and outer["of"] == inner["of"])

    def _is_range(self, one: Definition) -> bool:
        ranges = self.shapes.ranges if one.relation == AT_LEAST else ()
        return any(is_multiple(one.value, each, positive=True) for each in ranges)

    def _is_prescribed(self, one: Definition) -> bool:
        """Whether the statement itself says that a symbol is this formula."""
        checker, statement = self.shapes.checker, self.statement
        rules = [(choice.symbol, choice.expression) for choice in statement.choices]
        rules += [(defined.symbol, defined.expression) for defined in statement.where]
        for symbol, formula in rules:
            if one.relation != EQUAL or str(symbol) not in checker.atoms(one.value):
                continue
            parts = fraction(together(choose(formula, statement, self.form)))
            try:
                above, below = (checker.scalar(translate(p, statement, self.form).form) for p in parts)
            except (MalformedStatement, Rejected):  # the form has no number for a symbol of the formula
                continue
            whole = add(checker.times(checker.scalar(str(symbol)), below), above, -1)
            if any(is_multiple(value, whole) for value in (one.value, checker.times(one.value, below))):
                return True
        return False

    def _list_shapes(self) -> tuple[Shape, ...]:
        """Those that leave the symbol one value come first; for the others it has to be free."""
        free = (self.shapes.is_bounded, self.shapes.is_met_by_number, self.shapes.is_guarded)
        return (self._is_part, self.shapes.is_one_of_two, self.shapes.is_formula, *map(self._if_free, free))

    def _if_free(self, shape: Shape) -> Shape:
        return lambda name, own: self._is_free(name, own) and shape(name, own)

    def _take_symbol(self, shape: Shape) -> bool:
        """Take away one symbol that has a value whatever the others are."""
        for entry in self.given:
            name = str(entry.get("name"))
            if entry["kind"] == "scalar" and self._is_own(name):
                own = self._list_about(name)
                if own and not self._is_circular(name, own) and shape(name, own) and self._goes_on(name, own):
                    self.left = [one for one in self.left if one not in own]
                    return True
        return False

    def _goes_on(self, name: str, own: list[Definition]) -> bool:
        """Whether the definitions of a member of a sequence agree with those of its other members."""
        return self.members.fits(name, own, self.every) and self.members.goes_on(name, own)

    def _list_about(self, name: str) -> list[Definition]:
        atoms = self.shapes.checker.atoms
        return [one for one in self.left if name in self._list_below(atoms(one.value))]

    def _is_own(self, name: str) -> bool:
        """A symbol of the form: no constant of a function, and none of the statement but a smaller of two."""
        properties = (e["properties"] for e in self.given if e["kind"] == "function")
        constants = set[str]().union(*(names_in(list(values.values())) for values in properties))
        functions = {str(value.form) for key, value in self.form.reads.items() if isinstance(key, MinMaxBase)}
        free = name not in {str(symbol) for symbol in self.used} or name in functions
        return free and name not in self._list_below(constants)

    def _list_below(self, names: set[str]) -> set[str]:
        """These names and all that they are made of."""
        seen, new = set[str](), names
        while new:
            seen |= new
            new = set[str]().union(*(self.made_of.get(name, ()) for name in new)) - seen
        return seen

    def _is_circular(self, name: str, own: list[Definition]) -> bool:
        """Whether what the definitions say of the symbol is itself made of it, by another name."""
        checker = self.shapes.checker
        powers = {p: n for p, (base, n) in checker.powers.items() if base == checker.scalar(name)}
        atoms = set[str]().union(*(checker.atoms(one.value) for one in own))
        exponents = set[str]().union(*map(checker.atoms, powers.values()))
        return name in self._list_below((atoms - {name} - powers.keys()) | exponents)

    def _is_part(self, name: str, own: list[Definition]) -> bool:
        other = self.shapes.find_other_part(name, own)
        if not other or not self._is_own(other):
            return False
        return self._list_about(other) == own and not self._is_circular(other, own)

    def _is_free(self, name: str, own: list[Definition]) -> bool:
        """Nothing else is said of the symbol, and it is read for a smallest value only, from above."""
        if any(name in self._list_below(names_in(said)) for said in self._list_said()):
            return False
        reads = self.form.reads.items()
        read = [key for key, value in reads if name in self._list_below(names_in(value.form))]
        above = all(split(name, one.value)[0] == DOWN for one in own)
        return all(above and self._is_smallest(key) for key in read if key.free_symbols <= self.used)

    def _list_said(self) -> Iterator[Any]:
        """Expressions that restrict symbols beside definitions: hypotheses, means, members of sequences."""
        for entry in self.given:
            if entry["kind"] != "hypothesis" or self.form.sources.get(entry["name"]) != DEFINITION:
                yield from (entry[key] for key in SAYING.get(str(entry["kind"]), ()))

    def _is_smallest(self, key: Expr) -> bool:
        found = self.statement.notation.observables.get(str(key)) if isinstance(key, Symbol) else None
        return found is not None and found.over is Over.MINIMUM_OF_MEANS


def _get_name(vector: Any) -> str:
    """The name of a vector that stands alone; empty for a sum."""
    if isinstance(vector, dict) and list(vector.values()) == ["1"]:
        return str(next(iter(vector)))
    return vector if isinstance(vector, str) else ""
