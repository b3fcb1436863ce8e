"""Lemmas of a stranger: the true ones hold, a false twin of each falls with a short counterexample."""

import json
import shutil
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import discovery
from reports.command_line import run
from reports.page.cells import property_
from verify.falsify.attempt import falsify
from verify.falsify.witness_file import replay
from verify.objects import classes
from verify.objects.check import Property, judged, run_property
from verify.objects.declared import no_recipe
from verify.objects.functions import CURVES
from verify.objects.recipes import draws

HERE = Path(__file__).parent / "their_lemmas"
SEED, TRIALS = 20240601, 2
TRUE = {
    "smooth": ["descent", "cocoercive", "lower", "pl", "gap", "contraction", "step", "growth", "linear_rate"],
    "vectors": [
        *("three_points", "young", "relaxed", "jensen", "sum", "variance", "noise", "clip_length", "clip"),
        *("projection", "bounded", "matrix", "frobenius", "semidefinite", "trace", "unit", "clients"),
    ],
    "independent": ["averaged", "centered", "noisy"],
    "sequences": ["unrolled", "geometric", "frank_wolfe", "obtuse"],
    "estimators": [
        *("two_drawn", "bias", "smoothed", "prox", "shifted", "interpolated", "long", "kantorovich"),
        *("sublinear", "roots"),
    ],
    "scalars": [
        *("cut", "along", "reverse", "power", "logarithm", "cosh", "root", "coordinates", "largest"),
        *("above", "shrinks", "weighted", "mean_of_logs", "divergence", "soft_maximum"),
    ],
    "matrices": [
        *("product", "triangle", "mixed", "gram", "weyl", "lowest", "definite", "traces", "positive_trace"),
        *("squared", "cyclic", "cauchy", "shrinks", "steps", "rank_one", "inverse", "turned", "skew"),
        *("rayleigh", "root", "covariance"),
    ],
    "nearest": [
        *("firm", "envelope", "shrinks", "lowest", "below", "closer", "obtuse", "pythagoras", "inside"),
        *("grows", "steep"),
    ],
    "subsets": ["top", "kept", "without", "scaled", "ordered", "least"],
    "pairs": [
        *("pairs", "weighted", "widest", "chosen", "gossip", "keeps", "curved", "inverses", "entries"),
    ],
    "classes": [
        *("upper", "steep", "grows", "below", "moved", "envelope", "near", "bent"),
    ],
    "recursions": [
        *("spent", "best", "later", "changes", "adagrad", "shares", "speed", "moments"),
        *("tail", "mills", "quantile", "gaussian"),
    ],
    "printed": [
        *("strong", "bregman", "proximal", "reflected", "turned", "slowed", "cut", "kept"),
        *("fed_back", "alone", "harmonic", "pinsker", "sampled"),
    ],
    "binomials": ["amplified", "above"],
    "events": ["markov", "chebyshev", "cantelli", "chance", "averaged", "paley"],
    "published": [
        *("prox", "polyak", "smoothness", "bias", "hoeffding", "chi", "analytic", "amplified", "step"),
        *("spectral", "robbins", "noisy", "commuted"),
    ],
    "signs": ["along", "scaled", "turned", "each"],
    "quasi": ["between", "downhill", "toward"],
    "medians": ["near", "least", "spread", "divided"],
    "concordant": ["lower", "upper", "turn", "beside", "gap", "damped"],
    "gaussians": ["fourth", "along", "form", "two", "length", "tail"],
    "methods": [
        *("rate", "least", "moved", "online", "noisy", "drift", "rounds", "momentum", "weighted"),
    ],
    "averages": ["steep", "turned", "flat", "away", "near", "weak"],
    "trimmed": ["all", "inside", "near", "moved"],
    "rectangular": [
        *("image", "nuclear", "dual", "added", "beside", "chained", "nearest", "once_more", "ridge"),
        *("volume", "updated", "two", "spread"),
    ],
    "coupled": ["driven", "mutual", "summed", "least", "roots", "weighted", "gronwall"],
}
MORE_FALSE = [
    "events.sharp_false",
    "medians.balanced_false",
    "smooth.pl_false_constant",
    "smooth.contraction_not_convex",
    "vectors.noise_not_centered",
]
# Their false twins need the objects of a whole run, and some have no short counterexample.
FAR = [
    *(f"their_lemmas.scales.{name}" for name in ("along", "rare", "one_client", "wide", "bent", "grown")),
    *(f"their_lemmas.scales.{name}" for name in ("nearly", "distant", "squared")),
    *(f"their_lemmas.steps_down.{name}" for name in ("closer", "kinked", "turns", "descent", "room")),
]
AWAY = "their_lemmas.scales.toward"
HOLD = [f"their_lemmas.{file}.{name}" for file, names in TRUE.items() for name in names]
FALL = [f"{identity}_false" for identity in HOLD] + [f"their_lemmas.{name}" for name in MORE_FALSE]


