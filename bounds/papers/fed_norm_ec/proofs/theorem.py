"""What Theorems 1 and 2 and their corollaries share: everything but the local pass and the numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import final

from sympy import Symbol, sqrt

from bounds.language.proof.expression import Scalar, atom, over, square
from bounds.language.proof.form import Equality, MachineForm, Summand, because
from bounds.language.proof.lemmas import bound_norm_of_mean, bound_norm_of_sum
from bounds.papers.fed_norm_ec import notation as n
from bounds.papers.fed_norm_ec.proofs import local_pass, memory, rounds, server
from bounds.papers.fed_norm_ec.proofs.memory import ALPHA, LEFT, MOVE, SHARE, R
from bounds.papers.fed_norm_ec.proofs.passes import Pass
from bounds.papers.fed_norm_ec.proofs.server import ERROR, INCREMENT, UNIT, WALK, WALKED

L, ETA, BETA, S = (Scalar(name) for name in ("L", "eta", "beta", "s"))
V, RESIDUAL, FOLLOWING, W = atom("v"), atom("r"), atom("r.next"), atom("w")
CHANGE = SHARE * RESIDUAL + FOLLOWING - RESIDUAL
AWAY, MEMORY = Scalar("norm.away"), atom("v.mean") + BETA * atom("q.mean")
DIRECTION = MEMORY + BETA * (WALKED + INCREMENT)
MEMORIES = RESIDUAL - SHARE * RESIDUAL


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Claims: (root.a + root.R)^2 - beta, beta R - 4/3 L eta (alpha + R) and 1 - 2 L gamma are at least 0."""

    beta: str
    step: str
    short: str


@final
@dataclass(frozen=True, slots=True)
class Case:
    """`steps` is the module of the local pass, `declare` names the numbers and `prove` what they satisfy."""

    source: str
    heterogeneity: Symbol
    steps: ModuleType
    declare: Callable[[MachineForm], None]
    prove: Callable[[MachineForm], Limits]


def prove_theorem(proof: MachineForm, case: Case) -> tuple[str, Scalar]:
    """`f0_gap - (K + 1) eta h >= 0`, and h: what the least gradient has above the other terms."""
    own, above = declare(proof, case)
    small, remembered = prove_memories(proof, case, own)
    drifted = case.steps.prove_mean_drift(proof, own)
    away = _prove_away(proof, case, own, remembered, drifted)
    one_round = _prove_round(proof, case, own, small, away)
    return rounds.prove_rounds(proof, case.steps.DRIFT, above, one_round), above


def prove_memories(proof: MachineForm, case: Case, own: Pass) -> tuple[str, str]:
    """`1 - norm.unit >= 0`, and `R - left >= 0`."""
    limits = case.prove(proof)
    local_pass.prove_growth(proof, limits.short)
    length = ETA * Scalar("norm.unit")
    parted = local_pass.prove_move(proof, own.here, own.there, -ETA * UNIT, length, limits.short)
    small = proof.larger_square("unit length", Scalar("1"), Scalar("norm.unit"), "length of the step")
    moved = MOVE - Scalar("change")
    lipschitz = proof.claim("a step of the server", moved, because(parted), because(small, times=MOVE))
    pair = limits.beta, limits.step
    return small, memory.prove_memory(proof, RESIDUAL, FOLLOWING, CHANGE, lipschitz, pair)


def prove_distance(proof: MachineForm, own: Pass) -> tuple[str, str]:
    """A client's distance is at most its drift and what the update left; the mean's is at most the mean."""
    parts = [(own.gradient - V - RESIDUAL, Scalar("drift")), (MEMORIES, LEFT)]
    each = bound_norm_of_sum(proof, "a client's distance", Scalar("away"), parts)
    part = own.gradient - V - SHARE * RESIDUAL
    mean = bound_norm_of_mean(proof, "mean distance", AWAY, own.mean - MEMORY, part, Scalar("away"), "i")
    return each, mean


def prove_descent(proof: MachineForm, case: Case, own: Pass, small: str) -> tuple[str, str]:
    """The descent along the direction, and the error of the direction by the triangle inequality."""
    smooth = case.steps.prove_smooth(proof, own, UNIT)
    fallen = over("i", own.value) - over("i", own.value_after)
    descent = server.prove_descent(proof, own.mean, DIRECTION, fallen, smooth, small)
    parts = [(own.mean - MEMORY, AWAY), (-BETA * (WALKED + INCREMENT), BETA * WALK)]
    return descent, bound_norm_of_sum(proof, "error of the direction", ERROR, parts)


