"""Adaptive local steps federated learning with differential privacy driven by convergence analysis."""

from bounds.papers.als_dpfl.notation import NOTATION
from bounds.statement import Paper

PAPER = Paper(
    key="als_dpfl",
    title="Adaptive Local Steps Federated Learning with Differential Privacy Driven by Convergence Analysis",
    authors="Xinpeng Ling, Jie Fu, Zhili Chen",
    bibtex="""@misc{ling2023alsdpfl,
  title  = {Adaptive Local Steps Federated Learning with Differential Privacy Driven by Convergence Analysis},
  author = {Ling, Xinpeng and Fu, Jie and Chen, Zhili},
  year   = {2023}
}""",
    transcription="als-dpfl.md",
    notation=NOTATION,
)
