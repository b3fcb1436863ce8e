"""Compare a user's code with a listing, line by line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from synthetic.errors import NotFinite
from synthetic.outside.algorithms import is_outside
from synthetic.outside.calls import limited
from verify.conformance.average import read_average, read_local_start
from verify.conformance.instance import instance
from verify.conformance.lab import Lab
from verify.conformance.listing import Listing, Part
from verify.conformance.listings import listing_of
from verify.conformance.local_rules import RULES
from verify.conformance.local_steps import read_local_steps
from verify.conformance.meaning import Claim, applicable, has_epsilon, privacy
from verify.conformance.misuse import refuse_claim, refuse_settings
from verify.conformance.noise import read_noise
from verify.conformance.other_averages import find_uneven_average
from verify.conformance.other_movements import SLOPE, read_scale, read_still, server_part
from verify.conformance.packages.compare import UNSEEN, compared
from verify.conformance.packages.reference import reference
from verify.conformance.participation import (
    find_choice,
    find_lone_client,
    is_everybody,
    read_absent,
    read_participation,
)
from verify.conformance.precision import name_rounding, rounds_numbers
from verify.conformance.regimes import read_regimes
from verify.conformance.repeats import note_draws
from verify.conformance.replay.explain import replayed
from verify.conformance.replay.family import Family
from verify.conformance.rounds import find_means, read_rounds, writes_into_states
from verify.conformance.subject import Library, subject
from verify.conformance.target import load
from verify.conformance.update import read_update
from verify.conformance.verdict import (
    LineVerdict,
    Observation,
    Verdict,
    agrees,
    differs,
    not_observable,
)
from verify.progress import Progress, silent

SECONDS = 60.0  # the longest time of one call of the user's function
SEED = 20240601
# slips of one line that make differences at later lines doubtful
HIDING = {name for name, _ in RULES} | {
    "momentum",
    "decay",
    "accumulated",
    "adaptive",
    "decays",
    "adaptive_local",
    "gradient_bounded",
    "kept",
    "bound_schedule",
    "stale_gradient",
    "frozen",
    "permuted",
    "added",
    "mixed",
    "uneven_steps",
    "shrunk_average",
    "of_state",
}
LOCAL = (Part.LOCAL_START, Part.LOCAL_COUNT, Part.LOCAL_STEP, Part.UPDATE)
HIDING |= {"own_model", "mean_gradient", "one_client", "models_over_all", "scaled_model", "no_model"}
HIDING |= {"uneven_average", "updates_add_up", "sent_late", "old_state", "first_model"}
HIDING |= {"local_schedule", "averaged_steps", "no_sum", "state_bounded", "coordinates"}
MIXING = ("mixed", "uneven_steps")
ONE_AFTER_ANOTHER = ("chained", "one_model")
IN_PLACE = {
    (Part.BOUNDING, "none"),
    (Part.SERVER_STEP, "local_step_in_its_place"),
}
OVERFLOW = "numbers are rounded, and large ones are not finite"
HIDING_COUNT = {
    "gradient_kept": "the same gradient in every local step",
    "coordinates": "the same movement of every coordinate",
}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Conformance:
    """The verdict on every line; privacy and applicable as `fedbounds conform --json` prints them.

    tried, untried: beside an algorithm of a package, what was run, and what therefore was not.
    """

    algorithm: str
    lines: tuple[LineVerdict, ...]
    privacy: Mapping[str, Any] | None
    applicable: tuple[Mapping[str, Any], ...]
    runs: int
    unseen: tuple[Part, ...] = ()
    tried: tuple[str, ...] = ()
    untried: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether every line agrees, apart from those that no state can show."""
        return all(line.observation.verdict is Verdict.AGREES or self._is_silent(line) for line in self.lines)

    def _is_silent(self, line: LineVerdict) -> bool:
        return line.observation.verdict is Verdict.NOT_OBSERVABLE and line.line.part in self.unseen

    @property
    def differing(self) -> tuple[LineVerdict, ...]:
        return tuple(line for line in self.lines if line.observation.verdict is Verdict.DIFFERS)


