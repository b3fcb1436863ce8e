"""Machine forms of the proofs of the ALS-DPFL paper, and why some printed steps have none."""

from bounds.language.proof.reasons import Reason

WITHOUT_CLAIM = {
    "C.lem4.s4": Reason.AFTER_FALSE,
    "C.lem4.s5": Reason.AFTER_FALSE,
    "C.lem4.s7": Reason.AFTER_FALSE,
    "C.lem6.s1": Reason.DEFINITION,
    "C.thm1.s6": Reason.EQUAL_SUMS,
    "C.thm1.s7": Reason.AFTER_FALSE,
}
