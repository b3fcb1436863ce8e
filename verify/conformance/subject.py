"""The code under examination: a round function, an `Algorithm`, or a function for a whole run."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from itertools import islice
from typing import Any, Literal, final

import numpy as np

from synthetic.engine.randomness import BLOCK, Floats
from synthetic.errors import AuthorMistake, BadValue, NotFinite
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.callables import as_function
from synthetic.outside.calls import broken, call, describe
from synthetic.outside.clients import Clients
from synthetic.outside.settings import for_library, settings_class
from synthetic.outside.states import check_entries, copied, detached, iterate_of
from verify.conformance.generators import read_generators, set_generators
from verify.conformance.instance import Instance

Library = Literal["numpy", "torch"]
OF_A_RUN = "clients"  # the name of the first parameter of a function that carries out a whole run


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Subject:
    """A user's code, which carries out one round or, if `carries_out_run`, returns all states of a run."""

    algorithm: Algorithm
    carries_out_run: bool

    @property
    def replicates(self) -> int:
        """How many independent runs one call carries out."""
        return BLOCK if self.algorithm.batched else 1

    def states(
        self, instance: Instance, settings: Mapping[str, Any], *, start: Floats, rounds: int, seed: int
    ) -> Floats:
        """The iterates (rounds + 1, d) of one run; AuthorMistake if the code raises, or returns others."""
        found: Floats = self.runs(instance, settings, start=start, rounds=rounds, seed=seed)[0]
        return found

    def runs(
        self, instance: Instance, settings: Mapping[str, Any], *, start: Floats, rounds: int, seed: int
    ) -> Floats:
        """The iterates of every replicate of one call, (replicates, rounds + 1, d)."""
        clients = Clients(instance, batched=self.algorithm.batched)
        values = self._settings(dict(settings), start, rounds)
        carry_out = self._run if self.carries_out_run else self._rounds
        with np.errstate(all="ignore"):
            try:
                found = carry_out(clients, values, start, rounds, seed)
            except AuthorMistake as mistake:
                advice = _advise(mistake, self.algorithm)
                raise _tell_scene(mistake, instance, settings, advice) from mistake.__cause__
        if not np.isfinite(found).all():
            worst = int(np.argmin(np.isfinite(found).all(axis=2).sum(axis=1)))
            first = int(np.argmin(np.isfinite(found[worst]).all(axis=1)))
            unusable = broken(
                self.algorithm.name,
                self.algorithm.round,
                "the state is not finite on functions with bounded gradients",
                f"{found[worst, first].tolist()} after round {first}",
                "finite numbers",
                NotFinite,
            )
            raise _tell_scene(unusable, instance, settings)
        return found

    def refuse_memory(
        self, instance: Instance, settings: Mapping[str, Any], *, start: Floats, rounds: int, seed: int
    ) -> None:
        """Refuse code that keeps something from one run to the next, such as an object's momentum."""
        generators = read_generators()
        one = self.states(instance, settings, start=start, rounds=rounds, seed=seed)
        set_generators(generators)  # draws of global generators are no memory
        other = self.states(instance, settings, start=start, rounds=rounds, seed=seed)
        if not np.allclose(one, other, rtol=1e-9, atol=0):
            raise broken(
                self.algorithm.name,
                self.algorithm.round,
                "two runs with equal arguments have different states",
                f"{other[-1].tolist()} after {one[-1].tolist()}",
                "code that keeps nothing from one run to the next, but in the state of a round, and draws "
                "from the generator or the seed that it is given",
            )

    def refuse_single(self, runs: Sequence[Floats]) -> None:
        """Refuse states of single precision, which no float64 code gives in all these runs."""
        if all(is_single(states) for states in runs):
            raise broken(
                self.algorithm.name,
                self.algorithm.round,
                "the states have the precision of float32, and lines are compared to 9 digits",
                "numbers that float32 has",
                "float64 in every step, such as model.double()",
            )

    def _settings(self, values: dict[str, Any], start: Floats, rounds: int) -> Any:
        declared, name = self.algorithm.settings, self.algorithm.name
        for required, default in declared.items():
            if default is REQUIRED and required not in values:
                raise BadValue(
                    asked=f"settings of {name}",
                    failed="a setting is required that this algorithm does not have",
                    found=required,
                    needed=", ".join(values),
                    change="rename it to one of these, or give it a default",
                )
        missing = [setting for setting in values if setting not in declared]
        if missing:
            raise BadValue(
                asked=f"settings of {name}",
                failed="a setting of the algorithm is not declared",
                found=", ".join(declared) or "no setting",
                needed=", ".join(values),
                change=f"declare {missing[0]}",
            )
        values_given = _class_of(self.algorithm)(start=tuple(start.tolist()), rounds=rounds, **values)
        return for_library(self.algorithm.library, values_given)

    def _rounds(self, clients: Clients, settings: Any, start: Floats, rounds: int, seed: int) -> Floats:
        algorithm, name = self.algorithm, self.algorithm.name
        begin = np.tile(start, (self.replicates, 1)) if algorithm.batched else start
        random, x0, shape = _generator(algorithm.library, seed), _point(algorithm.library, begin), begin.shape
        state: Any = x0
        if algorithm.begin is not None:
            state = call(f"begin of {name}", algorithm.begin, x0, clients, settings)
        found = [iterate_of(algorithm, name, state, shape).copy()]
        for _ in range(rounds):
            state = detached(call(name, algorithm.round, copied(state), clients, settings, random))
            found.append(iterate_of(algorithm, name, state, shape).copy())
        check_entries(algorithm, name, state)
        states = np.stack(found)
        return states.swapaxes(0, 1) if algorithm.batched else states[None]

    def _run(self, clients: Clients, settings: Any, start: Floats, rounds: int, seed: int) -> Floats:
        algorithm, name = self.algorithm, self.algorithm.name
        x0 = _point(algorithm.library, start)
        shape = (rounds + 1, len(start))
        states = call(name, _collected(algorithm.round, rounds), clients, x0, settings, seed)
        if isinstance(states, list | tuple):
            rows = [iterate_of(algorithm, name, _row(state, algorithm), start.shape) for state in states]
            states = np.stack(rows) if rows else np.empty((0, len(start)))
        else:
            own = tuple(getattr(states, "shape", shape))
            states = iterate_of(algorithm, name, states, own if own[1:] == shape[1:] else shape)
        found = np.array(states)
        if found.shape != shape:
            needed = f"{shape}: the start and the state after every round"
            raise broken(name, algorithm.round, "the states have another shape", found.shape, needed)
        if not np.array_equal(found[0], start):
            failed = "the first state is not the start"
            if rounds and (found == found[0]).all():
                failed += ", and all are one array that was changed in place: hand out copies"
            raise broken(name, algorithm.round, failed, found[0], str(start))
        return found[None]


