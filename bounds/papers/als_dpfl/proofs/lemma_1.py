"""Lemma 1: the mean of smooth clients is smooth, as the printed words say: by the triangle inequality."""

from bounds.language.proof.form import MachineForm, because
from bounds.language.proof.lemmas import bound_norm_of_mean, bound_norm_of_turn
from bounds.papers.als_dpfl.notation import gradient_difference, point_distance


def _prove_smooth() -> MachineForm:
    proof = MachineForm("als_dpfl.lemma_1.smooth")
    i, (beta,) = proof.operator("i"), proof.positive("beta")
    proof.function("F", [i], smooth=beta)
    first, second = (proof.point(name, "F", proof.vector(f"w.{name}")) for name in ("x", "y"))
    move, turn = first.at - second.at, first.gradient - second.gradient
    far, own = proof.norm("far", move), proof.norm("turn", turn)
    both = [proof.average(f"mean.{p.name}", i, p.gradient) for p in (first, second)]
    mean = proof.norm("mean.turn", both[0] - both[1])
    proof.reads = {point_distance: far, gradient_difference: mean}
    each = bound_norm_of_turn(proof, "each client", beta, (far, own), (first, second))
    mean_turn = bound_norm_of_mean(proof, "mean turn", mean, both[0] - both[1], turn, own, i)
    proof.conclude(because(mean_turn), because(each, over=[i]))
    return proof


SMOOTH = _prove_smooth()
