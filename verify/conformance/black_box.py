"""Code beside an algorithm of a package, whose own round is the reference.

A package has no listing whose lines could be told apart. What can be told: whether a round agrees, whether
later rounds do (which use what is kept), and whether each setting has the same effect on the states. Without
random numbers states are compared; with them, the laws of the states.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np

from synthetic.engine.randomness import Floats
from synthetic.errors import BadValue
from synthetic.outside.algorithm import REQUIRED
from synthetic.outside.algorithms import outside_algorithm
from verify.conformance.instance import of_data, turned
from verify.conformance.lab import Lab, is_near
from verify.conformance.laws import Mean, first_rejected
from verify.conformance.listing import Line, Part
from verify.conformance.subject import Library, Subject, subject
from verify.conformance.verdict import LineVerdict, Observation, agrees, differs, not_observable
from verify.progress import Progress

ROUNDS, REPLICATES, DIMENSION = 4, 1000, 3
MOST = 15  # settings that are varied: with more, the tests would be more than the shares of the level
EXACT = f"{ROUNDS} rounds on three clients with data points, equal to 9 digits"
IN_LAW = f"{REPLICATES} runs of each on three clients with data points, at level 1e-6 of all tests together"


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference:
    """An algorithm of a package as what code is compared with; settings: the values at which it is run."""

    algorithm: str
    subject: Subject
    settings: Mapping[str, Any]
    optional: tuple[str, ...] = ()


def reference(name: str, given: Mapping[str, Any]) -> Reference:
    """The algorithm of this name with its defaults and what is given; refused if a value is missing."""
    algorithm = outside_algorithm(name)
    unknown = [setting for setting in given if setting not in algorithm.settings]
    values = {**algorithm.settings, **given}
    missing = [setting for setting, value in values.items() if value is REQUIRED]
    if unknown or missing:
        raise BadValue(
            asked=f"conform --as {name}",
            failed="the algorithm has no such setting" if unknown else "a setting has no value",
            found=", ".join(unknown) or (", ".join(given) or "no --set"),
            needed=", ".join(algorithm.settings if unknown else missing) or "no setting",
            change="correct the name" if unknown else f"add --set {' '.join(f'{m}=...' for m in missing)}",
        )
    return Reference(algorithm=name, subject=subject(algorithm, values), settings=values)


def compared(target: Any, wanted: Reference, library: Library, seed: int, progress: Progress) -> "Compared":
    code = Lab(
        subject=subject(target, wanted.settings, library), listing=wanted, seed=seed, progress=progress
    )
    pair = Pair(code=code, right=Lab(subject=wanted.subject, listing=wanted, seed=seed + 10**6))
    lines: list[LineVerdict] = []
    for done, (line, observation) in enumerate(_observed(pair, wanted)):
        progress(done, 2 + len(wanted.settings), line.text)
        lines.append(LineVerdict(line=line, observation=observation))
    return Compared(lines=tuple(lines), runs=code.runs)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    lines: tuple[LineVerdict, ...]
    runs: int


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """The code and the reference, on the same clients."""

    code: Lab
    right: Lab

    def one_run(self, settings: Mapping[str, Any]) -> tuple[Floats, Floats]:
        shown = _clients()
        mine, theirs = (lab.run(shown, settings, ROUNDS) for lab in (self.code, self.right))
        return mine, theirs

    def draws(self, settings: Mapping[str, Any]) -> bool:
        """Whether a run of the code or of the reference depends on its seed."""
        again = zip(self.one_run(settings), self.one_run(settings), strict=True)
        return any(not np.array_equal(one, other) for one, other in again)

    def samples(self, settings: Mapping[str, Any]) -> tuple[Floats, Floats]:
        """States of independent runs: (replicates, rounds + 1, d) of each."""
        runs = [self.one_run(settings) for _ in range(REPLICATES)]
        return np.array([mine for mine, _ in runs]), np.array([theirs for _, theirs in runs])


def _clients() -> Any:
    """Three curved clients with 3, 6 and 9 data points, far from their minimum; no Hessian is diagonal."""
    random = np.random.default_rng(7)
    rows = tuple(random.standard_normal((size, DIMENSION)) + 0.7 for size in (3, 6, 9))
    return turned(of_data(rows, random.uniform(0.2, 1.1, size=(3, DIMENSION))))


def _observed(pair: Pair, wanted: Reference) -> Iterator[tuple[Line, Observation]]:
    read = _compare_laws if pair.draws(wanted.settings) else _compare_exactly
    yield from read(pair, wanted)


def _line(wanted: Reference, part: Part, word: str, text: str) -> Line:
    return Line(part=part, locator=f"{wanted.algorithm}.{word}", text=text)


def _lines_of_rounds(wanted: Reference) -> tuple[Line, Line]:
    first = _line(wanted, Part.ROUND, "first_round", "one round from the start")
    later = _line(wanted, Part.LATER_ROUNDS, "later_rounds", f"rounds 2 to {ROUNDS}, with what a round keeps")
    return first, later


def _compare_exactly(pair: Pair, wanted: Reference) -> Iterator[tuple[Line, Observation]]:
    mine, theirs = pair.one_run(wanted.settings)
    first, later = _lines_of_rounds(wanted)
    start = theirs[0]
    yield first, _compare_states(Part.ROUND, mine[1:2] - start, theirs[1:2] - start)
    yield later, _compare_states(Part.LATER_ROUNDS, mine[1:] - mine[1], theirs[1:] - theirs[1])
    for line, name, settings in _varied(wanted):
        if settings is None:
            yield line, not_observable(Part.SETTING, "it is no number and no truth value, or one of too many")
            continue
        changed, changed_too = pair.one_run(settings)
        effect = changed_too - theirs
        if not effect.any():
            yield line, not_observable(Part.SETTING, f"{name} changes no state of the reference here")
        else:
            yield line, _compare_states(Part.SETTING, changed - mine, effect)


def _compare_states(part: Part, mine: Floats, theirs: Floats) -> Observation:
    measured, expected = float(np.linalg.norm(mine[-1])), float(np.linalg.norm(theirs[-1]))
    found = agrees if is_near(mine, theirs, max(np.abs(mine).max(), np.abs(theirs).max())) else differs
    return found(part, measured, expected, EXACT)


def _compare_laws(pair: Pair, wanted: Reference) -> Iterator[tuple[Line, Observation]]:
    mine, theirs = pair.samples(wanted.settings)
    first, later = _lines_of_rounds(wanted)
    one = _bet_on_laws(Part.ROUND, mine[:, 1], theirs[:, 1], ())
    yield first, one
    moves, moves_too = mine[:, 2] - mine[:, 1], theirs[:, 2] - theirs[:, 1]
    together = (moves * (mine[:, 1] - mine[:, 0]), moves_too * (theirs[:, 1] - theirs[:, 0]))
    two = _bet_on_laws(Part.LATER_ROUNDS, mine[:, -1], theirs[:, -1], together)
    yield later, two
    for line, _, settings in _varied(wanted):
        if settings is None or differs_in((one, two)):
            because = "the difference of the rounds hides it" if settings else "it is no number"
            yield line, not_observable(Part.SETTING, because)
            continue
        changed, changed_too = pair.samples(settings)
        yield line, _bet_on_laws(Part.SETTING, changed[:, -1], changed_too[:, -1], ())


def differs_in(observations: Sequence[Observation]) -> bool:
    return any(one.verdict.value == "differs" for one in observations)


def _bet_on_laws(part: Part, mine: Floats, theirs: Floats, together: Sequence[Floats]) -> Observation:
    """Two samples of one law: whichever is the larger of a pair is a fair coin, for every number of them.

    The middle is that of both together, which no exchange within a pair moves.
    """
    center = np.median(np.concatenate([mine, theirs]), axis=0)
    claims = [_fair(f"coordinate {j}", mine[:, j], theirs[:, j]) for j in range(DIMENSION)]
    away = (mine - center, theirs - center)
    sizes = [np.linalg.norm(rows, axis=1) for rows in away]
    claims.append(_fair("the distance from the middle", *sizes))
    # one draw for several coordinates leaves the law of each of them as it is
    for i, j in combinations(range(DIMENSION), 2):
        claims.append(_fair(f"the product of coordinates {i} and {j}", *(r[:, i] * r[:, j] for r in away)))
    if together:
        claims.append(_fair("the product of successive moves", *(rows.sum(axis=1) for rows in together)))
    measured, expected = (float(np.sqrt(rows.var(axis=0).sum())) for rows in (mine, theirs))
    wrong = first_rejected(claims)
    if wrong is None:
        return agrees(part, measured, expected, f"{IN_LAW}; the numbers are standard deviations")
    because = f"{IN_LAW}: {wrong.name} is larger than the reference's in {(1 + wrong.measured()) / 2:.1%}"
    return differs(part, measured, expected, because)


def _fair(name: str, mine: Floats, theirs: Floats) -> Mean:
    return Mean(name=name, samples=np.sign(mine - theirs), mean=0.0, low=-1, high=1, slip="")


def _varied(wanted: Reference) -> Iterator[tuple[Line, str, dict[str, Any] | None]]:
    """Each setting with another value; None if it has no other value that is sure to be one."""
    for count, (name, value) in enumerate(wanted.settings.items()):
        line = _line(wanted, Part.SETTING, name, f"the effect of the setting {name}")
        other = None if count >= MOST else _another(value)
        yield line, name, None if other is None else {**wanted.settings, name: other}


def _another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return 0.8 * value if isinstance(value, float) and value else None