def forget() -> None:
    for kept in (discovery._packages, discovery._modules, discovery._members):
        kept.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == "their_lemmas"]:
        del sys.modules[name]


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of installed packages with the stranger's in it."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(HERE, site / "their_lemmas", ignore=shutil.ignore_patterns("__pycache__"))
    info = site / "their_lemmas-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-lemmas\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[fedbounds.papers]\ntheir_lemmas = their_lemmas\n")
    sys.path.insert(0, str(site))
    forget()
    yield site
    sys.path.remove(str(site))
    forget()


def entry(identity: str, *, seed: int = SEED, trials: int = TRIALS) -> dict[str, Any]:
    return run_property(Property(statement=identity, variant="printed"), seed=seed, trials=trials)


def test_every_lemma_of_the_package_is_in_the_lists() -> None:
    others = {"their_lemmas.sequences.empty", "their_lemmas.sequences.sharp_empty"}
    assert {s.id for s in discovery.statements("their_lemmas")} == {*HOLD, *FALL} | others | {
        *FAR,
        AWAY,
        *(f"{identity}_false" for identity in (*FAR, AWAY)),
    }


@pytest.mark.thinned(36)
@pytest.mark.parametrize("identity", HOLD)
def test_a_true_lemma_holds(identity: str) -> None:
    found = entry(identity)
    assert found["verdict"] == "holds", found["sentence"]
    assert found["cases"] > 20
    assert "counterexample" not in found


@pytest.mark.thinned(36)
@pytest.mark.parametrize("identity", FALL)
def test_a_false_twin_falls_with_a_short_counterexample(identity: str) -> None:
    found = entry(identity)
    assert found["verdict"] == "violated", found["sentence"]
    shown = found["counterexample"]
    assert max(len(line) for line in shown["lines"]) < 90
    assert all(len(number) < 24 for line in shown["lines"] for number in line.split())
    excess = shown["left"]["value"] - shown["right"]["value"]
    equality = discovery.get(identity).kind.value == "equality"
    turned = shown["lines"][-1].endswith("left >= right fails")
    # 50 digits leave a rounding of two equal sides: no more than that is no example.
    assert (abs(excess) if equality else -excess if turned else excess) > 1e-30


@pytest.mark.thinned(8)
@pytest.mark.parametrize("identity", FAR)
def test_rare_outcomes_many_coordinates_and_large_numbers_are_tried(identity: str) -> None:
    assert entry(identity, trials=6)["verdict"] == "holds"
    false = entry(f"{identity}_false", trials=6)
    assert false["verdict"] == "violated", false["sentence"]
    lines = false["counterexample"]["lines"]
    assert max(len(line) for line in lines) < 150
    assert all(len(number) < 24 for line in lines for number in line.split())


def test_downhill_may_lead_away_from_the_minimizer_of_a_lojasiewicz_function() -> None:
    """In more than one dimension alone; from the printed numbers, the slope is that of a difference."""
    assert entry(AWAY, trials=6)["verdict"] == "holds"
    found = entry(f"{AWAY}_false", trials=6)
    assert found["verdict"] == "violated"
    assert "sin(t_1)" in found["counterexample"]["lines"][0]
    assert found["counterexample"]["left"]["value"] < 0


