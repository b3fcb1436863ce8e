"""conform says `differs` at the line that a planted slip breaks, with its cause, and never of right code."""

import numpy as np
import pytest
from blind_trial import FIFTH, FIRST, FOURTH, SECOND, SIXTH, THIRD, WRITTEN, planted, right, stranger
from others import RIGHT
from slips_planted import FILES, PLANTED, function

from fedbounds import REQUIRED, Algorithm
from synthetic.errors import AuthorMistake, BadValue, UnknownAlgorithm
from verify import conform
from verify.conformance.laws import TESTS, Mean
from verify.conformance.listing import Part
from verify.conformance.listings import FAMILIES, LISTINGS
from verify.conformance.noise_law import Noise, is_cut
from verify.conformance.verdict import Verdict
from verify.privacy.mechanism import Relation

# Slips that are noticed under another line or cause. Who mends one removes its entry, or the test fails.
MISNAMED = {
    ("als_dpfl", "bracket_times_1.3"): "its choices of tau fit an h that lacks its second term",
}


def _one_of_each_line():
    """The first slip of every line of every listing, and the rest as slow cases."""
    seen = set()
    for slip in PLANTED:
        first = (slip.algorithm, slip.line) not in seen
        seen.add((slip.algorithm, slip.line))
        marks = [] if first else [pytest.mark.slow("another slip of this line is in tier one")]
        if reason := MISNAMED.get((slip.algorithm, slip.name)):
            marks.append(pytest.mark.xfail(strict=True, reason=reason))
        yield pytest.param(slip, id=f"{slip.algorithm}-{slip.name}", marks=marks)


@pytest.mark.thinned(20)
@pytest.mark.parametrize("slip", [*_one_of_each_line()])
def test_a_planted_slip_is_found_at_its_line_with_its_cause(slip, tmp_path):
    found = conform(function(tmp_path, slip.algorithm, slip.old, slip.new), like=slip.algorithm)
    differing = {line.line.locator: line.observation.slip for line in found.differing}
    assert differing.get(slip.line, "no difference") == slip.slip, differing
    assert not found.agrees


def test_code_that_is_undefined_without_gradients_is_read_by_the_other_experiments(tmp_path):
    """An update that is divided by its length is 0/0 on functions that are zero."""
    (slip,) = [slip for slip in PLANTED if (slip.algorithm, slip.name) == ("fedavg", "normalized")]
    found = conform(function(tmp_path, slip.algorithm, slip.old, slip.new), like=slip.algorithm)
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [(slip.line, "unit")]


@pytest.mark.thinned(2)
@pytest.mark.parametrize("algorithm", FILES)
def test_the_literal_implementation_agrees(algorithm, tmp_path):
    found = conform(function(tmp_path, algorithm), like=algorithm)
    assert found.agrees, found.differing
    hidden = {line.line.part for line in found.lines if line.observation.verdict is Verdict.NOT_OBSERVABLE}
    allowed = {Part.OUTPUT, Part.UPDATE} if algorithm == "dp_norm_fedavg" else {Part.OUTPUT}
    assert hidden <= allowed
    assert all(statement["applies"] for statement in found.applicable)


@pytest.mark.thinned(18)
@pytest.mark.parametrize(
    ("algorithm", "code", "library"), RIGHT, ids=lambda v: getattr(v, "__name__", str(v))
)
def test_other_right_implementations_agree(algorithm, code, library):
    found = conform(code, like=algorithm, library=library)
    assert found.agrees, found.differing


@pytest.mark.slow("86 programs of strangers")
def test_code_of_strangers_agrees(tmp_path):
    every = right(tmp_path)
    assert [name for name, code, lib in every if conform(code, like=name, library=lib).differing] == []


@pytest.mark.slow("70 slips in the code of strangers")
@pytest.mark.parametrize("slip", FIRST, ids=lambda slip: f"{slip[0]}-{slip[1]}")
def test_a_slip_of_a_stranger_is_found(slip, tmp_path):
    wanted, library = planted(*slip), WRITTEN[slip[0]][2]
    found = conform(stranger(tmp_path, slip[0], *slip[4:]), like=wanted.algorithm, library=library)
    differing = {line.line.locator: line.observation.slip for line in found.differing}
    assert wanted.line in differing
    assert wanted.slip in (None, differing[wanted.line])


