"""The printed steps of Corollaries 1, 3 and 4 that are true: Theorem 1 for one local step, and its numbers.

One local step leaves no drift, and three times the gap at the start is more than is needed.
"""

from sympy import sqrt

from bounds.language.proof.expression import Scalar
from bounds.language.proof.form import DEFINITION, Equality, MachineForm, Summand, because
from bounds.papers.fed_norm_ec import notation
from bounds.papers.fed_norm_ec.notation import Delta_inf
from bounds.papers.fed_norm_ec.proofs import gradient_pass, numbers
from bounds.papers.fed_norm_ec.proofs.memory import ALPHA, R
from bounds.papers.fed_norm_ec.proofs.numbers import BETA, GAMMA, L
from bounds.papers.fed_norm_ec.proofs.rounds import LEAST, ROOT_0, START
from bounds.papers.fed_norm_ec.proofs.server import ROOT_B, ROOT_M, ROOT_N
from bounds.papers.fed_norm_ec.proofs.theorem import Case, prove_theorem
from bounds.papers.fed_norm_ec.proofs.utility_numbers import (
    BETA_HAT,
    FOURTH_B,
    LEVEL,
    ROOT_B_1,
    ROOT_GAMMA,
    Utility,
)

ETA, K, ROUNDS, MANY = Scalar("eta"), Scalar("K"), Scalar("root.rounds"), Scalar("rounds")
DELTA, ROOT_2, ROOT_L = Scalar("Delta_inf"), Scalar("root.2"), Scalar("root.L")
SHORT, OWN = DELTA / (2 * ROOT_2 * ROOT_L), GAMMA / 2 * BETA_HAT * R / (ALPHA + R)


def _prove_one_step(proof: MachineForm, name: str, last: str, above: Scalar, eta: Scalar) -> None:
    """The bound of Theorem 1 with T = 1; `last` claims that f0_gap - (K + 1) eta above is at least 0."""
    rounds, many = ROUNDS, MANY
    squares = proof.claim("root of K + 2, squared", 4 * rounds**2 - ROOT_N**2, Summand(3 * K + 2))
    longer = proof.larger_square("root of K + 2", 2 * rounds, ROOT_N, squares)
    rest = gradient_pass.OF_A_STEP * ROOT_0
    none = Equality("definition of T-1", -rest), Equality("one local step", -rest)
    bound = 3 / many * START / eta + 2 * R + 2 * BETA * ROOT_B * rounds / ROOT_M + eta * L / 2
    proof.claim(
        name,
        bound - LEAST,
        because(last, times=1 / (many * eta)),
        Equality("definition of rounds", -above / many),
        because(longer, times=BETA * ROOT_B / ROOT_M),
        Summand(2 * START / (many * eta)),
        *none,
    )


def _declare_limit(proof: MachineForm) -> None:
    """The smaller one of the two limits on (K + 1) eta."""
    limit = proof.scalar("limit")
    proof.assume("first limit", SHORT - limit, source=DEFINITION)
    proof.assume("second limit", OWN - limit, source=DEFINITION)
    proof.assume("one of the limits", (SHORT - limit) * (OWN - limit), "= 0", source=DEFINITION)


def _prove_limits(proof: MachineForm, name: str, apart: str) -> None:
    """The step is the second limit; `apart` claims that it is the smaller one."""
    limit = Scalar("limit")
    room = proof.claim(
        "first limit, apart", SHORT - limit, because(apart), because("second limit"), relation="> 0"
    )
    exact = Equality("one of the limits", -1)
    least = proof.claim("the limit is the second", limit - OWN, exact, times=Summand(1, (room,)))
    first, last = ("s5", "s6") if name == "A.cor1" else ("s6", "s8")
    proof.claim(f"{name}.{first}", limit / MANY - ETA, because(least, times=1 / MANY))
    proof.claim(f"{name}.{last}", OWN / MANY - ETA)


