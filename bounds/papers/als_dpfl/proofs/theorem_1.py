"""Theorem 1 as amended: lengths are convex, and the loss is Lipschitz."""

from bounds.language.assumptions import LIPSCHITZ_CLIENTS
from bounds.language.proof.expression import Scalar, Vector, atom, over
from bounds.language.proof.form import MachineForm, a_square, because, cauchy_schwarz
from bounds.papers.als_dpfl.notation import distance_to_auxiliary, value_difference, xi
from bounds.papers.als_dpfl.proofs import interval, printed_steps


def _proof(identity: str, *, of_values: bool) -> MachineForm:
    proof = MachineForm(identity, "amended")
    rho = proof.positive("rho")[0] if of_values else Scalar("1")
    length, values = Scalar("length"), over("E", Scalar("difference" if of_values else "length"))

    def declare(client: Vector, auxiliary: Vector) -> None:
        proof.norm("length", proof.average("w.mean", "i", client) - auxiliary)
        if of_values:
            difference = proof.scalar("difference", ">=", ["E"])
            proof.assume("Lipschitz", rho * length - difference, source=LIPSCHITZ_CLIENTS.name)

    found = interval.describe(proof, "xi.i", declare)
    away = atom("w.mean") - found.auxiliary
    lengths = over("i", found.distance)
    along = proof.search(
        "along the mean",
        length * lengths - length**2,
        because(cauchy_schwarz(found.client - found.auxiliary, found.distance, away, length), over=["i"]),
    )
    squares = proof.claim(
        "squares of the lengths", lengths**2 - length**2, a_square(lengths - length), because(along, times=2)
    )
    convex = proof.larger_square("lengths are convex", lengths, length, squares)
    average = proof.claim(
        "C.thm1",
        (over("i", found.divergence) + found.nu) * found.growth - Scalar("beta") * over("E", length),
        because(found.bound, over=["i"]),
        because(convex, times=Scalar("beta"), over=["E"]),
    )
    proof.reads |= {xi: over("i", found.divergence), distance_to_auxiliary: values, value_difference: values}
    proof.conclude(
        because(average, times=rho / Scalar("beta")),
        *([because("Lipschitz", over=["E"])] if of_values else []),
        search=True,
    )
    return proof


DISTANCE_AMENDED = _proof("als_dpfl.theorem_1.distance", of_values=False)
VALUE_AMENDED = _proof("als_dpfl.theorem_1.value", of_values=True)
PRINTED = printed_steps.THEOREM_1
