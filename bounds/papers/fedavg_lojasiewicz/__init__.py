"""FedAvg in the stochastic setting under a local Lojasiewicz condition (an appendix excerpt)."""

from bounds.papers.fedavg_lojasiewicz.notation import NOTATION
from bounds.statement import Paper

PAPER = Paper(
    key="fedavg_lojasiewicz",
    title="FedAVG under a local Łojasiewicz condition: stochastic setting (appendix excerpt)",
    authors="unknown; probably a version of, or a companion to, work by Labbi, Mangold, Tiapkin, Moulines",
    bibtex="""@misc{fedavglojasiewicz,
  title = {{FedAVG} under a local {\\L}ojasiewicz condition: stochastic setting},
  note  = {Appendix excerpt, equations (33)--(42); origin not confirmed}
}""",
    transcription="fedavg-lojasiewicz.md",
    notation=NOTATION,
)
