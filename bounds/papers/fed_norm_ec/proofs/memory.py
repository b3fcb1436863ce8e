"""The memories of the clients: after each update their errors are at most R.

t is the error of a memory at the model, s = alpha + t, and phi = t - beta t/s the error after the update, but
for its sign. By induction the errors t stay below D = R + 4/3 L eta: a round multiplies D - t by at least 0.
"""

from fractions import Fraction

from bounds.language.proof.expression import Scalar, Vector
from bounds.language.proof.form import Equality, MachineForm, Summand, a_square, because
from bounds.language.proof.lemmas import bound_norm_of_sum

ROOT_A, ROOT_R, BETA, L, ETA = (Scalar(name) for name in ("root.a", "root.R", "beta", "L", "eta"))
ALPHA, R = ROOT_A**2, ROOT_R**2
ERROR, S, LEFT = Scalar("t"), Scalar("s"), Scalar("left")
MOVE = Fraction(4, 3) * L * ETA
LARGEST, DIVISOR = R + MOVE, Scalar("alpha+D")
PHI = ERROR - BETA * ERROR / S
SHARE = BETA / S


def declare_memory(proof: MachineForm, residual: Vector, following: Vector) -> None:
    """The errors t before an update and `left` after it; the residual P(x) - v is what the update acts on."""
    first, last = proof.vector("r.0", ["i"]), proof.vector("r.K", ["i", "E"])
    proof.sequence("k", residual, following, first, last)
    t, t_next = proof.norm("t", residual), proof.norm("t.next", following)
    proof.sequence("k", t, t_next, proof.norm("t.0", first), proof.norm("t.K", last))
    proof.named("s", ALPHA + ERROR)
    proof.norm("left", residual - SHARE * residual)


def prove_memory(
    proof: MachineForm,
    residual: Vector,
    following: Vector,
    change: Vector,
    lipschitz: str,
    limits: tuple[str, str],
) -> str:
    """`R - left >= 0`: `limits` claim (root.a + root.R)^2 >= beta and beta R >= 4/3 L eta (alpha + R)."""
    remainder, rate = _prove_update(proof, *limits)
    parts = [(residual - SHARE * residual, LEFT), (change, Scalar("change"))]
    triangle = bound_norm_of_sum(proof, "triangle of a memory", Scalar("t.next"), parts)
    around, _ = proof.induct(
        "errors of the memories",
        "k",
        LARGEST - ERROR,
        because(remainder),
        because(triangle),
        because(lipschitz),
        start=[because("R bounds the errors"), Summand(MOVE)],
        times=rate,
    )
    return proof.claim("memory", R - LEFT, because(remainder), because(around, times=rate))


def _prove_update(proof: MachineForm, limit: str, step: str) -> tuple[str, Scalar]:
    """R - left is at least a multiple of D - t, and the multiple."""
    below = proof.claim(
        "R + phi >= 0",
        R + PHI,
        a_square(ERROR - ROOT_A * ROOT_R),
        because(limit, times=ERROR),
        Equality("definition of s", R + ERROR),
        times=S,
    )
    low = proof.named("R+phi", R + PHI, below)
    spare = Summand(MOVE * (ALPHA + R) / BETA + LEFT)
    positive = proof.claim("R > 0", R + LEFT, because(step, times=1 / BETA), spare, relation="> 0")
    both = proof.named("R+left", R + LEFT, positive)
    shared, above = _prove_headroom(proof, step)
    remainder = proof.claim(
        "what an update leaves",
        R - LEFT - shared * low / both * (LARGEST - ERROR),
        because(above, times=low / both),
        Equality("definition of R+left", (R - LEFT) / both),
        Equality("definition of R+phi", -(R - PHI) / both),
    )
    return remainder, shared * low / both


def _prove_headroom(proof: MachineForm, step: str) -> tuple[Scalar, str]:
    """R - phi is at least a multiple of D - t, because phi is convex and phi(D) <= R."""
    highest, divisor = proof.named("D", LARGEST), proof.named("alpha+D", ALPHA + LARGEST)
    room = proof.claim(
        "R - phi(D) >= 0",
        BETA * LARGEST - MOVE * (ALPHA + LARGEST),
        because(step, times=ALPHA + R + MOVE),
        Summand(MOVE * BETA * ALPHA),
        times=ALPHA + R,
    )
    shared = R / highest + BETA * ERROR / (S * divisor)
    above = proof.search(
        "R - phi",
        R - PHI - shared * (LARGEST - ERROR),
        because(room, times=ERROR / (highest * divisor)),
        *(Equality(f"definition of {name}") for name in ("s", "D", "alpha+D")),
    )
    return shared, above
