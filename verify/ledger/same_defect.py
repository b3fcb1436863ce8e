"""Which places of a paper have one defect: it is one finding, told where it is gravest.

A place is a locator and a part of it, as the ledger names them; where several statements share it, with the
statement that is meant. Claims in prose quote displays of proofs, one
display is printed in two theorems, and what rests on a mistake is mistaken with it. No evidence shows that
two defects are one, so that is said here, by hand; a test asks for a word on every two findings that share a
place, a display or what is right instead. What is told elsewhere keeps its evidence, which runs again.
"""

from collections.abc import Mapping
from functools import cache

Places = tuple[str, ...]

# By paper: the place where a defect is told, and the others that have it.
ALSO_AT: Mapping[str, Mapping[str, Places]] = {
    "fed_norm_ec": {
        # Delta_inf without its root in the condition on eta, and what was refuted or chosen with it.
        "A.thm1, conclusion": (
            *("A.thm1.app, conclusion", "A.thm2, conclusion"),
            *("A.cor2, conclusion", "A.cor3.s10, conclusion", "A.cor5, conclusion"),
            *("A.thm1.s20, proof", "A.thm2.s18, proof"),
            "A.thm1.h4, condition A.thm1.h4.heterogeneity",
            "A.thm2.h5, condition A.thm2.h5.heterogeneity",
            *("A.cor2.h5, choice of eta_hat", "A.cor5.h5, choice of eta_hat"),
            *("A.cor1.h5, condition A.cor1.h5", "A.cor3.h4, condition A.cor3.h4"),
            "A.cor6.h5, condition A.cor6.h5",
        ),
        "A.thm1, the case Delta_inf = 0": (
            *("A.thm1.app, the case Delta_inf = 0", "A.thm2, the case Delta_inf = 0"),
            *("A.cor3, the case Delta_inf = 0", "A.cor3.s10, the case Delta_inf = 0"),
            "A.cor6, the case Delta_inf = 0",
        ),
        "A.thm1, the case R = 0": (
            *("A.thm1.app, the case R = 0", "A.thm2, the case R = 0", "A.cor1.s8, the case R = 0"),
            *("A.cor3.s10, the case R = 0", "A.disc.full, the case R = 0"),
        ),
        "A.lem1, conclusion": ("A.lem1.s8, proof", "A.lem1.s15, proof"),
        "A.thm1.s1, proof": ("A.thm2.s1, proof",),
        # Smoothness of the clients, where that of their data is used; a pass of any length.
        "A.lem9.c2, conclusion": (
            *("A.lem9.c3, conclusion", "A.lem9.c4, conclusion"),
            *("A.lem9.s3, proof", "A.lem9.s12, proof", "A.lem9.s20, proof"),
        ),
        "A.lem8, conclusion": ("A.lem8.s1, proof",),
        "A.lem1.s2, proof": ("A.lem1.s6, proof", "A.lem1.s7, proof"),
        "A.thm1.s17, proof": ("A.thm2.s15, proof",),
        "A.thm1.s19, proof": ("A.thm2.s17, proof",),
        "A.cor1.s2, proof": ("A.cor3.s2, proof",),
        "A.cor1.s10, proof": ("A.cor3.s13, proof",),
        "A.cor3.s11, proof": ("A.cor3.s12, proof",),
        # A step size that Lemma 1 does not allow.
        "A.thm1.s3, proof": ("A.thm1, condition A.lem1.h6 of fed_norm_ec.lemma_1 (A.lem1.h6)",),
        # A limit on gamma that is met with much noise only.
        "A.cor1, hypothesis A.cor1.h5": (*("A.cor3, hypothesis A.cor3.h4", "A.cor6, hypothesis A.cor6.h5"),),
        # The noise in each coordinate, or all of it.
        "A.lem3, conclusion": ("A.cor1, conclusion", "A.cor3, conclusion", "A.cor6, conclusion"),
        # The index of a sum that its summand does not have.
        "A.lem7.c1, conclusion": ("A.lem9.c1, conclusion",),
        "A.lem7.s9, proof": ("A.lem7.s11, proof",),
        "A.lem7.s16, proof": ("A.lem7.s17, proof", "A.lem7.s18, proof"),
        "A.cor3, definition of Delta": ("A.cor1.app, term utility",),
        # gamma is prescribed where a limit on it is meant.
        "A.cor2, choice of gamma of fed_norm_ec.theorem_1.appendix (A.thm1.h3)": (
            *("A.cor5, choice of gamma of fed_norm_ec.theorem_2 (A.thm2.h4)", "A.disc.gamma0, conclusion"),
        ),
        # A noise that grows with the rounds, in a rate's constant.
        "A.cor2, noise": ("A.cor4, noise",),
        # One step size, which both corollaries choose.
        "A.cor2, condition A.thm1.h4.heterogeneity of fed_norm_ec.theorem_1.appendix (A.thm1.h4)": (
            "A.cor5, condition A.thm2.h5.heterogeneity of fed_norm_ec.theorem_2 (A.thm2.h5)",
        ),
        # The longest step that Theorem 1 allows, under Theorem 2, which allows two thirds of it.
        "A.cor5, condition A.thm2.h5.memory of fed_norm_ec.theorem_2 (A.thm2.h5)": (
            "A.cor6, condition A.thm2.h5.memory of fed_norm_ec.theorem_2 (A.thm2.h5)",
        ),
        "A.disc.sigma, conclusion": ("A.disc.amp, conclusion",),
    },
    "dp_fedavg": {
        "B.alg1, conclusion": ("B.alg2, conclusion",),
        "B.alg1, line 13": ("B.alg2, line 13",),
        # A coin for each client, where the proofs have exactly r of them.
        "B.thm4, conclusion": (
            *("B.thm6.general, conclusion", "B.thm6.specific, conclusion", "B.eq16, conclusion"),
            *("B.thm5.eq23, proof", "B.thm5.u1, proof"),
        ),
        "B.thm5.general, conclusion": ("B.thm6.u3, proof",),
        "B.prop1, hypotheses": ("B.eq11, hypotheses", "B.eq11.rule, hypotheses"),
        "B.eq15, conclusion": ("B.eq15, term heterogeneity", "B.eq15, value of dp_fedavg.theorem_2 (B.thm2)"),
        # Normalization leads to a median of the clients' minimizers, however many rounds there are.
        "B.claim.asym, conclusion": (
            "B.eq17.cmp, conclusion of dp_fedavg.equation_17_comparison.initialization",
            "B.rem1, conclusion of dp_fedavg.remark_1.advice",
        ),
        "B.rem1, conclusion of dp_fedavg.remark_1.many_rounds": (
            "B.eq17.cmp, conclusion of dp_fedavg.equation_17_comparison.vanishing",
        ),
        # Term A, which is left, has the threshold, and that the largest gap.
        "B.eq17.cmp, the threshold": ("B.rem1, the threshold",),
    },
    "als_dpfl": {
        "C.claim.mono.F, conclusion": (
            *("C.claim.mono.theta, conclusion", "C.lem6.s9, proof", "C.lem6.s12, proof", "C.thm2.s6, proof"),
        ),
        # Rounds at tau = 1 come first, and a fixed tau has the steps of these ahead.
        "C.claim.adaptive, conclusion": ("C.claim.anyresource, conclusion",),
        "C.claim.gradnoise, conclusion": ("C.lem6.s4, proof",),
        "C.claim.jensen, conclusion": ("C.thm2.s15, proof",),
        # A gap below 1, which has no unit.
        "C.thm2.4, condition C.thm2.4.upper": ("C.claim.jensen, condition C.claim.jensen",),
        # The noise of a step without the factor eta that it is taken with.
        "C.lem4, conclusion": (
            *("C.lem4.s1, proof", "C.lem4, condition C.lem4.gradient", "C.thm2.5, condition C.thm2.5"),
        ),
        "C.lem3, conclusion": ("C.lem3.s4, proof", "C.thm1, conclusion", "C.thm1.F, conclusion"),
        "C.thm2, definition of phi": ("C.phi.thm, term progress",),
        "C.thm2, hypotheses": ("C.lem6, hypotheses", "C.alg2.tau, hypotheses"),
    },
    "fedavg_lojasiewicz": {
        "D.F2, conclusion": (
            *("D.F2, term noise", "D.F2, term drift_noise"),
            *("D.claim.H1end, conclusion", "D.claim.unroll, conclusion"),
        ),
        "D.F1.s3, proof": ("D.claim.complete, conclusion",),
        "D.eq40, proof": ("D.claim.eta1L, conclusion",),
        "D.F4.s1, conclusion": ("D.F4.s1, term descent",),
        "D.F4.s2, proof": ("D.claim.same, conclusion",),
        "D.F3, hypotheses": (
            *("D.eq40, hypotheses", "D.F3.s4, hypotheses", "D.F3.s11, hypotheses"),
            *("D.F4, hypotheses", "D.F4.s2, hypotheses"),
        ),
    },
}


@cache
def _told_at(paper: str) -> dict[str, str]:
    return {other: first for first, others in ALSO_AT.get(paper, {}).items() for other in others}


def told_at(paper: str, here: str, statement: str) -> str | None:
    """The place where the defect of this place is told; None where it is told here."""
    table = _told_at(paper)
    return table.get(named(here, statement), table.get(here))


def named(here: str, statement: str) -> str:
    """A place that several statements share, of this one."""
    return f"{here} of {statement}"
