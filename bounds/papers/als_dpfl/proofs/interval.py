"""One interval between two aggregations: the distance of a client from the auxiliary sequence, in mean."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from sympy import sqrt

from bounds.language.assumptions import BOUNDED_GRADIENTS, GRADIENT_DIVERGENCE
from bounds.language.proof.expression import Scalar, Vector, over
from bounds.language.proof.form import MachineForm, Point, a_square, because
from bounds.language.proof.lemmas import bound_norm_of_sum, bound_norm_of_turn
from bounds.papers.als_dpfl.notation import B, beta, d, eta, x

LOCAL_STEP, AUXILIARY_STEP = "C.eq6", "C.eq8"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    client: Vector
    auxiliary: Vector
    distance: Scalar  # of one client, at the end
    divergence: Scalar  # xi_i
    bound: str  # beta E distance <= (xi_i + nu) ((1 + eta beta)^x - 1)
    nu: Scalar
    growth: Scalar  # (1 + eta beta)^x - 1


def describe(
    proof: MachineForm, divergence: str, declare: Callable[[Vector, Vector], None] = lambda *_: None
) -> Interval:
    """The steps after an aggregation; `divergence` is the name of xi_i.

    `declare` is called with both models at the end, before anything is proved.
    """
    proof.operator("i"), proof.operator("E"), proof.index("t")
    smooth, step, clip, root_B = proof.positive("beta", "eta", "C", "root.B")
    sigma, root_d = proof.non_negative("sigma", "root.d")
    proof.reads = {B: root_B**2, 1 / B: 1 / root_B**2, d: root_d**2}
    proof.reads |= {sqrt(B): root_B, sqrt(d): root_d}
    xi = proof.scalar(divergence, ">=", ["i"])
    at, w_end, v_end, D_end, parts = _declare_steps(proof)
    power, power_x = proof.recursion("growth", "t", (1 + step * smooth) * Scalar("growth"), 1)
    norms = {name: proof.norm(f"norm.{name}", part) for name, part in parts.items() if name != "D"}
    proof.assume("divergence", xi - norms["gap"], source=GRADIENT_DIVERGENCE.name)
    deviations = {
        "batch": (clip / root_B, BOUNDED_GRADIENTS.name),
        "noise": (root_d * sigma * clip / root_B**2, LOCAL_STEP),
        "n": (root_d * sigma * clip, AUXILIARY_STEP),
    }
    for name, (size, source) in deviations.items():
        proof.assume(f"second moment of {name}", size**2 - over("E", norms[name] ** 2), source=source)
    declare(w_end, v_end)
    nu = sum((size for size, _ in deviations.values()), Scalar("0"))
    means = [_bound_mean_norm(proof, name, norms[name], size) for name, (size, _) in deviations.items()]
    one = _prove_one_step(proof, at, parts, {"D": Scalar("D"), **norms}, xi + nu, means)
    _, bound = proof.induct(
        "C.lem3",
        "t",
        (xi + nu) * (power - 1) - smooth * over("E", Scalar("D")),
        because(one, times=smooth),
        times=1 + step * smooth,
    )
    proof.reads[(1 + eta * beta) ** x] = power_x
    return Interval(
        client=w_end, auxiliary=v_end, distance=D_end, divergence=xi, bound=bound, nu=nu, growth=power_x - 1
    )


def _declare_steps(
    proof: MachineForm,
) -> tuple[tuple[Point, Point], Vector, Vector, Scalar, dict[str, Vector]]:
    """Both models at a step and in the end, their last distance, and the parts of the next difference."""
    own, shared, step = ["i", "E", "t"], ["E", "t"], Scalar("eta")
    f = proof.function("f", ["i"], smooth=Scalar("beta"))
    w, v = proof.vector("w", own), proof.vector("v", shared)
    start, w_end, v_end = proof.vector("w_0"), proof.vector("w_x", ["i", "E"]), proof.vector("v_x", ["E"])
    here, there = proof.point("here", f, w), proof.point("there", f, v)
    batch, noise = proof.vector("batch", own), proof.vector("noise", own)
    auxiliary = proof.vector("n", shared)
    slope = proof.average("gradient", "i", there.gradient)
    w_next = w - step * (here.gradient + batch + noise)
    v_next = v - step * (slope + auxiliary)
    proof.sequence("t", w, w_next, start, w_end)
    proof.sequence("t", v, v_next, start, v_end)
    distance, following = proof.norm("D", w - v), proof.norm("D.next", w_next - v_next)
    last = proof.norm("D.x", w_end - v_end)
    proof.sequence("t", distance, following, 0, last)
    turn, gap = there.gradient - here.gradient, slope - there.gradient
    parts = {"D": w - v, "turn": turn, "gap": gap, "batch": -batch, "noise": -noise, "n": auxiliary}
    return (here, there), w_end, v_end, last, parts


def _prove_one_step(
    proof: MachineForm,
    at: tuple[Point, Point],
    parts: dict[str, Vector],
    norms: dict[str, Scalar],
    added: Scalar,
    means: list[str],
) -> str:
    """(1 + eta beta) E D + eta (xi + nu) - E D.next >= 0, by the triangle inequality."""
    smooth, step, D, D_next = Scalar("beta"), Scalar("eta"), Scalar("D"), Scalar("D.next")
    smooth_turn = bound_norm_of_turn(proof, "smoothness", smooth, (D, norms["turn"]), at)
    lengths = {name: norm if name == "D" else step * norm for name, norm in norms.items()}
    moved = {name: part if name == "D" else step * part for name, part in parts.items()}
    triangle = bound_norm_of_sum(proof, "triangle", D_next, [(moved[name], lengths[name]) for name in parts])
    return proof.claim(
        "one step of the distance",
        (1 + step * smooth) * over("E", D) + step * added - over("E", D_next),
        because(triangle, over=["E"]),
        because(smooth_turn, times=step, over=["E"]),
        because("divergence", times=step, over=["E"]),
        *(because(mean, times=step) for mean in means),
    )


def _bound_mean_norm(proof: MachineForm, name: str, norm: Scalar, size: Scalar) -> str:
    """The mean of a length is at most the root of the mean of its square."""
    mean = over("E", norm)
    squares = proof.claim(
        f"variance of {name}",
        size**2 - mean**2,
        because(f"second moment of {name}"),
        a_square(norm - mean, over=["E"]),
    )
    return proof.larger_square(f"mean length of {name}", size, mean, squares)