@pytest.mark.thinned(24)
@pytest.mark.parametrize("slip", SECOND, ids=lambda slip: f"{slip[0]}-{slip[1]}")
def test_a_slip_of_the_second_trial_differs_at_its_line_alone(slip, tmp_path):
    wanted, library = planted(*slip), WRITTEN[slip[0]][2]
    found = conform(stranger(tmp_path, slip[0], *slip[4:]), like=wanted.algorithm, library=library)
    differing = [(line.line.locator, line.observation.slip) for line in found.differing]
    assert differing == [(wanted.line, wanted.slip)]


@pytest.mark.thinned(26)
@pytest.mark.parametrize("slip", THIRD + FOURTH + FIFTH + SIXTH, ids=lambda slip: f"{slip[0]}-{slip[1]}")
def test_a_slip_in_code_of_public_or_other_styles_differs_at_its_line_alone(slip, tmp_path):
    wanted, library = planted(*slip), WRITTEN[slip[0]][2]
    found = conform(stranger(tmp_path, slip[0], *slip[4:]), like=wanted.algorithm, library=library)
    differing = [(line.line.locator, line.observation.slip) for line in found.differing]
    assert differing == [(wanted.line, wanted.slip)]


def test_the_largest_of_many_values_tells_noise_that_is_cut_off_at_4_deviations():
    values = np.random.default_rng(3).standard_normal((3200, 144))
    assert not is_cut(Noise(values={}, moves=values, expected=1.0))
    assert is_cut(Noise(values={}, moves=np.clip(values, -4, 4), expected=1.0))


@pytest.mark.parametrize("where", ["settings.noise_scale > 1", "settings.noise_scale < 1"])
def test_noise_that_is_missing_in_one_setting_has_no_known_cause(tmp_path, where):
    """Its zeros are equal at every measurement, which a fixed seed or rounding would explain too."""
    zeta = "zeta = math.sqrt(r) * settings.noise_scale * random.standard_normal(len(w))"
    code = function(tmp_path, "dp_fedavg", (zeta,), (f"{zeta} * ({where})",))
    (found,) = conform(code, like="dp_fedavg").differing
    assert found.line.part is Part.NOISE
    assert (found.observation.slip, found.observation.measured) == (None, 0.0)
    assert found.observation.because.endswith("one of them has no noise")


@pytest.mark.slow("60 seeds: a false alarm has probability 1e-6 in each")
def test_no_false_alarm_over_seeds(tmp_path):
    code = function(tmp_path, "dp_fedavg")
    assert all(conform(code, like="dp_fedavg", seed=1000 * seed).agrees for seed in range(60))


def test_every_part_of_every_listing_has_a_planted_slip():
    broken = {(p.algorithm, p.line) for p in PLANTED}
    for algorithm, listing in (LISTINGS | FAMILIES).items():
        hidden = {Part.OUTPUT, Part.UPDATE} if algorithm == "dp_norm_fedavg" else {Part.OUTPUT}
        if algorithm == "als_dpfl":
            hidden |= {Part.SAMPLING}  # planted in dpfl, which has the same test
        for line in listing.lines:
            assert line.part in hidden or (algorithm, line.locator) in broken, line


def test_there_are_fewer_tests_of_laws_than_shares_of_the_level():
    assert TESTS >= 25 + 4 * 16


@pytest.mark.parametrize(("shift", "rejected"), [(0.0, False), (0.1, True), (-0.1, True)])
def test_a_mean_is_tested_from_both_sides(shift, rejected):
    samples = np.random.default_rng(1).uniform(size=4000)
    claim = Mean(name="the mean", samples=samples, mean=0.5 + shift, low=0, high=1, slip="rate")
    assert claim.is_rejected() is rejected


# ---- meaning


CLAIM = {"clients": 100, "clients_per_round": 10, "threshold": 1.0, "noise_scale": 0.2, "rounds": 50}


def _claim():
    from verify.conformance.meaning import Claim

    return Claim(**CLAIM, delta=1e-5)


