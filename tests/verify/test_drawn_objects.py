"""What is drawn for a lemma has the declared properties: from the objects themselves, in exact numbers."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp

from bounds.language.quantity import Notation
from bounds.language.statement import Paper, Statement
from fedbounds import (
    POSITIVE,
    POSITIVE_INTEGER,
    convex_set,
    function,
    inner,
    lemma,
    matrix,
    norm,
    number,
    project,
    prox,
    sequence,
    total,
    vector,
)
from verify.objects import classes, matrices, recipes
from verify.objects.constants import Constants, Kind
from verify.objects.draw import FAMILIES, FOR_DECLARED, Draw
from verify.objects.fifty_digits import in_digits
from verify.objects.functions import Function
from verify.objects.growing import GROWING
from verify.objects.plain_draw import PlainDraw
from verify.objects.slopes import steepest, uneven
from verify.objects.valley import BENDS, BOWLS, Bowl, bowl, curvature, valley
from verify.objects.weakly_convex import HILLS

L, mu = number("L", POSITIVE), number("mu", POSITIVE)
x, y = vector("x"), vector("y")
K = number("K", POSITIVE_INTEGER)
Made = list[dict[str, Any]]


def stated(claim: object, **more: Any) -> Statement:
    paper = Paper(key="k", title="t", authors="a", bibtex="", package="k", notation=Notation())
    return lemma(paper, "it", claim, **more)


def drawn(statement: Statement) -> Made:
    """Of every family, and such as a counterexample is searched among."""
    families = (*FAMILIES, *FOR_DECLARED)
    ordinary = [Draw(family, np.random.default_rng([7, n])) for n, family in enumerate(families)]
    plain = [PlainDraw(seed, d, far=far) for seed in range(4) for d in (1, 2, 3) for far in (False, True)]
    recipe = recipes.recipe_of(statement)
    assert recipe is not None
    return [recipe(draw, statement) for draw in (*ordinary, *plain)]


def spectrum(entries: Any) -> list[Any]:
    """In 40 digits, by mpmath."""
    with mp.workdps(40):
        return sorted(mp.eigsy(mp.matrix(entries.tolist()), eigvals_only=True))


SMALL = 4  # rows of a matrix that mpmath decomposes


def test_eigenvalues_lie_inside_what_is_declared() -> None:
    A = matrix("A", symmetric=True, smallest=mu, largest=L)
    met = {"least": 0, "largest": 0, "multiple": 0}
    for given in drawn(stated(inner(x, A @ x) <= L * norm(x) ** 2)):
        for entries in given["A"] if given["A"].shape[-1] <= SMALL else []:
            values = spectrum(entries)
            assert np.array_equal(entries, entries.T)
            assert given["mu"] <= values[0] + mp.mpf(10) ** -35 * values[-1]
            assert values[-1] <= given["L"] * (1 + mp.mpf(10) ** -35)
            met["least"] += bool(values[0] <= given["mu"] * (1 + 1e-9))
            met["largest"] += bool(values[-1] >= given["L"] * (1 - 1e-9))
            met["multiple"] += bool(len(values) > 1 and values[0] >= values[-1] * (1 - 1e-9))
    assert all(count > 20 for count in met.values()), met


def test_semidefinite_matrices_are_so_exactly_and_some_are_singular() -> None:
    P = matrix("P", semidefinite=True)
    singular = 0
    for given in drawn(stated(inner(x, P @ x) >= 0)):
        for entries in given["P"] if given["P"].shape[-1] <= SMALL else []:
            exact = [[Fraction(entry) for entry in row] for row in entries]
            minors = principal_minors(exact)
            assert min(minors) >= 0
            singular += len(exact) > 1 and minors[-1] == 0
    assert singular > 20


def principal_minors(rows: list[list[Fraction]]) -> list[Fraction]:
    n = len(rows)
    chosen = [[i for i in range(n) if mask >> i & 1] for mask in range(1, 2**n)]
    return [determinant([[rows[i][j] for j in some] for i in some]) for some in chosen]


def determinant(rows: list[list[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    first, *others = rows
    minors = [[[*row[:j], *row[j + 1 :]] for row in others] for j in range(len(first))]
    return sum(((-1) ** j * entry * determinant(minors[j]) for j, entry in enumerate(first)), Fraction(0))


def test_pairs_commute_are_opposite_or_equal_and_powers_vanish() -> None:
    A, B = matrix("A"), matrix("B")
    seen = {
        "commute": 0,
        "do not": 0,
        "equal": 0,
        "opposite": 0,
        "nilpotent": 0,
        "orthogonal": 0,
        "rank one": 0,
    }
    for given in drawn(stated(norm(A @ B) <= norm(A) * norm(B))):
        for a, b in zip(given["A"], given["B"], strict=True):
            d, size = len(a), np.abs(a).max() * np.abs(b).max()
            if d == 1 or d > SMALL or size == 0:
                continue
            apart = np.abs(a @ b - b @ a).max()
            square = a.T @ a
            seen["commute"] += bool(apart <= 1e-12 * size)
            seen["do not"] += bool(apart > 0.01 * size)
            seen["equal"] += bool(np.array_equal(a, b))
            seen["opposite"] += bool(np.array_equal(a, -b))
            seen["nilpotent"] += bool(
                np.abs(np.linalg.matrix_power(a, d)).max() <= 1e-12 * np.abs(a).max() ** d
            )
            seen["orthogonal"] += bool(
                np.abs(square - square[0, 0] * np.eye(d)).max() <= 1e-12 * square[0, 0]
            )
            seen["rank one"] += bool(np.linalg.matrix_rank(a) == 1)
    assert all(count > 3 for count in seen.values()), seen


def test_sequences_meet_their_recursion_a_third_of_them_with_equality() -> None:
    c, b = number("c", POSITIVE), number("b", POSITIVE)
    s = sequence("s", last=K, next_at_most=lambda s_k: c * s_k)
    r = sequence("r", last=K, next_at_most=lambda r_k, k: r_k / (k + 2) + b * s[k])
    w = sequence("w", last=K, equal_to=lambda k: r[k] - s[k], non_negative=False)
    u = sequence("u", last=K, next_at_most=lambda u_k, k: u_k - s[k], non_negative=False)
    equal = cases = 0
    for given in drawn(stated(r[K] + s[K] + total(w) + u[K] <= r[0])):
        falling = given["u"][:, :-1] - given["s"][:, :-1]
        assert np.all(given["u"][:, 1:] <= falling + 1e-14 * np.abs(falling))
        places = np.arange(given["K"])
        most = given["r"][:, :-1] / (places + 2) + given["b"] * given["s"][:, :-1]
        assert np.array_equal(given["w"], given["r"] - given["s"])
        assert np.all(given["r"][:, 1:] <= most * (1 + 1e-14))
        assert np.all(given["s"][:, 1:] <= given["c"] * given["s"][:, :-1] * (1 + 1e-14))
        equal += int(np.all(given["r"][:, 1:] >= most * (1 - 1e-14), axis=-1).sum())
        cases += len(most)
    assert cases / 4 < equal < cases


KINDS: list[Callable[[], Any]] = [
    lambda: function("f", convex=True),
    lambda: function("f", convex=True, smooth=L),
    lambda: function("f", strongly_convex=mu, smooth=L),
    lambda: function("f", convex=True, lipschitz=L),
    lambda: function("f", convex=True, lipschitz=L, smooth=mu),
    lambda: function("f", convex=True, lojasiewicz=mu, smooth=L),
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_proximal_point_is_better_than_the_points_around_it(kind: Callable[[], Any]) -> None:
    """f(z) + |z - x|^2/(2 step) is larger elsewhere, by |z - p|^2/(2 step) or more, from the values alone."""
    f, step = kind(), number("step", POSITIVE)
    random = np.random.default_rng(2)
    for given in drawn(stated(f(prox(f, x, step)) <= f(x))):
        at, eta, value = given["x"], given["step"], given["f"]
        nearest = given["prox_of_f"](at, np.full((len(at), 1), eta))

        def objective(z: Any, at: Any = at, eta: float = eta, value: Any = value) -> Any:
            return value(z) + ((z - at) ** 2).sum(axis=-1) / (2 * eta)

        for length in (1e-3, 1.0, 30.0):
            other = nearest + length * random.standard_normal(nearest.shape) * (1 + np.abs(nearest).max())
            room = objective(other) - objective(nearest) - ((other - nearest) ** 2).sum(axis=-1) / (2 * eta)
            assert np.all(room >= -1e-7 * (np.abs(objective(other)) + np.abs(objective(nearest))))


def test_a_projection_is_in_its_set_and_makes_an_obtuse_angle_with_all_of_it() -> None:
    for diameter in (None, number("D", POSITIVE)):
        S = convex_set("S", diameter=diameter)
        words = set()
        most = norm(x - y) if diameter is None else diameter
        for given in drawn(stated(norm(project(x, S) - project(y, S)) <= most)):
            onto = given["S"]
            words.add(str(onto.description)[:6])
            u, v = onto(given["x"]), onto(given["y"])
            size = np.abs(given["x"]).max() + np.abs(given["y"]).max() + np.abs(u).max() + np.abs(v).max()
            assert np.abs(onto(u) - u).max() <= 1e-12 * size
            assert np.all(((given["x"] - u) * (v - u)).sum(axis=-1) <= 1e-12 * size**2)
            if given["x"].shape[-1] <= SMALL:
                with mp.workdps(50):  # in more digits nothing on the way may be a float64
                    digits = in_digits(onto)
                    once = digits(in_digits(given["x"]))
                    assert np.abs(digits(once) - once).max() <= mp.mpf(10) ** -44 * size
            if diameter is not None:
                assert np.sqrt(((u - v) ** 2).sum(axis=-1)).max() <= given["D"] + 1e-12 * size
        assert len(words) >= 3


def assert_smooth_and_lojasiewicz(f: Function, random: np.random.Generator, mu: float) -> tuple[Any, Any]:
    """Near its minimizer and far from it, with L = 1: the points, and the slopes there."""
    size = random.choice([0.03, 0.3, 1, 5], size=(40000, 1))
    at = f.minimizer + random.standard_normal((40000, 3)) * np.array([4, 1.5, 1]) * size
    move = 1e-4 * random.standard_normal(at.shape)
    slope, turned = f.gradient(at), f.gradient(at + move) - f.gradient(at)
    assert np.abs((f.value(at + move) - f.value(at - move)) / 2 - (slope * move).sum(axis=-1)).max() < 1e-8
    assert np.all(np.linalg.norm(turned, axis=-1) <= np.linalg.norm(move, axis=-1))
    assert np.all((slope**2).sum(axis=-1) >= 2 * mu * f.value(at) * (1 - 1e-9))
    return at, slope


@pytest.mark.parametrize("bend", BENDS)
def test_a_valley_is_smooth_and_lojasiewicz_with_the_constants_that_it_is_given(bend: float) -> None:
    draw, random = Draw(FAMILIES[0], np.random.default_rng(5)), np.random.default_rng(6)
    f = valley(draw, 3, 1.0, 1 / curvature(bend), bend)
    assert f.minimizer is not None
    at, slope = assert_smooth_and_lojasiewicz(f, random, 1 / curvature(bend))
    assert np.any((slope * (at - f.minimizer)).sum(axis=-1) < 0)


@pytest.mark.parametrize("dimension", [1, 3])
@pytest.mark.parametrize("mu", [0.01, 0.25, 1.0])
def test_a_bent_function_is_lojasiewicz_and_smooth_and_not_convex(dimension: int, mu: float) -> None:
    """From its values on a grid: the slope is that of the value, its change at most L, its square enough."""
    draw = Draw(FAMILIES[0], np.random.default_rng(5))
    constants = Constants(smooth=1.0, strong=None, lipschitz=None, lojasiewicz=mu)
    f = classes.bent(draw, dimension, constants)
    assert f.minimizer is not None
    line = np.linspace(-40, 40, 40001)[:, None] * np.eye(dimension)[0] + f.minimizer
    values, slopes, step = f.value(line), f.gradient(line), 80 / 40000
    assert np.allclose(np.diff(values) / step, (slopes[1:, 0] + slopes[:-1, 0]) / 2, rtol=0, atol=step / 2)
    assert np.abs(np.diff(slopes[:, 0])).max() <= step * (1 + 1e-6)
    assert np.all((slopes**2).sum(axis=-1) >= 2 * mu * values * (1 - 1e-9))
    assert (np.diff(slopes[:, 0]).min() < -0.5 * step) == (mu < 1)


@pytest.mark.parametrize("shape", BOWLS)
def test_a_bowl_is_smooth_and_lojasiewicz_and_falls_away_from_its_minimizer(shape: Bowl) -> None:
    draw, random = Draw(FAMILIES[0], np.random.default_rng(5)), np.random.default_rng(6)
    f = bowl(draw, 3, 1.0, 1 / shape.ratio, shape)
    assert f.minimizer is not None
    assert f.telling is not None
    assert_smooth_and_lojasiewicz(f, random, 1 / shape.ratio)
    assert (f.gradient(f.telling) * (f.telling - f.minimizer)).sum() < 0


def made_of(kind: Kind, d: int, seed: int, **constants: float) -> tuple[Function, Any, Any]:
    """A function, and pairs of points around the middle of what it is drawn around."""
    random = np.random.default_rng(seed)
    given = Constants(**dict.fromkeys(("smooth", "strong", "lipschitz", "lojasiewicz")) | constants)
    f = kind(Draw(FAMILIES[0], random), d, given)
    at = 2 * random.standard_normal((4000, d))
    return f, at, at + 10.0 ** random.uniform(-3, 0, (4000, 1)) * random.standard_normal(at.shape)


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("dimension", [1, 3])
def test_curvature_grows_as_the_class_lets_it(name: str, dimension: int) -> None:
    """The slope at a distance r is at most (L0 + L1 |slope|) (exp(L1 r) - 1) / L1 from that at the point."""
    nearest = []
    for seed in range(5):
        f, at, to = made_of(GROWING[name], dimension, seed, smooth=0.5, growth=1.5)
        slope = f.gradient(at)
        turned = np.linalg.norm(f.gradient(to) - slope, axis=-1)
        most = 0.5 + 1.5 * np.linalg.norm(slope, axis=-1)
        allowed = most * np.expm1(1.5 * np.linalg.norm(to - at, axis=-1)) / 1.5
        assert np.all(turned <= allowed * (1 + 1e-9))
        nearest.append((turned / allowed).max())
        step = 1e-5 * (to - at) / np.linalg.norm(to - at, axis=-1, keepdims=True)
        change = (f.value(at + step) - f.value(at - step)) / 2
        assert np.all(
            np.abs(change - (slope * step).sum(axis=-1)) <= 1e-9 * most + 1e-12 * np.abs(f.value(at))
        )
        if f.minimizer is not None:
            assert np.all(f.value(at) >= f.value(f.minimizer))
    assert max(nearest) > 0.5


@pytest.mark.parametrize("name", HILLS)
@pytest.mark.parametrize("dimension", [1, 3])
def test_a_weakly_convex_function_is_convex_with_its_square(name: str, dimension: int) -> None:
    """And its proximal point is no worse than the points around it."""
    constants = {"weak": 0.5} | ({"lipschitz": 2.0} if name in ("slow wave", "folded") else {})
    for seed in range(5):
        f, at, to = made_of(HILLS[name], dimension, seed, **constants)
        apart = ((f.gradient(at) - f.gradient(to)) * (at - to)).sum(axis=-1)
        distance = ((at - to) ** 2).sum(axis=-1)
        assert np.all(apart >= -0.5 * distance * (1 + 1e-9) - 1e-12)
        line = f.value(at) + (f.gradient(at) * (to - at)).sum(axis=-1) - distance / 4
        assert np.all(f.value(to) >= line - 1e-9 * (1 + np.abs(line)))
        if f.prox is not None:
            step = np.full((len(at), 1), 1.5)
            best = f.prox(at, step)
            others = best + (to - at) / 4
            here, there = (f.value(z) + ((z - at) ** 2).sum(axis=-1) / 3 for z in (best, others))
            assert np.all(here <= there + 1e-9 * (1 + np.abs(there)))
            assert f.convex or np.all(np.isnan(f.prox(at, np.full((len(at), 1), 2.0))))


@pytest.mark.parametrize("kind", [uneven, steepest])
@pytest.mark.parametrize("dimension", [1, 3])
def test_a_function_with_uneven_slopes_is_convex_and_no_steeper_than_declared(
    kind: Kind, dimension: int
) -> None:
    climbs = False
    for seed in range(5):
        f, at, to = made_of(kind, dimension, seed, lipschitz=2.0)
        assert f.minimizer is not None
        slope = f.gradient(at)
        assert np.all(np.linalg.norm(slope, axis=-1) <= 2.0)
        assert np.all(f.value(to) >= f.value(at) + (slope * (to - at)).sum(axis=-1) - 1e-9)
        assert np.all(f.value(at) >= f.value(f.minimizer))
        assert not np.any(f.gradient(f.minimizer))
        near = f.minimizer if f.telling is None else f.telling
        climbs |= bool(f.value(near - f.value(near) / 4 * f.gradient(near)) > f.value(near))
        if f.prox is not None:
            step = np.full((len(at), 1), 0.7)
            best = f.prox(at, step)
            others = best + (to - at) / 4
            here, there = (f.value(z) + ((z - at) ** 2).sum(axis=-1) / 1.4 for z in (best, others))
            assert np.all(here <= there + 1e-9)
    assert climbs == (dimension > 1 and kind is uneven)


@pytest.mark.parametrize("name", classes.HOLDER)
@pytest.mark.parametrize("exponent", [0.25, 0.75, 1.0])
@pytest.mark.parametrize("dimension", [1, 3])
def test_a_gradient_turns_no_faster_than_a_power_of_the_distance(
    name: str, exponent: float, dimension: int
) -> None:
    """And the slope is that of the value."""
    for seed in range(3):
        f, at, to = made_of(classes.HOLDER[name], dimension, seed, smooth=2.0, exponent=exponent)
        turned = np.linalg.norm(f.gradient(at) - f.gradient(to), axis=-1)
        assert np.all(turned <= 2.0 * np.linalg.norm(at - to, axis=-1) ** exponent * (1 + 1e-12) + 1e-12)
        step = 1e-5 * (to - at) / np.linalg.norm(to - at, axis=-1, keepdims=True)
        change = (f.value(at + step) - f.value(at - step)) / 2
        assert np.all(np.abs(change - (f.gradient(at) * step).sum(axis=-1)) <= 2.0 * 1e-5 ** (1 + exponent))


@pytest.mark.parametrize("name", HILLS)
@pytest.mark.parametrize("dimension", [1, 3])
def test_the_value_at_a_minimizer_of_hills_is_the_lowest_to_the_last_digit(name: str, dimension: int) -> None:
    """A rounded minimizer has a value above it, and f(f.minimizer) <= f.lowest would fall."""
    constants = {"weak": 0.5} | ({"lipschitz": 2.0} if name in ("slow wave", "folded") else {})
    for seed in range(20):
        f, at, _ = made_of(HILLS[name], dimension, seed, **constants)
        if f.minimizer is None or f.lowest is None:
            continue
        assert np.all(f.value(f.minimizer[None]) == f.lowest)
        assert f.nearest is None or np.all(f.value(f.nearest(at)) == f.lowest)


def test_a_convex_lojasiewicz_function_is_convex() -> None:
    f = function("f", convex=True, lojasiewicz=mu, smooth=L)
    for given in drawn(stated(f(y) >= f(x) + inner(f.gradient(x), y - x))):
        at, to = given["x"], given["y"]
        room = given["f"](to) - given["f"](at) - (given["gradient_of_f"](at) * (to - at)).sum(axis=-1)
        assert np.all(room >= -1e-9 * (np.abs(given["f"](to)) + np.abs(given["f"](at))))


def test_a_matrix_outside_of_its_class_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect planted in the draws: one eigenvalue twice as large as allowed."""
    inside = matrices._spectrum
    monkeypatch.setattr(matrices, "_spectrum", lambda *given: inside(*given) * 2)
    with pytest.raises(AssertionError):
        test_eigenvalues_lie_inside_what_is_declared()


def test_a_ramp_has_the_least_gap_of_its_slope_and_no_value_below_its_lowest() -> None:
    """nu/(1 + nu) H w^(1 + nu) at the slope H w^nu; with more digits the flat part is 0 to the last one."""
    H, nu = 2.0, 0.3
    for seed in range(5):
        f, at, _ = made_of(classes.HOLDER["ramp"], 2, seed, smooth=H, exponent=nu)
        assert f.telling is not None
        assert f.minimizer is not None
        (gap,), (slope,) = f.value(f.telling[None]), np.linalg.norm(f.gradient(f.telling[None]), axis=-1)
        least = nu / (1 + nu) * H ** (-1 / nu) * slope ** (1 + 1 / nu)
        assert gap == pytest.approx(least, rel=1e-3)  # a rounding of w - t, to the power 0.3, is 1e-5
        flat = (f.minimizer - np.abs(at[:9])).astype(np.longdouble)
        assert np.all(f.value(flat) == 0)
