"""The runs that show the lines of error feedback, from one step of one client to partial participation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.bounding import FAR
from verify.conformance.instance import Instance, instance, turned
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.replay.explain import is_close
from verify.conformance.replay.family import Case, lengths_over

P = Part
EXAMPLE: dict[str, Any] = {
    "local_steps": 2,
    "local_step": 0.13,
    "memory_step": 0.4,
    "server_step": 0.3,
    "smoothing": 0.7,
    "probability": 1.0,
    "noise_scale": 0.0,
    "initial_memory": ((0.0,),),
}
LOCAL = (P.LOCAL_COUNT, P.LOCAL_STEP)
MEMORY = (P.UPDATE, P.CORRECTION, P.MEMORY, P.SERVER_MEMORY)
PARTIAL_ROUNDS = 25


def cases(lab: Lab) -> Sequence[Case]:
    """Initial memories are shown only to code that reads them: a start at zero is the listing's too."""
    single_cases = [
        _case(P.SERVER_STEP, 1, 1, exercises=(P.SERVER_STEP,), local_steps=1, d=1),
        _case(P.LOCAL_STEP, 1, 1, 0.9, exercises=(P.SERVER_STEP, *LOCAL), local_steps=3, local_step=0.4),
        _case(P.LOCAL_STEP, 1, 1, 0.9, exercises=LOCAL, local_steps=3, local_step=0.4, size=1e3),
        *(_case(P.CORRECTION, 3, 1, exercises=(P.CORRECTION,), size=size) for size in FAR),
        _far(),
        _case(P.CORRECTION, 3, 1, exercises=(P.UPDATE, P.CORRECTION)),
        _case(P.MEMORY, 1, 6, 0.9, exercises=MEMORY),
        _case(P.MEMORY, 3, 6, exercises=MEMORY),  # one client alone has shown the server's memory
        _case(P.LOCAL_START, 3, 6, 0.9, exercises=(*MEMORY, *LOCAL, P.LOCAL_START), local_steps=3),
        _case(P.MEMORY, 3, 12, 0.5, exercises=MEMORY, smoothing=2.1, memory_step=1.3, local_step=0.05),
        _case(P.LOCAL_COUNT, 1, 2, 9.0, exercises=LOCAL, local_steps=40, local_step=4.0),
        _case(P.LOCAL_STEP, 1, 1, 150.0, exercises=LOCAL, local_steps=3, local_step=0.3),
        # one round: in the second, updates normalized without alpha would take back those of the first, and
        # the server then normalizes a rounding. With a small alpha the server's memory is not short, in whose
        # norm code may have a constant against 0/0
        _case(P.UPDATE, 2, 1, exercises=MEMORY, size=1e-4, smoothing=3e-4),
        _case(P.LOCAL_STEP, 1, 1, 0.9, exercises=LOCAL, local_steps=3, local_step=0.4, coupled=True),
        # the server's memory is short, in whose norm a constant of 1e-12 against 0/0 counts as rounding
        _case(P.SERVER_STEP, 1, 1, exercises=(P.SERVER_STEP,), size=1e-3),
    ]
    if reads_memories(lab):
        exercises = (P.INITIAL_MEMORY, P.SERVER_DIVISOR)
        single_cases += [
            _case(P.SERVER_DIVISOR, 2, 4, exercises=exercises, memory=0.8),
            _case(P.SERVER_DIVISOR, 3, 5, 0.4, exercises=exercises, memory=1.7, memory_step=0.9),
        ]
    return [*single_cases, *(_partial(p, memory) for p, memory in _shares(lab))]


def _shares(lab: Lab) -> list[tuple[float, float]]:
    """Probabilities of taking part, each with the size of the memories at the start."""
    return [(0.5, 0.0), (0.5, 0.9)] if reads_memories(lab) else [(0.5, 0.0)]


def reads_memories(lab: Lab) -> bool:
    """Whether other memories at the start change the states."""
    if lab.found.reads_memories is None:
        zero, other = (lab.run(c.shown, c.settings, c.rounds) for c in (_probe(0.0), _probe(0.8)))
        lab.found.reads_memories = not is_close(zero, other)
    return lab.found.reads_memories


def _probe(memory: float) -> Case:
    return _case(P.INITIAL_MEMORY, 2, 3, exercises=(), memory=memory)


def _case(
    of: Part,
    n: int,
    rounds: int,
    bend: float = 0.0,
    *,
    exercises: tuple[Part, ...],
    memory: float = 0.0,
    d: int = 5,
    size: float = 1.0,
    coupled: bool = False,
    **changes: Any,
) -> Case:
    """size: of the slopes, which code may leave out if they are short, or bound if they are long.

    coupled: each coordinate of a gradient depends on every coordinate of the point.
    """
    random = np.random.default_rng(100 * n + rounds)
    shown = _clients(random, n, bend, d, size)
    shown = turned(shown) if coupled else shown
    settings = {**EXAMPLE, **changes, "initial_memory": _memory(random, shown, memory)}
    lengths = lengths_over(settings["smoothing"], shown.slopes - settings["initial_memory"])
    return Case(of=of, shown=shown, settings=settings, rounds=rounds, exercises=exercises, lengths=lengths)


FARTHEST = 1e12


def _far() -> Case:
    """Gradients so long that neither alpha nor a client's memory counts: only the server's memory does."""
    random = np.random.default_rng(7)
    slopes = FARTHEST * random.standard_normal((1, 5))
    bends = 3 * FARTHEST * random.uniform(0.2, 1.0, size=(1, 5))
    shown = instance(slopes, bends, sizes=(3,))
    settings = {**EXAMPLE, "local_steps": 1, "initial_memory": _memory(random, shown, 0.0)}
    exercises = (P.SERVER_STEP, P.SERVER_MEMORY)
    return Case(of=P.SERVER_MEMORY, shown=shown, settings=settings, rounds=8, exercises=exercises)


def _clients(random: np.random.Generator, n: int, bend: float, d: int, size: float) -> Instance:
    slopes = random.standard_normal((n, d))
    slopes *= size * (np.linspace(0.5, 3.0, n) / np.linalg.norm(slopes, axis=1))[:, None]
    return instance(slopes, bend * random.uniform(0.2, 1.0, size=(n, d)), sizes=(3,) * n)


def _memory(random: np.random.Generator, shown: Instance, size: float) -> Floats:
    rows: Floats = size * random.standard_normal((shown.clients, shown.dimension))
    return rows


def _partial(probability: float, memory: float) -> Case:
    """Four clients of which some take part: who came is what gives the next state, if anything does."""
    case = _case(
        P.WEIGHT if memory else P.MEMORY,
        4,
        PARTIAL_ROUNDS,
        exercises=(P.WEIGHT, *MEMORY),
        memory=memory,
        probability=probability,
        memory_step=0.2,
    )
    return replace(case, exercises=case.exercises if memory else MEMORY, drawn=lambda found: found)