@pytest.mark.slow("counts privacy of many draws")
def test_too_little_noise_costs_more_epsilon_than_claimed(tmp_path):
    pytest.importorskip("dp_accounting", reason="the extra privacy counts sampled noise")
    (slip,) = (p for p in PLANTED if (p.algorithm, p.name) == ("dp_fedavg", "noise_without_r"))
    wrong = conform(
        function(tmp_path, "dp_fedavg", slip.old, slip.new), like="dp_fedavg", claim=_claim()
    ).privacy
    right = conform(function(tmp_path, "dp_fedavg"), like="dp_fedavg", claim=_claim()).privacy
    assert right["as_server"]["epsilon"] == pytest.approx(right["claimed"]["epsilon"], rel=0.1)
    assert wrong["as_server"]["epsilon"] > 5 * wrong["claimed"]["epsilon"]
    assert wrong["multiplier_measured"] == pytest.approx(wrong["multiplier_claimed"] / 10**0.5, rel=0.05)
    assert right["placement"] == "clients"
    assert right["measured"]["epsilon"] is None
    assert "noise of the clients" in right["measured"]["reason"]
    assert right["claimed"]["relation"] is Relation.ADD_OR_REMOVE


def test_a_single_slip_with_a_conversion_is_a_convention(tmp_path):
    (slip,) = (p for p in PLANTED if (p.algorithm, p.name) == ("dp_fedavg", "models_difference"))
    found = conform(function(tmp_path, "dp_fedavg", slip.old, slip.new), like="dp_fedavg")
    conversion = "replace beta by beta*eta, C by C/eta and sigma by sigma/eta"
    assert {statement["conversion"] for statement in found.applicable} == {conversion}


# ---- an algorithm of a package


def descent(state, clients, settings, random):
    return {"x": state["x"] - settings.step * clients.gradient(state["x"])}


def with_momentum(state, clients, settings, random):
    speed = 0.5 * state["speed"] + clients.gradient(state["x"])
    return {"x": state["x"] - settings.step * speed, "speed": speed}


def test_an_algorithm_is_examined_as_it_is():
    own = {"step": REQUIRED, "more": 3}
    plain = Algorithm(round=descent, begin=lambda x, clients, settings: {"x": x}, settings=own)
    assert conform(plain, like="gradient_descent").agrees
    begin = lambda x, clients, settings: {"x": x, "speed": 0 * x}  # noqa: E731  one line beside its round
    heavy = conform(Algorithm(round=with_momentum, begin=begin, settings=own), like="gradient_descent")
    assert [(line.line.locator, line.observation.slip) for line in heavy.differing] == [("T.gd", "momentum")]


def one_round_late(state, clients, settings, random):
    return {"x": state["next"], "next": state["next"] - settings.step * clients.gradient(state["next"])}


def adding_up(state, clients, settings, random):
    total = state["total"] + clients.gradient(state["x"])
    return {"x": state["x"] - settings.step * total, "total": total}


@pytest.mark.parametrize(("code", "slip"), [(one_round_late, "late"), (adding_up, "accumulated")])
def test_what_a_round_keeps_has_its_cause(code, slip):
    begin = lambda x, clients, settings: {"x": x, "next": x, "total": 0 * x}  # noqa: E731  one line
    found = conform(Algorithm(round=code, begin=begin, settings={"step": REQUIRED}), like="gradient_descent")
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [("T.gd", slip)]


def extragradient(x, clients, settings, random):
    return x - settings.step * clients.gradient(x - settings.step * clients.gradient(x))


def beside(x, clients, settings, random):
    return x - settings.step * clients.gradient(x + 1e-6)


@pytest.mark.parametrize("code", [extragradient, beside])
def test_a_gradient_of_another_point_differs(code):
    """On linear functions, whose gradients are constant, both are gradient descent."""
    found = conform(code, like="gradient_descent")
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [("T.gd", "elsewhere")]


def own_models(clients, start, settings, seed):
    """FedAvg whose clients go on from their own models."""
    random, models, states = np.random.default_rng(seed), [start] * len(clients), [start]
    for _ in range(settings.rounds):
        taking = random.permutation(len(clients))[: settings.clients_per_round]
        for i in taking:
            for _ in range(settings.local_steps):
                models[i] = models[i] - settings.local_step * clients[int(i)].gradient(models[i])
        states.append(np.mean([models[i] for i in taking], axis=0))
    return states


