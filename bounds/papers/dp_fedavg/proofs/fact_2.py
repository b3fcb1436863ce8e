"""Fact 2: the squared sum of vectors, by the Jensen inequality of sums."""

from bounds.language.proof.expression import ZERO, Scalar, atom, square
from bounds.language.proof.form import MachineForm, because
from bounds.language.proof.lemmas import bound_square_of_sum
from bounds.papers.dp_fedavg.notation import vector_sum_squared, vectors_squared

COUNT = Scalar("k_now")


def _proof() -> MachineForm:
    proof = MachineForm("dp_fedavg.fact_2")
    proof.index("k"), proof.positive("p_vectors")
    proof.sequence("k", proof.scalar("k_now", ">=", ["k"]), COUNT + 1, 0, Scalar("p_vectors"))
    part = proof.vector("v", ["k"])
    total, last_total = proof.vector_recursion("sum", "k", atom("sum") + part, ZERO)
    squares, all_squares = proof.sum("squares", "k", square(part))
    _, last = bound_square_of_sum(proof, "vectors", "k", COUNT, squares, total, part)
    proof.reads = {vector_sum_squared: square(last_total), vectors_squared: all_squares}
    proof.conclude(because(last))
    return proof


PROOF = _proof()
