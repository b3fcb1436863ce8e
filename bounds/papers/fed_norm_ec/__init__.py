"""First Provable Guarantees for Practical Private FL: Beyond Restrictive Assumptions."""

from bounds.language.statement import Alias, Paper
from bounds.papers.fed_norm_ec.notation import NOTATION

PAPER = Paper(
    key="fed_norm_ec",
    title="First Provable Guarantees for Practical Private FL: Beyond Restrictive Assumptions",
    authors="Egor Shulgin, Grigory Malinovsky, Sarit Khirirat, Peter Richtárik",
    bibtex="""@misc{shulgin2025fednormec,
  title  = {First Provable Guarantees for Practical Private {FL}: Beyond Restrictive Assumptions},
  author = {Shulgin, Egor and Malinovsky, Grigory and Khirirat, Sarit and Richt{\\'a}rik, Peter},
  year   = {2025}
}""",
    package=__name__,
    notation=NOTATION,
    url="https://arxiv.org/abs/2512.21521",
    method="Fed-alpha-NormEC",
    main=(
        "theorem_1.main",
        "theorem_2",
        "corollary_1.explicit",
        "corollary_2",
        "corollary_3.explicit",
    ),
    aliases=(
        Alias("A.lem7", "fed_norm_ec.lemma_7.c1", "the lemma is its statements c1 to c5"),
        Alias("A.lem9", "fed_norm_ec.lemma_9.c1", "the lemma is its statements c1 to c4"),
    ),
)
