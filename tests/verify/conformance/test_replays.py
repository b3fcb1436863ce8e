"""Listings whose states are replayed: what is read of noisy local steps and of error feedback."""

from types import SimpleNamespace

import numpy as np
import pytest
from blind_trial import stranger
from others_replayed import RIGHT, WHOLE
from slips_planted import FEEDBACK_SETTINGS, PLANTED, function

import fedbounds
from fedbounds import REQUIRED, Algorithm
from synthetic.errors import NotFinite
from verify import conform
from verify.conformance.instance import instance
from verify.conformance.lab import Lab
from verify.conformance.listing import Part
from verify.conformance.listings import FAMILIES
from verify.conformance.noise_law import Noise, smallest_noticed, wrong_size
from verify.conformance.verdict import Verdict


@pytest.mark.thinned(8)
@pytest.mark.parametrize(
    ("algorithm", "code", "library"), RIGHT, ids=lambda v: getattr(v, "__name__", str(v))
)
def test_right_implementations_agree(algorithm, code, library):
    found = conform(code, like=algorithm, library=library)
    assert found.agrees, found.differing


@pytest.mark.thinned(6)
@pytest.mark.parametrize(
    ("algorithm", "code", "library"), WHOLE, ids=lambda v: getattr(v, "__name__", str(v))
)
def test_code_of_whole_functions_is_undecided_on_data_points(algorithm, code, library):
    found = conform(code, like=algorithm, library=library)
    assert not found.differing
    assert not found.agrees
    hidden = {line.line.part for line in found.lines if line.observation.verdict is Verdict.NOT_OBSERVABLE}
    assert hidden == {Part.BATCH, Part.AVERAGE, Part.OUTPUT}


def test_either_weights_of_the_estimates_agree(tmp_path):
    """C.alg2.18 names no weights, and C.def2 those by data points."""
    equal = "np.mean(np.linalg.norm(g - g.mean(0), axis=1))"
    by_data = "np.linalg.norm(g - self.share @ g, axis=1) @ self.share"
    found = conform(stranger(tmp_path, "als_object", equal, by_data), like="als_dpfl")
    assert found.agrees, found.differing


def test_a_run_in_which_nobody_has_come_is_made_again():
    """The literal listing divides by zero then; code that always does gets its one sentence."""
    asked = []

    def states(shown, settings, *, start, rounds, seed):
        asked.append(seed)
        if len(asked) < 3 or rounds == 9:
            raise NotFinite(asked="states", failed="not finite", found="nan", needed="numbers", change="-")
        return np.zeros((rounds + 1, 2))

    subject = SimpleNamespace(algorithm=SimpleNamespace(settings={}), states=states)
    lab = Lab(subject=subject, listing=FAMILIES["fed_alpha_norm_ec"], seed=0)
    assert lab.run_until_defined(instance(np.ones(2)), {}, 4).shape == (5, 2)
    assert len(set(asked)) == 3
    with pytest.raises(NotFinite):
        lab.run_until_defined(instance(np.ones(2)), {}, 9)


def test_two_sets_of_clients_that_move_the_model_alike_are_both_followed(tmp_path):
    """Under this seed they come in the first round, and leave different memories."""
    assert conform(function(tmp_path, "fed_alpha_norm_ec"), like="fed_alpha_norm_ec", seed=8000).agrees


@pytest.mark.thinned(2)
@pytest.mark.parametrize("seed", [25000, 50000])
def test_participation_is_read_along_every_set_that_gives_the_states(seed, tmp_path):
    """Under these seeds two sets move the model alike in the long run, and the nearer one is wrong."""
    assert conform(function(tmp_path, "fed_alpha_norm_ec"), like="fed_alpha_norm_ec", seed=seed).agrees