def conform(
    target: Any,
    like: str,
    *,
    library: Library = "numpy",
    claim: Claim | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int = SEED,
    progress: Progress = silent,
) -> Conformance:
    """Does this function implement that listing? target: a function, an Algorithm, or MODULE:FUNCTION.

    settings: the values at which it is compared with an algorithm of a package, whose defaults are the rest.
    """
    if is_outside(like):
        if claim is not None:
            raise refuse_claim(like)
        return _beside_a_package(target, like, library, settings or {}, seed, progress)
    listing = _listing_for(like, claim, settings)
    code = load(target) if isinstance(target, str) else target
    example = listing.example if isinstance(listing, Family) else listing.settings(listing.point())
    examined = subject(code, example, library)
    lab = Lab(subject=examined, listing=listing, seed=seed, progress=progress)
    with limited(min(SECONDS, examined.algorithm.seconds)):
        observations = replayed(lab, listing) if isinstance(listing, Family) else _observations(lab)
        observations = note_draws(lab, observations)
    lines = tuple(
        LineVerdict(line=line, observation=_choose_gravest(line.part, observations)) for line in listing.lines
    )
    return Conformance(
        algorithm=listing.algorithm,
        lines=lines,
        privacy=privacy(lab, claim, lines) if claim is not None else None,
        applicable=_applicable(listing, lines),
        runs=lab.runs,
        unseen=listing.unseen,
    )


def _listing_for(like: str, claim: Claim | None, settings: Mapping[str, Any] | None) -> Listing | Family[Any]:
    """The listing of an algorithm of ours, which has its own settings, and an epsilon or none."""
    listing = listing_of(like)
    if settings:
        raise refuse_settings(like, settings)
    if claim is not None and not has_epsilon(listing):
        raise refuse_claim(like)
    return listing


def _applicable(
    listing: Listing | Family[Any], lines: Sequence[LineVerdict]
) -> tuple[Mapping[str, Any], ...]:
    if isinstance(listing, Listing) and listing.statements is not None:
        algorithm, paper = listing.statements
        return applicable(algorithm, lines, paper)
    return applicable(listing.algorithm, lines)


def _beside_a_package(
    target: Any, like: str, library: Library, settings: Mapping[str, Any], seed: int, progress: Progress
) -> Conformance:
    """The comparison with an algorithm of a package, whose own round is the reference."""
    wanted = reference(like, settings)
    code = load(target) if isinstance(target, str) else target
    with limited(SECONDS):
        found = compared(code, wanted, library, seed, progress)
    return Conformance(
        algorithm=like,
        lines=found.lines,
        privacy=None,
        applicable=applicable(like, found.lines),
        runs=found.runs,
        unseen=UNSEEN,
        tried=found.tried,
        untried=found.untried,
    )


def _observations(lab: Lab) -> list[Observation]:
    """All observations, one experiment after the other: later ones use what earlier ones have found."""
    lab.refuse_memory(instance(SLOPE), lab.settings(lab.listing.point()))
    observations = read_absent(lab) or read_still(lab)
    if observations:
        return observations
    observations = _read_output(lab)
    experiments = _experiments(lab.listing)
    fits: Any = None
    for done, (what, experiment) in enumerate(experiments):
        lab.progress(done, len(experiments), what)
        try:
            if what == "local steps":
                found, fits = read_local_steps(lab)
            elif what == "update":
                found = read_update(lab, fits)
            else:
                found = experiment(lab, observations)
        except NotFinite:
            if not _differing(observations):
                if not rounds_numbers(lab):
                    raise
                part = Part.LOCAL_STEP if lab.listing.several_steps else server_part(lab)
                observations = [*observations, differs(part, "other digits", "float64", OVERFLOW, "rounded")]
            lab.found.still = True  # the run diverges by what was found before it
            break
        hiding = _find_hiding(observations)
        observations += found if hiding is None else [_hide(observation, hiding) for observation in found]
        if lab.found.still:
            break
    lab.progress(len(experiments), len(experiments), "done")
    observations = _name_in_place(lab, observations)
    if not lab.found.still:
        observations = _put_before_noise(lab, _put_mixing(lab, observations))
        observations += read_regimes(lab, observations)
    return name_rounding(lab, _hide_sets(observations))


