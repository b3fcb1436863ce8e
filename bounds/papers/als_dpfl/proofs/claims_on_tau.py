"""G is smallest at tau = 1, as amended: h(tau)/tau does not fall, and T is not above that of tau = 1."""

from sympy import Min

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.als_dpfl import notation as n
from bounds.papers.als_dpfl.proofs.coupled_interval import (
    BATCH,
    BETA,
    ETA,
    ROOT_2,
    ROOT_TAU,
    SIZE,
    VARIANCE,
    declare_roots,
)

T, FIRST, FAR, LAM, TAU = (Scalar(name) for name in ("T", "f0_gap", "farthest_start_square", "lam", "tau"))
LOSS = BETA * ETA**2 / 2 * VARIANCE
GROWTH = ETA * (1 - ETA * BETA / 2) / FAR - LOSS / LAM**2
DRIFT = Scalar("rho") * ETA**2 * BETA / 4 * (Scalar("xi") + SIZE * ROOT_2 * ROOT_TAU / TAU) / LAM**2
CLEARED = 4 * BATCH**2 * FAR * LAM**2 * TAU  # by which the statement multiplies bracket and bound


def _declare(identity: str) -> MachineForm:
    proof = MachineForm(identity, "amended")
    proof.positive("beta", "eta", "C", "B", "rho", "tau", "f0_gap", "lam", "farthest_start_square")
    proof.non_negative("sigma", "d", "xi", "T")
    declare_roots(proof)
    proof.condition("C.thm2.2"), proof.domain("tau")
    return proof


def _conclude(proof: MachineForm, first: Scalar, *more: str) -> MachineForm:
    """`first` is T at tau = 1; `more` is the claim that it is no smaller, where it is another number."""
    later = TAU - 1
    faster = proof.claim(
        "the bracket at 1",
        GROWTH,
        because("C.thm2.2", times=1 / CLEARED**2),
        because("domain of tau", times=DRIFT),
        relation="> 0",
    )
    above = proof.claim(
        "one over G(1)",
        1 + FIRST * first * GROWTH,
        Summand(1),
        because(faster, times=FIRST * first),
        relation="> 0",
    )
    total = proof.named("whole", 1 + FIRST * first * GROWTH, above)
    proof.reads[n.G_one] = FIRST / total
    bracket = GROWTH - DRIFT * later
    scale = CLEARED**2 * FIRST**2
    gain = first * GROWTH - T * bracket
    larger = proof.claim(
        "T times the bracket",
        gain,
        because("domain of tau", times=T * DRIFT),
        *(because(one, faster) for one in more),
    )
    rest = CLEARED**2 * FIRST * (1 + FIRST * T * bracket)
    proof.conclude(
        because(larger, times=scale / total),
        because(larger, "C.thm2.2", times=FIRST**3 * T / total),
        Equality("definition of whole", rest / total),
    )
    return proof


def _prove_minimizer() -> MachineForm:
    return _conclude(_declare("als_dpfl.claims_on_tau.minimizer"), T)


def _prove_optimal() -> MachineForm:
    """T is the smaller of R_S tau and R_C; at tau = 1 that is R_C."""
    proof = _declare("als_dpfl.claims_on_tau.optimal")
    proof.positive("R_S", "R_C")
    first, rounds, most = proof.non_negative("T.1")[0], Scalar("R_S"), Scalar("R_C")
    proof.reads[Min(n.R_C, n.R_S * n.tau)] = T
    proof.condition("C.claim.tau1")
    for name, steps, many in (("T", T, rounds * TAU), ("T.1", first, rounds)):
        proof.assume(f"{name} <= R_C", most - steps, source=DEFINITION)
        proof.assume(f"{name} is one of both", (many - steps) * (most - steps), "= 0", source=DEFINITION)
    rest = most - first
    squares = proof.claim(
        "T.1 is R_C, squared",
        -(rest**2),
        because("C.claim.tau1", "T.1 <= R_C"),
        Equality("T.1 is one of both", -1),
    )
    all_steps = proof.larger_square("T.1 is R_C", Scalar("0"), rest, squares)
    fewer = proof.claim("T <= T.1", first - T, because("T <= R_C"), because(all_steps))
    return _conclude(proof, first, fewer)


MINIMIZER_AMENDED, OPTIMAL_AMENDED = _prove_minimizer(), _prove_optimal()
