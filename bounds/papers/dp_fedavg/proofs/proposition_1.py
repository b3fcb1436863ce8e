"""Proposition 1 by its printed steps, under Assumption 1 as printed and along the local steps as amended."""

from fractions import Fraction
from typing import Any

from bounds.language.assumptions import CURVATURE_ALONG_GRADIENTS
from bounds.language.proof.expression import ZERO, Scalar, atom, square
from bounds.language.proof.form import (
    Equality,
    MachineForm,
    Point,
    Summand,
    a_square,
    because,
    fact,
)
from bounds.language.proof.lemmas import bound_norm_of_sum, equate_squares
from bounds.papers.dp_fedavg import notation

L, LAM, RHO, E = (Scalar(name) for name in ("L", "lam", "rho", "E"))
ETA = RHO / (2 * L)
FALL = LAM**2 / L**2 * RHO * (1 - RHO / 4)  # of the squared gradient in a step, relative to itself
RHO_HAT = 3 * LAM**2 / (8 * L**2) * RHO
SLOPE, NEXT, TURN, START = Scalar("slope"), Scalar("slope.next"), Scalar("turn"), Scalar("slope.0")
G, COUNT, LONGEST = Scalar("G"), Scalar("t_now"), Scalar("far.E")


def _prove(variant: str) -> MachineForm:
    proof = _declare(variant)
    _prove_numbers(proof)
    _prove_slopes(proof, variant)
    _prove_step(proof)
    keeps = proof.named("keeps", 1 - RHO_HAT, "rho_hat <= 1")
    power, _ = proof.recursion("power", "t", keeps * Scalar("power"), 1, ">=")
    decayed, _ = proof.induct(
        "decay",
        "t",
        power * START - SLOPE,
        because("B.prop1.eq73"),
        because("B.prop1.eq72"),
        because("B.prop1.eq71"),
        Equality("definition of keeps", SLOPE),
        times=keeps,
    )
    proof.claim("B.prop1.eq74", power * START - SLOPE, because(decayed))
    sums = _prove_sum(proof, power)
    last = _prove_threshold(proof, sums, keeps, power)
    proof.conclude(because(last), search=True)
    return proof


def _declare(variant: str) -> MachineForm:
    """The local steps of a client, the lengths of its gradients, and their sum."""
    proof = MachineForm("dp_fedavg.proposition_1", variant)
    proof.index("t")
    proof.positive("L", "lam", "rho", "E"), proof.non_negative("G")
    proof.sequence("t", proof.scalar("t_now", ">=", ["t"]), COUNT + 1, 0, E)
    proof.reads = {notation.rho: RHO, notation.update_norm: LONGEST}
    for condition in ("B.asm1", "B.prop1.local_steps"):
        proof.condition(condition)
    proof.domain("E")
    w, last = proof.vector("w", ["t"]), proof.vector("w.E")
    properties: dict[str, Any] = {"lipschitz": G} if variant == "printed" else {}
    f = proof.function("f", convex=True, smooth=L, **properties)
    now, first, end = (
        proof.point(name, f, at) for name, at in (("now", w), ("first", proof.vector("w.0")), ("end", last))
    )
    following = proof.point("next", f, w - ETA * now.gradient)
    proof.path("t", now, following, first, end)
    proof.sequence(
        "t",
        proof.norm("slope", now.gradient),
        proof.norm("slope.next", following.gradient),
        proof.norm("slope.0", first.gradient),
        proof.norm("slope.E", end.gradient),
    )
    proof.norm("turn", following.gradient - now.gradient)
    _assume_slopes(proof, variant)
    total = atom("u")
    _, update = proof.vector_recursion("u", "t", total + now.gradient, ZERO)
    proof.sequence(
        "t",
        proof.norm("far", total),
        proof.norm("far.next", total + now.gradient),
        0,
        proof.norm("far.E", update),
    )
    proof.sum("slopes", "t", SLOPE)
    return proof


