"""Numbers and vectors that are made of objects, as formulas: `f(x) + inner(f.gradient(x), y - x)`.

A number is a sympy formula over quantities and atoms: values of functions, inner products, norms, means. An
atom knows what it is made of, so that one tree is printed, measured in float64 and measured in 50 digits.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any, Final, Protocol, final

from sympy import Expr, Float, Max, NumberSymbol, Rational, S, Symbol, SympifyError, latex, sympify
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.printing.str import StrPrinter

from bounds.errors import MalformedStatement
from bounds.language.condition import Relation
from bounds.language.dimension import ONE, Dimension, infer
from bounds.language.lemmas.indices import check_indices

LONGEST: Final = 40  # characters of the name of an atom
Known = Mapping[str, Dimension]


class World(Protocol):
    """The objects that are given; every number has an axis of cases and one for each index of the lemma."""

    objects: Mapping[str, Any]
    axes: tuple[str, ...]
    counts: Mapping[str, int]
    sizes: Mapping[str, int]
    one: Any

    def position(self, axis: str) -> int: ...
    def given(self, name: str, *over: str, own: int = 0) -> Any: ...
    def compute(self, node: "Node") -> Any: ...
    def number(self, number: "Scalar") -> Any: ...
    def every(self, value: Any, axis: str) -> Any: ...
    def at_step(self, axis: str, step: int, here: "Mapping[Node, Any]") -> "World": ...
    def once(self, thing: Any, make: Callable[[], Any]) -> Any: ...
    def places(self, axis: str) -> Any: ...
    def entries(self, called: Sequence[Any], axis: str) -> Sequence[Any]: ...


class Node:
    """A number, vector or matrix that is made of objects; subclasses say how it is printed and computed."""

    @property
    def text(self) -> str:
        raise NotImplementedError

    @property
    def latex(self) -> str:
        raise NotImplementedError

    def dimension(self, known: Known) -> Dimension:
        raise NotImplementedError

    def value(self, world: World) -> Any:
        """One for each case and index: an array of the axes of `world`, and of those of its own."""
        raise NotImplementedError


class Atom(Node):
    """A number that is measured on objects."""

    non_negative = False

    @property
    def name(self) -> str:
        return named_after(self.text)


WORDS: Final = (
    (" >= ", " at least "),
    (" <= ", " at most "),
    (" > ", " above "),
    (" < ", " below "),
    ("||", " norm "),
    ("_+", " positive "),
    ("-", " minus "),
    ("+", " plus "),
    ("*", " times "),
    ("/", " over "),
    ("^", " to "),
)


def named_after(text: str) -> str:
    """An ASCII name that `--set` takes; f(x - y) - z is another one than f(x) - y - z."""
    text = _say_brackets(text)
    for mark, word in WORDS:
        text = text.replace(mark, word)
    name = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_")
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 9].rstrip('_')}_{zlib.crc32(name.encode()):08x}"


def _say_brackets(text: str) -> str:
    """Put words for brackets around an operation; where they end is said if more follows."""
    open_at, words = list[int](), dict[int, str]()
    for place, letter in enumerate(text):
        if letter == "(":
            open_at.append(place)
        elif letter == ")" and open_at:
            begin = open_at.pop()
            if any(mark in text[begin:place] for mark in "+-*/^"):
                words[begin] = " of "
                words[place] = " end " if text[place + 1 :].strip(" )|,") else " "
    return "".join(words.get(place, letter) for place, letter in enumerate(text))


@final
class Scalar:
    """A number as a formula; `atoms` are the measured ones among its symbols."""

    __slots__ = ("atoms", "formula")

    def __init__(self, formula: Expr, atoms: Mapping[Symbol, Atom]) -> None:
        self.formula, self.atoms = formula, dict(atoms)

    def __add__(self, other: Any) -> "Scalar":
        return _joined(self, other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> "Scalar":
        return _joined(other, self, lambda a, b: a + b)

    def __sub__(self, other: Any) -> "Scalar":
        return _joined(self, other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> "Scalar":
        return _joined(other, self, lambda a, b: a - b)

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, Node) else _joined(self, other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> "Scalar":
        return _joined(other, self, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> "Scalar":
        return _joined(self, other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> "Scalar":
        return _joined(other, self, lambda a, b: a / b)

    def __pow__(self, other: Any) -> "Scalar":
        return _joined(self, other, lambda a, b: a**b)

    def __rpow__(self, other: Any) -> "Scalar":
        return _joined(other, self, lambda a, b: a**b)

    def __neg__(self) -> "Scalar":
        return Scalar(-self.formula, self.atoms)

    def __abs__(self) -> "Scalar":
        return Scalar(Max(self.formula, -self.formula), self.atoms)

    def __getitem__(self, place: Any) -> "Scalar":
        raise MalformedStatement(
            f"{self.text} has no entry [{place}]: of numbers over an index there are mean, total, largest, "
            "smallest and median; a number that has a name of its own is declared by itself"
        )

    def _sympy_(self) -> Expr:
        """sympy asks for it; its sums and products then leave the work to this class."""
        raise SympifyError(
            f"{self.text} is a number of a lemma, which no function of sympy takes: import exp, log, sqrt, "
            "maximum or minimum from fedbounds; a lemma has no others"
        )

    def __le__(self, other: Any) -> "Comparison":
        return Comparison(self, Relation.AT_MOST, as_scalar(other))

    def __lt__(self, other: Any) -> "Comparison":
        return Comparison(self, Relation.BELOW, as_scalar(other))

    def __ge__(self, other: Any) -> "Comparison":
        return Comparison(self, Relation.AT_LEAST, as_scalar(other))

    def __gt__(self, other: Any) -> "Comparison":
        return Comparison(self, Relation.ABOVE, as_scalar(other))

    def __bool__(self) -> bool:
        raise MalformedStatement(
            "a number of a lemma has no truth value: write a chain a <= b <= c as two lemmas"
        )

    @property
    def text(self) -> str:
        printer = _Text({symbol: atom.text for symbol, atom in self.atoms.items()})
        return str(printer.doprint(self.formula))

    @property
    def latex(self) -> str:
        return str(latex(self.formula, symbol_names={s: atom.latex for s, atom in self.atoms.items()}))


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides; `relation` is None where they are equal."""

    left: Scalar
    relation: Relation | None
    right: Scalar

    def __bool__(self) -> bool:
        raise MalformedStatement("a relation has no truth value: write a chain a <= b <= c as two lemmas")

    @property
    def text(self) -> str:
        sign = "=" if self.relation is None else self.relation.value
        return f"{self.left.text} {sign} {self.right.text}"

    @property
    def latex(self) -> str:
        sign = {None: "=", Relation.AT_MOST: r"\leq", Relation.AT_LEAST: r"\geq"}
        shown = sign.get(self.relation) or (self.relation.value if self.relation else "=")
        return f"{self.left.latex} {shown} {self.right.latex}"


