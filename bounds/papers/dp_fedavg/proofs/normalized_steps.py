"""The printed steps (78) to (83) of Theorem 6, on one client, for eta L <= 1/2.

b is 1 for a client whose update is at most C long and else 0, and kappa is C/||u||, the printed z.
"""

from sympy import sqrt

from bounds.language.proof.expression import Scalar, inner
from bounds.language.proof.form import Equality, MachineForm, because
from bounds.papers.dp_fedavg import notation
from bounds.papers.dp_fedavg.proofs import local_steps
from bounds.papers.dp_fedavg.proofs.printed_steps import (
    AWAY,
    ETA,
    KAPPA,
    OFF,
    OWN,
    THREE,
    A,
    B,
    C,
    Client,
    E,
    L,
    N,
    U,
    find_client,
    prove_along,
    prove_distance,
)

ALONG, AT_MOST = inner(U, AWAY), ETA**2 * C**2
NORMALIZED = "normalized"


def certify() -> MachineForm:
    proof = MachineForm("dp_fedavg.theorem_6.general")
    steps, client = _declare(proof), find_client()
    C_hat, K, ratio = (Scalar(name) for name in ("C_hat", "K", "rho"))
    rounds = because("B.thm6.general.rounds", times=1 / (2 * K * (C * ratio) ** 2))
    proof.claim("eta L <= 1/2", Scalar("1/2") - ETA * L, rounds)
    proof.claim(
        "Delta is small",
        C**2 - 16 * E**2 * L * client.delta,
        because(
            "B.thm6.general.threshold", times=E**2 * (C_hat + 4 * Scalar("root.L") * Scalar("root.Delta"))
        ),
        because("largest Delta", times=16 * E**2 * L),
    )
    local_steps.prove(proof, steps)
    prove_distance(proof, client)
    _prove_longer(proof, client)
    _prove_shorter(proof, client)
    return proof


def _declare(proof: MachineForm) -> local_steps.Prepared:
    gamma, ratio, E, C_hat, K, L = proof.positive("gamma", "rho", "E", "C_hat", "K", "L")
    (largest,) = proof.non_negative("Delta_star_max")
    proof.let("eta", gamma / (C_hat * L * E * K * ratio))
    for name in ("i", "past"):
        proof.operator(name)
    proof.index("k")
    root_L, root_Delta = proof.root("root.L", L), proof.root("root.Delta", largest)
    proof.reads = {sqrt(notation.L): root_L, sqrt(notation.Delta_star_max): root_Delta, notation.rho: ratio}
    proof.condition("B.thm6.general.threshold"), proof.condition("B.thm6.general.rounds"), proof.domain("E")
    w, best, lowest = proof.vector("w", OWN[1:]), proof.vector("w_star"), proof.scalar("f_low", over=["i"])
    b, kappa = proof.scalar("b", ">=", OWN), proof.scalar("kappa", ">=", OWN)
    steps = local_steps.prepare(proof, w, best, lowest, tuple(OWN), tuple(OWN[1:]))
    proof.norm("norm.u", U)
    proof.assume("b <= 1", 1 - b, source="B.alg2")
    proof.assume("longer", (1 - b) * (N - C), source="B.alg2")
    proof.assume(NORMALIZED, kappa * N - C, "= 0", source="B.alg2")
    proof.assume("largest Delta", largest - find_client().delta, source="Delta_star_max")
    return steps


def _prove_longer(proof: MachineForm, client: Client) -> None:
    """(78), as Case 1 of Theorem 5."""
    eighth, along = ETA / (8 * L * E), ETA**2 + ETA / (2 * L * E)
    proof.search(
        "B.thm6.eq78",
        OFF * (-THREE - A),
        because("b <= 1", "B.thm5.eq29", times=KAPPA),
        because("b <= 1", "Delta is small", times=KAPPA * eighth),
        because("longer", times=eighth * C),
        because("longer", times=KAPPA * eighth * C),
        because("longer", times=ETA**2 * C),
        Equality(NORMALIZED, OFF * along * N),
        Equality(NORMALIZED, OFF * ETA**2 * KAPPA * N),
        Equality(NORMALIZED, OFF * ETA**2 * C),
        Equality(NORMALIZED, OFF * eighth * C),
    )


def _prove_shorter(proof: MachineForm, client: Client) -> None:
    """(79) to (82), and (83) of both cases."""
    room, gap, delta = 2 * ETA**2 * L**2 * E**2, client.gap, client.delta
    exact = Equality(NORMALIZED, -B * ETA**2 * (KAPPA * N + C))
    proof.claim("B.thm6.eq79", B * (KAPPA * (-2 * ETA * ALONG) + AT_MOST - A), exact)
    prove_along(proof, client)
    proof.claim("B.thm6.eq81", ALONG - E * gap + room * E * client.start_gap, because("B.thm5.eq42"))
    inserted = -2 * ETA * E * KAPPA * (gap - room * client.start_gap) + AT_MOST
    reasons = because("B.thm6.eq79"), because("B.thm6.eq81", times=2 * ETA * KAPPA * B)
    proof.claim("B.thm6.u1", B * (inserted - A), *reasons)
    split = -2 * ETA * E * KAPPA * (gap * (1 - room) - room * delta) + AT_MOST
    proof.claim("B.thm6.eq82", inserted - split, relation="= 0")
    short = 2 * room * delta * KAPPA + ETA * C**2 / E - (2 - 2 * room) * KAPPA * gap
    both = ETA * E * (B * short - OFF * (3 * C / (8 * L * E**2) * N))
    for name in ("B.thm6.eq83", "B.thm6.eq83 (2)"):
        proof.claim(name, both - A, because("B.thm6.eq78"), because("B.thm6.u1"))