def _prove_numbers(proof: MachineForm) -> None:
    proof.search(
        "2 rho <= 1", 1 - 2 * RHO, because("B.prop1.local_steps"), because("domain of E", times=2 * RHO)
    )
    proof.claim("rho <= 4", 4 - RHO, because("2 rho <= 1", times=Fraction(1, 2)), Summand(Fraction(7, 2)))
    steep = because("B.asm1", times=3 * (L + LAM) / (16 * L**2))
    few = proof.search("2 E rho <= 1", 1 - 2 * E * RHO, because("B.prop1.local_steps"))
    proof.claim(
        "B.prop1.u3",
        Fraction(1, 4) - E * RHO_HAT,
        because(few, times=3 * LAM**2 / (16 * L**2)),
        steep,
        Summand(Fraction(1, 16)),
    )
    rest = because("domain of E", times=RHO_HAT)
    proof.claim("rho_hat <= 1", 1 - RHO_HAT, because("B.prop1.u3"), rest, Summand(Fraction(3, 4)))
    proof.claim(
        "a fall is at most 1",
        1 - FALL,
        because("B.asm1", "rho <= 4", times=(L + LAM) * RHO / (4 * L**2)),
        a_square(1 - RHO / 2),
    )


def _prove_step(proof: MachineForm) -> None:
    """(69) to (73)."""
    gradient, total, w = atom("grad.now"), atom("u"), atom("w")
    ends = ((atom("w.0") - atom("w.E")) / ETA, atom("u.last"))
    unrolled = equate_squares(proof, "update", "t", (atom("w.0") - w) / ETA, total, ends)
    proof.claim("B.prop1.eq68", square(ends[0]) - LONGEST**2, Equality(unrolled), relation="= 0")
    longer = bound_norm_of_sum(
        proof, "triangle", Scalar("far.next"), [(total, Scalar("far")), (gradient, SLOPE)]
    )
    _, sums = proof.induct("lengths", "t", Scalar("slopes") - Scalar("far"), because(longer))
    proof.claim("B.prop1.eq69", Scalar("slopes.last") - LONGEST, because(sums))
    proof.claim("B.prop1.u1", TURN - ETA * LAM * SLOPE, because("curvature"))
    squares = proof.claim(
        "B.prop1.eq70",
        (1 - 2 * ETA * LAM**2 / L * (1 - ETA * L / 2)) * SLOPE**2 - NEXT**2,
        because(["co_coercive", "now", "next"], times=2 / ETA),
        because(["co_coercive", "next", "now"], times=2 / ETA),
        because("curvature", "rho <= 4", times=(TURN + ETA * LAM * SLOPE) / RHO),
    )
    root = proof.root("root", 1 - FALL, "a fall is at most 1")
    proof.larger_square("B.prop1.eq71", root * SLOPE, NEXT, squares)
    bracket = 1 - FALL / 2
    above = proof.claim(
        "bracket", bracket, because("a fall is at most 1", times=Fraction(1, 2)), Summand(Fraction(1, 2))
    )
    rest = proof.claim("bracket, squared", bracket**2 - root**2, a_square(FALL, times=Fraction(1, 4)))
    larger = proof.larger_square("bracket above the root", bracket, root, rest, above)
    proof.claim("B.prop1.eq72", bracket * SLOPE - root * SLOPE, because(larger, times=SLOPE))
    last = (1 - RHO_HAT) * SLOPE - bracket * SLOPE
    unit = LAM**2 * RHO / (8 * L**2) * SLOPE
    # FALL/2 - RHO_HAT is LAM^2 RHO/(8 L^2) times 1 - RHO
    proof.claim("B.prop1.eq73", last, because("2 rho <= 1", times=unit), Summand(unit * RHO))


def _assume_slopes(proof: MachineForm, variant: str) -> None:
    """No step turns the gradient by less than eta lambda, and no first gradient is longer than G."""
    turn = TURN - ETA * LAM * SLOPE
    if variant == "printed":
        proof.assume("curvature", turn, source=CURVATURE_ALONG_GRADIENTS.name)
        return
    (least,) = proof.non_negative("least_turn")
    proof.assume("least turn", TURN - ETA * least * SLOPE, source="B.alg1")
    proof.reads[notation.start_gradient] = START
    proof.condition("B.asm1.start"), proof.condition("B.asm1.turn")


