"""Whether a seed repeats the draws of the code: not if they come from a generator that is nobody's own.

Such code may be right, so that this makes no difference, only a note at the line of the draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from synthetic.errors import AuthorMistake, NotFinite
from verify.conformance.generators import list_moved, read_generators
from verify.conformance.instance import Instance, instance
from verify.conformance.lab import OF_NOISE, SEEDS, Lab
from verify.conformance.listing import Listing, Part
from verify.conformance.replay.family import Family
from verify.conformance.verdict import Observation

ROUNDS = 24
CLIENTS, WANTED = 5, 2
SCALE = 0.1  # of the noise: any that is not zero shows whether it is repeated
UNREPEATED = "two runs under one seed differ: the draws come from {source}, not from what the code is given"


def note_draws(lab: Lab, observations: Sequence[Observation]) -> list[Observation]:
    """The observations, with a note at each line whose draws a seed does not repeat."""
    sources = {part: find_source(lab, *scene) for part, scene in _list_scenes(lab)}
    return [_note(one, sources.get(one.part)) for one in observations]


def _note(one: Observation, source: str | None) -> Observation:
    if source is None:
        return one
    note = UNREPEATED.format(source=source)
    return replace(one, because=f"{one.because}; {note}" if one.because else note)


Scene = tuple[Instance, Mapping[str, Any], int]


def _list_scenes(lab: Lab) -> list[tuple[Part, Scene]]:
    """One scene for each line that draws, in which nothing else is drawn."""
    if isinstance(lab.listing, Family):
        return _list_replayed(lab, lab.listing)
    listing: Listing = lab.listing
    shown, scenes = instance(np.diag(np.linspace(0.8, 1.9, CLIENTS))), list[tuple[Part, Scene]]()
    if listing.law != "full":
        at = listing.point(n=CLIENTS, r=WANTED, d=CLIENTS)
        scenes.append((Part.SAMPLING, (shown, lab.settings(at), ROUNDS)))
    if listing.deviation is not None:
        at = listing.point(n=CLIENTS, r=CLIENTS, d=CLIENTS, sigma=SCALE)
        scenes.append((Part.NOISE, (shown, lab.settings(at), 1)))
    return scenes


def _list_replayed(lab: Lab, family: Family[Any]) -> list[tuple[Part, Scene]]:
    cases = family.cases(lab)
    part = Part.BATCH if family.line(Part.BATCH) is not None else Part.SAMPLING
    drawn = [case for case in cases if case.drawn is not None]  # none, if the code asks for no data points
    noise = {name: SCALE for name in OF_NOISE if name in cases[0].settings}
    noisy = {**cases[0].settings, **noise}
    return [
        *((part, (case.shown, case.settings, min(ROUNDS, case.rounds))) for case in drawn[:1]),
        (Part.NOISE, (cases[0].shown, noisy, cases[0].rounds)),
    ]


def find_source(lab: Lab, shown: Instance, settings: Mapping[str, Any], rounds: int) -> str | None:
    """Where draws come from that the seed does not repeat; None if it does, or no run is finite."""
    for seed in range(lab.seed, lab.seed + SEEDS):
        before = read_generators()
        try:
            one, other = (lab.run(shown, settings, rounds, seed=seed) for _ in range(2))
        except NotFinite:
            continue
        except AuthorMistake:
            return None  # it raises here, which the experiments before have answered
        if np.allclose(one, other, rtol=1e-9, atol=0):
            return None
        return " and ".join(list_moved(before)) or "a generator of its own"
    return None
