"""Printed steps that are true, of proofs whose conclusions as printed are false."""

from bounds.language.proof.expression import Scalar, over, square
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, a_square, because
from bounds.language.proof.lemmas import bound_norm_of_mean, bound_norm_of_sum
from bounds.papers.als_dpfl import notation as n


def _certify_lemma_3() -> MachineForm:
    """One update, a zero that is added, and the sum that the recursion adds up to."""
    proof = MachineForm("als_dpfl.lemma_3.lemma")
    beta, eta, clip, root_B, power = proof.positive("beta", "eta", "C", "root.B", "power")
    sigma, root_d, xi = proof.non_negative("sigma", "root.d", "xi_i")
    w, v, own, shared, exact = (proof.vector(name) for name in ("w", "v", "g.i", "g.v", "g.exact"))
    apart, turn = proof.norm("apart", w - v), proof.norm("turn", own - shared)
    following = proof.norm("apart.next", w - eta * own - (v - eta * shared))
    in_parts = proof.norm("turn.in.parts", own - exact + exact - shared)
    triangle = bound_norm_of_sum(
        proof, "triangle", following, [(w - v, apart), (eta * (shared - own), eta * turn)]
    )
    proof.claim("C.lem3.s4", apart + eta * turn - following, because(triangle))
    proof.claim("C.lem3.s4 (2)", turn**2 - in_parts**2, relation="= 0")
    added = xi + 2 * root_d * sigma * clip / root_B**2
    grown = (1 + eta * beta) * added / beta * (power - 1) + eta * added
    proof.claim("C.lem3.s2 (2)", added / beta * ((eta * beta + 1) ** 0 - 1), relation="= 0")
    last = added / beta * ((1 + eta * beta) * power - 1)
    proof.claim("C.lem3.s7 (2)", grown - last, relation="= 0")
    return proof


def _certify_theorem_1() -> MachineForm:
    """The step of the averaged model, and the triangle inequality."""
    proof = MachineForm("als_dpfl.theorem_1.distance")
    i, (eta,), _ = proof.operator("i"), proof.positive("eta"), proof.index("t")
    own, shared = proof.vector("g.i", [i]), proof.vector("g.v")
    w, v = proof.vector("w", [i]), proof.vector("v")
    mean, slope = proof.average("w.mean", i, w), proof.average("g.mean", i, own)
    turn, mean_turn = proof.norm("turn", own - shared), proof.norm("turn.mean", slope - shared)
    away = proof.norm("away", mean - v)
    moved = mean - eta * slope - (v - eta * shared)
    following = proof.norm("away.next", moved)
    telescoped = _telescope(proof, "apart")
    proof.assume("both start at one point", Scalar("apart.first"), "= 0", source=DEFINITION)
    any_direction = proof.vector("direction")
    along = over(i, proof.inner(w - eta * own, any_direction))
    proof.claim("C.thm1.s1", along - proof.inner(mean - eta * slope, any_direction), relation="= 0")
    proof.claim("C.thm1.s2", following**2 - square(mean - eta * slope - v + eta * shared), relation="= 0")
    triangle = bound_norm_of_sum(
        proof, "triangle", following, [(mean - v, away), (eta * (shared - slope), eta * mean_turn)]
    )
    longest = bound_norm_of_mean(proof, "mean turn", mean_turn, slope - shared, own - shared, turn, i)
    bounded = away + eta * over(i, turn) - following
    proof.claim("C.thm1.s2 (2)", bounded, because(triangle), because(longest, times=eta))
    proof.induct("C.thm1.s5 (2)", "t", telescoped, relation="= 0")
    start, last = Scalar("apart.first"), Scalar("apart.last")
    proof.claim("C.thm1.s5 (3)", last - start - last, Equality("both start at one point", -1), relation="= 0")
    return proof


def _telescope(proof: MachineForm, name: str) -> Scalar:
    """A mean in each iteration of an interval: the sum of its changes so far, without the whole change."""
    now, following, first = proof.scalar(name, over=["t"]), Scalar(f"{name}.next"), Scalar(f"{name}.first")
    proof.scalar(f"{name}.next", over=["t"]), proof.scalar(f"{name}.first")
    proof.sequence("t", now, following, first, proof.scalar(f"{name}.last"))
    changes, _ = proof.sum(f"changes of {name}".replace(" ", "."), "t", following - now)
    return changes - (now - first)