def _collected(run: Callable[..., Any], rounds: int) -> Callable[..., Any]:
    """The run with its states as a list if it makes one after the other; of too many, one too many."""

    @wraps(run)
    def collected(*arguments: Any) -> Any:
        answer = run(*arguments)
        # each copied when it comes: a generator may change the array that it has handed out
        return [copied(one) for one in islice(answer, rounds + 2)] if isinstance(answer, Iterator) else answer

    return collected


def is_single(states: Floats) -> bool:
    """Whether some coordinates move, and all that do have values of single precision."""
    moved = states[-1][states[-1] != states[0]]
    return len(moved) > 2 and bool((moved == moved.astype(np.float32)).all())


def _row(state: Any, algorithm: Algorithm) -> Any:
    """A state of plain Python floats as an array of the code's library; anything else unchanged."""
    if not isinstance(state, list | tuple) or not all(isinstance(entry, float) for entry in state):
        return state
    return _point(algorithm.library, np.array(state, dtype=np.float64))


@lru_cache(maxsize=32)
def _class_of(algorithm: Algorithm) -> type:
    return settings_class(algorithm.name, algorithm)


def _generator(library: str, seed: int) -> Any:
    if library == "numpy":
        return np.random.Generator(np.random.Philox(seed))
    import torch

    return torch.Generator().manual_seed(seed)


def _point(library: str, start: Floats) -> Any:
    if library == "numpy":
        return start.copy()
    import torch

    return torch.as_tensor(start.copy())


def subject(target: object, settings: Mapping[str, Any], library: Library = "numpy") -> Subject:
    """The subject of a function or an Algorithm; a plain function has the settings of the listing."""
    if isinstance(target, Algorithm):
        return Subject(algorithm=target, carries_out_run=False)
    if not callable(target):
        raise _wrong("not a function", repr(target)[:100], "a function or an Algorithm")
    if isinstance(target, type):
        raise _wrong("a class", target.__name__, "an object of it that can be called, or one of its methods")
    names = _parameters(target)
    required = dict.fromkeys(settings, REQUIRED)
    algorithm = Algorithm(round=as_function(target), settings=required, library=library)
    return Subject(algorithm=algorithm, carries_out_run=names[:1] == [OF_A_RUN])


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters that four arguments are given to; refused if they fit no such call."""
    try:
        signature = inspect.signature(function)
        given = signature.bind(*range(4)).arguments
    except (TypeError, ValueError) as error:
        form = "round(state, clients, settings, random) or run(clients, start, settings, seed)"
        raise _wrong("a function that does not take four arguments", describe(error), form) from error
    return list(given)


def _wrong(failed: str, found: str, needed: str) -> BadValue:
    return BadValue(
        asked="conform", failed=failed, found=found, needed=needed, change="see docs/check_your_code.md"
    )


def _advise(mistake: AuthorMistake, algorithm: Algorithm) -> str:
    """Which library to choose, where code raises that imports another one than it was given arrays of."""
    own = getattr(inspect.unwrap(algorithm.round), "__globals__", {})
    imported = {
        getattr(one, "__name__", "").partition(".")[0] for one in own.values() if inspect.ismodule(one)
    }
    of = "torch" if "torch" in imported else "numpy"
    if of == algorithm.library or of not in imported or not isinstance(mistake.__cause__, Exception):
        return ""
    return f"; it imports {of} and was given arrays of {algorithm.library}: choose the library {of}"


def _tell_scene(
    mistake: AuthorMistake, shown: Instance, settings: Mapping[str, Any], advice: str = ""
) -> AuthorMistake:
    """The same mistake with what the code was run on, which its author did not choose."""
    numbers = (f"{name}={value:g}" for name, value in settings.items() if isinstance(value, (int, float)))
    of = f"{shown.clients} client{'s' * (shown.clients != 1)} in {shown.dimension} coordinates"
    return type(mistake)(
        asked=mistake.asked,
        failed=mistake.failed,
        found=mistake.found,
        needed=mistake.needed,
        change=f"{mistake.change}; it was run on {of} with {', '.join(numbers)}{advice}",
    )
