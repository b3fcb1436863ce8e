"""(38): how far the mean direction of a round is from the gradient, from (37) and the sums of h and h^2."""

from bounds.language.proof.expression import Scalar, over, square
from bounds.language.proof.form import MachineForm, because
from bounds.papers.fedavg_lojasiewicz.notation import direction_error_square, gradient_norm
from bounds.papers.fedavg_lojasiewicz.proofs import one_round, printed_round
from bounds.papers.fedavg_lojasiewicz.proofs.one_round import H, L


def _proof() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.equation_38")
    found = one_round.describe(proof)
    error = square(found.mean.error(found.steps.start))
    smooth = because("smoothness of the steps", times=1 / H, over=["c"])
    moves = L**2 / H * over("c", Scalar("moves.last"))
    proof.claim("D.eq37", moves - error, because(found.turns, times=1 / H**2), smooth)
    printed_round.prove_eq38(proof, found.steps, error)
    norm = proof.norm("gradient_norm", found.gradient)
    proof.reads = {gradient_norm: norm, direction_error_square: error}
    proof.conclude(because("D.eq38"), search=True)
    return proof


PROOF = _proof()
