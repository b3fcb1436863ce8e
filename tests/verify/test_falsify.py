"""The search finds what is planted, never refutes what is true, and keeps a witness that replays without it.

Oracles are other statements' known constants, hand-made defects, and arithmetic written out here.
"""

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp
from numpy.random import default_rng
from sympy import Symbol

import bounds
from bounds import discovery
from bounds.errors import Misuse
from bounds.finding import FindingClass
from bounds.statement import Statement
from verify import ledger
from verify.cell import NAMED, Cell
from verify.falsify import fresh, numbers, objects, runs
from verify.falsify.attempt import falsify_statement, half, spaces_of, why_not
from verify.falsify.choices import Choices
from verify.falsify.confirm import NotAnInstance, confirm
from verify.falsify.digits import DIGITS, exact, numbers_in_digits
from verify.falsify.table import about_runs
from verify.falsify.witness import FOLDER, NotAWitness, document, kept_witnesses, read, replay
from verify.instances import recipe_of
from verify.instances.draw import FAMILIES, Draw
from verify.instances.numbers import speaks_of_numbers
from verify.matching import dpfl
from verify.measurement import Sampled

CONTROLS = tuple(s.id for s in bounds.statements("textbook"))
CONVEX = "textbook.gradient_descent_convex"


def times(statement: Statement, factor: Any) -> Statement:
    terms = tuple(replace(term, expression=term.expression * factor) for term in statement.terms)
    return replace(statement, terms=terms)


