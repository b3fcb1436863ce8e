"""(36): the descent of a round in two parts, by polarization with beta^2 = 1/(eta H)."""

from bounds.language.proof.expression import over, square
from bounds.language.proof.form import MachineForm, because, fact
from bounds.papers.fedavg_lojasiewicz import notation as n


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.equation_36")
    c, E = proof.operator("c"), proof.operator("E")
    L, eta, H = proof.positive("L", "eta", "H")
    lowest = proof.scalar("F_star")
    proof.function("f", [c], smooth=L)
    theta, following = proof.vector("theta"), proof.vector("theta.next", [E])
    middle = proof.average("theta.next.E", E, following)
    start, after = proof.point("start", "f", theta), proof.point("after", "f", following)
    gradient, move = proof.average("gradient", c, start.gradient), middle - theta
    proof.reads = {
        n.gap: over(c, start.value) - lowest,
        n.mean_next_gap: over(c, over(E, after.value)) - lowest,
        n.gradient_norm: proof.norm("gradient_norm", gradient),
        n.direction_error: proof.norm("direction_error", gradient + move / (eta * H)),
        n.mean_square_move: over(E, square(following - theta)),
        n.mean_move: proof.norm("mean_move", move),
    }
    proof.conclude(because(fact("smooth", after, start), over=[c, E]), search=True)
    return proof


PROOF = _proof()
