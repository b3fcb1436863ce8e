"""On the convergence of DP federated learning on non-Lipschitz objectives, and with normalized updates."""

from bounds.language.statement import Alias, Paper
from bounds.papers.dp_fedavg.notation import NOTATION

PAPER = Paper(
    key="dp_fedavg",
    title=(
        "On the Convergence of Differentially Private Federated Learning on Non-Lipschitz Objectives, "
        "and with Normalized Client Updates"
    ),
    authors="Rudrajit Das, Abolfazl Hashemi, Sujay Sanghavi, Inderjit S. Dhillon",
    bibtex="""@misc{das2021dpfedavg,
  title  = {On the Convergence of Differentially Private Federated Learning on Non-Lipschitz Objectives,
            and with Normalized Client Updates},
  author = {Das, Rudrajit and Hashemi, Abolfazl and Sanghavi, Sujay and Dhillon, Inderjit S.},
  year   = {2021}
}""",
    package=__name__,
    notation=NOTATION,
    url="https://arxiv.org/abs/2106.07094",
    method="DP-FedAvg",
    main=(
        "theorem_1",
        "theorem_2",
        "theorem_3",
        "theorem_4",
        "proposition_1",
    ),
    aliases=(
        Alias(
            "B.claim.multi",
            "dp_fedavg.equation_11_rule",
            "the rule in words: many local steps where initialization outweighs heterogeneity",
        ),
    ),
)