def _put_before_noise(lab: Lab, observations: list[Observation]) -> list[Observation]:
    """A factor of the server's that the noise lacks is one of the update: the server's step scales both."""
    wrong = {one.part: one for one in _differing(observations)}
    if lab.listing.line(Part.BOUNDING) is None or not wrong.keys() >= {Part.SERVER_STEP, Part.NOISE}:
        return observations
    kept, lab.found.server = lab.found.server, lambda at: 1.0
    noise = read_noise(lab)
    if _differing(noise):
        lab.found.server = kept
        return observations
    server = wrong[Part.SERVER_STEP]
    because = f"{server.because}; the noise is as listed after the server's step"
    found = differs(Part.BOUNDING, server.measured, server.expected, because, "before_noise")
    after = agrees(Part.SERVER_STEP, None, None, "the noise is as listed after it")
    rest = [one for one in observations if one.part not in (Part.SERVER_STEP, Part.BOUNDING, Part.NOISE)]
    return [*rest, found, after, *noise]


def _put_mixing(lab: Lab, observations: list[Observation]) -> list[Observation]:
    """A matrix that the noise is not multiplied by is one of the bounded update."""
    found = next((one for one in observations if one.slip in MIXING and one.part is Part.SERVER_STEP), None)
    noise = next((one for one in observations if one.part is Part.NOISE), None)
    if found is None or noise is None or noise.verdict is not Verdict.AGREES:
        return observations
    after = agrees(Part.SERVER_STEP, None, None, "the noise is as listed after it")
    moved = [replace(found, part=Part.BOUNDING), after]
    return [*moved, *(one for one in observations if one.part not in (Part.SERVER_STEP, Part.BOUNDING))]


def _hide_sets(observations: list[Observation]) -> list[Observation]:
    """Clients that go on from one another move the state as others would, drawn otherwise."""
    start = next((one for one in _differing(observations) if one.part is Part.LOCAL_START), None)
    if start is None or start.slip not in ONE_AFTER_ANOTHER:
        return observations
    doubtful = [one for one in observations if one.part is Part.SAMPLING or _is_unnamed_bound(one)]
    return [_hide(one, start) if one in doubtful else one for one in observations]


def _is_unnamed_bound(one: Observation) -> bool:
    return one.part is Part.BOUNDING and one.slip is None


def _differing(observations: Sequence[Observation]) -> list[Observation]:
    return [one for one in observations if one.verdict is Verdict.DIFFERS]


def _name_in_place(lab: Lab, observations: list[Observation]) -> list[Observation]:
    """Several differences are one if clients write into the server's model: it moves, and updates are zero.

    All at once, as coroutines do, they write into a state that was returned.
    """
    differing = {(one.part, one.slip): one for one in observations if one.verdict is Verdict.DIFFERS}
    if not differing.keys() >= IN_PLACE:
        return observations
    start = differing.get((Part.LOCAL_START, "one_model"))
    if start is None and not writes_into_states(lab):
        return observations
    because = "a state that was returned changes in the round after it" if start is None else start.because
    named = differs(Part.LOCAL_START, "the server's array", "a copy of it", because, "in_place")
    return [named, *(_hide(one, named) for one in observations if one is not start)]


def _find_hiding(before: Sequence[Observation]) -> Observation | None:
    """The difference that makes every later one doubtful: a memory, or local steps that nothing explains."""
    wrong = _differing(before)
    return next((o for o in wrong if o.slip in HIDING or (o.part, o.slip) == (Part.LOCAL_STEP, None)), None)


def _hide(observation: Observation, by: Observation) -> Observation:
    if observation.verdict is not Verdict.DIFFERS:
        return observation
    return not_observable(observation.part, f"the difference at the line of the {by.part.noun} hides it")


def _read_output(lab: Lab) -> list[Observation]:
    """Averages in the place of states are told once; every other line is read of the iterates."""
    means = find_means(lab)
    if means is None:
        return []
    slip, lab.found.iterates = means
    part = Part.OUTPUT if lab.listing.line(Part.OUTPUT) else server_part(lab)
    because = "runs that start at an iterate give the next one"
    return [differs(part, "means of iterates", "the iterates", because, slip)]


