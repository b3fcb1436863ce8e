"""Corollary 3 as amended, before O(.): several local steps, with noise for privacy. And printed steps."""

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import Equality, MachineForm
from bounds.papers.fed_norm_ec.notation import Delta_inf
from bounds.papers.fed_norm_ec.proofs import corollary_steps, gradient_pass
from bounds.papers.fed_norm_ec.proofs.rounds import ROOT_0
from bounds.papers.fed_norm_ec.proofs.theorem import Case
from bounds.papers.fed_norm_ec.proofs.utility_numbers import Utility, conclude_utility


def _prove() -> MachineForm:
    proof = MachineForm("fed_norm_ec.corollary_3.explicit", "amended")
    own = Utility("A.thm1.h2", "A.cor3.s13")
    case = Case("A.thm1.h1", Delta_inf, gradient_pass, own.declare, own.prove)
    drift = gradient_pass.OF_A_STEP * (Scalar("T") - 1) * ROOT_0
    none = Equality("definition of T-1", -gradient_pass.OF_A_STEP * ROOT_0)
    return conclude_utility(proof, case, drift, none)


PRINTED = corollary_steps.certify_corollary_3()
AMENDED = _prove()
