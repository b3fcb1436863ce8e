"""Noise that is nearly Gaussian differs; where a listing names mean and variance alone, other laws do not."""

import numpy as np
import pytest
from slips_planted import FILES, LITERAL, function

from verify import conform
from verify.conformance.laws import first_rejected
from verify.conformance.listing import Part
from verify.conformance.noise_law import Noise, name_law, repetition, wrong_law
from verify.conformance.participation import claims_on_sets, name_slip
from verify.conformance.verdict import Verdict

SUM_OF_TWELVE = "(random.random((12, len({0}))).sum(axis=0) - 6)"


def _noisy(draw):
    """Stochastic gradient descent; `draw` has d numbers of mean 0 and variance 1."""

    def descent(x, clients, settings, random):
        noise = settings.noise_scale / np.sqrt(len(x)) * draw(random, len(x))
        return x - settings.step * (clients.gradient(x) + noise)

    return descent


def _observed(draw, like="stochastic_gradient_descent"):
    found = conform(_noisy(draw), like=like)
    return next(line.observation for line in found.lines if line.line.part is Part.NOISE)


@pytest.mark.parametrize(
    ("algorithm", "point"),
    [
        ("dp_fedavg", "w"),
        pytest.param("dp_norm_fedavg", "w", marks=pytest.mark.slow("the same test of noise")),
        pytest.param("dpfl", "model", marks=pytest.mark.slow("the same test of noise")),
        pytest.param("fed_alpha_norm_ec", "x", marks=pytest.mark.slow("the same test of noise")),
    ],
)
def test_the_sum_of_twelve_uniform_numbers_is_not_gaussian(algorithm, point, tmp_path):
    old = f"random.standard_normal(len({point}))"
    text = "".join((LITERAL / f"{file}.py").read_text(encoding="utf-8") for file in FILES[algorithm][0])
    assert old in text
    code = function(tmp_path, algorithm, (old,), (SUM_OF_TWELVE.format(point),))
    (found,) = conform(code, like=algorithm).differing
    assert (found.line.part, found.observation.slip) == (Part.NOISE, "noise_law")


def test_gaussian_noise_passes_the_test_of_the_fourth_moment_and_lighter_tails_do_not():
    random = np.random.default_rng(5)
    gaussian, uniform = random.standard_normal((1600, 144)), random.random((12, 1600, 144)).sum(axis=0) - 6
    right, light = (Noise(values={}, moves=0.3 * moves, expected=0.3) for moves in (gaussian, uniform))
    assert wrong_law([right]) is None
    broken = wrong_law([light])
    assert broken is not None
    assert broken.name == "the fourth Hermite polynomial"


@pytest.mark.parametrize(
    ("sizes", "slip"),
    [
        (np.ones((240, 40)), "noise_law"),
        (np.repeat([[1.0, 0.3]], 20, axis=1) * np.ones((240, 1)), "noise_uneven"),
        (np.tile([[1.0], [0.3]], (120, 40)), "noise_changing"),
    ],
)
def test_gaussian_noise_of_two_sizes_is_not_said_to_have_another_law(sizes, slip):
    """Only noise that is not Gaussian in any coordinate, or round, has another law."""
    random = np.random.default_rng(11)
    gaussian, laplace = random.standard_normal(sizes.shape), random.laplace(size=sizes.shape)
    moves = sizes * (laplace if slip == "noise_law" else gaussian)
    noise = Noise(values={}, moves=moves, expected=float(np.sqrt((moves**2).mean())))
    assert wrong_law([noise]) is not None
    named = name_law([noise], "noise_law")
    assert getattr(named, "name", named) == slip
    if slip == "noise_uneven":
        assert "coordinates 1 to 20 of 40 is 3.4 times that of the others" in named.cause


@pytest.mark.parametrize(("most", "slip"), [(6, None), (3, "capped"), (4, "capped")])
def test_sets_that_are_cut_off_at_a_number_differ(most, slip):
    random = np.random.default_rng(3)
    bits = random.random((2000, 6)) < 1 / 3
    bits &= bits.cumsum(axis=1) <= most
    wrong = first_rejected(claims_on_sets(bits, 2, fixed=False))
    assert (wrong and name_slip(wrong, bits)) == slip


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda random, d: random.laplace(0, np.sqrt(0.5), d), "not Gaussian"),
        (lambda random, d: random.exponential(size=d) - 1, "not symmetric"),
        (lambda random, d: random.choice([-1.0, 1.0], d), "few values"),
        (
            lambda random, d: np.sqrt(d) * np.eye(d)[random.integers(d)] * random.choice([-1.0, 1.0]),
            "few values",
        ),
        (lambda random, d: np.full(d, random.standard_normal()), "not independent"),
    ],
    ids=["Laplace", "exponential", "signs", "one coordinate", "common to coordinates"],
)
def test_noise_of_the_listed_mean_and_variance_does_not_differ(draw, words):
    observed = _observed(draw)
    assert observed.verdict is Verdict.NOT_OBSERVABLE
    assert words in observed.because


@pytest.mark.parametrize(
    ("draw", "slip"),
    [
        (lambda random, d: random.exponential(size=d) - 0.8, "noise_mean"),
        (lambda random, d: 2 * random.choice([-1.0, 1.0], d), "doubled"),
        (lambda random, d: 1.2 * random.choice([-1.0, 1.0], d), None),
    ],
    ids=["mean", "doubled", "variance"],
)
def test_noise_of_another_mean_or_variance_differs_whatever_its_law(draw, slip):
    observed = _observed(draw)
    assert (observed.verdict, observed.slip) == (Verdict.DIFFERS, slip)


def test_tails_that_are_too_long_leave_the_variance_open():
    observed = _observed(lambda random, d: random.standard_t(2.5, d) / np.sqrt(5))
    assert observed.verdict is Verdict.NOT_OBSERVABLE
    assert "long tails" in observed.because


@pytest.mark.parametrize(("in_turn", "slip"), [(True, "noise_recurs"), (False, "noise_rounded")])
def test_noise_of_a_table_that_is_read_in_turn_comes_back(in_turn, slip):
    """In a random order its ten rows are a law of few values, which no table shows."""
    random = np.random.default_rng(2)
    table, drawn = random.standard_normal((10, 40)), random.integers(10, size=240)
    order = np.arange(240) % 10 if in_turn else drawn
    assert repetition([Noise(values={}, moves=table[order], expected=1.0)]) == slip


def test_noise_on_a_sphere_is_the_stochastic_gradient_of_a_listing():
    def draw_on_a_sphere(random, d):
        drawn = random.standard_normal(d)
        return np.sqrt(d) * drawn / np.linalg.norm(drawn)

    assert _observed(draw_on_a_sphere).verdict is not Verdict.DIFFERS
