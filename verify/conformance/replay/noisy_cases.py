"""The runs that show the lines of noisy clipped local steps, from the simplest to the whole algorithm."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from synthetic.engine.randomness import Floats
from verify.conformance.bounding import FAR
from verify.conformance.instance import Instance, instance, of_data, turned
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.replay.family import Case, lengths_over

P = Part
BATCH = 4  # data points of a client in the runs in which all of them are in the batch
MANY = 1e6  # a threshold that clips nothing
SMALL = 1e-4  # a threshold below what a norm may count as at least, against division by zero
SHORT, LONG = 1e-4, 1e8  # gradients that code may leave out, or bound by a constant besides
ROUNDS = 500
# data points, and how many are wanted, in the runs with random batches: N // B is not N/B
SIZES, WANTED = (7, 5), 2
LENGTHS = (0.2, 0.9, 3.0, 12.0)  # of gradients, over the threshold


def asks_for_data(lab: Lab, example: Mapping[str, Any]) -> bool:
    """Whether the code asks for data points or their number, from one round of a single client."""
    shown = _clients(1, 1.0, seed=1)
    lab.run(shown, example, 1)
    return "data" in shown.asked


def _clients(
    n: int, scale: float, seed: int, curvature: float = 0.0, d: int = 6, *, equal: bool = False
) -> Instance:
    """n clients with BATCH data points of lengths below and above `scale`."""
    random = np.random.default_rng(seed)
    rows = random.standard_normal((n, BATCH, d))
    rows *= (np.array(LENGTHS) * scale / np.linalg.norm(rows, axis=2).mean())[None, :, None]
    bends = curvature * random.uniform(0.3, 1.0, size=(n, d))
    if equal:
        return instance(rows[:, 1], bends, sizes=(BATCH,) * n)
    return of_data(tuple(rows), bends)


def fixed(example: Mapping[str, Any], *, equal: bool) -> list[Case]:
    """Cases for a number of local steps that is a setting; equal: clients with equal data points."""
    make_case = Maker(example, equal=equal)
    cases = [
        make_case(P.LOCAL_STEP, 1, 1, local_steps=1),
        make_case(P.LOCAL_STEP, 1, 1, local_steps=3, step=0.2, bend=0.8),
        make_case(P.LOCAL_STEP, 1, 1, local_steps=5, step=0.07, bend=2.0),
        make_case(P.LOCAL_COUNT, 1, 1, local_steps=4, step=0.2),
        make_case(P.BOUNDING, 1, 1, local_steps=1, clip_threshold=0.7),
        make_case(P.BOUNDING, 1, 1, local_steps=2, clip_threshold=2.3, bend=0.8),
        make_case(P.AVERAGE, 3, 1, local_steps=1),
        make_case(P.LOCAL_START, 3, 3, local_steps=2, bend=0.8),
        make_case(P.AVERAGE, 4, 2, local_steps=3, clip_threshold=1.4, bend=1.1),
        make_case(P.LOCAL_STEP, 1, 1, local_steps=2, size=SHORT),
        make_case(P.LOCAL_COUNT, 1, 1, local_steps=40, step=0.1, bend=9.0),
        make_case(P.LOCAL_STEP, 1, 1, local_steps=3, step=0.1, bend=80.0),
        make_case(P.LOCAL_STEP, 1, 1, local_steps=3, size=LONG, clip_threshold=MANY * LONG),
        make_case(P.LOCAL_STEP, 1, 1, local_steps=3, step=0.2, bend=0.8, coupled=True),
        *(make_case(P.BOUNDING, 1, 1, local_steps=1, clip_threshold=0.7, size=size) for size in FAR),
        make_case(P.BOUNDING, 1, 1, local_steps=1, clip_threshold=SMALL),
    ]
    return cases if equal else [*cases, random_batches({**example, "local_steps": 1})]


class Maker:
    """Makes cases from the example settings; batches of all data points."""

    def __init__(self, example: Mapping[str, Any], *, equal: bool) -> None:
        self.example, self.equal, self.count = example, equal, 0

    def __call__(
        self,
        of: Part,
        n: int,
        rounds: int,
        bend: float = 0.0,
        *,
        size: float = 1.0,
        coupled: bool = False,
        **changes: Any,
    ) -> Case:
        """coupled: each coordinate of a gradient depends on every coordinate of the point."""
        self.count += 1
        batch = {"clip_threshold": MANY, "batch_size": BATCH, "noise_multiplier": 0.0}
        settings = {**self.example, **batch, **changes}
        scale = size * (1.0 if settings["clip_threshold"] >= MANY else settings["clip_threshold"])
        shown = _clients(n, scale, self.count, bend, equal=self.equal)
        shown = turned(shown) if coupled else shown
        exercises = [P.LOCAL_STEP, P.BATCH_DIVISOR]
        exercises += [P.LOCAL_COUNT] if settings.get("local_steps", 1) > 1 else []
        exercises += [P.BOUNDING] if settings["clip_threshold"] < MANY else []
        exercises += [P.AVERAGE] if n > 1 else []
        exercises += [P.LOCAL_START] if rounds > 1 and n > 1 else []
        rows = shown.slopes if shown.data is None else np.concatenate(shown.data)
        return Case(
            of=of,
            shown=shown,
            settings=settings,
            rounds=rounds,
            exercises=tuple(exercises),
            lengths=lengths_over(settings["clip_threshold"], rows) if P.BOUNDING in exercises else None,
        )


def random_batches(example: Mapping[str, Any], wanted: int = WANTED, sizes: tuple[int, int] = SIZES) -> Case:
    """Two clients whose data points have orthogonal gradients: the states show who was in each batch."""
    d, first = sum(sizes), sizes[0]
    slopes = np.diag(np.linspace(0.8, 1.9, d))
    settings = {**example, "clip_threshold": MANY, "batch_size": wanted, "noise_multiplier": 0.0}
    return Case(
        of=P.AVERAGE,
        shown=of_data((slopes[:first], slopes[first:])),
        settings=settings,
        rounds=ROUNDS,
        exercises=(P.BATCH_DIVISOR, P.AVERAGE),
        drawn=drawn_points(np.diag(slopes), first),
    )


def drawn_points(lengths: Floats, first: int) -> Callable[[Floats], Sequence[Sequence[Floats]]]:
    """How often each data point was counted in each round: its share over the least that it ever has.

    first: the number of data points of the first of two clients.
    """

    def read(states: Floats) -> Sequence[Sequence[Floats]]:
        shares = (states[:-1] - states[1:]) / lengths
        # states add up over the rounds, and so does their rounding
        bits = np.abs(shares) > 1e-9 * np.abs(shares).max()
        least = np.where(bits, np.abs(shares), np.inf).min(axis=0)
        times = np.abs(shares) / np.where(np.isfinite(least), least, 1.0)
        integral = np.abs(times - np.rint(times)).max() < 1e-6
        counts = np.rint(times) if integral else bits.astype(np.float64)
        return [[row[:first], row[first:]] for row in counts]

    return read
