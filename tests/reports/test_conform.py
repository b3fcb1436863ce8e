"""The verb conform: its document, its page and its exit codes."""

import pytest

RIGHT = """
def descent(x, clients, settings, random):
    return x - settings.step * clients.gradient(x)
"""
HANGS = """
def hangs(x, clients, settings, random):
    while True:
        pass
"""


@pytest.fixture
def code(tmp_path, monkeypatch):
    """Write a module of one's own into the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")

    return write


def test_right_code_exits_with_0(code, fedbounds):
    code("conform_right", RIGHT)
    done = fedbounds("conform", "conform_right:descent", "--as", "gradient_descent", "--json")
    assert done.code == 0
    assert done.json["agrees"]
    assert {line["verdict"] for line in done.json["lines"]} == {"agrees"}
    assert all(statement["applies"] for statement in done.json["applicable"])


def test_the_page_prints_what_the_verdict_on_an_agreeing_line_rests_on(code, fedbounds):
    code("conform_page", RIGHT)
    page = fedbounds("conform", "conform_page:descent", "--as", "gradient_descent")
    lines = [line.strip() for line in page.out.splitlines()]
    place = lines.index("agrees          T.gd.f  f is the mean of the clients")
    assert lines[place + 1].startswith("three, then four clients")


def test_wrong_code_exits_with_1_and_names_line_and_cause(code, fedbounds):
    code("conform_wrong", RIGHT.replace("settings.step *", "settings.step / 2 *"))
    asked = ("conform", "conform_wrong:descent", "--as", "gradient-descent")
    done = fedbounds(*asked, "--json")
    assert done.code == 1
    wrong = [line for line in done.json["lines"] if line["verdict"] == "differs"]
    assert [(line["locator"], line["slip"]) for line in wrong] == [("T.gd", "half")]
    assert wrong[0]["ratio"] == pytest.approx(0.5)
    page = fedbounds(*asked)
    assert page.code == 1
    assert "cause: the step is half of its value" in page.out
    assert "1 line differs" in page.out
    assert "mend the line that differs, and run again" in " ".join(page.out.split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import no_such_package_at_all\n", "no_such_package_at_all"),
        ("def descent(:\n", "SyntaxError"),
        ("raise SystemExit(0)\n", "SystemExit"),
        (RIGHT.replace("settings.step", "settings.stp"), "did you mean step"),
    ],
)
def test_broken_code_is_misuse_in_one_sentence(code, fedbounds, text, words):
    name = f"conform_broken_{abs(hash(text))}"
    code(name, text)
    done = fedbounds("conform", f"{name}:descent", "--as", "gradient_descent")
    assert done.code == 2
    assert words in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (["clients=10"], "needs exactly"),
        (["clients=10", "clients=10"], "twice"),
        (
            ["clients=1", "clients_per_round=2", "rounds=1", "threshold=1", "noise_scale=1", "delta=0.1"],
            "clients_per_round <= clients",
        ),
        (
            ["clients=2", "clients_per_round=2", "rounds=1", "threshold=1", "noise_scale=1", "delta=1"],
            "delta in",
        ),
    ],
)
def test_a_wrong_claim_is_misuse(code, fedbounds, claim, words):
    code("conform_claimed", RIGHT)
    done = fedbounds("conform", "conform_claimed:descent", "--as", "gradient_descent", "--claim", *claim)
    assert done.code == 2
    assert words in done.err


def test_code_that_hangs_is_interrupted(code, fedbounds, monkeypatch):
    monkeypatch.setattr("verify.conformance.conform.SECONDS", 0.2)
    code("conform_hangs", HANGS)
    done = fedbounds("conform", "conform_hangs:hangs", "--as", "gradient_descent")
    assert done.code == 2
    assert "took longer than 0.2 seconds" in done.err


WHOLE = """
import numpy as np

def steps(w, clients, settings, random):
    models = []
    for client in clients:
        x = w
        for _ in range(settings.local_steps):
            g = client.gradient(x)
            g = g / max(1, np.linalg.norm(g) / settings.clip_threshold)
            z = settings.noise_multiplier * settings.clip_threshold * random.standard_normal(len(x))
            x = x - settings.step * (g + z / settings.batch_size)
        models.append(x)
    return sum(models) / len(models)
"""


def test_code_that_never_asks_for_data_points_is_undecided_and_exits_with_3(code, fedbounds):
    code("conform_whole", WHOLE)
    done = fedbounds("conform", "conform_whole:steps", "--as", "dpfl", "--json")
    assert done.code == 3
    hidden = {line["locator"] for line in done.json["lines"] if line["verdict"] == "not observable"}
    assert hidden == {"C.alg1.6", "C.alg1.14", "C.alg1.16"}
    assert not [line for line in done.json["lines"] if line["verdict"] == "differs"]


@pytest.mark.parametrize(
    ("target", "words"), [("flower:serve", "flower:server"), ("pfl:", "no adapter has this name")]
)
def test_an_unknown_adapter_is_misuse(fedbounds, target, words):
    done = fedbounds("conform", target, "--as", "dp_fedavg")
    assert done.code == 2
    assert words in done.err


def test_code_whose_import_hangs_is_one_sentence(code, fedbounds, monkeypatch):
    monkeypatch.setattr("synthetic.outside.calls.SECONDS", 0.2)
    code("conform_waits", "import time\ntime.sleep(60)\n")
    done = fedbounds("conform", "conform_waits:steps", "--as", "dp_fedavg")
    assert (done.code, done.out) == (2, "")
    assert "conform_waits cannot be imported; found TimeoutError: the import took longer than" in done.err


def test_a_claim_is_refused_where_no_epsilon_is_computed(code, fedbounds):
    code("conform_unclaimed", RIGHT)
    claim = ["clients=9", "clients_per_round=2", "rounds=1", "threshold=1", "noise_scale=1", "delta=0.1"]
    done = fedbounds("conform", "conform_unclaimed:descent", "--as", "gradient_descent", "--claim", *claim)
    assert (done.code, done.out) == (2, "")
    assert "a claim for dp_fedavg or dp_norm_fedavg alone" in done.err


TORCH = """
import torch

def step(x, clients, settings, random):
    return x - settings.step * torch.clone(clients.gradient(x))
"""


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("conform_tensors:step", "it imports torch and was given arrays of numpy: choose the library torch"),
        ("conform_tensors.py:step", "needed conform_tensors:step"),
        ("conform_tensors:stop", "did you mean step?"),
    ],
)
def test_what_a_new_user_may_write_is_answered_with_what_to_write(code, fedbounds, target, words):
    code("conform_tensors", TORCH)
    done = fedbounds("conform", target, "--as", "gradient_descent")
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_the_title_of_an_undecided_comparison_counts_no_lines(code, fedbounds):
    code("conform_undecided", WHOLE)
    page = fedbounds("conform", "conform_undecided:steps", "--as", "dpfl")
    assert page.code == 3
    assert "no line differs, but some cannot be observed" in page.out
