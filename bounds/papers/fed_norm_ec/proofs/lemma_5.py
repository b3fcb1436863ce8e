"""Lemma 5, without its weights: what V has lost after j steps, times the growth of the steps behind."""

from sympy import exp

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because, exp_tangent
from bounds.papers.fed_norm_ec.notation import (
    K,
    V_k,
    V_next,
    W_k,
    b_1,
    gamma_sequence,
    min_W,
)

NOT_NEGATIVE = "A.lem5.h1"
V, V_0, LEAST, COUNT, ROUNDS = (Scalar(name) for name in ("V", "V_0", "least", "j", "K"))
B_1, B_2, B_3, GAMMA, S = (Scalar(name) for name in ("b_1", "b_2", "b_3", "gamma_sequence", "S"))
C = 1 + B_1 * GAMMA**2
FLOOR = B_2 * LEAST - B_3


def _proof() -> MachineForm:
    proof = MachineForm("fed_norm_ec.lemma_5")
    k = proof.index("k")
    proof.positive("b_2", "gamma_sequence", "w"), proof.non_negative("b_1", "b_3", "V_0", "K")
    proof.sequence(k, proof.scalar("j", ">=", [k]), COUNT + 1, 0, ROUNDS + 1)
    W, least = proof.scalar("W", ">=", [k]), proof.scalar("least", ">=")
    following, last = proof.scalar("V.next", ">=", [k]), proof.scalar("V.end", ">=")
    proof.sequence(k, proof.scalar("V", ">=", [k]), following, V_0, last)
    proof.assume("least W", W - least, source=DEFINITION)
    one = proof.exponential("exp.one", B_1 * GAMMA**2)
    growth, growth_K = proof.recursion("growth", k, C * Scalar("growth"), 1, ">")
    power, power_K = proof.recursion("exp", k, one * Scalar("exp"), 1, ">=")
    proof.recursion("S", k, C * S + 1, 0, ">=")
    proof.reads = {V_k: V, V_next: following, W_k: W, min_W: least}
    proof.reads |= {exp(b_1 * gamma_sequence**2 * (K + 1)): power_K}
    proof.condition("A.lem5.h2")
    by_growth, n = _prove_by_growth(proof, growth, growth_K), proof.named("n", ROUNDS + 1)
    _prove_weighted(proof, growth, growth_K)
    proof.claim(
        "A.lem5.s11",
        growth_K * V_0 / (B_2 * GAMMA * n) + B_3 / B_2 - LEAST,
        because(by_growth, times=1 / (B_2 * GAMMA * n)),
        Equality("definition of n", -FLOOR / (B_2 * n)),
    )
    step = because(exp_tangent(one), times=growth)
    _, s12 = proof.induct("A.lem5.s12", k, power - growth, step, times=one)
    proof.conclude(
        because(by_growth, times=B_2 * GAMMA * (ROUNDS + 1)),
        because(s12, times=V_0 * B_2 * GAMMA * (ROUNDS + 1)),
    )
    return proof


def _prove_by_growth(proof: MachineForm, growth: Scalar, growth_K: Scalar) -> str:
    """growth V_0 - gamma (b_2 min W - b_3) (K + 1) >= 0: `A.lem5.s11` times a divisor."""
    many, S_K = ROUNDS + 1, Scalar("S.last")
    descent = because("least W", times=GAMMA * B_2)
    _, lost = proof.induct(
        "what is lost", "k", growth * V_0 - V - GAMMA * FLOOR * S, because("A.lem5.h2"), descent, times=C
    )
    _, long = proof.induct("S >= K + 1", "k", S - COUNT, Summand(B_1 * GAMMA**2 * S))
    positive = proof.claim("S > 0", S_K, because(long), Summand(many), relation="> 0")
    return proof.claim(
        "gained at most",
        growth_K * V_0 - GAMMA * FLOOR * many,
        because(lost, times=many),
        Summand(many * Scalar("V.end")),
        because(long, times=growth_K * V_0),
        times=because(positive),
    )


def _prove_weighted(proof: MachineForm, growth: Scalar, growth_K: Scalar) -> None:
    """`A.lem5.s4` to `s8` and `s10`, for any first weight; `before` is w^(k-1)."""
    rate, first = proof.named("rate", C), Scalar("w")
    before, smallest = proof.recursion("before", "k", lambda w: w / rate, first, ">")
    weight, loss = before / rate, 1 / (B_2 * GAMMA)
    weights, all_weights = proof.sum("weights", "k", weight)
    weighted, mean = proof.sum("weighted", "k", weight * Scalar("W"))
    gained = loss * (first * V_0 - before * V) + B_3 / B_2 * weights - weighted
    own = Equality("definition of rate", loss * before / rate * V)
    proof.induct("A.lem5.s4", "k", gained, because("A.lem5.h2", times=weight * loss), own)
    bound = loss * first * V_0 + B_3 / B_2 * all_weights
    proof.claim("A.lem5.s5", bound - mean, because("A.lem5.s4"), Summand(loss * smallest * Scalar("V.end")))
    falling = Summand(COUNT * weight * B_1 * GAMMA**2), Equality("definition of rate", COUNT * weight)
    proof.induct("A.lem5.s8", "k", weights - COUNT * before, *falling)
    many = because("A.lem5.s8"), Summand(smallest * (ROUNDS + 1))
    unrolled = Equality("definition of rate", -before * growth / rate)
    _, last_weight = proof.induct("weights, unrolled", "k", before * growth - first, unrolled, relation="= 0")
    # (K + 1) times the smallest weight, which is w^K; s9 has another index.
    s10, exact = (ROUNDS + 1) * (smallest - first / growth_K), Equality(last_weight, (ROUNDS + 1) / growth_K)
    proof.claim("A.lem5.s10", s10, exact, relation="= 0")
    weight_sum = proof.named(
        "weight.sum", all_weights, proof.claim("weights > 0", all_weights, *many, relation="> 0")
    )
    least = proof.induct("least of W", "k", weighted - LEAST * weights, because("least W", times=weight))[1]
    exact = Equality("definition of weight.sum", -LEAST / weight_sum)
    proof.claim("A.lem5.s6", mean / weight_sum - LEAST, because(least, times=1 / weight_sum), exact)
    rest = Equality("definition of weight.sum", B_3 / (B_2 * weight_sum))
    last = loss * first * V_0 / weight_sum + B_3 / B_2 - LEAST
    proof.claim("A.lem5.s7", last, because("A.lem5.s6"), because("A.lem5.s5", times=1 / weight_sum), rest)


PROOF = _proof()
