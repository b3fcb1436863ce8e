"""The search on a hill of which the top is known, and what its trials count for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import pytest

from verify.search.search import Search
from verify.search.trial import Trial


@final
@dataclass(frozen=True)
class Hill:
    """One smooth top at 0.7 in every coordinate; `lie` is a place where the search sees an excess."""

    name: str = "hill"
    dimension: int = 6
    enough: None = None
    block: int = 8
    lie: bool = False

    def trials(self, points: Any) -> list[Trial | None]:
        return [self._trial(point) for point in points]

    def _trial(self, point: Any) -> Trial:
        left = 2.0 if self.lie and point[0] < 0.1 else 0.9 * float(np.exp(-np.sum((point - 0.7) ** 2)))
        return Trial(left=left, right=1.0, share=(left - 1) / (left + 1))

    def instance(self, point: Any) -> dict[str, Any]:
        return {"point": point.tolist()}


def search_of(hill: Hill, evaluations: int) -> Search:
    found = Search(spaces=[hill], evaluations=evaluations, seed=3, confirm=lambda best: False)
    found.run()
    return found


def test_steps_along_the_slope_reach_a_smooth_top() -> None:
    best = search_of(Hill(), 600).best
    assert best is not None
    assert best.trial.ratio == pytest.approx(0.9, abs=1e-4)


def test_what_is_not_confirmed_counts_no_more() -> None:
    """The best point is the best of those that break nothing."""
    found = search_of(Hill(lie=True), 600)
    assert not found.refuted
    assert found.best is not None
    assert found.best.trial.left < 1
    assert found.best.trial.ratio == pytest.approx(0.9, abs=1e-3)


def test_sides_that_are_both_zero_are_no_tight_case() -> None:
    nothing = Trial(left=0.0, right=0.0, share=0.0)
    some = Trial(left=1.0, right=2.0, share=-1 / 3)
    assert nothing.guide < some.guide < 0
    assert Trial(left=-1.0, right=0.0, share=-0.2).guide > Trial(left=-9.0, right=0.0, share=-0.9).guide
    assert Trial(left=0.0, right=0.0, share=0.0, equality=True).score == 0


def test_no_search_climbs_what_roundings_explain() -> None:
    """A distance of 1e-28 whose roundings are 1e-24 is neither near its bound of 1e-28 nor above one of 0."""
    known = Trial(left=0.5, right=1.0, share=-1 / 3, rounding=1e-12)
    assert known.score == pytest.approx(-1 / 3, abs=1e-11)
    for right in (1e-28, 0.0):
        assert Trial(left=1e-28, right=right, share=-1.0, rounding=1e-24).guide < known.guide
    assert Trial(left=2e-28, right=1e-28, share=0.3).score == pytest.approx(1 / 3)
    equal = Trial(left=1e-28, right=2e-28, share=0.0, equality=True, rounding=1e-24)
    assert equal.score == 0


@final
@dataclass(frozen=True)
class Counted:
    """Counts what is tried; `enough` points are all there are, or none but those that are met count."""

    name: str
    tried: list[int]
    dimension: int = 6
    enough: int | None = None
    block: int = 8
    met: bool = True

    def trials(self, points: Any) -> list[Trial | None]:
        self.tried.append(len(points))
        return [Hill()._trial(np.resize(point, 6)) if self.met else None for point in points]

    def instance(self, point: Any) -> dict[str, Any]:
        return {"point": point.tolist()}


@pytest.mark.parametrize("evaluations", [1, 2, 7, 24, 39, 100, 601, 1000])
@pytest.mark.parametrize("cubes", [1, 5, 30])
@pytest.mark.parametrize("finite", [0, 12])
def test_no_more_is_tried_than_asked_and_all_of_it_is_counted(
    evaluations: int, cubes: int, finite: int
) -> None:
    tried: list[int] = []
    spaces = [Counted(name=f"cube {n}", tried=tried) for n in range(cubes)]
    spaces += [Counted(name="cells", tried=tried, enough=finite, dimension=1)] if finite else []
    found = Search(spaces=spaces, evaluations=evaluations, seed=3, confirm=lambda best: False)
    found.run()
    assert found.spent == sum(tried)
    assert found.spent <= evaluations
    if evaluations >= finite + cubes:  # every cube has a point, so steps go on from the best
        assert found.spent == evaluations


def test_fewer_are_tried_where_nothing_is_met_or_no_more_there_is() -> None:
    for space in (Counted(name="x", tried=[], enough=3, dimension=1), Counted(name="y", tried=[], met=False)):
        found = Search(spaces=[space], evaluations=100, seed=3, confirm=lambda best: False)
        found.run()
        assert found.spent == sum(space.tried) == (3 if space.enough else 40)


def test_the_search_tells_where_it_is() -> None:
    told: list[tuple[int, int, str]] = []
    found = Search(
        spaces=[Hill()],
        evaluations=100,
        seed=3,
        confirm=lambda best: False,
        progress=lambda *x: told.append(x),
    )
    found.run()
    assert told[0] == (0, 100, "hill")
    assert all(done <= 100 for done, _, _ in told)
    assert len(told) >= 100 / Hill().block


@final
@dataclass(slots=True)
class Slow:
    """Every trial takes a second of a clock that it moves itself."""

    now: float = 0.0
    name: str = "slow"
    dimension: int = 2
    enough: None = None
    block: int = 8

    def trials(self, points: Any) -> Iterator[Trial | None]:
        for _ in points:
            self.now += 1
            yield Trial(left=0.5, right=1.0, share=-1 / 3)

    def instance(self, point: Any) -> dict[str, Any]:
        return {}


def test_the_clock_is_looked_at_after_every_trial_that_is_made_by_itself() -> None:
    """A block is eight of them: seven seconds too many, each of three times."""
    slow = Slow()
    found = Search(
        spaces=[slow],
        evaluations=1000,
        seed=3,
        confirm=lambda best: False,
        deadline=20.5,
        clock=lambda: slow.now,
    )
    found.run()
    assert found.cut
    assert 20.5 <= slow.now <= 22
    assert found.spent == slow.now
