"""A statement on objects in 50 digits: the same definitions, run on numbers that hardly round.

What a paper's file computes from objects is numpy over float64, and numpy runs the same code over arrays of
Python objects. For that, functions of the file are bound anew to a numpy in which float64 is no destination.
"""

import builtins
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from types import CellType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final, final

import numpy as np
from mpmath import mp, mpf

from bounds.arithmetic.multiprecision import evaluate_precisely
from bounds.discovery import package_of
from bounds.evaluation.resolve import resolve_with
from bounds.language.statement import Statement

DIGITS: Final = 50


class NotInDigits(ValueError):
    """Something on the way exists in float64 only."""


@final
class Real:
    """What numpy asks of an object that is a number; its functions call methods of their own name."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __add__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Any:
        return _lift(self, other, _divided)

    def __rtruediv__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: _divided(b, a))

    def __pow__(self, other: Any) -> Any:
        return _lift(self, other, _raised)

    def __rpow__(self, other: Any) -> Any:
        return _lift(self, other, lambda a, b: _raised(b, a))

    def __neg__(self) -> "Real":
        return Real(-self.value)

    def __pos__(self) -> "Real":
        return self

    def __abs__(self) -> "Real":
        return Real(abs(self.value))

    def __lt__(self, other: Any) -> Any:
        return _compare(self, other, lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return _compare(self, other, lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return _compare(self, other, lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return _compare(self, other, lambda a, b: a >= b)

    def __eq__(self, other: Any) -> Any:
        return _compare(self, other, lambda a, b: a == b)

    def __ne__(self, other: Any) -> Any:
        return _compare(self, other, lambda a, b: a != b)

    __hash__ = None  # type: ignore[assignment]  # equal to floats, so it could not be hashed like them cheaply

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def conjugate(self) -> "Real":
        return self

    def square(self) -> "Real":
        return Real(self.value * self.value)

    def sqrt(self) -> "Real":
        return Real(mp.sqrt(self.value) if self.value >= 0 else mpf("nan"))

    def exp(self) -> "Real":
        return Real(mp.exp(self.value))

    def expm1(self) -> "Real":
        return Real(mp.expm1(self.value))

    def log(self) -> "Real":
        return Real(_logarithm(self.value))

    def log1p(self) -> "Real":
        return Real(_logarithm(1 + self.value))

    def sin(self) -> "Real":
        return Real(mp.sin(self.value))

    def cos(self) -> "Real":
        return Real(mp.cos(self.value))

    def sinh(self) -> "Real":
        return Real(mp.sinh(self.value))

    def cosh(self) -> "Real":
        return Real(mp.cosh(self.value))

    def tanh(self) -> "Real":
        return Real(mp.tanh(self.value))

    def gaussian_tail(self) -> "Real":
        return Real(mp.ncdf(-self.value))

    def gaussian_density(self) -> "Real":
        return Real(mp.npdf(self.value))

    def gaussian_length(self, _: Any) -> "Real":
        return Real(mp.sqrt(2) * mp.gammaprod([(self.value + 1) / 2], [self.value / 2]))

    def chi_square_tail(self, at: Any) -> "Real":
        """The probability that the squared norm of as many normal coordinates is above `at`."""
        t = max(mpf(0), at.value if isinstance(at, Real) else mpf(at))
        return Real(mp.gammainc(self.value / 2, t / 2, regularized=True))

    def gaussian_quantile(self) -> "Real":
        """Take as many digits again, since 2 p - 1 loses some where p is near one of its ends."""
        if not 0 < self.value < 1:
            return Real(mpf("nan"))
        with mp.workdps(2 * mp.dps):
            found = mp.sqrt(2) * mp.erfinv(2 * self.value - 1)
        return Real(+found)


def _lift(self: Real, other: Any, operation: Any) -> Any:
    if isinstance(other, np.ndarray):
        return NotImplemented
    return Real(operation(self.value, _mpf(other)))


def _compare(self: Real, other: Any, relation: Any) -> Any:
    return NotImplemented if isinstance(other, np.ndarray) else bool(relation(self.value, _mpf(other)))


def _divided(above: Any, below: Any) -> Any:
    """As float64 has it, where numpy's `where` computes both branches."""
    if below != 0:
        return above / below
    return mpf("nan") if above == 0 else above * mpf("inf")


def _logarithm(number: Any) -> Any:
    if number > 0:
        return mp.log(number)
    return mpf("-inf") if number == 0 else mpf("nan")


def _raised(base: Any, exponent: Any) -> Any:
    return base**exponent if base >= 0 or mp.isint(exponent) else mpf("nan")


def _mpf(number: Any) -> Any:
    if isinstance(number, Real):
        return number.value
    if isinstance(number, Fraction):
        return mpf(number.numerator) / number.denominator
    if isinstance(number, int | np.integer | np.bool_):
        return mpf(int(number))
    return mpf(float(number))


def in_digits(value: Any) -> Any:
    """Arrays and numbers of float64 as exact ones; functions answer in such; whole numbers stay."""
    if isinstance(value, float | np.floating):
        return Real(_mpf(value))
    if isinstance(value, Real):
        return value
    if isinstance(value, np.ndarray):
        return _lifted(value) if value.dtype.kind in "fO" else value
    if isinstance(value, list | tuple):
        return [in_digits(entry) for entry in value]
    if callable(value):
        anew = _bound_anew(value, {})
        return lambda *given: in_digits(np.asarray(anew(*given)))
    return value


