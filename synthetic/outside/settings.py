"""A class of settings made from the names and defaults that an author gives."""

import copy
import dataclasses
import difflib
import math
from fractions import Fraction
from typing import Any

import numpy as np

from synthetic.arguments import integer_at_least
from synthetic.engine.arithmetic import as_numbers
from synthetic.errors import BadValue, WrongSettings, nearest
from synthetic.outside.algorithm import REQUIRED, Algorithm


def settings_class(name: str, algorithm: Algorithm) -> type:
    """A frozen dataclass with `start`, `rounds` and the author's settings, each checked when it is made."""
    required: list[Any] = [("start", object), ("rounds", int)]
    required += [(n, Any) for n, default in algorithm.settings.items() if default is REQUIRED]
    defaults = {n: _default(n, d) for n, d in algorithm.settings.items() if d is not REQUIRED}
    optional: list[Any] = [(n, _type_of(d), dataclasses.field(default=d)) for n, d in defaults.items()]

    def check(self: Any) -> None:
        integer_at_least("rounds", self.rounds, 0)
        for setting in algorithm.settings:
            value = _checked(setting, getattr(self, setting), defaults.get(setting, REQUIRED))
            object.__setattr__(self, setting, value)

    def refuse_unknown(self: Any, attribute: str) -> Any:
        known = [f.name for f in dataclasses.fields(self)]
        near = "".join(f"; did you mean {name}?" for name in difflib.get_close_matches(attribute, known, n=1))
        raise AttributeError(f"no setting {attribute} among {', '.join(known)}{near}")

    built = dataclasses.make_dataclass(
        "Settings",
        required + optional,
        frozen=True,
        kw_only=True,
        eq=False,
        namespace={"__post_init__": check, "__getattr__": refuse_unknown, "__doc__": f"Settings of {name}."},
    )
    built.__module__ = name
    return built


def for_library(library: str, settings: Any) -> Any:
    """The settings as code of this library is given them: arrays as tensors, if it is torch."""
    arrays = {n: value for n, value in vars(settings).items() if isinstance(value, np.ndarray)}
    if library == "numpy" or not arrays:
        return settings
    import torch

    shown = copy.copy(settings)
    for name, value in arrays.items():
        object.__setattr__(shown, name, torch.as_tensor(value.copy()))
    return shown


def make_settings(name: str, kind: type, values: dict[str, Any]) -> Any:
    """The settings with these values; an unknown or missing name is refused with the nearest one."""
    known = {f.name: f for f in dataclasses.fields(kind)}
    for given in values:
        if given not in known:
            raise _wrong(
                name,
                "no setting has this name",
                given,
                ", ".join(known),
                f"use {nearest(given, list(known))}",
            )
    missing = [n for n, f in known.items() if f.default is dataclasses.MISSING and n not in values]
    if missing:
        raise _wrong(
            name, "a setting is missing", ", ".join(values) or "none", ", ".join(missing), f"set {missing[0]}"
        )
    return kind(**values)


def _wrong(name: str, failed: str, found: str, needed: str, change: str) -> WrongSettings:
    return WrongSettings(
        asked=f"settings of {name}", failed=failed, found=found, needed=needed, change=change
    )


def _default(name: str, given: object) -> Any:
    # a dataclass takes no array as a default, since two instances would share it
    shared = isinstance(given, np.ndarray)
    return _checked(
        name, _require_kind(name, given, not shared, "a default that is a list, not an array"), given
    )


def _type_of(default: object) -> Any:
    """The type that a command line reads the value as."""
    for kind in (bool, int, str):
        if type(default) is kind:
            return kind
    if isinstance(default, float):
        return float
    return Any


def _checked(name: str, value: Any, default: Any) -> Any:
    """The value, frozen, as a value of the kind of its default: True, 3, 0.5, a word, a list of numbers."""
    if isinstance(default, bool):
        return _require_kind(name, value, isinstance(value, bool), "True or False")
    if isinstance(default, int):
        fits = isinstance(value, int) and not isinstance(value, bool)
        return _require_kind(name, value, fits, f"a whole number, like its default {default}")
    if isinstance(default, str):
        return _require_kind(name, value, isinstance(value, str), f"a word, like its default {default!r}")
    if isinstance(default, float) and not isinstance(value, list | tuple):
        number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
        return float(_require_kind(name, value, number and math.isfinite(value), "a finite number"))
    return _frozen(name, value)


def _require_kind(name: str, value: Any, fits: bool, needed: str) -> Any:
    if not fits:
        raise BadValue(
            asked=name, failed="a value of another kind", found=repr(value), needed=needed, change="change it"
        )
    return value


def _frozen(name: str, value: Any) -> Any:
    """Numbers as floats or ints, lists as tuples, arrays as read-only copies."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, list | tuple):
        return tuple(_frozen(name, entry) for entry in value)
    if isinstance(value, np.ndarray):
        return as_numbers(value, exact=False)
    finite = not isinstance(value, float) or math.isfinite(value)
    known = value is None or isinstance(value, bool | int | float | str)
    return _require_kind(
        name, value, finite and known, "a finite number, a word, a list or an array of numbers"
    )
