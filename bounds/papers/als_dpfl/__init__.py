"""Adaptive local steps federated learning with differential privacy driven by convergence analysis."""

from bounds.language.statement import Alias, Paper
from bounds.papers.als_dpfl.notation import NOTATION

# An equation number repeats what its display holds; two more ids repeat a statement in other words.
_REPETITIONS = (
    ("C.eq10", "theorem_1.distance", "the number of the display of Theorem 1"),
    ("C.eq11", "h.main", "the number of the display that defines h in the main text"),
    ("C.eq12", "theorem_2.theorem_omega", "the number of the display of Theorem 2"),
    ("C.eq13", "control_objective", "the number of the display that defines G"),
    ("C.eq14", "lemma_2", "the number of the display of Lemma 2"),
    ("C.eq15", "lemma_3.lemma", "the number of the display of Lemma 3"),
    ("C.eq16", "theorem_1.distance", "the number of the first display of its proof, C.thm1.s1"),
    ("C.eq17", "theorem_1.distance", "the number of a display of its proof, C.thm1.s4"),
    ("C.eq18", "theorem_1.distance", "the theorem once more, at the end of its proof, C.thm1.s7"),
    ("C.eq19", "h.appendix", "the number of the display that defines h in Appendix A.1"),
    ("C.eq20", "equation_20", "the number of the display"),
    ("C.eq21", "lemma_5", "the number of the display of Lemma 5"),
    ("C.eq22", "lemma_6", "the number of the display of Lemma 6"),
    ("C.eq23", "lemma_6", "the number of a display of its proof, C.lem6.s2"),
    ("C.eq24", "lemma_6", "the number of a display of its proof, C.lem6.s4"),
    ("C.alg2.T", "budgets", "the same T, named again beside the listing"),
    ("C.claim.mono.v", "lemma_4", "the conclusion of Lemma 4 in other words"),
    ("C.thm2.eq25", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s4"),
    ("C.thm2.eq26", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s5"),
    ("C.thm2.eq27", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s6"),
    ("C.thm2.eq28", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s8"),
    ("C.thm2.eq29", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s9"),
    ("C.thm2.eq30", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s12"),
    ("C.thm2.eq31", "theorem_2.theorem_omega", "the number of a display of its proof, C.thm2.s16"),
)

PAPER = Paper(
    key="als_dpfl",
    title="Adaptive Local Steps Federated Learning with Differential Privacy Driven by Convergence Analysis",
    authors="Xinpeng Ling, Jie Fu, Zhili Chen",
    bibtex="""@misc{ling2023alsdpfl,
  title  = {Adaptive Local Steps Federated Learning with Differential Privacy Driven by Convergence Analysis},
  author = {Ling, Xinpeng and Fu, Jie and Chen, Zhili},
  year   = {2023}
}""",
    package=__name__,
    notation=NOTATION,
    url="https://arxiv.org/abs/2308.10457",
    method="ALS-DPFL",
    main=(
        "theorem_1.distance",
        "theorem_1.value",
        "theorem_2.theorem_omega",
        "theorem_2.lemma_6_omega",
        "optimal_tau",
    ),
    aliases=tuple(Alias(locator, f"als_dpfl.{of}", why) for locator, of, why in _REPETITIONS),
)
