"""Code beside an algorithm of a package, whose own round is the reference.

A package has no listing whose lines could be told apart. What can be told: whether a round agrees, whether
later rounds do (which use what is kept), on gradients, curvatures and clients of many kinds, and whether each
setting has the same effect. Without random numbers states are compared; with them, the laws of the states,
and the states at settings that leave nothing random.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from synthetic.errors import AuthorMistake
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.packages.exact import Exact, listed
from verify.conformance.packages.in_law import InLaw, gravest
from verify.conformance.packages.lines import QUESTIONS, hidden_by, list_lines
from verify.conformance.packages.pair import Pair
from verify.conformance.packages.quiet import find_quiet
from verify.conformance.packages.reference import Reference
from verify.conformance.packages.scenes import CLIENTS, COUNTED, LONG_RUN, ROUNDS, Maker
from verify.conformance.repeats import UNREPEATED, find_source
from verify.conformance.subject import Library, subject
from verify.conformance.verdict import LineVerdict, Observation, Verdict, not_observable
from verify.progress import Progress

USUAL = (CLIENTS, 8, 20, 60)  # numbers of clients, until the reference has states
SEEDS = range(20)  # under which code that draws as the reference does is compared with it
BEYOND = (
    "a bound or a floor in the code that binds only beyond these numbers",
    f"functions that are not quadratic, and rounds after the {LONG_RUN}th",
)
UNSEEN = (Part.SETTING, *QUESTIONS)  # so that a line that cannot be read leaves the others their answer
RARE = "an error in the law of rare events, or of less than a tenth of the noise"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """tried and untried: what was run, and what therefore was not."""

    lines: tuple[LineVerdict, ...]
    runs: int
    tried: tuple[str, ...]
    untried: tuple[str, ...]


def compared(target: Any, wanted: Reference, library: Library, seed: int, progress: Progress) -> Compared:
    code = Lab(
        subject=subject(target, wanted.settings, library), listing=wanted, seed=seed, progress=progress
    )
    pair = Pair(code=code, right=Lab(subject=wanted.subject, listing=wanted, seed=seed + 10**6))
    maker = _usual(pair, wanted)
    pair.refuse_other_kinds(maker.first())
    law = InLaw(pair=pair, maker=maker)
    if not pair.draws(maker.first()):
        return _read(pair, wanted, Readers(exact=Exact(pair=pair, maker=maker), law=law, drawn=False))
    if pair.draws_alike([maker.first(), *maker.numbers()], SEEDS):
        pair.alike = True
        found = _read(pair, wanted, Readers(exact=Exact(pair=pair, maker=maker), law=law, drawn=False))
        if not any(line.observation.verdict is Verdict.DIFFERS for line in found.lines):
            return found
        pair.alike = False  # the same draws mean something else there, which is no difference
    quiet = find_quiet(pair, maker)
    exact = None if quiet is None else Exact(pair=pair, maker=quiet)
    return _read(pair, wanted, Readers(exact=exact, law=InLaw(pair=pair, maker=maker), drawn=True))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readers:
    """drawn: whether laws are compared at every line; else at settings alone whose other values draw."""

    exact: Exact | None
    law: InLaw
    drawn: bool

    def observe(self, part: Part, name: str) -> Observation:
        """The graver one: laws are compared where no difference without random numbers is known."""
        if self.exact is None:
            return self.law.observe(part, name)
        if part is Part.DRAWS:
            return self._compare_laws(self.exact, part, name)
        observation = self.exact.observe(part, name)
        if observation.verdict is Verdict.DIFFERS or not (self.drawn or name in self.exact.unusable):
            return observation
        return gravest([self._compare_laws(self.exact, part, name), observation])

    def _compare_laws(self, exact: Exact, part: Part, name: str) -> Observation:
        if exact.hiding is not None:
            return not_observable(part, exact.hiding)
        if exact.rounds is not None:
            return not_observable(part, hidden_by(Part.LATER_ROUNDS))
        return self.law.observe(part, name)

    def tried(self) -> tuple[str, ...]:
        readers = (self.law,) if self.exact is None else (self.exact, self.law)
        return tuple(reader.tried() for reader in readers if reader.compared)

    def untried(self, pair: Pair) -> Iterator[str]:
        scene = self.law.maker.first()
        if self.drawn and (source := find_source(pair.code, scene.shown, scene.settings, scene.rounds)):
            yield UNREPEATED.format(source=source)
        if self.exact is not None and self.exact.unusable:
            because = "where the reference draws, has no states, or answers rounding with a difference"
            yield f"{listed(self.exact.unusable)}: {because}"
        for words, error in pair.refused.items():
            yield f"{words}: the code has no states there ({error})"
        yield from BEYOND
        if self.law.compared:
            yield RARE


def _read(pair: Pair, wanted: Reference, readers: Readers) -> Compared:
    lines = list_lines(wanted.algorithm, list(wanted.settings), drawn=readers.drawn)
    found: list[LineVerdict] = []
    for done, (line, name) in enumerate(lines):
        pair.code.progress(done, len(lines), line.text)
        found.append(LineVerdict(line=line, observation=readers.observe(line.part, name)))
    pair.code.progress(len(lines), len(lines), "done")
    return Compared(
        lines=tuple(found),
        runs=pair.code.runs,
        tried=readers.tried(),
        untried=tuple(readers.untried(pair)),
    )


def _usual(pair: Pair, wanted: Reference) -> Maker:
    """The usual scenes, with so many clients that the reference has states."""
    least = wanted.settings.get(COUNTED)
    least = least if isinstance(least, int) else 1
    numbers = [n for n in USUAL if n >= least] or [least]
    for n in numbers[:-1]:
        maker = Maker(settings=wanted.settings, usual=n)
        try:
            pair.right.run(maker.first().shown, wanted.settings, ROUNDS)
        except AuthorMistake:
            continue
        return maker
    return Maker(settings=wanted.settings, usual=numbers[-1])