def _prove_slopes(proof: MachineForm, variant: str) -> None:
    """`first gradient`: G - slope.0 >= 0; and `curvature`, where it is not given."""
    if variant == "amended":
        proof.search("first gradient", G - START, because("B.asm1.start"))
        short = because("B.asm1.turn", times=ETA * SLOPE)
        proof.claim("curvature", TURN - ETA * LAM * SLOPE, because("least turn"), short)
        return
    first = Point("first", atom("w.0"), atom("grad.first"), Scalar("value.first"))
    squares = proof.claim(
        "first gradient, squared", G**2 - START**2, because(fact("bounded_gradient", first))
    )
    proof.larger_square("first gradient", G, START, squares)


def _prove_sum(proof: MachineForm, power: Scalar) -> tuple[Scalar, str]:
    """(75) up to its equality: the powers add up to all * slope.0, and rho_hat times all is 1 - power."""
    so_far, all_powers = proof.recursion("powers", "t", lambda total: total + power, 0, ">=")
    _, longest = proof.induct(
        "bounds added up", "t", START * so_far - Scalar("slopes"), because("B.prop1.eq74")
    )
    first = because("B.prop1.eq69"), because(longest)
    proof.claim("B.prop1.eq75, sum", START * all_powers - LONGEST, *first)
    geometric = RHO_HAT * so_far - (1 - power)
    definition = Equality("definition of keeps", power)
    _, closed = proof.induct("geometric sum", "t", geometric, definition, relation="= 0")
    return all_powers, closed


def _prove_threshold(proof: MachineForm, sums: tuple[Scalar, str], keeps: Scalar, power: Scalar) -> str:
    """(75), the bracket of (76) by the powers of rho_hat up to the square, and both together."""
    all_powers, closed = sums
    x, last = RHO_HAT, Scalar("power.last")
    total, exact = (1 - last) / x, Equality(closed, -1 / x)
    own = proof.claim(
        "B.prop1.eq75, geometric", START * (all_powers - total), Equality(closed, START / x), relation="= 0"
    )
    short = proof.claim("powers >= 0", total, exact, Summand(all_powers))
    steep = proof.claim("B.prop1.eq75, Lipschitz", total * (G - START), because("first gradient", short))
    reasons = because("B.prop1.eq75, sum"), Equality(own, -1), because(steep)
    proof.claim("B.prop1.eq75", total * G - LONGEST, *reasons)
    twos, threes = COUNT * (COUNT - 1), COUNT * (COUNT - 1) * (COUNT - 2)
    pairs, many = proof.induct("t (t - 1) >= 0", "t", twos, Summand(2 * COUNT))
    expanded = 1 - COUNT * x + twos / 2 * x**2
    rest = because(pairs, times=x**3 / 2), Equality("definition of keeps", -expanded)
    powers, _ = proof.induct("expansion of a power", "t", expanded - power, *rest, times=keeps)
    added = COUNT - twos / 2 * x + threes / 6 * x**2 - Scalar("powers")
    _, bounded = proof.induct("expansion of the sum", "t", added, because(powers))
    fact_3 = proof.claim(
        "Fact 3",
        E * (1 - Fraction(11, 24) * (E - 1) * x) - total,
        because(bounded),
        Equality(closed, 1 / x),
        because("B.prop1.u3", many, times=x / 6),
        because(many, times=x**2 / 3),
    )
    proof.claim(
        "B.prop1.eq76",
        G * E * (1 - Fraction(11, 64) * (E - 1) * RHO * (LAM**2 / L**2)) - total * G,
        because(fact_3, times=G),
    )
    return proof.claim(
        "threshold",
        G * E * (1 - Fraction(11, 64) * (E - 1) * RHO * (LAM**2 / L**2)) - LONGEST,
        because("B.prop1.eq75"),
        because("B.prop1.eq76"),
    )


PRINTED, AMENDED = _prove("printed"), _prove("amended")
