"""Corollary 1 as amended, before O(.): one local step, with noise for privacy. And printed steps."""

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_inf
from bounds.papers.fed_norm_ec.proofs import corollary_steps, gradient_pass
from bounds.papers.fed_norm_ec.proofs.rounds import ROOT_0
from bounds.papers.fed_norm_ec.proofs.theorem import Case
from bounds.papers.fed_norm_ec.proofs.utility_numbers import Utility, conclude_utility


def _prove() -> MachineForm:
    proof = MachineForm("fed_norm_ec.corollary_1.explicit", "amended")
    own = Utility("A.thm1.h2", one_step="A.cor1.h1")
    case = Case("A.cor1.h1", Delta_inf, gradient_pass, own.declare, own.prove)
    rest = gradient_pass.OF_A_STEP * ROOT_0
    none = Equality("definition of T-1", -rest), Equality("one local step", -rest)
    return conclude_utility(proof, case, Scalar("0"), *none)


PRINTED = corollary_steps.certify_corollary_1()
AMENDED = _prove()
