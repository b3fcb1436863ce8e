"""Federated averaging with one client: gradient descent of K E steps, `T.gd.convex` with N = K E."""

from bounds.language.proof.form import Equality, MachineForm, because
from bounds.papers.textbook.notation import federated_gap
from bounds.papers.textbook.proofs import gradient_descent_convex


def _proof() -> MachineForm:
    proof = MachineForm("textbook.federated_averaging_one_client")
    (rounds,), (local,) = proof.non_negative("rounds"), proof.positive("E")
    gap, progress, definition = gradient_descent_convex.prove(proof, rounds * local)
    proof.reads = {federated_gap: gap}
    proof.conclude(because(progress), Equality(definition), search=True)
    return proof


PROOF = _proof()