class _Text(StrPrinter):  # type: ignore[misc]  # sympy ships no annotations
    def __init__(self, names: Mapping[Symbol, str]) -> None:
        super().__init__()
        self.names = names

    def _print_Symbol(self, e: Symbol) -> str:
        return self.names.get(e, e.name)

    def _print_Pow(self, e: Any, rational: bool = False) -> str:
        return str(super()._print_Pow(e, rational=rational)).replace("**", "^")


RELATIONS: Final = {
    Le: Relation.AT_MOST,
    Lt: Relation.BELOW,
    Ge: Relation.AT_LEAST,
    Gt: Relation.ABOVE,
}


def as_comparison(given: Any) -> Comparison:
    """A relation between numbers of a lemma, or between symbols of a notation table."""
    if isinstance(given, Comparison):
        return given
    if type(given) in RELATIONS:
        return Comparison(as_scalar(given.lhs), RELATIONS[type(given)], as_scalar(given.rhs))
    raise MalformedStatement(
        f"{given!r} is no relation of two numbers; write one with <=, >= or equals(a, b)"
    )


def equals(left: Any, right: Any) -> Comparison:
    return Comparison(as_scalar(left), None, as_scalar(right))


def as_scalar(given: Any) -> Scalar:
    if isinstance(given, Scalar):
        return given
    if isinstance(given, bool | str | Node) or getattr(given, "is_object", False):
        words = getattr(type(given), "numbers_of", "")
        raise MalformedStatement(f"{getattr(given, 'text', repr(given))} is no number{words}")
    if isinstance(given, float):
        return Scalar(Rational(str(given)), {})
    formula = Rational(given.numerator, given.denominator) if isinstance(given, Fraction) else sympify(given)
    if not isinstance(formula, Expr) or formula.has(Float):
        raise MalformedStatement(f"{given!r} is no exact number; write fractions, as Rational(1, 3)")
    if formula.atoms(NumberSymbol) - {S.Exp1}:
        raise MalformedStatement(
            f"{given} has no exact value here; write a fraction, as Rational(355, 113) for pi"
        )
    return Scalar(formula, {})


