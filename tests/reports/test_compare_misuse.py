"""What `fedbounds compare` refuses, each with one sentence."""

from collections.abc import Callable

import pytest

Misused = Callable[..., str]

CONVEX = "textbook.gradient_descent_convex"
THEOREM_2 = "dp_fedavg.theorem_2"
POINT = ["L=1", "K=100", "D0=1", "alpha=2", "rho=1/10", "Delta_star_max=0.05", "Delta_star_mean=0.005"]

T2 = ["bounds", THEOREM_2]
GIVEN = ["--set", *POINT[2:], "L=1", "E=2", "C_hat=1"]
RATE = ["L=1", "M=10", "B_hat=5", "c=1", "d=10", "delta=1e-5", "epsilon=1", "f0_gap=1"]
PRINTED_PHI = ["als_dpfl.control_parameter.theorem", "--variant", "printed"]
PHI = ["beta=1", "eta=0.1", "sigma=0.1", "d=4", "lam=0.1"]
GD = ["algorithms", "gradient_descent", "--problem", "quadratic.small"]
MINIMUM = ["--observe", "gradient_norm/running_minimum"]
DP = ["algorithms", "dp_fedavg", "--problem", "quadratic.small", "--set", "rounds=3", "local_steps=2"]
DP += ["local_step=0.05", "participation=full", "clients_per_round=5", "clip_threshold=1", "noise_scale=0.1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bounds"], "at least one statement"),
        (T2, "one or two axes, not 0"),
        ([*T2, "--over", "K=1:2", "E=1:2", "alpha=3,4"], "one or two axes, not 3"),
        ([*T2, "--over", "K=1:2", "K=1:3"], "names K twice"),
        ([*T2, "--over", "K"], "NAME=START:STOP"),
        ([*T2, "--over", "K=10", *GIVEN], "at least two points, not 1"),
        ([*T2, "--over", "K=1:9:1", *GIVEN], "at least two points, not 1"),
        ([*T2, "--over", "K=9:1", *GIVEN], "start < stop"),
        ([*T2, "--over", "K=1:9:9:9", *GIVEN], "NAME=START:STOP"),
        ([*T2, "--over", "K=1:9:many", *GIVEN], "whole number such as 3, not 'many'"),
        ([*T2, "--over", "K=1:9:99999", *GIVEN], "at most 10000"),
        ([*T2, "--over", "K=0:9:3:log", *GIVEN], "positive start"),
        ([*T2, "--over", "K=1,1", *GIVEN], "a point twice"),
        ([*T2, "--over", "K=1:inf", *GIVEN], "finite"),
        ([*T2, "--over", "K=1.5:4", *GIVEN], "must be integer"),
        ([*T2, "--over", "KK=1:3", *GIVEN], "did you mean K?"),
        ([*T2, "--over", "eta=1:3", *GIVEN, "K=3"], "prescribes eta"),
        ([*T2, "--over", "K=1:3", *GIVEN, "Cat=3"], "did you mean C_hat?"),
        ([*T2, "--over", "K=1:3", *GIVEN, "gamma=3"], "prescribes gamma"),
        ([*T2, "--over", "K=1:3", *GIVEN, "K=3"], "keep one"),
        ([*T2, "--over", "K=1:3", "--each", "K=3,4", *GIVEN], "keep one"),
        ([*T2, "--over", "K=1:3", "--each", "L=3", *GIVEN], "at least two points"),
        ([*T2, "--over", "K=1:3", "E=1:2", "--each", "L=3,4"], "no --each"),
        (["bounds", "fed_norm_ec.corollary_1.rate", "--over", "K=1:3", "--set", *RATE], "until its constant"),
        (["terms", THEOREM_2, "--over", "K=1:3", *GIVEN, "K=2"], "keep one"),
        (["terms", *PRINTED_PHI, "--over", "omega=1:9", "--set", *PHI], "term noise"),
        (["control", "--longest", "1"], "--longest"),
        (["control", "--set", "tau=3"], "--longest"),
        (["control", "--set", "R_S=3"], "needs a value for"),
        (["run", THEOREM_2, "--over", "K=0:2"], "must be integer >= 1"),
        (["run", THEOREM_2, "--over", "eta=1:2"], "prescribes eta"),
        (["run", THEOREM_2, "--over", "K=1:2", "--set", "K=3"], "keep one"),
        (["run", THEOREM_2, "--over", "K=1:2", "--cell", "strong nose"], "did you mean strong noise?"),
        (["run", "dp_fedavg.theorem_1", "--over", "K=1:2"], "no standard cell"),
        (["run", THEOREM_2, "--over", "K=1:2", "--level", "2"], "between 0 and 1"),
        (["run", THEOREM_2, "--over", "K=1:2", "--replicates", "1"], "at least 2"),
        (["run", THEOREM_2, "--over", "K=1:2", "--seed", "-1"], ">= 0"),
        (["algorithms", "--problem", "quadratic.small"], "at least one ALGORITHM"),
        (["algorithms", "fedavg", "fedavg", "--problem", "quadratic.small"], "named twice"),
        (["algorithms", "fedavgg", "--problem", "quadratic.small"], "did you mean 'fedavg'?"),
        ([*GD, "--set", "stps=3"], "did you mean step"),
        ([*GD, "--set", "fedavg.rounds=3"], "not compared"),
        ([*GD, "--set", "steps=0", "step=1"], "at least two"),
        ([*GD, "--set", "steps=3", "step=1", "--observe", "gab"], "did you mean 'gap'?"),
        ([*GD, "--set", "steps=3", "step=1", "--observe", "state"], "a vector"),
        ([*GD, "--set", "steps=3", "step=1", "--observe", "gap/last"], "round by round"),
        ([*GD, "--set", "steps=3", "step=1", "bound.D0=1"], "no --bound"),
        ([*GD, "--set", "steps=3", "step=1", "--bound", CONVEX], "ID:NAME"),
        ([*GD, "--set", "steps=3", "step=0.5", "--bound", f"{CONVEX}:N"], "is about step = 1.27004,"),
        ([*GD, "--set", "steps=3", "step=1", "bound.D0=1", "--bound", f"{CONVEX}:N"], "below 3.47"),
        ([*GD, "--set", "steps=3", "step=1", "bound.L=0.1", "--bound", f"{CONVEX}:N"], "below the problem's"),
        ([*GD, "--set", "steps=3", "step=1", "--bound", "dp_fedavg.equation_8:K"], "not compared here"),
        ([*GD, *MINIMUM, "--set", "steps=3", "step=1", "--bound", f"{CONVEX}:N"], "that is --observe gap"),
        ([*DP, "--bound", f"{THEOREM_2}:K"], "`compare run dp_fedavg.theorem_2` measures what it bounds"),
        ([*GD, "--set", "steps=3", "step=1", "bound.D0=1", "--bound", f"{CONVEX}:M"], "no quantity M"),
    ],
)  # fmt: skip
def test_misuse(misuse: Misused, arguments: list[str], said: str) -> None:
    assert said in misuse("compare", *arguments)


def test_only_numbers_that_are_not_finite_are_refused(misuse: Misused) -> None:
    """1e308 * (1e308)^2 is beyond float64 at every point."""
    huge = ["--set", "L=1e308", "D0=1e308"]
    assert "no value is finite" in misuse("compare", "bounds", CONVEX, "--over", "N=1:3", *huge)
