"""Machine forms of the proofs of the Lojasiewicz document, and why some printed steps have none."""

from bounds.language.proof.reasons import Reason

WITHOUT_CLAIM = {
    "D.F1.s1": Reason.DEFINITION,
    "D.F2.s10 (1)": Reason.DEFINITION,
    "D.F2.s12 (1)": Reason.DEFINITION,
    "D.F2.s12 (2)": Reason.AFTER_FALSE,
    "D.F2.s13": Reason.AFTER_FALSE,
    "D.F2.s16": Reason.WORDS,
    "D.F3": Reason.POWER,
    "D.F4": Reason.POWER,
    "D.eq41": Reason.POWER,
    "D.eq42": Reason.POWER,
}