@pytest.mark.slow("10 s: many sets of clients are followed")
def test_clients_that_never_come_are_seen_where_sets_are_not_told_apart(tmp_path):
    """Two clients that always come move the model as if they came in some of the rounds."""
    (planted,) = (p for p in PLANTED if (p.algorithm, p.name) == ("fed_alpha_norm_ec", "first_clients"))
    code = function(tmp_path, "fed_alpha_norm_ec", planted.old, planted.new)
    (found,) = conform(code, like="fed_alpha_norm_ec").differing
    assert (found.line.locator, found.observation.slip) == ("A.alg1.3", "same_set")


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("name", "slip"),
    [
        ("noise_per_coordinate", "per_coordinate"),
        ("noise_root", "root_too_many"),
        ("noise_not_averaged", "not_averaged"),
    ],
)
def test_noise_that_hides_the_sets_is_measured_at_a_smaller_scale(name, slip, tmp_path):
    """Under this seed the first was taken for noise that enters the memories of the clients."""
    (planted,) = (p for p in PLANTED if (p.algorithm, p.name) == ("fed_alpha_norm_ec", name))
    code = function(tmp_path, "fed_alpha_norm_ec", planted.old, planted.new)
    (found,) = conform(code, like="fed_alpha_norm_ec", seed=20240601).differing
    assert (found.line.locator, found.observation.slip) == ("A.alg1.12", slip)


@pytest.mark.slow("36 seeds: a false alarm has probability 1e-6 in each")
@pytest.mark.parametrize("algorithm", FAMILIES)
def test_no_false_alarm_over_seeds(algorithm, tmp_path):
    code = function(tmp_path, algorithm)
    assert all(conform(code, like=algorithm, seed=1000 * seed).agrees for seed in range(12))


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("algorithm", "name", "line", "conversion"),
    [
        ("dpfl", "sum", "C.alg1.10.b", "replace eta by eta*B and sigma by sigma/B"),
        ("dpfl", "noise_2.5_percent", "C.alg1.10.n", "replace sigma by 1.0"),
        ("fed_alpha_norm_ec", "noise_per_coordinate", "A.alg1.12", "replace sigma_DP by sigma_DP*sqrt(d)"),
    ],
)
def test_constants_under_which_the_statements_apply(algorithm, name, line, conversion, tmp_path):
    (planted,) = (p for p in PLANTED if (p.algorithm, p.name) == (algorithm, name))
    found = conform(function(tmp_path, algorithm, planted.old, planted.new), like=algorithm)
    statement = found.applicable[0]
    assert not statement["applies"]
    assert list(statement["by_line"]) == [line]
    assert statement["conversion"].startswith(conversion)


def test_a_server_without_memory_settings_starts_at_zero():
    """Code may leave initial memories out; the scale of its messages is then not observable."""

    def begin(x0, clients, settings):
        return {"x": x0, "v": np.zeros((len(clients), len(x0))), "s": np.zeros(len(x0))}

    def feedback(state, clients, settings, random):
        x, v, s = state["x"], state["v"].copy(), state["s"]
        for i, client in enumerate(clients):
            model = x
            for _ in range(settings.local_steps):
                model = model - settings.local_step / settings.local_steps * client.gradient(model)
            u = (x - model) / settings.local_step - v[i]
            u = u / (settings.smoothing + np.linalg.norm(u))
            v[i] = v[i] + settings.memory_step * u
            if random.random() < settings.probability:
                z = settings.noise_scale * len(x) ** -0.5 * random.standard_normal(len(x))
                s = s + u + z
        length = np.linalg.norm(s)
        return {"x": x - settings.server_step / length * s if length else x, "v": v, "s": s}

    settings = dict.fromkeys([name for name in FEEDBACK_SETTINGS if name != "initial_memory"], REQUIRED)
    found = conform(Algorithm(round=feedback, begin=begin, settings=settings), like="fed_alpha_norm_ec")
    assert found.agrees, found.differing
    hidden = {line.line.part for line in found.lines if line.observation.verdict is Verdict.NOT_OBSERVABLE}
    assert hidden == {Part.WEIGHT, Part.SERVER_DIVISOR, Part.OUTPUT}


@pytest.mark.parametrize(("size", "noticed"), [(1.0, False), (1.02, True), (0.98, True), (1.004, False)])
def test_a_deviation_of_two_percent_is_noticed(size, noticed):
    moves = size * np.random.default_rng(3).standard_normal((240, 600))
    noise = Noise(values={}, moves=moves, expected=1.0)
    assert smallest_noticed(noise) == pytest.approx(0.02, rel=0.01)
    assert (wrong_size([noise]) is not None) is noticed


def descent(x, clients, settings, random):
    return x - settings.step * clients.gradient(x)


def test_the_document_of_a_function():
    found = fedbounds.conform(descent, as_="gradient_descent")
    assert found["agrees"]
    assert found["target"].endswith(":descent")
    algorithm = Algorithm(round=descent, settings={"step": REQUIRED})
    assert fedbounds.conform(algorithm, as_="gradient_descent")["agrees"]