def only(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Without the standard cells, on which the controls are known to be tight."""
    every = runs.families
    monkeypatch.setattr(runs, "families", lambda s, seed: [f for f in every(s, seed) if f.name in names])


# ---- what is true is never refuted, and nearly reached


@pytest.mark.parametrize("identity", CONTROLS)
def test_a_textbook_bound_is_reached_and_not_refuted(identity: str) -> None:
    found = falsify_statement(bounds.get(identity), evaluations=24)
    assert found.searched
    assert not found.refuted
    assert found.ratio is not None
    assert 0.99 <= found.ratio <= 1 + 1e-12
    assert found.half_refuted


def test_the_tight_constant_is_found_away_from_the_standard_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = bounds.get("textbook.stochastic_gradient_descent")
    only(monkeypatch, "quadratics, one client apart")
    found = falsify_statement(statement, evaluations=60)
    assert not found.refuted
    assert found.ratio is not None
    assert found.ratio >= 0.99


@pytest.mark.parametrize(
    "identity", ["als_dpfl.lemma_1.convex", "dp_fedavg.fact_2", "fed_norm_ec.lemma_7.c1", "dp_fedavg.fact_1"]
)
def test_an_inequality_that_is_met_with_equality_is_not_refuted(identity: str) -> None:
    """Rounding alone puts the left side above the right one: 50 digits do not."""
    found = falsify_statement(bounds.get(identity), evaluations=300)
    assert found.searched
    assert not found.refuted


# ---- planted defects


@pytest.mark.parametrize(
    "identity", [CONVEX, "dp_fedavg.fact_1", "fedavg_lojasiewicz.claims_of_lemma_f1.half"]
)
def test_a_constant_that_is_too_small_is_caught(identity: str) -> None:
    found = falsify_statement(times(bounds.get(identity), Fraction(9, 10)), evaluations=300)
    assert found.refuted
    assert found.witness is not None


@pytest.mark.parametrize(
    ("identity", "dropped", "evaluations"),
    [
        ("fedavg_lojasiewicz.claims_of_lemma_f1.half", "H*L*eta", 60),
        ("textbook.stochastic_gradient_descent", "eta", 200),
    ],
)
def test_a_condition_that_is_dropped_is_missed(identity: str, dropped: str, evaluations: int) -> None:
    statement = bounds.get(identity)
    kept = tuple(c for c in statement.conditions if str(c.value) != dropped)
    assert len(kept) < len(statement.conditions)
    assert falsify_statement(replace(statement, conditions=kept), evaluations=evaluations).refuted


@pytest.mark.parametrize(
    ("identity", "constant"), [(CONVEX, "L"), ("dp_fedavg.fact_1", "L"), ("als_dpfl.lemma_1.smooth", "beta")]
)
def test_a_statement_that_holds_at_one_and_fails_below_is_caught(
    identity: str, constant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L in place of 1: no difference at L = 1, a larger right side above, a smaller one below."""
    statement = bounds.get(identity)
    symbol = next(s for s in statement.symbols if isinstance(s, Symbol) and s.name == constant)
    if identity == CONVEX:
        only(monkeypatch, "Huber functions, one client apart", "quadratics of two curvatures")
    found = falsify_statement(times(statement, symbol), evaluations=400)
    assert found.refuted


def test_half_of_a_sampled_bound_is_refuted_on_fresh_randomness() -> None:
    """Where the search saw more than half, half the bound falls at level 1e-6."""
    statement = bounds.get("als_dpfl.theorem_1.distance")
    cell = next(c for c in runs.families(statement, 1)[0].cells if c.role == "homogeneous")
    instance = fresh.instance_of(cell, 1)
    assert not confirm(statement, instance).refutes
    found = confirm(times(statement, Fraction(1, 10)), instance)
    assert found.refutes
    assert "fresh" in found.method


@pytest.mark.parametrize(
    "identity",
    [
        *("als_dpfl.lemma_2", "als_dpfl.claims.jensen", "dp_fedavg.lemma_3", "dp_fedavg.equation_10"),
        *("fed_norm_ec.lemma_8", "fed_norm_ec.lemma_9.c3", "fed_norm_ec.noise_rule"),
        *("fedavg_lojasiewicz.equation_41", "fedavg_lojasiewicz.claims_of_theorem_f4.same"),
        *("als_dpfl.theorem_2.lemma_6_omega", "fed_norm_ec.corollary_3.explicit"),
        "als_dpfl.claims.h_grows_exponentially",
    ],
)
def test_what_the_ledger_calls_false_is_refuted_afresh(identity: str) -> None:
    """A sample; the others have witnesses. Their amended forms are not refuted."""
    assert falsify_statement(bounds.get(identity), evaluations=500).refuted
    if "amended" in {form.variant for form in discovery.variants(identity)}:
        assert not falsify_statement(discovery.get(identity, "amended"), evaluations=200).refuted


# ---- certainty


def test_numbers_in_digits_are_those_of_the_definition() -> None:
    """p sum ||y||^2 and ||sum y||^2, in rationals, of vectors that float64 rounds."""
    y = default_rng(1).standard_normal((3, 4, 2)) * 10.0 ** default_rng(2).integers(-8, 8, (3, 4, 1))
    concrete = bounds.get("dp_fedavg.fact_2").concrete
    assert concrete is not None
    found = numbers_in_digits(concrete.numbers, {"y": y})
    for case in range(3):
        rows = [[Fraction(v) for v in row] for row in y[case].tolist()]
        together = sum(sum(column) ** 2 for column in zip(*rows, strict=True))
        apart = sum(v**2 for row in rows for v in row)
        for name, right in (("vector_sum_squared", together), ("vectors_squared", apart)):
            difference = abs(exact(found[name][case]) - right)
            assert difference <= right * Fraction(1, 10 ** (DIGITS - 5))


def test_the_smallest_delta_of_the_mechanism_in_digits() -> None:
    """Phi(s/2 - e/s) - exp(e) Phi(-s/2 - e/s), where float64 has lost all digits of the difference."""
    concrete = bounds.get("dp_fedavg.definitions.privacy").concrete
    assert concrete is not None
    given = {"value": np.zeros((1, 1)), "neighbour": np.ones((1, 1)), "epsilon": 0.01, "delta": 1e-12}
    found = numbers_in_digits(concrete.numbers, given)["smallest_delta"]
    with mp.workdps(DIGITS + 20):
        e = mp.mpf(0.01)
        s = e / mp.sqrt(2 * mp.log(mp.mpf(1.25) / mp.mpf(1e-12)))
        right = mp.ncdf(s / 2 - e / s) - mp.exp(e) * mp.ncdf(-s / 2 - e / s)
        here = exact(found.reshape(-1)[0])
        assert abs(mp.mpf(here.numerator) / here.denominator / right - 1) < mp.mpf(10) ** (-DIGITS // 2)


@pytest.mark.parametrize(
    "statement", [s for s in bounds.statements() if speaks_of_numbers(s)], ids=lambda s: s.id
)
def test_points_of_the_cube_meet_the_conditions(statement: Statement) -> None:
    met = tried = 0
    for space in numbers.families(statement):
        for point in default_rng(3).random((6, space.dimension)):
            made = space.objects(point)
            tried += 1
            if made is not None and objects.worst_case(statement, made) is not None:
                met += 1
                assert np.all(statement.on(**made).evaluation.applicable)
    assert tried == 0 or met > 0


def test_equal_coordinates_make_equal_objects() -> None:
    """And what the coordinates leave open comes from the seed."""
    statement = bounds.get("dp_fedavg.lemma_1")
    recipe = recipe_of(statement)
    assert recipe is not None

    def drawn(coordinates: list[float], seed: int) -> Any:
        return recipe(Draw(FAMILIES[0], Choices(coordinates, seed)), statement)["w"]

    some = [0.9, 0.4, 0.7]
    assert np.array_equal(drawn(some, 1), drawn(some, 1))
    assert not np.array_equal(drawn(some, 1), drawn(some, 2))
    assert not np.array_equal(drawn(some, 1), drawn([0.9, 0.4, 0.1, 0.2, 0.8, 0.3, 0.6, 0.2, 0.9], 1))


def test_a_population_of_numbers_is_one_operation_with_the_same_result() -> None:
    """Point by point and all at once, also where some points meet no condition."""
    (space,) = numbers.families(bounds.get("fedavg_lojasiewicz.claims_of_theorem_f4.same"))
    points = default_rng(4).random((40, space.dimension))
    together = space.trials(points)
    assert together == [space.trials(points[[place]])[0] for place in range(len(points))]
    assert any(trial is not None for trial in together)


# ---- the attempt as a whole


def test_equal_budgets_and_seeds_find_the_same() -> None:
    statement = bounds.get("dp_fedavg.lemma_2.move")
    first, again = (falsify_statement(statement, evaluations=200, seed=5) for _ in range(2))
    assert replace(first, seconds=0.0) == replace(again, seconds=0.0)
    assert first.evaluations >= 200


def test_a_search_that_is_cut_says_so() -> None:
    found = falsify_statement(bounds.get("dp_fedavg.lemma_2.move"), evaluations=10**6, seconds=0.2)
    assert found.cut
    assert "cap on seconds" in found.sentence


def test_what_states_no_relation_is_not_searched() -> None:
    for identity, why in (
        ("als_dpfl.budgets", "gives a name or a number"),
        ("fed_norm_ec.corollary_6", "constants that are not printed"),
        ("fed_norm_ec.claims.p1", "claim in words"),
    ):
        found = falsify_statement(bounds.get(identity))
        assert not found.searched
        assert why in found.sentence


def test_every_statement_is_searched_or_says_why_not() -> None:
    """Those with cells apart: building them all takes longer than this test may."""
    for statement in bounds.statements():
        if not about_runs(statement) and not spaces_of(statement, 1):
            assert why_not(statement)


# ---- witnesses


@pytest.fixture(scope="module")
def witness() -> dict[str, Any]:
    found = falsify_statement(bounds.get("dp_fedavg.lemma_3"), evaluations=100)
    assert found.witness is not None
    return dict(found.witness)


def test_a_witness_replays_in_another_process_without_the_search(
    witness: dict[str, Any], tmp_path: Any
) -> None:
    file = tmp_path / "witness.json"
    file.write_text(json.dumps(witness))
    code = (
        "import sys, pathlib\n"
        "from verify.falsify.witness import read, replay\n"
        f"assert replay(read(pathlib.Path({str(file)!r}))).agrees\n"
        "loaded = {'verify.falsify.search', 'verify.falsify.attempt', 'scipy.optimize', 'hypothesis'}\n"
        "assert not loaded & set(sys.modules), loaded & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_witness_that_was_changed_does_not_agree(witness: dict[str, Any]) -> None:
    assert replay(witness).agrees
    assert not replay(witness | {"left": witness["left"] * 1.001}).agrees
    coordinates = [1 - u for u in witness["instance"]["coordinates"]]
    assert not replay(witness | {"instance": witness["instance"] | {"coordinates": coordinates}}).agrees


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("factor", [1 + 1e-6, 1 - 1e-6, float("inf"), float("-inf"), float("nan")])
def test_a_side_that_is_a_little_off_or_infinite_does_not_agree(
    witness: dict[str, Any], side: str, factor: float
) -> None:
    assert not replay(witness | {side: witness[side] * factor}).agrees


@pytest.mark.parametrize("value", [True, None, "0.5", 10**400])
def test_a_side_that_is_no_number_does_not_agree(witness: dict[str, Any], value: Any) -> None:
    assert not replay(witness | {"left": value}).agrees


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_a_witness_of_numbers_that_are_not_finite_is_not_read(tmp_path: Any, number: str) -> None:
    file = tmp_path / "witness.json"
    file.write_text(f'{{"schema": "fedbounds/falsify-witness/1", "left": {number}}}')
    with pytest.raises(NotAWitness, match=f"holds {number}, which is no finite number"):
        read(file)


# ---- instances that the search cannot make


def test_nothing_outside_the_cube_refutes_what_is_true_inside() -> None:
    """Made at -4.5, the weights of the clients are no weights: the sides differ by a factor of 200."""
    statement = discovery.get("als_dpfl.claims.max_difference", "amended")
    family = next(f for f in objects.families(statement, 1) if f.name == "random")
    instance = family.instance(np.full(family.dimension, 0.5))
    assert not confirm(statement, instance).refutes
    instance["coordinates"][2] = -4.5
    with pytest.raises(NotAnInstance, match=r"-4\.5 is not between 0 and 1"):
        confirm(statement, instance)


OUTSIDE = [-1e-9, 1 + 1e-9, -4.5, 1e30, float("inf"), float("-inf"), float("nan"), True, "0.5", None, 10**400]


@pytest.mark.parametrize("value", OUTSIDE)
@pytest.mark.parametrize("place", [0, 2, -1])
def test_coordinates_of_objects_outside_the_cube_are_refused(
    witness: dict[str, Any], place: int, value: Any
) -> None:
    coordinates = list(witness["instance"]["coordinates"])
    coordinates[place] = value
    with pytest.raises(NotAnInstance, match="is not between 0 and 1"):
        replay(witness | {"instance": witness["instance"] | {"coordinates": coordinates}})


@pytest.mark.parametrize("kept", [f for f in kept_witnesses() if "coordinates" in read(f)["instance"]])
def test_more_or_fewer_coordinates_than_the_family_takes_are_refused(kept: Any) -> None:
    found = read(kept)
    coordinates = found["instance"]["coordinates"]
    for other in (coordinates[:-1], [*coordinates, 0.5], []):
        with pytest.raises(NotAnInstance, match="coordinates of the witness make no instance"):
            replay(found | {"instance": found["instance"] | {"coordinates": other}})


@pytest.mark.parametrize("seed", [-1, 0.5, "1", None, True])
def test_a_seed_is_a_whole_number(witness: dict[str, Any], seed: Any) -> None:
    with pytest.raises(NotAnInstance, match="seed of the witness"):
        replay(witness | {"instance": witness["instance"] | {"seed": seed}})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"eta": float("inf")}, "no finite number"),
        ({"eta": float("nan")}, "no finite number"),
        ({"eta": "1"}, "no finite number"),
        ({"eta": None}, "no finite number"),
        ({"eta": True}, "no finite number"),
        ({"eta": 10**400}, "no finite number"),
        ({"more": 1.0}, "or has more: more"),
        ({"x": 2.0}, "sets x to 1"),
    ],
)
def test_numbers_are_those_of_the_statement(change: dict[str, Any], told: str) -> None:
    """h(1) is claimed to be 0: at x = 2 nothing is, though h is not 0 there either."""
    kept = read(FOLDER / "als_dpfl.claims.h_vanishes_at_one.json")
    point = kept["instance"]["point"]
    assert replay(kept).agrees
    with pytest.raises(NotAnInstance, match=told):
        replay(kept | {"instance": {"kind": "numbers", "point": point | change}})
    fewer = {name: value for name, value in point.items() if name != "eta"}
    with pytest.raises(NotAnInstance, match="or has more: eta"):
        replay(kept | {"instance": {"kind": "numbers", "point": fewer}})


