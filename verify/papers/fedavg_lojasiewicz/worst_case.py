"""The quantities of the paper in a worst-case program; two of them declare no part in a run."""

from verify.worst_case.setting import GAP

NAMES = {
    "M": "clients",
    "H": "local_steps",
    "R": "rounds",
    "eta": "local_step",
    "L": "L",
    "mu_1": "mu_1",
    "zeta": "zeta",
    "f0_gap": "f0_gap",
    "sigma": "sigma",
}
OBSERVABLES = {"final_gap": GAP}