def test_independent_vectors_go_through_every_outcome_of_all_together() -> None:
    """Two clients are independent: the mean of every product is the product of the means."""
    for _, given in draws(discovery.get("their_lemmas.independent.centered_false"), seed=2, trials=2):
        vectors, weights = given["B"], given["weights_of_outcomes_of_B"]
        if vectors.shape[-2] < 2:
            continue
        shares = weights / weights.sum()
        first, second = vectors[..., 0, :], vectors[..., 1, :]
        means = [(shares[:, None] * v).sum(axis=-2) for v in (first, second)]
        product = (shares * (first * second).sum(axis=-1)).sum(axis=-1)
        bound = (shares * np.abs(first * second).sum(axis=-1)).sum(axis=-1)
        assert np.all(np.abs(product - (means[0] * means[1]).sum(axis=-1)) <= 1e-9 * bound)


@pytest.mark.parametrize("name", ["above", "shrinks"])
def test_a_ratio_of_roundings_is_none(name: str) -> None:
    """Where a right side is a rounding, the ratio said 3.5e17 of a lemma that holds."""
    worst = entry(f"their_lemmas.scalars.{name}")["worst"]
    assert worst["ratio"] == pytest.approx(1, abs=1e-3)


def test_a_search_does_not_climb_roundings() -> None:
    found = falsify("their_lemmas.scalars.above", evaluations=100)
    assert not found.refuted
    assert found.families is not None
    assert max(found.families.values()) <= 0


def test_a_lemma_on_numbers_meets_what_is_asked_in_every_case() -> None:
    for name in ("scalars.power", "scales.nearly"):
        assert "that meet what is asked" not in entry(f"their_lemmas.{name}")["sentence"]


def test_the_sides_of_a_counterexample_are_those_that_the_author_wrote() -> None:
    """|norm(x) - norm(y)| >= norm(x - y), in one dimension."""
    lines = entry("their_lemmas.scalars.reverse_false")["counterexample"]["lines"]
    x, y = (Fraction(line.partition(" = ")[2]) for line in lines[:2])
    assert lines[-1] == f"left {abs(abs(x) - abs(y))}, right {abs(x - y)}: left >= right fails"