def _lifted(array: Any) -> Any:
    """Every entry a Real: `minimum(x, 3.0)` mixes in plain floats, whose square root numpy would not find."""
    reals = np.empty(array.shape, dtype=object)
    flat = reals.reshape(-1)
    for place, entry in enumerate(array.reshape(-1)):
        flat[place] = entry if isinstance(entry, Real) else Real(_mpf(entry))
    return reals


@final
class _Numpy:
    """numpy, but for what would leave arrays of objects or bring floats into them."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def asarray(self, a: Any, dtype: Any = None) -> Any:
        plain = np.asarray(a)
        return _lifted(plain) if plain.dtype == object or dtype is float else plain

    def minimum(self, a: Any, b: Any) -> Any:
        return _relifted(np.minimum(a, b))

    def maximum(self, a: Any, b: Any) -> Any:
        return _relifted(np.maximum(a, b))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return _relifted(np.where(condition, a, b))

    def zeros_like(self, a: Any) -> Any:
        return _lifted(np.zeros(np.shape(a)))

    def isinf(self, a: Any) -> Any:
        return _each(mp.isinf, a)

    def isfinite(self, a: Any) -> Any:
        return _each(mp.isfinite, a)

    def isnan(self, a: Any) -> Any:
        return _each(mp.isnan, a)

    def max(self, a: Any, *more: Any, **named: Any) -> Any:
        return np.asarray(a).max(*more, **named)


def _each(question: Any, a: Any) -> Any:
    return np.vectorize(lambda x: bool(question(_mpf(x))), otypes=[bool])(a)


def _relifted(value: Any) -> Any:
    return _lifted(np.asarray(value)) if np.asarray(value).dtype == object else value


def _ndtr(x: Any) -> Any:
    return _lifted(np.vectorize(lambda a: Real(mp.ncdf(_mpf(a))), otypes=[object])(x))


# The functions that a paper's function imports from scipy when it is called.
_SPECIAL: Final = SimpleNamespace(ndtr=_ndtr, log_ndtr=lambda x: np.log(_ndtr(x)))


def _import(name: str, *more: Any) -> Any:
    return _SPECIAL if name == "scipy.special" else __import__(name, *more)


def numbers_in_digits(numbers: Any, objects: Mapping[str, Any], digits: int = DIGITS) -> dict[str, Any]:
    """What `Concrete.numbers` makes of the objects, in so many digits."""
    with mp.workdps(digits), np.errstate(all="ignore"):
        try:
            found = _bound_anew(numbers, {})(**{name: in_digits(v) for name, v in objects.items()})
        except (TypeError, AttributeError, ValueError) as error:
            raise NotInDigits(str(error)) from error
    return {name: _checked(name, value) for name, value in found.items()}


def _checked(name: str, value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "f":
        raise NotInDigits(f"{name} is computed in float64")
    return array


def precise(number: Any) -> Fraction | mpf:
    """A number of 50 digits as it is, any other as the fraction that it is."""
    if not isinstance(number, Real):
        return Fraction(int(number)) if isinstance(number, np.integer | np.bool_) else Fraction(number)
    if not mp.isfinite(number.value):
        raise NotInDigits(f"a number is {number.value}")
    return number.value


@final
class _Stated:
    """A statement whose value another one's definition asks for."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    def evaluate(self, **given: Any) -> Any:
        program = resolve_with(self.statement, given)[1].program
        names, values = list(given), np.broadcast_arrays(*(np.asarray(v) for v in given.values()))
        out = np.empty(values[0].shape, dtype=object)
        for place in np.ndindex(out.shape):
            point = {name: precise(value[place]) for name, value in zip(names, values, strict=True)}
            out[place] = Real(evaluate_precisely(program, {n: point[n] for n in program.inputs})[-1])
        return SimpleNamespace(value=out)


def _package(module: str) -> str:
    """The package of the paper, whose helpers may lie in packages of their own; else the one around the
    module."""
    return package_of(module) or module.rpartition(".")[0]


def _bound_anew(value: Any, known: dict[int, Any]) -> Any:
    """A function with other globals, and what it calls in files of its package or holds, likewise."""
    if isinstance(value, list | tuple):
        return type(value)(_bound_anew(entry, known) for entry in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _bound_anew(getattr(value, f.name), known) for f in fields(value)})
    if not isinstance(value, FunctionType):
        return value
    if id(value) in known:
        return known[id(value)]
    world: dict[str, Any] = {"__builtins__": vars(builtins) | {"__import__": _import}}
    held = tuple(CellType(_bound_anew(cell.cell_contents, known)) for cell in value.__closure__ or ())
    new = FunctionType(value.__code__, world, value.__name__, _bound_anew(value.__defaults__, known), held)
    new.__kwdefaults__ = value.__kwdefaults__
    known[id(value)] = new
    package = _package(value.__module__)
    for name, used in value.__globals__.items():
        if isinstance(used, FunctionType) and _package(used.__module__) == package:
            world[name] = _bound_anew(used, known)
        elif isinstance(used, ModuleType) and _package(used.__name__) == package:
            stated = {n: _Stated(v) for n, v in vars(used).items() if isinstance(v, Statement)}
            world[name] = SimpleNamespace(**vars(used) | stated)
        elif name != "__builtins__":
            world[name] = used
    world["np"] = _Numpy()
    return new