Experiment = Callable[[Lab, Sequence[Observation]], list[Observation]]


def _experiments(listing: Listing) -> list[tuple[str, Experiment]]:
    every: list[tuple[str, Experiment]] = [("local steps", _nothing)] if listing.several_steps else []
    every += [("update", _nothing), ("rounds", lambda lab, _: read_rounds(lab)), ("average", _average)]
    if listing.law != "full":
        every.append(("participation", lambda lab, _: read_participation(lab)))
    if listing.deviation is not None:
        every.append(("noise", _noise))
    return every


def _nothing(lab: Lab, observations: Sequence[Observation]) -> list[Observation]:
    return []


def _average(lab: Lab, observations: Sequence[Observation]) -> list[Observation]:
    """Where clients start, and their weights; a start that differs hides the weights."""
    if lab.listing.line(Part.LOCAL_START) is None:
        return [read_average(lab)]
    if (alone := find_lone_client(lab)) is not None:
        return [alone, not_observable(Part.SAMPLING, "the difference at the line of the average hides it")]
    if (chosen := find_choice(lab)) is not None:
        return [chosen, not_observable(Part.SAMPLING, "the difference at the line of the average hides it")]
    if not is_everybody(lab) and (uneven := find_uneven_average(lab)) is not None:
        return [uneven, not_observable(Part.SAMPLING, "the difference at the line of the average hides it")]
    if not is_everybody(lab):
        lab.found.repeats = True
        because = "not every client takes part when as many are wanted as there are"
        hidden = [not_observable(part, because) for part in (Part.LOCAL_START, Part.AVERAGE)]
        return [*hidden, differs(Part.SAMPLING, "not every client", "every client if r = n", because)]
    everybody = []
    if lab.listing.law == "full":
        shown = "16 rounds of four clients with orthogonal gradients"
        everybody = [agrees(Part.SAMPLING, "every client", "every client", shown)]
    if scale := read_scale(lab):  # models that are no average move the state as if clients kept something
        because = "the difference at the line of the average hides it"
        return [*everybody, not_observable(Part.LOCAL_START, because), *scale]
    start = read_local_start(lab)
    if start.verdict is Verdict.DIFFERS:
        because = "the difference at the line of the local start hides it"
        return [*everybody, start, not_observable(Part.AVERAGE, because)]
    return [*everybody, start, read_average(lab)]


def _noise(lab: Lab, observations: Sequence[Observation]) -> list[Observation]:
    """The noise; its size means nothing if an unknown number of clients, or of local steps, has added it."""
    read = read_noise(lab)
    wrong = [one.part for one in observations if one.verdict is Verdict.DIFFERS]
    hiding = [part for part in wrong if part in LOCAL and lab.listing.noise_in_steps]
    hiding += [Part.SAMPLING] if lab.found.repeats else []
    if hiding and any(observation.verdict is Verdict.DIFFERS for observation in read):
        return [not_observable(Part.NOISE, f"the difference at the line of the {hiding[0].noun} hides it")]
    return read


_GRAVITY = (Verdict.DIFFERS, Verdict.NOT_OBSERVABLE, Verdict.AGREES)


def _choose_gravest(part: Part, observations: Sequence[Observation]) -> Observation:
    """The gravest observation of a part; the one with a cause first."""
    own = [observation for observation in observations if observation.part is part]
    hidden = [HIDING_COUNT[one.slip] for one in observations if one.slip in HIDING_COUNT]
    if hidden and part is Part.LOCAL_COUNT:
        return not_observable(part, f"{hidden[0]} hides their number")
    if part is Part.OUTPUT and not own:
        return not_observable(
            part, "the code returns states; which of them is the output is left to its user"
        )
    if not own:
        return not_observable(part, "an earlier difference hides it")
    return min(own, key=_grade)


def _grade(observation: Observation) -> tuple[int, bool, bool]:
    """Half a step in the first round fits a schedule too: what is seen of later rounds comes before it."""
    return _GRAVITY.index(observation.verdict), observation.cause is None, observation.slip == "half"