@pytest.mark.slow("every lemma on the objects of five more seeds")
@pytest.mark.parametrize("identity", [*HOLD, *FALL])
def test_no_seed_refutes_a_true_lemma_or_spares_a_false_one(
    identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.objects.check.counterexample", lambda *_: None)
    verdicts = {entry(identity, seed=seed, trials=6)["verdict"] for seed in range(5)}
    assert verdicts == {"holds" if identity in HOLD else "violated"}


def test_the_counterexample_is_one_by_hand() -> None:
    """f(x) = c x^2 with L = 2 c: both sides of the descent lemma with half its constant, in fractions."""
    lines = entry("their_lemmas.smooth.descent_false")["counterexample"]["lines"]
    values = dict(line.split(" = ") for line in lines[:-1])
    assert values["f(x)"].endswith("x^2")
    c = Fraction(values["f(x)"].removesuffix("x^2").strip() or 1)
    L, x, y = (Fraction(values[name]) for name in ("L", "x", "y"))
    assert 2 * c == L
    left, right = c * y**2, c * x**2 + 2 * c * x * (y - x) + L / 4 * (y - x) ** 2
    assert lines[-1] == f"left {left}, right {right}: left <= right fails"
    assert left > right


def test_a_function_outside_of_its_class_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect planted in the draws: twice the curvature refutes a true lemma."""
    steep = classes.SMOOTH | {"half square": lambda draw, d, c: CURVES["half square"](draw, d, 2 * c.smooth)}
    monkeypatch.setattr(classes, "SMOOTH", steep)
    assert entry("their_lemmas.smooth.descent")["verdict"] == "violated"


def test_assumptions_of_the_author_filter_the_draws() -> None:
    found = entry("their_lemmas.sequences.obtuse")
    assert 0 < found["cases"] < found["drawn"]
    assert f"{found['cases']} cases that meet what is asked, of {found['drawn']} drawn" in found["sentence"]


def test_an_assumption_that_nothing_meets_is_refused() -> None:
    found = entry("their_lemmas.sequences.empty")
    assert (found["verdict"], found["cases"]) == ("refused", 0)
    assert (
        f"0 of {found['drawn']} drawn cases meet what is asked (x is longer than any vector)"
        in found["sentence"]
    )


def test_a_condition_that_almost_nothing_meets_is_inconclusive() -> None:
    found = entry("their_lemmas.sequences.sharp_empty")
    assert found["verdict"] in ("inconclusive", "refused")
    assert "too few to say more" in found["sentence"]


def test_the_search_refutes_a_false_lemma_and_its_witness_replays() -> None:
    found = falsify("their_lemmas.smooth.cocoercive_false", evaluations=200)
    assert found.refuted
    assert found.witness is not None
    lines = found.witness["details"]["counterexample"]["lines"]
    assert lines[0].startswith("g(x) = ")
    witness = json.loads(json.dumps(found.witness))
    assert replay(witness).agrees
    witness["details"]["counterexample"]["lines"][1] = "L = 2"
    assert replay(witness).unlike == ("details",)


@pytest.mark.parametrize("identity", ["their_lemmas.smooth.linear_rate", "their_lemmas.vectors.variance"])
def test_the_search_refutes_no_true_lemma(identity: str) -> None:
    found = falsify(identity, evaluations=300)
    assert found.searched
    assert not found.refuted


def test_the_record_the_page_and_the_terminal_show_the_counterexample(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    identity, out = "their_lemmas.smooth.contraction_false", tmp_path / "record"
    assert run(["verify", identity, "--quick", "--out", str(out)]) == 1
    shown = capsys.readouterr().out.partition("Counterexample:\n")[2]
    (kept,) = json.loads((out / "record.json").read_text())["properties"]
    lines = kept["counterexample"]["lines"]
    assert "f(x) = " in shown
    assert all(line in shown for line in lines)
    assert property_(kept)["counterexample_lines"] == lines
    assert run(["replay", str(out)]) == 0
    capsys.readouterr()
    assert run(["falsify", identity, "--evaluations", "100"]) == 1
    assert "Counterexample:" in capsys.readouterr().out


def test_objects_in_words_are_named_with_what_to_write() -> None:
    """As our papers write them, without a recipe."""
    sentence = no_recipe(discovery.get("dp_fedavg.lemma_1"))
    assert "no recipe is known that makes f (the client's objective, a function of points)" in sentence
    assert "docs/your_lemma.md" in sentence


def test_a_class_that_nothing_draws_is_named(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = installed / "their_lemmas" / "undrawn.py"
    file.write_text(
        "from fedbounds import function, lemma, norm, number, vector\n"
        "from bounds.language.quantity import POSITIVE\n"
        "from their_lemmas import PAPER\n"
        'G, mu = number("G", POSITIVE), number("mu", POSITIVE)\n'
        'f, x = function("f", strongly_convex=mu, lipschitz=G), vector("x")\n'
        'LEMMA = lemma(PAPER, "undrawn", norm(f.gradient(x)) <= G)\n'
    )
    discovery._modules.cache_clear()
    try:
        assert run(["verify", "their_lemmas.undrawn"]) == 2
        said = capsys.readouterr().err
        assert "no function is drawn for f, which is strongly convex and Lipschitz everywhere" in said
        assert "drop `lipschitz=`" in falsify("their_lemmas.undrawn").sentence
    finally:
        file.unlink()
        discovery._modules.cache_clear()


def test_the_draws_of_a_lemma_depend_on_its_seed_alone() -> None:
    statement = discovery.get("their_lemmas.vectors.young")
    first, again = (list(draws(statement, seed=5, trials=1)) for _ in range(2))
    assert str(first) == str(again)
    assert judged(statement, first, seed=5, trials=1) == judged(statement, again, seed=5, trials=1)