def test_clients_that_keep_their_models_are_seen_among_several():
    found = conform(own_models, like="fedavg")
    assert [(line.line.locator, line.observation.slip) for line in found.differing] == [
        ("B.alg3.5", "own_model")
    ]


@pytest.mark.parametrize(
    ("settings", "words"), [({}, "declare step"), ({"step": REQUIRED, "lr": REQUIRED}, "rename it")]
)
def test_an_algorithm_with_other_settings_is_refused(settings, words):
    with pytest.raises(BadValue, match=words):
        conform(Algorithm(round=descent, settings=settings), like="gradient_descent")


# ---- code that cannot be examined


def raises(x, clients, settings, random):
    raise KeyError("rate")


def returns_nothing(x, clients, settings, random):
    return None


def makes_nan(x, clients, settings, random):
    return x * np.nan


def another_shape(x, clients, settings, random):
    return x[:-1]


def too_few_states(clients, start, settings, seed):
    return np.zeros((settings.rounds, len(start)))


def forgets_the_start(clients, start, settings, seed):
    return np.zeros((settings.rounds + 1, len(start)))


def single(x, clients, settings, random):
    return x.astype(np.float32)


def in_single_precision(x, clients, settings, random):
    return (x - settings.server_step * clients.gradient(x)).astype(np.float32).astype(np.float64)


def hands_out_one_array(clients, start, settings, seed):
    states, x = [], start.copy()
    for _ in range(settings.rounds + 1):
        states.append(x)
        x -= clients.gradient(x)
    return states


def asks_for_lr(x, clients, settings, random):
    return x - settings.lr


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (raises, "KeyError"),
        (returns_nothing, "None"),
        (makes_nan, "not finite"),
        (another_shape, "shape"),
        (too_few_states, "shape"),
        (forgets_the_start, "not the start"),
        (hands_out_one_array, "one array that was changed in place: hand out copies"),
        (single, "float32"),
        (in_single_precision, "precision of float32"),
        (asks_for_lr, "no setting lr among start, rounds, local_steps, "),
    ],
)
def test_a_function_that_breaks_the_protocol_gets_one_sentence(code, words):
    with pytest.raises(AuthorMistake, match=words):
        conform(code, like="dp_fedavg")


@pytest.mark.parametrize(
    ("target", "like", "error", "words"),
    [
        ("os:getcwd", "dp_fedavg", BadValue, "four arguments"),
        ("os.getcwd", "dp_fedavg", BadValue, "MODULE:FUNCTION"),
        ("no_such_module:f", "dp_fedavg", BadValue, "no module"),
        ("os:gecwd", "dp_fedavg", BadValue, "getcwd"),
        (raises, "dp_fedav", UnknownAlgorithm, "did you mean dp_fedavg"),
        (
            raises,
            "fedavg_lojasiewicz",
            UnknownAlgorithm,
            "of its algorithms these have a listing: stochastic_fedavg$",
        ),
        (raises, "no_paper.rounds", UnknownAlgorithm, "install the package that registers the key no_paper"),
        (3, "dp_fedavg", BadValue, "not a function"),
    ],
)
def test_misuse_is_refused_in_one_sentence(target, like, error, words):
    with pytest.raises(error, match=words):
        conform(target, like=like)


def test_values_of_settings_for_an_unknown_package_are_refused_for_the_package():
    with pytest.raises(UnknownAlgorithm, match="registers the key no_paper"):
        conform(raises, like="no_paper.rounds", settings={"step": 0.1})


def test_a_function_that_raises_is_told_with_what_it_was_run_on():
    def divides(w, clients, settings, random):
        return w * (1 / (len(clients) - 1))

    with pytest.raises(AuthorMistake, match="run on 1 client in 5 coordinates with local_steps=3"):
        conform(divides, like="dp_fedavg")


def test_the_listing_of_one_paper_names_the_statements_of_this_paper_alone(tmp_path):
    found = conform(function(tmp_path, "stochastic_fedavg"), like="stochastic_fedavg")
    assert found.agrees
    assert {row["id"].partition(".")[0] for row in found.applicable} == {"fedavg_lojasiewicz"}
    assert all(row["applies"] for row in found.applicable)
