"""Corrections for findings of the substitution audit that need more than "satisfy the condition".

By the finding's id. A choice that meets a limit which the source does not need would keep the limit, and may
lose what the follower is for: its rate.
"""

from collections.abc import Mapping

_FREE_GAMMA = (
    "the theorem for gamma <= 1/(2L), with a limit by Delta_inf on eta gamma and not on eta: the choices "
    "meet that for every K, as A.cor2.s3 has it; with the root of Delta_inf in both, or as amended"
)
_ONE_STEP = "with one local step nothing limits eta by Delta_inf (docs/amended/fed_norm_ec.md, Theorem 1)"
_SIX = "with 1/(4L) in Theorem 2 too, which the choices meet, as its amended form has it"

RIGHT: Mapping[str, str] = {
    f"fed_norm_ec.{finding}": right
    for finding, right in {
        "corollary_2:substitution:choice of gamma": _FREE_GAMMA,
        "corollary_2:substitution:condition A.thm1.h4.heterogeneity": _FREE_GAMMA,
        "corollary_5:substitution:choice of gamma": _FREE_GAMMA,
        "corollary_5:substitution:condition A.thm2.h5.heterogeneity": _FREE_GAMMA,
        "corollary_4:substitution:condition A.thm1.h4.heterogeneity": (
            f"{_ONE_STEP}, and the choices meet the rest for every K"
        ),
        "claims.rate:substitution:condition A.thm1.h4.heterogeneity": (
            f"{_ONE_STEP}; of the memory's limit a constant of eta is left, and eta keeps its order"
        ),
        "corollary_5:substitution:condition A.thm2.h5.memory": _SIX,
        "corollary_6:substitution:condition A.thm2.h5.memory": _SIX,
    }.items()
}
