"""The mean over all outcomes of an author's run, where they are few: an equality is then decided.

On f_i(x) = ||x - c_i||^2 with one client drawn in each round and eta = 1/4, x_1 - x* is half of x_0 - x* plus
half of c_i - x*. So E||x_1 - x*||^2 = D^2/4 + V/4, where V is the mean of ||c_i - x*||^2, here 1.
"""

import copy
import pickle
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from strangers import enter, paper
from sympy import Rational

from bounds.language.assumptions import SMOOTH_CLIENTS
from bounds.language.dimension import X
from bounds.language.quantity import Notation, Over
from bounds.language.statement import Kind, Statement, Term
from synthetic.outside.algorithm import REQUIRED, Algorithm
from synthetic.outside.claims import given_at_most
from synthetic.outside.followed import Unlisted, followed
from synthetic.outside.outcomes import Chooser, Path
from synthetic.outside.own_problem import OwnProblem
from verify.answer import check
from verify.matching.measurements.means import _mean_of_outcomes

NOTATION = Notation()
K, eta, D = enter(NOTATION, "K", "eta", "D")
distance = NOTATION.observable("far", "f", "", X**2, Over.LAST, measured="squared_distance")
PAPER = paper("few", NOTATION)
CENTERS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
BOWLS = OwnProblem(
    clients=4,
    dimension=2,
    value=lambda i, x: float(((x - CENTERS[i]) ** 2).sum()),
    gradient=lambda i, x: 2 * (x - CENTERS[i]),
    minimizer=np.zeros(2),
    constants={"smoothness": given_at_most(2, because="the Hessian is 2 I")},
    convex=True,
    bounded_below=True,
)


def stated(noise: Any, kind: Kind = Kind.EQUALITY, sign: int = 1) -> Statement:
    kept = Rational(1, 4) ** K
    return Statement(
        locator="few",
        kind=kind,
        paper=PAPER,
        title="one client in each round",
        printed=("x",),
        reading="",
        left=sign * distance,
        terms=(
            Term("start", sign * kept * D**2, "", non_negative=sign > 0),
            Term("clients", sign * noise * (1 - kept) / 3, "", non_negative=sign > 0),
        ),
        assumptions=(SMOOTH_CLIENTS,),
        example={"K": 20, "D": 2},
        run_with={"step": 0.25},
    )


