"""Proposition 1: the printed steps up to the decay of the local gradients, and the size of rho_hat."""

from fractions import Fraction

from bounds.language.assumptions import CURVATURE_ALONG_GRADIENTS
from bounds.language.proof.expression import ZERO, Scalar, Vector
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because
from bounds.language.proof.lemmas import bound_norm_of_sum
from bounds.papers.dp_fedavg import notation

L, LAM, RHO, E = (Scalar(name) for name in ("L", "lam", "rho", "E"))
ETA = RHO / (2 * L)
FALL = LAM**2 / L**2 * RHO * (1 - RHO / 4)  # of the squared gradient in a step, relative to itself
RHO_HAT = 3 * LAM**2 / (8 * L**2) * RHO
SLOPE, NEXT, TURN = Scalar("slope"), Scalar("slope.next"), Scalar("turn")


def _certify_steps() -> MachineForm:
    proof = _declare()
    _prove_numbers(proof)
    _prove_step(proof)
    keeps = proof.named("keeps", 1 - RHO_HAT, "rho_hat <= 1")
    power, _ = proof.recursion("power", "t", keeps * Scalar("power"), 1, ">=")
    start = Scalar("slope.0")
    decayed, _ = proof.induct(
        "decay",
        "t",
        power * start - SLOPE,
        because("B.prop1.eq73"),
        because("B.prop1.eq72"),
        because("B.prop1.eq71"),
        Equality("definition of keeps", SLOPE),
        times=keeps,
    )
    proof.claim("B.prop1.eq74", power * start - SLOPE, because(decayed))
    return proof


def _declare() -> MachineForm:
    """The local steps of a client, the lengths of its gradients, and their sum."""
    proof = MachineForm("dp_fedavg.proposition_1")
    proof.index("t")
    proof.positive("L", "lam", "rho", "E")
    proof.reads = {notation.rho: RHO}
    for condition in ("B.asm1", "B.prop1.local_steps"):
        proof.condition(condition)
    proof.domain("E")
    w, last = proof.vector("w", ["t"]), proof.vector("w.E")
    f = proof.function("f", convex=True, smooth=L)
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
    proof.assume("curvature", TURN - ETA * LAM * SLOPE, source=CURVATURE_ALONG_GRADIENTS.name)
    total = Vector((("u", Scalar("1")),))
    _, whole = proof.vector_recursion("u", "t", total + now.gradient, ZERO)
    proof.sequence(
        "t",
        proof.norm("far", total),
        proof.norm("far.next", total + now.gradient),
        0,
        proof.norm("far.E", whole),
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
    gradient, total = Vector((("grad.now", Scalar("1")),)), Vector((("u", Scalar("1")),))
    longer = bound_norm_of_sum(
        proof, "triangle", Scalar("far.next"), [(total, Scalar("far")), (gradient, SLOPE)]
    )
    _, sums = proof.induct("lengths", "t", Scalar("slopes") - Scalar("far"), because(longer))
    proof.claim("B.prop1.eq69", Scalar("slopes.last") - Scalar("far.E"), because(sums))
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


PRINTED = _certify_steps()
