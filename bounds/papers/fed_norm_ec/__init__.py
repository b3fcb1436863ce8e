"""First Provable Guarantees for Practical Private FL: Beyond Restrictive Assumptions."""

from bounds.papers.fed_norm_ec.notation import NOTATION
from bounds.statement import Paper

PAPER = Paper(
    key="fed_norm_ec",
    title="First Provable Guarantees for Practical Private FL: Beyond Restrictive Assumptions",
    authors="Egor Shulgin, Grigory Malinovsky, Sarit Khirirat, Peter Richtárik",
    bibtex="""@misc{shulgin2025fednormec,
  title  = {First Provable Guarantees for Practical Private {FL}: Beyond Restrictive Assumptions},
  author = {Shulgin, Egor and Malinovsky, Grigory and Khirirat, Sarit and Richt{\\'a}rik, Peter},
  year   = {2025}
}""",
    transcription="fed-norm-ec.md",
    notation=NOTATION,
)