def certify_corollary_4() -> MachineForm:
    proof = MachineForm("fed_norm_ec.corollary_4")
    own = numbers.Powers("A.thm1.h2", 1 / (2 * L), "A.cor4.h1", numbers.PRINTED_ETA_HAT)
    case = Case("A.cor4.h1", Delta_inf, gradient_pass, own.declare, own.prove)
    last, above = prove_theorem(proof, case)
    proof.root("root.rounds", K + 1), proof.named("rounds", K + 1)
    _prove_one_step(proof, "A.cor4.s1", last, above, numbers.PRINTED_ETA_HAT / numbers.SIXTH**5)
    alpha_and_R = proof.named("alpha+R", ALPHA + R)
    eta = BETA * R / (4 * L)
    proof.search(
        "A.cor4.s3",
        GAMMA / 2 * BETA * R / alpha_and_R - numbers.PRINTED_ETA_HAT / numbers.SIXTH**5,
        because("sixth >= 1", times=eta * numbers.D_1 / (numbers.SIXTH * numbers.FULL * alpha_and_R)),
        Equality("choice of gamma", BETA * R / (2 * alpha_and_R)),
        Equality("definition of alpha+D_1", eta / (numbers.FULL * alpha_and_R)),
        Equality("definition of alpha+R", eta / (numbers.FULL * alpha_and_R)),
    )
    _conclude_corollary_4(proof)
    return proof


def _conclude_corollary_4(proof: MachineForm) -> None:
    """Put the powers of K + 1 into s1."""
    sixth, twelve, eta_hat = numbers.SIXTH, numbers.TWELFTH**12, numbers.PRINTED_ETA_HAT
    definition = Equality("definition of rounds"), Equality("twelfth root", -1)
    same = proof.claim("rounds by their root", MANY - twelve, *definition, relation="= 0")
    squares = proof.claim("root, squared", twelve - ROUNDS**2, Equality("twelfth root"))
    root = proof.larger_square("root by the sixth power", numbers.TWELFTH**6, ROUNDS, squares)
    noise = 2 * ROOT_B * numbers.D_2 / (ROOT_M * sixth)
    powers_put_in = proof.claim(
        "powers put in",
        3 * START / (eta_hat * sixth) + 2 * R + noise + L * eta_hat / (2 * sixth**5) - LEAST,
        because("A.cor4.s1"),
        because(root, times=2 * BETA * ROOT_B / ROOT_M),
        Equality(same, 3 * START * sixth**5 / (eta_hat * MANY * twelve)),
    )
    proof.conclude(because(powers_put_in), Equality("definition of alpha+D_1"), search=True)


def certify_corollary_1() -> MachineForm:
    """From s1 to s8: eta is gamma beta_hat/(4 (K + 1)), as alpha = R."""
    proof = MachineForm("fed_norm_ec.corollary_1.explicit")
    own = Utility("A.thm1.h2", one_step="A.cor1.h1", printed=True)
    last, above = prove_theorem(proof, Case("A.cor1.h1", Delta_inf, gradient_pass, own.declare, own.prove))
    proof.condition("A.cor1.h5")
    _declare_limit(proof)
    _prove_one_step(proof, "A.cor1.s1", last, above, ETA)
    noise = _split_noise(proof)
    short = because("A.cor1.h5", times=ROOT_2 / (4 * R**2 * BETA_HAT))
    apart = proof.claim("limits, apart", SHORT - OWN, short, relation="> 0", times=4 * ROOT_2)
    _prove_limits(proof, "A.cor1", apart)
    step = GAMMA * L * BETA_HAT * R / (4 * (ALPHA + R)) / MANY
    gap = 6 * START / (GAMMA * BETA_HAT)
    bound = gap * ALPHA / R + gap + 2 * R + noise + step
    root = Scalar("root.f0_gap") / ROOT_GAMMA * Scalar("root.3") * LEVEL
    sampling = noise - 2 * BETA_HAT * FOURTH_B**2 / ROOT_M
    last_bound = 2 * root * ALPHA / R + 4 * root + 2 * R + sampling + step
    for row in ("", " (2)"):
        proof.claim(f"A.cor1.s7{row}", bound - LEAST, because("A.cor1.s4"))
        proof.claim(f"A.cor1.s8{row}", last_bound - LEAST, because("A.cor1.s7"))
    rounds = K + 1
    exact = Equality("definition of rounds", rounds / MANY)
    proof.conclude(because("A.cor1.s8", times=rounds**2), exact, search=True)
    return proof