def one_client(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return x - settings.step * clients[random.integers(len(clients))].gradient(x)


def draw_one_of_all(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    """The same law from a draw whose outcomes are not listed."""
    return x - settings.step * clients[int(len(clients) * random.random())].gradient(x)


def verdicts(statement: Statement, round: Any = one_client) -> dict[str, tuple[str, str]]:
    algorithm = Algorithm(round=round, settings={"step": REQUIRED})
    answer = check(statement, algorithm=algorithm, problem=BOWLS, quick=True, search=0)
    return {cell["role"]: (cell["verdict"], cell["sentence"]) for cell in answer.cells}


@cache
def without_outcomes() -> dict[str, tuple[str, str]]:
    """A claim that is too large, of draws whose outcomes are not listed."""
    return verdicts(stated(8), draw_one_of_all)


@pytest.mark.slow("equalities over noise are decided on both sides in tier one, by test_noise_means")
def test_an_equality_is_decided_on_both_sides_where_outcomes_are_few() -> None:
    true = verdicts(stated(1))
    assert "violated" not in {verdict for verdict, _ in true.values()}
    verdict, sentence = true["one round"]
    assert verdict == "holds"
    assert "over all 4 outcomes" in sentence
    for wrong in (Rational(99, 100), Rational(101, 100)):
        assert verdicts(stated(wrong))["one round"][0] == "violated"
    # samples alone cannot say that a mean is smaller
    assert without_outcomes()["one round"][0] == "inconclusive"


@pytest.mark.slow("the outcomes are those of the equality above")
def test_a_lower_bound_is_decided_too() -> None:
    assert verdicts(stated(Rational(99, 100), Kind.UPPER_BOUND, -1))["one round"][0] == "holds"
    assert verdicts(stated(Rational(101, 100), Kind.UPPER_BOUND, -1))["one round"][0] == "violated"


@pytest.mark.slow("runs of many outcomes; the other sentences are in tier one")
def test_what_to_declare_is_said_where_samples_do_not_decide() -> None:
    of_bound = verdicts(stated(8, Kind.UPPER_BOUND, -1), draw_one_of_all)
    for cells, side in ((without_outcomes(), "smaller"), (of_bound, "larger")):
        _, sentence = cells["one round"]
        assert "without `highest=` of the observable far" in sentence
        assert f"nothing shows that it is {side}" in sentence


def walked(draw: Any) -> dict[Any, float]:
    """Every outcome of a draw with its probability, by walking all paths."""
    found: dict[Any, float] = {}
    paths = [Path(())]
    while paths:
        path = paths.pop()
        drawn = draw(Chooser(path))
        key = tuple(np.ravel(drawn).tolist())
        found[key] = found.get(key, 0.0) + path.probability
        paths += [Path(places) for places in path.list_others()]
    return found


@pytest.mark.parametrize(
    ("draw", "outcomes"),
    [
        (lambda r: r.integers(3), [(i,) for i in range(3)]),
        (lambda r: r.integers(2, 5, size=2), list(product(range(2, 5), repeat=2))),
        (lambda r: r.integers(1, 2, endpoint=True), [(1,), (2,)]),
        (lambda r: r.permutation(3), list(permutations(range(3)))),
        (lambda r: r.permutation([5, 7]), [(5, 7), (7, 5)]),
        (lambda r: r.choice(4, size=2, replace=False), list(permutations(range(4), 2))),
        (lambda r: r.choice([1.5, 2.5], size=2), list(product([1.5, 2.5], repeat=2))),
    ],
)
def test_every_outcome_is_walked_once(draw: Any, outcomes: list[Any]) -> None:
    found = walked(draw)
    assert found == pytest.approx(dict.fromkeys(outcomes, 1 / len(outcomes)))


def test_probabilities_are_kept_and_other_draws_are_refused() -> None:
    assert walked(lambda r: r.choice(2, p=[0.25, 0.75])) == pytest.approx({(0,): 0.25, (1,): 0.75})
    assert walked(lambda r: r.choice(3, p=[0, 1, 0])) == {(1,): 1}  # what never happens is no outcome
    # how much is drawn may depend on what was drawn
    assert walked(lambda r: [r.integers(2)] if r.integers(2) else [9]) == pytest.approx(
        {(9,): 0.5, (0,): 0.25, (1,): 0.25}
    )
    many = (lambda r: r.integers(10**12), lambda r: r.integers(2, size=10**6))
    for draw in (*many, lambda r: r.random(), lambda r: r.standard_normal(3), lambda r: r.bit_generator):
        with pytest.raises(Unlisted):
            draw(Chooser(Path(())))


def test_probabilities_are_those_of_numpy() -> None:
    """Rounded to 32 bits they miss 1 by 7e-9, which numpy divides by; what numpy refuses is refused."""
    found = walked(lambda r: r.choice(3, p=np.array([0.1, 0.2, 0.7], np.float32)))
    assert sum(found.values()) == pytest.approx(1, abs=1e-15)
    for p in ([0.5, 0.6, 0.0], [0.5, 0.6, -0.1], [0.5, 0.5], [0.25] * 4):
        with pytest.raises(ValueError, match=r"robabilities|same size"):
            Chooser(Path(())).choice(3, p=p)


@pytest.mark.parametrize(
    "draw",
    [
        lambda r: copy.deepcopy(r).integers(4),
        lambda r: copy.copy(r).integers(4),
        lambda r: pickle.dumps(r),
        lambda r: np.random.Generator(r._bit_generator).integers(4),
        # numpy draws such an order by another law
        lambda r: r.choice(3, size=2, replace=False, shuffle=False),
    ],
)
def test_what_would_draw_beside_the_path_is_refused(draw: Any) -> None:
    with pytest.raises(Unlisted):
        draw(Chooser(Path(())))


def carefree(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    try:
        place = int(len(clients) * random.random())
    except:  # noqa: E722  # as code for several versions of numpy has it
        place = 0
    return x - settings.step * clients[place].gradient(x)


def test_a_swallowed_refusal_is_no_outcome() -> None:
    """It is sampled: walked, it would be the run of the first client alone."""
    assert "computed" not in verdicts(stated(1), carefree)["one round"][1]


def test_outcomes_that_depend_on_runs_before_are_not_averaged() -> None:
    probabilities = iter([(0.5, 0.5), (0.3, 0.7), (0.5, 0.5)])

    def traced(count: int) -> Any:
        for path in followed() or ():
            path.choose(next(probabilities))
        return "a trace"

    assert _mean_of_outcomes({}, traced) is None


def test_an_unseeded_draw_beside_them_is_still_caught() -> None:
    """A round that draws from elsewhere is refused before its outcomes are listed, as any other is."""
    answer = check(
        stated(1),
        algorithm=Algorithm(round=unclean, settings={"step": REQUIRED}),
        problem=BOWLS,
        quick=True,
        search=0,
    )
    assert {cell["verdict"] for cell in answer.cells} == {"refused"}
    assert "two calls with one state and one generator" in answer.sentence


def unclean(x: Any, clients: Any, settings: Any, random: Any) -> Any:
    return one_client(x, clients, settings, random) + 1e-3 * np.random.standard_normal(x.shape)  # noqa: NPY002  not seeded