def optional_scalar(given: Any) -> Scalar | None:
    return None if given is None else as_scalar(given)


def _joined(a: Any, b: Any, operation: Callable[[Expr, Expr], Expr]) -> Scalar:
    first, second = as_scalar(a), as_scalar(b)
    return Scalar(operation(first.formula, second.formula), merged(first.atoms, second.atoms))


def merged(*several: Mapping[Symbol, Atom]) -> dict[Symbol, Atom]:
    out: dict[Symbol, Atom] = {}
    for atoms in several:
        for symbol, atom in atoms.items():
            if symbol in out and out[symbol] is not atom:
                _check_same(symbol.name, out[symbol], atom)
            out[symbol] = atom
    return out


def _check_same(name: str, first: Atom, second: Atom) -> None:
    if first.text == second.text and type(first) is not type(second):
        raise MalformedStatement(f"two things are written {first.text}: rename one")
    if first.text != second.text:
        raise MalformedStatement(f"{first.text} and {second.text} have one name, {name}")
    one, two = ({id(n): n for n in walk(a) if getattr(n, "is_object", False)} for a in (first, second))
    for key in one.keys() ^ two.keys():
        thing = (one | two)[key]
        raise MalformedStatement(
            f"two objects are named {getattr(thing, 'text', thing.name)}: declare it once"
        )
    check_indices([*walk(first), *walk(second)])


def check_names(nodes: Iterable[Any]) -> None:
    """One name is one symbol in both sides, so two things of one name would be taken for one.

    The place k of a rule is another one in each rule, and never leaves it.
    """
    known: dict[str, Atom] = {}
    for node in nodes:
        for atom in node.atoms.values() if isinstance(node, Scalar) else ():
            first = known.setdefault(atom.name, atom)
            if first is not atom:
                _check_same(atom.name, first, atom)


def measured(atom: Atom) -> Scalar:
    """An atom as a number."""
    signed = {"nonnegative": True} if atom.non_negative else {}
    symbol = Symbol(atom.name, real=True, **signed)
    return Scalar(symbol, {symbol: atom})


class OfNumber(Atom):
    """A number that another one gives, in its unit, and with no other sign."""

    body: Scalar

    @property
    def non_negative(self) -> bool:  # type: ignore[override]  # the base stores it
        return bool(self.body.formula.is_nonnegative)

    def dimension(self, known: Known) -> Dimension:
        return dimension_of(self.body, known)


def dimension_of(number: Scalar, known: Known) -> Dimension:
    """Mismatches inside are found by the audit of units; here the first summand decides."""
    table = dict(known) | {symbol.name: atom.dimension(known) for symbol, atom in number.atoms.items()}
    names = {symbol.name for symbol in number.formula.free_symbols}
    return infer(number.formula, table | dict.fromkeys(names - table.keys(), ONE))[0]


def walk(node: Any, around: tuple[Any, ...] = ()) -> Iterator[Any]:
    """The node and everything that it is made of, parts before the whole.

    Sequences may name each other: what is `around` a part is no part of it.
    """
    if isinstance(node, Scalar):
        inside: Any = node.atoms.values()
    elif isinstance(node, tuple | list):
        inside = node
    elif is_dataclass(node) and not isinstance(node, type):
        inside = [getattr(node, field.name) for field in fields(node)]
        inside += getattr(node, "inside", ())
    else:
        return
    if any(node is one for one in around):
        return
    for part in inside:
        yield from walk(part, (*around, node))
    if not isinstance(node, tuple | list):
        yield node