def _certify_theorem_2() -> MachineForm:
    """Common denominators, the algebra after the sums, and the difference of y and y^3."""
    proof = MachineForm("als_dpfl.theorem_2.theorem_omega")
    intervals, T, tau, _, lam, eta, beta, K = (
        proof.operator("k", proof.positive("K")[0]),
        *proof.positive("T", "tau", "rho", "lam", "eta", "beta"),
        Scalar("K"),
    )
    E, _ = proof.operator("E"), proof.index("t")
    telescoped = _telescope(proof, "reciprocal")
    omega, d, F_star = *proof.positive("omega", "d"), proof.scalar("F_star")
    sigma, h = proof.non_negative("sigma", "h_tau")
    # F at both ends of an aggregation: of v_[k](k tau), and of v_[k+1](k tau), which is the averaged model.
    # The displays divide by these gaps.
    ahead, mean = proof.scalar("F.ahead", over=[E]), proof.scalar("F.mean", over=[E])
    before, after = proof.scalar("gap.ahead", ">", [E]), proof.scalar("gap.mean", ">", [E])
    proof.assume("theta", before - (ahead - F_star), "= 0", source=DEFINITION)
    proof.assume("theta.next", after - (mean - F_star), "= 0", source=DEFINITION)
    proof.scalar("gap.first", ">", [E])
    distance = proof.scalar("distance", ">=", [E])
    for name, difference in (("above", mean - ahead), ("below", ahead - mean)):
        proof.assume(f"absolute value, {name}", distance - difference, source=DEFINITION)
    proof.assume("whole intervals", T - K * tau, "= 0", source="C.intervals")
    phi = proof.named("phi", omega * (1 - beta * eta / 2) - sigma**2 * d / lam**2)
    proof.reads = {n.phi: phi, n.h_tau: h, n.omega: omega}
    proof.condition("C.thm2.2")
    growth = omega * eta * (1 - beta * eta / 2) - eta * sigma**2 * d / lam**2
    proof.induct("C.thm2.s1", "t", telescoped, relation="= 0")
    proof.claim("C.thm2.s2 (2)", over(intervals, tau * growth) - K * tau * growth, relation="= 0")
    _certify_denominators(proof)
    _certify_sums(proof, growth, phi)
    return proof


def _certify_sums(proof: MachineForm, growth: Scalar, phi: Scalar) -> None:
    """The algebra after (28) and (30), and the difference of y and y^3."""
    E, after, first = "E", Scalar("gap.mean"), Scalar("gap.first")
    T, tau, lam, K = (Scalar(name) for name in ("T", "tau", "lam", "K"))
    eta, loss = Scalar("eta"), Scalar("rho") * Scalar("h_tau") / lam**2
    last = T * (growth - loss / tau)
    proof.claim(
        "C.thm2.s13 (2)",
        T * growth - K * loss - (T * growth - T * loss / tau),
        Equality("whole intervals", loss / tau),
        relation="= 0",
    )
    proof.claim("C.thm2.s13 (3)", T * growth - T * loss / tau - last, relation="= 0")
    one = over(E, 1 / after)
    proof.claim("C.thm2.s14", one - (one - over(E, 1 / first)), Summand(over(E, 1 / first)))
    speed = T * (eta * phi - loss / tau)
    proof.claim("C.thm2.s14 (3)", last - speed, Equality("definition of phi", -T * eta), relation="= 0")
    proof.claim("C.thm2.s14 (4)", speed, because("C.thm2.2", times=T / (tau * lam**2) ** 2), relation="> 0")
    root_3 = proof.root("root.3", Scalar("3"))
    proof.claim(
        "C.thm2.s17",
        over(E, after**3) + root_3 / 3 - over(E, after),
        a_square(after - root_3 / 3, times=after + 2 * root_3 / 3, over=[E]),
        Summand(root_3 / 9),
    )


def _certify_denominators(proof: MachineForm) -> None:
    """Differences of reciprocals as one fraction; the averaged model is next after both."""
    E, before, after = "E", Scalar("gap.ahead"), Scalar("gap.mean")
    ahead, mean = Scalar("F.ahead"), Scalar("F.mean")
    reciprocal, product = 1 / after - 1 / before, after * before
    equal = [Equality("theta", 1 / product, (E,)), Equality("theta.next", -1 / product, (E,))]
    apart = over(E, 1 / after) - over(E, 1 / before)
    fraction, by_values = over(E, (before - after) / product), over(E, (ahead - mean) / product)
    proof.claim("C.thm2.s5", apart - over(E, reciprocal), relation="= 0")
    proof.claim("C.thm2.s5 (2)", over(E, reciprocal) - fraction, relation="= 0")
    proof.claim("C.thm2.s5 (3)", fraction - by_values, *equal, relation="= 0")
    turned = over(E, -1 / product * (mean - ahead))
    proof.claim("C.thm2.s5 (4)", by_values - turned, relation="= 0")
    proof.claim("C.thm2.s10", apart - fraction, relation="= 0")
    proof.claim("C.thm2.s10 (2)", fraction - by_values, *equal, relation="= 0")
    lengths = over(E, Scalar("distance"))
    loss = because("absolute value, above", over=[E])
    proof.claim("C.thm2.s11", -over(E, mean - ahead) + lengths, loss)


LEMMA_3, THEOREM_1, THEOREM_2 = _certify_lemma_3(), _certify_theorem_1(), _certify_theorem_2()
