"""What an author states of an algorithm: one round of one replicate, and the names of its settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, final

from synthetic.arguments import one_of, positive
from synthetic.errors import BadValue
from synthetic.measures import OF_STATE, OF_STATE_ON_REQUEST
from synthetic.outside.callables import is_public
from synthetic.outside.calls import SECONDS, place_of

BY_US = ("rounds", "start")  # settings that every algorithm has


@final
class Required:
    """The marker of a setting without a default."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = Required()


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Algorithm:
    """One communication round of one replicate, in numpy or torch; rounds and replicates are the engine's.

    round(state, clients, settings, random) returns the next state. `settings` maps each name to its default,
    or to REQUIRED; `rounds` and `start` exist besides. begin(x0, clients, settings) makes the first state, by
    default x0. iterate(state) is the point that is measured, by default the state itself, or state["x"] of
    a mapping. `observables` are measured beside those of any iterate. If `batched`, the state has a leading
    axis of 64 replicates. `seconds`: the longest time of one call.
    """

    round: Callable[..., Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    begin: Callable[..., Any] | None = None
    iterate: Callable[..., Any] | None = None
    observables: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    batched: bool = False
    library: Literal["numpy", "torch"] = "numpy"
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        for role in ("round", "begin", "iterate"):
            if (given := getattr(self, role)) is not None or role == "round":
                _check_callable(role, given)
        _check_name(getattr(self.round, "__name__", ""))
        for part in ("settings", "observables"):
            object.__setattr__(self, part, MappingProxyType(_names(part, getattr(self, part))))
        for name in self.settings:
            if name in BY_US:
                raise _wrong("settings", f"{name} is a setting of every algorithm", name, "leave it out")
        for name, function in self.observables.items():
            _check_callable(f"observables[{name!r}]", function)
            if name in (*OF_STATE, *OF_STATE_ON_REQUEST):
                raise _wrong("observables", f"{name} is measured of every iterate", name, "name it otherwise")
        one_of("library", self.library, ("numpy", "torch"))
        if not isinstance(self.batched, bool):
            raise _wrong("batched", "not a truth value", repr(self.batched), "write True or False")
        positive("seconds", self.seconds)

    @property
    def name(self) -> str:
        """The name of the round function; with the key of the package before it, the algorithm's name."""
        return str(self.round.__name__)

    @property
    def place(self) -> str:
        return place_of(self.round)


def _check_callable(role: str, given: object) -> None:
    if not callable(given):
        raise _wrong(role, "not a function", repr(given), "give a function")


def _check_name(name: str) -> None:
    if not is_public(name):
        raise _wrong(
            "round", "the function has no public name", repr(name), "define it by `def`; its name is the id"
        )


def _names(part: str, given: object) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise _wrong(part, "not a mapping of names", repr(given), "write a dict")
    for name in given:
        if not isinstance(name, str) or not is_public(name):
            raise _wrong(part, "a name that is not a public identifier", repr(name), "choose a plain name")
    return dict(given)


def _wrong(part: str, failed: str, found: object, change: str) -> BadValue:
    return BadValue(
        asked=f"Algorithm({part}=...)", failed=failed, found=found, needed=f"a valid {part}", change=change
    )