def _split_noise(proof: MachineForm) -> Scalar:
    """s3 and s4: B in two parts, and beta = beta_hat/(K + 1). What the noise adds is returned."""
    parts = ROOT_B_1 + ROUNDS * FOURTH_B**2
    squares = proof.search(
        "root of B, squared",
        parts**2 - ROOT_B**2,
        Summand(ROOT_B_1 * ROUNDS * FOURTH_B**2),
        Equality("noise of all coordinates"),
    )
    split = proof.larger_square("root of B", parts, ROOT_B, squares)
    rest = 3 / MANY * START / ETA + 2 * R + ETA * L / 2
    noise = 2 * BETA * (ROOT_B_1 * ROUNDS + FOURTH_B**2 * (K + 1)) / ROOT_M
    parted = because(split, times=2 * BETA * ROUNDS / ROOT_M)
    proof.claim("A.cor1.s3", rest + noise - LEAST, because("A.cor1.s1"), parted)
    exact = Equality("definition of rounds", -1 / MANY)
    one = proof.claim("one", (K + 1) / MANY - 1, exact, relation="= 0")
    root = proof.claim("root of one", ROUNDS / MANY - 1 / ROUNDS, exact, relation="= 0", times=ROUNDS)
    noise = 2 * BETA_HAT * (FOURTH_B**2 + ROOT_B_1 / ROUNDS) / ROOT_M
    inserted = Equality(one, -2 * BETA_HAT * FOURTH_B**2 / ROOT_M)
    exact = Equality(root, -2 * BETA_HAT * ROOT_B_1 / ROOT_M)
    proof.claim("A.cor1.s4", rest + noise - LEAST, because("A.cor1.s3"), inserted, exact)
    return noise


def certify_corollary_3() -> MachineForm:
    """s6 to s8: the requirement on the step, from the limit on gamma."""
    proof = MachineForm("fed_norm_ec.corollary_3.explicit")
    proof.positive("L", "root.a"), proof.non_negative("K", "Delta_inf")
    proof.root("root.2", Scalar("2")), proof.root("root.L", L)
    own = Utility("A.thm1.h2", printed=True)
    own.declare(proof)
    proof.condition("A.cor3.h4")
    proof.assume("choice of gamma", GAMMA - 1 / (2 * L), "= 0", source=DEFINITION)
    proof.reads |= {notation.Delta_inf: DELTA, notation.alpha: ALPHA, notation.K: K, notation.M: ROOT_M**2}
    proof.reads |= {sqrt(notation.B_2): FOURTH_B**2, sqrt(notation.M): ROOT_M}
    del proof.reads[sqrt(notation.B_1)]
    _declare_limit(proof)
    far, level = 2 * ROOT_2 * ROOT_L * OWN, GAMMA * BETA_HAT**2 * L * LEVEL**4
    short = because("A.cor3.h4", times=1 / (2 * level))
    squares = proof.claim("squares of the limits", DELTA**2 - far**2, short, relation="> 0")
    longer = proof.claim(
        "limits, times a root", DELTA - far, because(squares), relation="> 0", times=DELTA + far
    )
    divisor = 2 * ROOT_2 * ROOT_L
    proof.claim("A.cor3.s7", SHORT - OWN, because(longer), relation="> 0", times=divisor)
    limit = 2 * DELTA**2 * FOURTH_B**2 / (3 * L * START * ROOT_M) - GAMMA
    proof.claim("A.cor3.s7 (2)", limit, because("A.cor3.h4", times=1 / (3 * START * L) ** 2), relation="> 0")
    _prove_limits(proof, "A.cor3", "A.cor3.s7")
    return proof