def test_numbers_outside_their_domain_refute_nothing() -> None:
    kept = read(FOLDER / "fedavg_lojasiewicz.equation_41.json")
    for name, value in (("L", -1.0), ("alpha", 30.0)):
        point = kept["instance"]["point"] | {name: value}
        assert not replay(kept | {"instance": {"kind": "numbers", "point": point}}).confirmation.refutes


@pytest.mark.parametrize("name", ["problem_arguments", "parameters", "engine", "seed", "replicates"])
@pytest.mark.parametrize("value", [-1, "x", None, [], float("inf"), float("nan")])
def test_a_run_that_cannot_be_made_is_refused(name: str, value: Any) -> None:
    statement = bounds.get(CONVEX)
    instance = fresh.instance_of(runs.families(statement, 1)[0].cells[0], 1)
    instance["cell"][name] = value
    try:
        found = confirm(statement, instance)
    except Misuse:
        return
    assert not found.refutes


def test_an_excess_that_is_rounding_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Local steps of 4,245 for a curvature of 2: memories of 1e18, and a gap made of their last bits.

    The gap's mean is at most the root of its second moment, beta sqrt((K+1) ((1-p+sigma^2)/p)/M) = 0.1077.
    Where that is certified, what is measured contradicts it; elsewhere only data that are moved tell.
    """
    statement = bounds.get("fed_norm_ec.lemma_3")
    engine = {"T": 5, "gamma": 4245.0, "R": 0.15, "alpha": 0.958, "eta": 0.0368, "start": [-109.2, 0.0, 0.0]}
    cell = Cell(
        statement=statement.id,
        variant="printed",
        role="far too long steps",
        problem="quadratic.diagonal",
        problem_arguments={"curvatures": [[2.1325] * 3] * 2, "centers": [[0.0152, 0.0, 0.0], [0.0] * 3]},
        algorithm="fed_alpha_norm_ec",
        parameters={"M": 2, "K": 12, "beta": 0.01038, "p": 0.23, "sigma_DP": 1.758},
        engine=engine,
    )
    low_bound = times(statement, Fraction(7, 8))  # above 0.1077, below what is measured
    found = confirm(low_bound, fresh.instance_of(cell, 3))
    assert not found.refutes
    assert "what was certified is wrong" in found.sentence
    short = replace(cell, engine=engine | {"gamma": 0.1})
    assert "below the bound" in confirm(low_bound, fresh.instance_of(short, 3)).sentence

    certified = fresh._fresh

    def without(*arguments: Any) -> Any:
        def run(purpose: str, count: int) -> Sampled:
            measured = certified(*arguments)(purpose, count)
            assert isinstance(measured, Sampled)
            return replace(measured, second_moment=None, ceiling=None)

        return run

    monkeypatch.setattr(fresh, "_fresh", without)
    found = confirm(low_bound, fresh.instance_of(cell, 3))
    assert not found.refutes
    assert "the excess is rounding" in found.sentence
    monkeypatch.setattr(fresh, "_stands", lambda *_: True)
    assert confirm(low_bound, fresh.instance_of(cell, 3)).refutes, "nothing else catches it"


@pytest.mark.parametrize(
    ("role", "reading", "refutes"),
    [("flat, started far away", NAMED, True), ("strong noise, started near", "in mean", False)],
)
def test_a_violation_in_another_reading_is_no_refutation(role: str, reading: str, refutes: bool) -> None:
    """Both cells exceed the printed bound; only one reads the hypotheses as the proof does."""
    statement = bounds.get("als_dpfl.theorem_2.theorem_omega")
    (cell,) = [c for c in dpfl.cells(statement) if (c.role, c.reading) == (role, reading)]
    found = confirm(statement, fresh.instance_of(cell, 3))
    assert found.details["verdict"] == "violated"
    assert found.refutes is refutes


def test_everything_that_the_ledger_calls_false_has_a_witness() -> None:
    found = [f for s in bounds.statements() for f in ledger.findings(s)]
    false = {f.statement for f in found if f.grade is FindingClass.FALSE and f.where == "conclusion"}
    kept = {read(file)["id"] for file in kept_witnesses()}
    assert len(false) > 30
    assert false <= kept


def test_files_that_are_no_witness_are_refused(witness: dict[str, Any], tmp_path: Any) -> None:
    with pytest.raises(NotAWitness, match="lacks 'instance'"):
        replay({k: v for k, v in witness.items() if k != "instance"})
    with pytest.raises(NotAnInstance, match="no known kind"):
        replay(witness | {"instance": {"kind": "guess"}})
    with pytest.raises(NotAnInstance, match="no objects of the family"):
        replay(witness | {"instance": witness["instance"] | {"family": "easy"}})
    file = tmp_path / "empty.json"
    file.write_text("{}")
    with pytest.raises(NotAWitness, match="no witness of schema"):
        read(file)


def test_a_cell_of_another_statement_is_no_witness(witness: dict[str, Any]) -> None:
    statement = bounds.get(CONVEX)
    instance = fresh.instance_of(runs.families(statement, 1)[0].cells[0], 1)
    with pytest.raises(NotAnInstance, match="holds no cell of"):
        replay(witness | {"instance": instance})


def test_a_witness_of_a_run_names_its_fresh_stream() -> None:
    statement = half(bounds.get(CONVEX))
    instance = fresh.instance_of(runs.families(statement, 1)[0].cells[0], 1)
    found = confirm(statement, instance)
    assert found.refutes
    kept = document(statement, "standard cells", instance, found)
    assert replay(json.loads(json.dumps(kept))).confirmation.refutes is False, "the printed form is true"


@pytest.mark.parametrize("file", kept_witnesses(), ids=lambda f: f.stem)
def test_committed_witnesses_replay(file: Any) -> None:
    assert replay(read(file)).agrees
