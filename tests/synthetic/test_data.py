"""Data sets: reading, preparing, splitting. Every wrong file ends in one sentence."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.data import bundled, comma_separated, files, svmlight
from synthetic.data.splits import Rule, split
from synthetic.data.tables import prepared, table
from synthetic.errors import BadShape, BadValue, MissingExtra, UnreadableData, WrongArguments
from synthetic.problems import build
from synthetic.problems.from_data.models import model_of
from synthetic.problems.from_data.problem import data_problem


def labelled(sizes, seed=0):
    """A table whose class c has sizes[c] samples, in a random order."""
    random = np.random.default_rng(seed)
    labels = random.permutation(np.repeat(np.arange(len(sizes)), sizes))
    names = tuple(f"class {c}" for c in range(len(sizes)))
    return table("made", random.standard_normal((len(labels), 2)), labels, names)


@pytest.mark.parametrize("rule", ["iid", "shards", "dirichlet"])
@given(seed=st.integers(0, 1000), clients=st.integers(1, 8))
def test_every_sample_goes_to_one_client(rule, seed, clients):
    data = labelled([50, 80, 70], seed)
    parts = split(data, Rule(clients=clients, split=rule, seed=seed, concentration=20.0))
    assert len(parts) == clients
    assert sorted(np.concatenate(parts).tolist()) == list(range(200))


def test_equal_seeds_give_equal_splits_and_others_do_not():
    data = labelled([100, 100])
    for rule in ("iid", "shards", "dirichlet"):
        first, again, other = (split(data, Rule(clients=4, split=rule, seed=s)) for s in (1, 1, 2))
        assert all((a == b).all() for a, b in zip(first, again, strict=True))
        assert any(len(a) != len(b) or (a != b).any() for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_label_shards_hold_one_label_each_where_the_sizes_allow_it(shards):
    """As in the DP-FedAvg paper: n clients with 5 shards have at most 5 labels."""
    data = labelled([60] * 10)
    parts = split(data, Rule(clients=20, split="shards", shards_per_client=shards, seed=3))
    for part in parts:
        labels, counts = np.unique(data.targets[part], return_counts=True)
        assert len(labels) <= shards
        assert len(part) == 30
        assert (counts % (30 // shards) == 0).all()
    assert any(len(np.unique(data.targets[part])) < 10 for part in parts)


def test_shards_of_numbers_are_ranges_of_the_numbers():
    random = np.random.default_rng(0)
    data = table("numbers", random.standard_normal((90, 1)), random.standard_normal(90))
    parts = split(data, Rule(clients=3, split="shards", shards_per_client=1))
    ends = sorted((data.targets[part].min(), data.targets[part].max()) for part in parts)
    assert ends[0][1] < ends[1][0] <= ends[1][1] < ends[2][0]


def test_identically_distributed_clients_have_equal_sizes_and_all_labels():
    data = labelled([300, 300])
    parts = split(data, Rule(clients=7))
    assert {len(part) for part in parts} == {85, 86}
    shares = [data.targets[part].mean() for part in parts]
    assert max(abs(share - 0.5) for share in shares) < 0.27  # 5 standard deviations of 85 draws


def test_a_large_concentration_evens_the_classes_out_and_a_small_one_does_not():
    data = labelled([1000, 1000])

    def unevenness(concentration):
        parts = split(data, Rule(clients=5, split="dirichlet", concentration=concentration, seed=4))
        return max(abs(data.targets[part].mean() - 0.5) for part in parts)

    assert unevenness(1e4) < 0.05
    assert unevenness(0.5) > 0.2


@pytest.mark.parametrize(
    "rule",
    [
        {"clients": 11},
        {"clients": 11, "split": "shards", "shards_per_client": 1},
        {"clients": 6, "split": "dirichlet", "concentration": 1e-3},
    ],
)
def test_a_client_without_samples_is_refused(rule):
    with pytest.raises(BadValue, match="left without samples") as refused:
        split(labelled([5, 5]), Rule(**rule))
    assert str(refused.value).count("\n") == 0


def test_bad_rules_are_refused():
    for wrong in ({"clients": 0}, {"split": "random"}, {"concentration": 0.0}, {"shards_per_client": 0}):
        with pytest.raises(BadValue):
            Rule(**({"clients": 2} | wrong))
    with pytest.raises(BadValue, match="no labels"):
        split(table("numbers", np.ones((4, 1)), np.arange(4)), Rule(clients=2, split="dirichlet"))


# The shapes that the documentation of these data sets gives.
BUNDLED = {"breast_cancer": (569, 30, 2), "digits": (1797, 64, 10), "wine": (178, 13, 3)}


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_data_for_classification(name):
    data = bundled.bundled(name)
    samples, features, classes = BUNDLED[name]
    assert data.features.shape == (samples, features)
    assert len(data.classes) == classes
    assert set(data.targets) == set(range(classes))


def test_bundled_data_for_regression():
    data = bundled.bundled("diabetes")
    assert data.features.shape == (442, 10)
    assert data.classes is None
    assert data.features[:, 0].max() > 50, "raw columns: the first is an age in years"


def test_a_missing_extra_and_unknown_names_are_one_sentence(monkeypatch):
    with pytest.raises(BadValue, match="breast_cancer"):
        bundled.bundled("iris")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtra, match=r"pip install 'fedbounds\[data\]'"):
        bundled.bundled("wine")


def test_prepared_columns_are_standardised_and_followed_by_ones():
    data = table("made", [[1.0, 5.0, 1e308], [2.0, 5.0, -1e308], [6.0, 5.0, 0.0]], [10.0, 20.0, 60.0])
    ready = prepared(data)
    assert ready.features.shape == (3, 3), "the constant column is gone"
    np.testing.assert_allclose(ready.features[:, :2].mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(ready.features[:, :2].std(axis=0), 1, rtol=1e-14)
    assert (ready.features[:, 2] == 1).all()
    np.testing.assert_allclose(ready.targets, ready.features[:, 0], rtol=1e-12)
    raw = prepared(data, standardise=False, intercept=False)
    assert (raw.features == data.features).all()
    assert (raw.targets == data.targets).all()
    with pytest.raises(BadValue, match="one value only"):
        prepared(table("flat", [[1.0], [1.0]], [0.0, 1.0]), intercept=False)


def test_a_table_that_does_not_fit_is_refused():
    with pytest.raises(BadShape, match="features"):
        table("made", np.ones((3, 2)), np.ones(2))
    with pytest.raises(BadShape, match="features"):
        table("made", np.ones((0, 2)), np.ones(0))
    with pytest.raises(BadValue, match="label"):
        table("made", np.ones((2, 2)), [0, 2], ("a", "b"))


@pytest.fixture
def wrote(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


READABLE = {
    "with a header": "height,weight,sex\n1,2,f\n3,4,m\n",
    "without": "1,2,f\n3,4,m\n",
    "byte-order mark": b"\xef\xbb\xbfheight,weight,sex\n1,2,f\n3,4,m\n",
    "line ends of Windows": "height,weight,sex\r\n1,2,f\r\n3,4,m\r\n",
    "semicolons": "1;2;f\n3;4;m",
    "tabs": "1\t2\tf\n3\t4\tm",
    "quotes and spaces": '"1", "2",f\n 3,4 , m\n',
    "empty lines": "\n1,2,f\n\n3,4,m\n\n",
    "exponents": "1e0,+2,f\n3.0,4.,m\n",
}


@pytest.mark.parametrize("text", READABLE.values(), ids=READABLE.keys())
def test_readable_csv(wrote, text):
    data = files.read(wrote(text))
    assert data.features.tolist() == [[1, 2], [3, 4]]
    assert data.classes == ("f", "m")
    assert data.targets.tolist() == [0, 1]


def test_the_target_by_name_by_number_and_from_the_end(wrote):
    path = wrote("a,b,c\n1,2,3\n4,5,6\n7,8,9\n")
    for target in ("b", 1, "1", -2):
        data = files.read(path, target=target, task="numbers")
        assert data.targets.tolist() == [2, 5, 8]
        assert data.features.tolist() == [[1, 3], [4, 6], [7, 9]]
    for wrong in ("d", 3, -4, "1.5"):
        with pytest.raises(UnreadableData, match="no column"):
            files.read(path, target=wrong)
    with pytest.raises(UnreadableData, match="two columns named b"):
        files.read(wrote("a,b,b\n1,2,3\n4,5,6\n"), target="b")


def test_numbers_are_classes_only_where_they_are_few_and_whole(wrote):
    few = "".join(f"{i / 7},{i % 2}\n" for i in range(20))
    assert files.read(wrote(few)).classes == ("0", "1")
    assert files.read(wrote(few), task="numbers").classes is None
    many = "".join(f"{i / 7},{i}\n" for i in range(50))
    assert files.read(wrote(many)).classes is None
    assert len(files.read(wrote(many), task="classes").classes) == 50
    assert files.read(wrote("1,0.5\n2,1.5\n3,0.5\n4,1.5\n")).classes is None
    assert files.read(wrote("1,10\n2,9\n3,10.0\n4,+9\n")).classes == ("9", "10")


UNREADABLE = {
    "empty": ("", "no data"),
    "blank": ("\n \n", "no data"),
    "header only": ("a,b\n", "no data"),
    "one column": ("1\n2\n", "one column"),
    "missing value": ("1,2,a\n3,,b\n", "line 2, column 1 is not a number; found an empty cell"),
    "missing target": ("1,2,a\n3,4,\n", "line 2 has no target"),
    "text": ("x,y,t\n1,2,a\n3,tall,b\n", "line 3, column y is not a number; found 'tall'"),
    "not finite": ("1,2,a\n3,nan,b\n", "'nan'"),
    "infinite": ("1,2,a\n3,inf,b\n", "'inf'"),
    "too large for a float": ("1,2,a\n3,1e999,b\n", "'1e999'"),
    "underscores": ("1,2,a\n3,1_000,b\n", "'1_000'"),
    "code": ("1,2,a\n3,__import__('os'),b\n", "not a number"),
    "ragged": ("1,2,a\n3,b\n", "line 2 has another length"),
    "open quote": ('1,2,a\n3,"4,b\n', "not valid CSV"),
    "not text": (b"\xff\xfe1,2", "not text"),
    "zero bytes": (b"1,2,a\n3,\x00,b\n", "line 2"),
    "huge cell": ("1,2,a\n3," + "4" * 200_000 + ",b\n", "line 2"),
}


@pytest.mark.parametrize(("text", "said"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_unreadable_csv_is_one_sentence(wrote, text, said):
    with pytest.raises(UnreadableData) as refused:
        files.read(wrote(text))
    assert said in str(refused.value)
    assert str(refused.value).count("\n") == 0
    assert len(str(refused.value)) < 1000


def test_files_that_are_not_there_or_too_large(tmp_path, wrote, monkeypatch):
    with pytest.raises(UnreadableData, match="no such file"):
        files.read(tmp_path / "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UnreadableData, match="directory"):
        files.read(tmp_path / "folder.csv")
    with pytest.raises(UnreadableData, match="unknown ending"):
        files.read(wrote("1,2", "data.xls"))
    monkeypatch.setattr(files, "LARGEST_FILE", 3)
    with pytest.raises(UnreadableData, match="too large"):
        files.read(wrote("1,2\n3,4\n"))
    for wrong in ({"header": "perhaps"}, {"task": "guess"}):
        with pytest.raises(BadValue, match="unknown word"):
            files.read(wrote("1,2\n"), **wrong)


def test_a_header_of_numbers_must_be_announced(wrote):
    path = wrote("2019,2020,grade\n1,2,a\n3,4,b\n")
    assert files.read(path, header="yes").features.tolist() == [[1, 2], [3, 4]]
    assert files.read(wrote("1,2,a\n3,4,b\n"), header="no").samples == 2
    counting = wrote("0,1,2\n5,6,1.5\n7,8,2.5\n")
    with pytest.raises(UnreadableData, match="the first line counts the columns"):
        files.read(counting)
    assert files.read(counting, header="yes").samples == 2
    assert files.read(counting, header="no").samples == 3
    assert files.read(wrote("0,1\n5,1\n7,0\n4,0\n")).samples == 4


def test_a_column_that_counts_the_rows_is_no_feature(wrote):
    for first in (0, 1):
        rows = "".join(f"{first + i},{i % 3},{i / 7}\n" for i in range(5))
        with pytest.raises(UnreadableData, match="without a name counts the rows"):
            files.read(wrote(",a,b\n" + rows))
        assert files.read(wrote("id,a,b\n" + rows)).features.shape == (5, 2)
        assert files.read(wrote(",a,b\n" + rows), client=0).features.shape == (5, 1)
    assert files.read(wrote(",a,b\n1,0,0.5\n1,2,1.5\n")).features.shape == (2, 2)
    assert files.read(wrote(",a,b\n1,0,0.5\n")).features.shape == (1, 2)  # a single row counts nothing


SLIPS = {
    "nan": ("1,0.5\n2,1.5\n3,nan\n", "line 3 has no target; found 'nan'"),
    "NA among labels": ("1,yes\n2,no\n3,NA\n4,yes\n", "line 3 has no target; found 'NA'"),
    "word": ("x,y\n1,0.5\n2,high\n3,1.5\n", "line 3, target is not a number; found 'high'"),
    "infinite": ("1,0.5\n2,inf\n", "line 2, target is not a number; found 'inf'"),
    "decimal commas": ("x;y\n1;0,5\n2;1,5\n", "line 2, target is not a number; found '0,5'"),
    "one decimal comma": ('1,0.5\n2,"1,5"\n3,2\n', "line 2, target is not a number; found '1,5'"),
    "thousands": ('1,"1,234.5"\n2,"2,500.5"\n', "line 1, target is not a number; found '1,234.5'"),
    "names beside numbers": ("2019,2020,grade\n1,2,0.5\n3,4,1.5\n", "header=yes the first line as names"),
}


@pytest.mark.parametrize(("text", "said"), SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_in_one_target_makes_no_classes_of_numbers(wrote, text, said):
    with pytest.raises(UnreadableData) as refused:
        files.read(wrote(text))
    assert said in str(refused.value)
    assert files.read(wrote(text), task="classes").classes is not None


def test_a_slip_in_svmlight_names_its_line(wrote):
    with pytest.raises(UnreadableData, match="line 3 has no target"):
        files.read(wrote("# names\n1.5 1:1\nnan 1:2\n", "data.svm"))


def test_svmlight(wrote):
    text = "# a comment\n+1 1:0.5 3:2 # here\n-1 2:1\n1 3:1e1\n"
    for ending in ("svmlight", "libsvm", "svm"):
        data = files.read(wrote(text, f"data.{ending}"), task="classes")
        assert data.features.tolist() == [[0.5, 0, 2], [0, 1, 0], [0, 0, 10]]
        assert data.classes == ("-1", "1")
        assert data.targets.tolist() == [1, 0, 1]
    assert files.read(wrote("1 0:5 1:6\n2 1:7\n", "zero.svm")).features.tolist() == [[5, 6], [0, 7]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no data"),
        ("1\n-1\n", "no data"),
        ("1 a:1\n", "line 1 is not svmlight"),
        ("1 1:x\n", "line 1 is not svmlight"),
        ("1 1:nan\n", "line 1 is not svmlight"),
        ("1 qid:3 1:1\n", "line 1 is not svmlight"),
        ("1 -1:2\n", "line 1 is not svmlight"),
        ("1 1:2 1:3\n", "gives an index twice"),
        ("1 1:2 99999999999:3\n", "too large"),
    ],
)
def test_unreadable_svmlight_is_one_sentence(wrote, text, said):
    with pytest.raises(UnreadableData) as refused:
        files.read(wrote(text, "data.svm"))
    assert said in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_readers_can_be_asked_without_a_file():
    found = comma_separated.comma_separated("1,2\n3,4\n", "here", target=0, client=None, header="no")
    assert found.features.tolist() == [[2], [4]]
    assert found.answers == ["1", "3"]
    assert found.owners is None
    features, *_ = svmlight.svmlight("a 2:1\n", "here")
    assert features.tolist() == [[0, 1]]


def test_the_model_follows_the_targets():
    rule = Rule(clients=2)
    assert model_of(labelled([20, 20]), rule).outputs == 1
    assert model_of(labelled([20, 20, 20]), rule).outputs == 3
    numbers = table("numbers", np.eye(8), np.arange(8.0))
    assert model_of(numbers, rule).facts().quadratic
    assert not model_of(labelled([20, 20]), rule, model="nonconvex_logistic").facts().convex
    assert model_of(labelled([20, 20]), rule, l2=0.5).facts().strong_convexity == 0.5
    # the second class counts as 1: its samples gain where the intercept grows
    problem = model_of(labelled([5, 35]), Rule(clients=1))
    assert problem.gradient(np.zeros((1, 3)))[0, -1] < 0


def test_models_that_do_not_fit_are_refused():
    rule, three = Rule(clients=2), labelled([20, 20, 20])
    for model in ("logistic", "nonconvex_logistic"):
        with pytest.raises(BadValue, match="3 classes"):
            model_of(three, rule, model=model)
    with pytest.raises(BadValue, match="numbers"):
        model_of(table("numbers", np.eye(8), np.arange(8.0)), rule, model="softmax")
    with pytest.raises(BadValue, match="unknown word"):
        model_of(three, rule, model="forest")
    with pytest.raises(WrongArguments, match="l2"):
        model_of(labelled([20, 20]), rule, model="nonconvex_logistic", l2=0.1)
    with pytest.raises(WrongArguments, match="strength"):
        model_of(three, rule, strength=0.1)


def test_least_squares_fits_the_numbers_and_not_the_places_of_classes(wrote):
    """The minimum is computed by hand: x = 0 fits nothing, x = 1 the mean of the targets, and they agree."""
    path = wrote("".join(f"{i % 2},{[1, 5, 100][i % 3]}\n" for i in range(12)))
    options = {"model": "least_squares", "clients": 1, "standardise": False, "intercept": False}
    targets = np.array([1, 5, 100])
    least = ((targets**2).mean() / 2 + targets.var() / 2) / 2
    assert data_problem(str(path), options).minimum() == pytest.approx(least, rel=1e-9)
    with pytest.raises(BadValue, match="found 3 classes, needed numbers"):
        data_problem(str(path), {**options, "task": "classes"})
    named = table("digits", np.eye(3), [0, 1, 2], ("0", "1", "2"))
    assert model_of(named, Rule(clients=1), model="least_squares").dimension == 4


def test_bundled_data_are_problems_by_name():
    problem = build("data_set.bundled", data="wine", clients=6, split="shards", l2=0.1)
    assert (problem.clients, problem.dimension) == (6, 3 * 14)
    assert problem.constants()["minimum"].lower > 0
    # breast_cancer is known to be linearly separable in its thirty features
    assert build("data_set.bundled", data="breast_cancer").constants()["minimum"].upper == 0
    unequal = build("data_set.bundled", data="diabetes", clients=3)
    assert unequal.samples.sizes == (148, 147, 147)
