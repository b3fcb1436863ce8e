"""Machine forms of the proofs of the DP-FedAvg paper, and why some printed steps have none."""

from bounds.language.proof.reasons import Reason

WITHOUT_CLAIM = {
    "B.lem4.u8": Reason.FALSE,
    "B.prop1.u2": Reason.DEFINITION,
    "B.lem1.u1": Reason.DEFINITION,
    "B.lem2.u2": Reason.DEFINITION,
    "B.thm3.u3": Reason.ORDER,
    "B.thm3.u4": Reason.ORDER,
    "B.thm3.eq51": Reason.ORDER,
    "B.thm5.eq18": Reason.DEFINITION,
    "B.thm5.u1": Reason.LAW,
    "B.thm5.eq22": Reason.LAW,
    "B.thm5.eq24": Reason.AFTER_FALSE,
    "B.thm5.eq35": Reason.DEFINITION,
    "B.thm5.eq46": Reason.AFTER_FALSE,
    "B.thm5.eq47": Reason.AFTER_FALSE,
    "B.thm5.u5": Reason.DEFINITION,
    "B.thm5.eq48": Reason.AFTER_FALSE,
    "B.thm5.eq49": Reason.AFTER_FALSE,
    "B.thm5.u7": Reason.DEFINITION,
    "B.thm5.eq50": Reason.AFTER_FALSE,
    "B.thm5.u9": Reason.DEFINITION,
    "B.thm6.u5": Reason.DEFINITION,
    "B.thm6.u2": Reason.DEFINITION,
    "B.thm6.eq77": Reason.AFTER_FALSE,
    "B.thm6.eq80": Reason.DEFINITION,
    "B.thm6.eq84": Reason.AFTER_FALSE,
    "B.prop1.eq67": Reason.DEFINITION,
}