def declare(proof: MachineForm, case: Case) -> tuple[Pass, Scalar]:
    """What a round is given, and h."""
    proof.positive("L", "root.a")
    rounds.count_rounds(proof)
    case.declare(proof)
    local_pass.count_steps(proof)
    proof.root("root.2", Scalar("2")), proof.root("root.L", L)
    for name in ("v", "r", "r.next"):
        proof.vector(name, local_pass.ALL)
    for name in ("w", "unit"):
        proof.vector(name, ["k", "E"])
    memory.declare_memory(proof, RESIDUAL, FOLLOWING)
    server.declare_walk(proof, RESIDUAL / S, case.source)
    proof.average("v.mean", "i", V), proof.average("q.mean", "i", RESIDUAL / S)
    own = case.steps.declare(proof, W, -ETA * UNIT, V + RESIDUAL, V + RESIDUAL + CHANGE)
    server.declare_step(proof, own.mean, DIRECTION, case.source)
    local_pass.declare_move(proof, own, -ETA * UNIT, ETA * Scalar("norm.unit"), CHANGE)
    proof.norm("norm.away", own.mean - MEMORY), proof.norm("away", own.gradient - V - SHARE * RESIDUAL)
    proof.assume("R bounds the errors", R - Scalar("t.0"), source=case.source)
    f_inf, apart = proof.scalar("f_inf"), proof.scalar(case.heterogeneity.name, ">=")
    proof.assume("Delta", apart - f_inf + over("i", own.lowest), "= 0", source=case.heterogeneity.name)
    rounds.declare_gaps(proof, over("i", own.value) - f_inf, over("i", own.value_after) - f_inf, apart)
    _read(proof, case.heterogeneity)
    return own, rounds.declare_excess(proof, case.steps.DRIFT)


def _read(proof: MachineForm, heterogeneity: Symbol) -> None:
    root_B, root_M = Scalar("root.B"), Scalar("root.M")
    proof.reads |= {n.alpha: ALPHA, sqrt(n.alpha): memory.ROOT_A}
    proof.reads |= {sqrt(n.B): root_B, n.M: root_M**2, sqrt(n.M): root_M}
    proof.reads |= {heterogeneity: Scalar(heterogeneity.name), sqrt(heterogeneity + n.f0_gap): rounds.ROOT_0}
    proof.reads |= {sqrt(n.K + 2): Scalar("root.n"), n.min_gradient_norm: rounds.LEAST}


def _prove_away(proof: MachineForm, case: Case, own: Pass, remembered: str, drifted: str) -> str:
    """The distance of the gradient from the mean memory after the update, for the root of gap + Delta."""
    each, mean = prove_distance(proof, own)
    return proof.claim(
        "distance of the mean memory",
        R + case.steps.DRIFT / 2 * Scalar("root.gap") - AWAY,
        because(mean),
        because(each, over=["i"]),
        because(remembered, over=["i"]),
        because(drifted),
    )


def _prove_round(proof: MachineForm, case: Case, own: Pass, small: str, away: str) -> str:
    """m - m.next - eta (least - a - drift z) >= 0."""
    walk = prove_walk(proof)
    descent, error = prove_descent(proof, case, own, small)
    rest = 2 * R + 2 * BETA * server.OWN_NOISE + L * ETA / 2 + case.steps.DRIFT * rounds.Z
    return proof.claim(
        "one round",
        rounds.MEAN - rounds.NEXT - ETA * (rounds.LEAST - rest),
        because(descent, over=["E"]),
        because(error, times=2 * ETA, over=["E"]),
        because(away, times=2 * ETA, over=["E"]),
        because(walk, times=2 * ETA * BETA),
        because("least gradient", times=ETA),
        Equality("mean gap"),
        Equality("mean gap after", -1),
    )


def prove_walk(proof: MachineForm) -> str:
    """The mean length of the walk, from updates of length at most 1."""
    short = proof.search(
        "length of an update",
        1 - square(RESIDUAL / S),
        Summand(ALPHA**2 / S**2),
        Summand(ALPHA * memory.ERROR / S**2),
        Equality("definition of s"),
    )
    return server.prove_walk(proof, RESIDUAL / S, short)
