"""Lemma 3 as amended."""

from bounds.language.proof.expression import Scalar, over
from bounds.language.proof.form import MachineForm, because
from bounds.papers.als_dpfl.notation import client_distance
from bounds.papers.als_dpfl.proofs import interval, printed_steps


def _proof() -> MachineForm:
    proof = MachineForm("als_dpfl.lemma_3.lemma", "amended")
    found = interval.describe(proof, "xi_i")
    proof.reads[client_distance] = over("E", found.distance)
    proof.conclude(because(found.bound, times=1 / Scalar("beta")), search=True)
    return proof


AMENDED = _proof()
PRINTED = printed_steps.LEMMA_3
