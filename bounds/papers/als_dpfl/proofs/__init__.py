"""Machine forms of the proofs of the ALS-DPFL paper, and why some printed steps have none."""

from bounds.language.proof.reasons import Reason

WITHOUT_CLAIM = {
    "C.lem1.s1": Reason.WORDS,
    "C.lem4.s4": Reason.AFTER_FALSE,
    "C.lem4.s5": Reason.AFTER_FALSE,
    "C.lem4.s7": Reason.AFTER_FALSE,
    "C.lem6.s1": Reason.DEFINITION,
    "C.thm1.s7": Reason.AFTER_FALSE,
    "C.lem3.s1 (1)": Reason.DEFINITION,
    "C.lem3.s1 (2)": Reason.DEFINITION,
    "C.lem3.s3": Reason.DEFINITION,
    "C.lem3.s4": Reason.AFTER_FALSE,
    "C.lem3.s5": Reason.AFTER_FALSE,
    "C.lem3.s7": Reason.AFTER_FALSE,
    "C.lem4.s9": Reason.AFTER_FALSE,
    "C.lem5.s2": Reason.AFTER_FALSE,
    "C.lem6": Reason.AFTER_FALSE,
    "C.thm1.s3": Reason.AFTER_FALSE,
    "C.thm1.s6 (1)": Reason.FALSE,
    "C.thm1.s6 (3)": Reason.DEFINITION,
    "C.lem4.s1 (2)": Reason.FALSE,
    "C.thm2": Reason.AFTER_FALSE,
    "C.thm2.s15 (2)": Reason.STRICT,
}
