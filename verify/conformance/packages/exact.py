"""The lines of a package's algorithm where nothing is random: states are equal to 9 digits, or not."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from verify.conformance.listing import Part
from verify.conformance.packages.causes import guess_cause
from verify.conformance.packages.lines import QUESTIONS, WIDE, hidden_by
from verify.conformance.packages.pair import Pair, Seen
from verify.conformance.packages.precision import digits_differ, rounds_numbers
from verify.conformance.packages.scenes import MOST, Maker, Scene, others, words_of
from verify.conformance.verdict import Observation, Verdict, agrees, differs, not_observable

EQUAL = "states compared to 9 digits"
NOWHERE = "the reference draws, has no states, or answers rounding with a difference wherever that is tried"


@final
@dataclass(kw_only=True, eq=False)
class Exact:
    """hiding: what makes the other lines doubtful, once a line differs that they build on.

    rounds: the last round that is compared, after later rounds have differed. compared: the words of the
    scenes on which states were compared, under the name of their line. unusable: the words of the others.
    narrowed: some line differs that is narrower than that of all settings.
    """

    pair: Pair
    maker: Maker
    hiding: str | None = None
    rounds: int | None = None
    narrowed: bool = False
    compared: dict[str, list[str]] = field(default_factory=dict)
    unusable: dict[str, list[str]] = field(default_factory=dict)

    def observe(self, part: Part, name: str) -> Observation:
        if part is Part.ROUND and self._rounds_numbers():
            self.hiding = hidden_by(Part.DIGITS)
        if part is Part.DIGITS:
            return self._read_digits()
        if self.hiding is not None:
            return not_observable(part, self.hiding)
        if part is Part.SETTING:
            observation = self._read_setting(name)
            self.narrowed |= observation.verdict is Verdict.DIFFERS
            return observation
        if part is Part.SETTINGS and self.narrowed:
            return not_observable(part, "the difference at another line hides it")
        observation = self._compare(part, QUESTIONS[part].values, self._scenes()[part]())
        if observation.verdict is Verdict.DIFFERS:
            self.narrowed = True
            if part in WIDE:
                self.hiding = hidden_by(part)
            if part is Part.LATER_ROUNDS:
                self.rounds = 1
        return observation

    def tried(self) -> str:
        """One sentence on all scenes on which states were compared."""
        fixed = ", ".join(words_of(name, self.maker.settings[name]) for name in sorted(self.maker.fixed))
        return f"{EQUAL}{f', at {fixed}, which leave nothing random' * bool(fixed)}: {listed(self.compared)}"

    def _scenes(self) -> Mapping[Part, Callable[[], Iterator[Scene]]]:
        return {
            Part.ROUND: self.maker.starts,
            Part.LATER_ROUNDS: self.maker.later,
            Part.LENGTHS: self.maker.lengths,
            Part.CURVATURES: self.maker.bends,
            Part.CLIENTS: self.maker.numbers,
            Part.DIMENSION: self.maker.dimensions,
            Part.SETTINGS: self.maker.together,
        }

    def _compare(self, part: Part, line: str, scenes: Iterable[Scene]) -> Observation:
        seen = [one for scene in scenes if (one := self._see(line, scene)) is not None]
        if not seen:
            return not_observable(part, NOWHERE)
        self.compared[line] = [one.scene.brief for one in seen]
        wrong = [one for one in seen if not one.agrees(self.rounds)]
        if not wrong:
            measured, expected = _lengths(seen[0])
            return agrees(part, measured, expected, f"{EQUAL}: {listed({line: self.compared[line]})}")
        measured, expected = _lengths(wrong[0])
        because = f"{wrong[0].scene.words}: {_describe_distance(wrong[0])}"
        right = list(dict.fromkeys(one.scene.brief for one in seen if one not in wrong))
        because += f"; no difference at {', '.join(right)}" if right else ""
        found = differs(part, measured, expected, because)
        return replace(found, cause=guess_cause(self.pair, wrong, of_round=part is Part.ROUND))

    def _see(self, line: str, scene: Scene) -> Seen | None:
        found = self.pair.see(scene)
        if found is None and scene.words not in self.pair.refused:
            self.unusable.setdefault(line, []).append(scene.brief)
        return found

    def _read_setting(self, name: str) -> Observation:
        value = self.maker.settings[name]
        if name in self.maker.fixed:
            return not_observable(Part.SETTING, "it has the value that leaves nothing random")
        values = others(value) if list(self.maker.settings).index(name) < MOST else ()
        if not values:
            kind = "it is one of too many" if others(value) else "no other value is sure to be one"
            return not_observable(Part.SETTING, kind)
        scenes = [scene for other in values for scene in self.maker.setting(name, other)]
        observation = self._compare(Part.SETTING, name, scenes)
        if observation.verdict is Verdict.AGREES and not self._has_effect(scenes):
            return not_observable(Part.SETTING, f"{name} changes no state of the reference here")
        return observation

    def _has_effect(self, scenes: Iterable[Scene]) -> bool:
        for scene in scenes:
            changed, usual = (self.pair.steady(one) for one in (scene, scene.at(self.maker.settings)))
            if changed is not None and (usual is None or not np.array_equal(changed, usual)):
                return True
        return False

    def _rounds_numbers(self) -> bool:
        scene = replace(self.maker.first(), rounds=2)
        return self.pair.is_seeded(scene) and rounds_numbers(self.pair, scene)

    def _read_digits(self) -> Observation:
        if self._rounds_numbers():
            return digits_differ()
        if self.hiding is not None:
            return not_observable(Part.DIGITS, self.hiding)
        return agrees(Part.DIGITS, None, None, EQUAL)


def listed(compared: Mapping[str, Sequence[str]]) -> str:
    """Join the values of each line, as in `local_steps 1, 2; numbers of clients 1, 5`."""
    return "; ".join(f"{line} {', '.join(dict.fromkeys(values))}" for line, values in compared.items())


def _lengths(one: Seen) -> tuple[float | str, float]:
    expected = float(np.linalg.norm(one.theirs[-1] - one.theirs[0]))
    if one.mine is None:
        return "not a number", expected
    return float(np.linalg.norm(one.mine[-1] - one.mine[0])), expected


def _describe_distance(one: Seen) -> str:
    if one.mine is None:
        return "the states are no numbers, where the reference has some"
    apart = float(np.abs(one.mine - one.theirs).max())
    return f"the numbers are distances from the start; the states are up to {apart:.2g} apart"
