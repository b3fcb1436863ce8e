"""FedAvg in the stochastic setting under a local Lojasiewicz condition (an appendix excerpt)."""

from bounds.language.statement import Alias, Paper
from bounds.papers.fedavg_lojasiewicz.notation import NOTATION

PAPER = Paper(
    key="fedavg_lojasiewicz",
    title="FedAVG under a local Łojasiewicz condition: stochastic setting (appendix excerpt)",
    authors="unknown; probably a version of, or a companion to, work by Labbi, Mangold, Tiapkin, Moulines",
    bibtex="""@misc{fedavglojasiewicz,
  title = {{FedAVG} under a local {\\L}ojasiewicz condition: stochastic setting},
  note  = {Appendix excerpt, equations (33)--(42); origin not confirmed}
}""",
    package=__name__,
    notation=NOTATION,
    main=(
        "theorem_f2",
        "theorem_f4",
        "lemma_f1",
        "lemma_f3",
        "equation_19.general",
    ),
    aliases=(
        Alias("D.alg.step", "fedavg_lojasiewicz.algorithm", "line 6 of the listing"),
        Alias("D.eq34", "fedavg_lojasiewicz.lemma_f1", "the conclusion of Lemma F.1"),
        Alias("D.F2.s8", "fedavg_lojasiewicz.equation_38", "the same display"),
        Alias("D.F2.s14", "fedavg_lojasiewicz.equation_39", "the same display"),
        Alias("D.F3.s2", "fedavg_lojasiewicz.equation_40", "the same display"),
        Alias("D.F3.s5", "fedavg_lojasiewicz.equation_41", "the same display"),
        Alias("D.F3.s7", "fedavg_lojasiewicz.equation_42", "the same display"),
    ),
)
