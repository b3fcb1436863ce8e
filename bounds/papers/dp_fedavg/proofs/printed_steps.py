"""The printed steps (20) to (45) of Theorem 5 that are true, most of them on one client.

b is 1 for a client that is not clipped and else 0, so that b and 1 - b stand for the two cases. In the first
kappa is C/||u||. The printed steps from (46) on rest on (23), which is false for independent sampling.
"""

from dataclasses import dataclass
from typing import final

from bounds.language.proof.expression import ZERO, Scalar, atom, inner, over, square
from bounds.language.proof.form import Equality, MachineForm, Point, Summand, a_square, because, fact
from bounds.language.proof.lemmas import equate_vectors

L, ETA, E, B, KAPPA, N = (Scalar(name) for name in ("L", "eta", "E", "b", "kappa", "norm.u"))
COUNT, C = Scalar("t_now"), Scalar("C_hat") * Scalar("E")
OFF, THREE = 1 - B, 3 * ETA * C / (8 * L * E) * N
U, W, BEST, Y = atom("u"), atom("w"), atom("w_star"), atom("y")
OWN = ["i", "k", "past"]


@final
@dataclass(frozen=True, slots=True)
class Client:
    """The points of a client in a round; a is A_i, and start_gap is over its own lowest value."""

    start: Point
    star: Point
    now: Point
    lowest: Scalar

    @property
    def gap(self) -> Scalar:
        return self.start.value - self.star.value

    @property
    def delta(self) -> Scalar:
        return self.star.value - self.lowest

    @property
    def start_gap(self) -> Scalar:
        return self.start.value - self.lowest


AWAY = W - BEST
A = ETA**2 * square(KAPPA * U) - 2 * ETA * inner(KAPPA * U, AWAY)


def find_client() -> Client:
    """The client under the names that `local_steps.prepare` gives."""
    places = (("start", W), ("star", BEST), ("now", Y))
    start, star, now = (Point(n, at, atom(f"grad.{n}"), Scalar(f"value.{n}")) for n, at in places)
    return Client(start, star, now, Scalar("f_low"))


def certify(proof: MachineForm, conditions: tuple[str, ...]) -> MachineForm:
    """Add the steps to a proof of the rounds, whose names they use; the conditions are on C and on E."""
    threshold, few = conditions
    client = find_client()
    factor = Scalar("C_hat") + 4 * Scalar("root.L") * Scalar("root.Delta")
    largest = C**2 - 16 * L * E**2 * Scalar("Delta_star_max")
    proof.claim("B.thm5.u2", largest, because(threshold, times=E**2 * factor))
    sent = atom("a")  # the mean of the clipped updates, with the noise
    step, drawn = square(AWAY - ETA * sent), over("S", inner(sent, AWAY))
    proof.claim("B.thm5.eq20", over("S", square(W - ETA * sent - BEST) - step), relation="= 0")
    total, last_total = proof.vector_recursion("sum", "t", atom("sum") + client.now.gradient, ZERO, OWN)
    unrolled = equate_vectors(proof, "update", "t", (W - Y) / ETA, total, (U, last_total))
    proof.claim("B.thm5.eq19", square(U - last_total), Equality(unrolled), relation="= 0")
    expanded = square(AWAY) - 2 * ETA * drawn + ETA**2 * over("S", square(sent))
    proof.claim("B.thm5.eq21", over("S", step) - expanded, relation="= 0")
    prove_distance(proof, client)
    clipped = _prove_clipped(proof, client)
    unclipped = _prove_unclipped(proof, client)
    rate = 2 - 2 * ETA * L * E - 4 * ETA**2 * L**2 * E**2
    own = -ETA * E * rate * client.gap + (2 * ETA**2 * L * E**2 + 4 * ETA**3 * L**2 * E**3) * client.delta
    proof.claim("B.thm5.eq43", unclipped - own, relation="= 0")
    both = OFF * (-THREE) + B * own
    s44 = [because("B.thm5.u4"), because(clipped)]
    proof.claim("B.thm5.eq44", both - A, *s44)
    inside = B * rate * client.gap + OFF * (3 * Scalar("C_hat") / (8 * L * E) * N)
    inside = inside - B * (2 * ETA * L * E + 4 * ETA**2 * L**2 * E**2) * client.delta
    proof.claim("B.thm5.eq45", -ETA * E * inside - A, because("B.thm5.eq44"))
    alpha, ratio, K = (Scalar(name) for name in ("alpha", "rho", "K"))
    gamma = K * C * ratio**2 / (2 * alpha)
    proof.claim(
        "B.thm5.u6",
        K - 2 * gamma / (C * ratio),
        because(few, times=K / (2 * ratio)),
        because("domain of E", times=2 * K * ratio),
        Summand(K * ratio),
        relation="> 0",
        times=alpha,
    )
    proof.claim("B.thm5.u8", alpha / (2 * ratio) - E, because(few, times=1 / (4 * ratio**2)))
    return proof


def prove_distance(proof: MachineForm, client: Client) -> None:
    """(27) to (29)."""
    g, squares = client.now.gradient, Scalar("squares")
    moved = square(AWAY) - square(Y - BEST) - ETA / (2 * L) * squares + 2 * ETA * COUNT * client.delta
    proof.induct(
        "B.thm5.eq27",
        "t",
        moved,
        because(fact("convex", client.star, client.now), times=2 * ETA),
        because(fact("lowest_value_by_gradient", client.now), times=2 * ETA),
        a_square(g, "eta L <= 1/2", times=ETA / L),
    )
    proof.claim("B.thm5.eq28", E * Scalar("squares.last") - N**2, because("Jensen of T"))
    far = square(AWAY) - square(AWAY - ETA * U)
    proof.claim(
        "B.thm5.eq29",
        far - ETA / (2 * L * E) * N**2 + 2 * ETA * E * client.delta,
        because("B.thm5.eq27"),
        because("B.thm5.eq28", times=ETA / (2 * L * E)),
    )


def _prove_clipped(proof: MachineForm, client: Client) -> str:
    """Case 1, (25) to (33)."""
    along, end = inner(U, AWAY), AWAY - ETA * U
    root = Equality("clipped", ETA**2 * (KAPPA * N + C))
    inserted = ETA**2 * C**2 - 2 * ETA * KAPPA * along
    proof.claim("B.thm5.eq25", OFF * (A - inserted), root, relation="= 0")
    polar = -KAPPA * (square(AWAY) + ETA**2 * square(U) - square(end)) + ETA**2 * C**2
    proof.claim("B.thm5.eq26", inserted - polar, relation="= 0")
    slope = ETA**2 + ETA / (2 * L * E)
    s30 = 2 * ETA * KAPPA * E * client.delta - C * slope * N + ETA**2 * C**2
    proof.claim(
        "B.thm5.eq30",
        OFF * (s30 - A),
        Equality("B.thm5.eq25", -1),
        because("b <= 1", "B.thm5.eq29", times=KAPPA),
        Equality("clipped", slope * N),
    )
    _prove_small_delta(proof, client)
    eighth = ETA * C / (8 * L * E)
    s31 = eighth * N - C * slope * N + ETA**2 * C**2
    proof.claim(
        "B.thm5.eq31",
        OFF * (s31 - A),
        because("B.thm5.eq30"),
        because("b <= 1", "Delta is small", times=KAPPA * ETA / (8 * L * E)),
        because("b <= 1", "kappa <= 1", times=eighth * C),
        because("longer", times=eighth),
    )
    s32 = ETA**2 * C * (C - N) - THREE
    proof.claim("B.thm5.eq32", s31 - s32, relation="= 0")
    proof.claim("B.thm5.eq33, of the braces", OFF * (-THREE - s32), because("longer", times=ETA**2 * C))
    reasons = because("B.thm5.eq31"), because("B.thm5.eq33, of the braces")
    return proof.claim("B.thm5.eq33", OFF * (-THREE - A), *reasons)


def _prove_small_delta(proof: MachineForm, client: Client) -> None:
    """u3, by the threshold and the case."""
    half = ["b <= 1", "Delta is small"]
    proof.claim(
        "B.thm5.u3, first", C**2 / (16 * L * E) - E * client.delta, because(half[1], times=1 / (16 * L * E))
    )
    level = C * N / (16 * L * E)
    small = because(*half, times=1 / (16 * L * E))
    proof.claim(
        "B.thm5.u3", OFF * (level - E * client.delta), small, because("longer", times=C / (16 * L * E))
    )


def _prove_unclipped(proof: MachineForm, client: Client) -> Scalar:
    """Case 2, (34) to (42), and the bound of u4, which is returned."""
    gap, steep = client.start_gap, fact("lowest_value_by_gradient", client.start)
    slopes = prove_along(proof, client)
    along, room = inner(U, AWAY), 2 * ETA**2 * L * E**2 * gap
    proof.claim(
        "B.thm5.eq34",
        B * (room - 2 * ETA * along - A),
        because("B.thm5.eq28", times=ETA**2 * B),
        because(slopes, times=ETA**2 * B * E),
        because(steep, times=2 * ETA**2 * L * B * E**2),
        Equality("as it is", (1 + KAPPA) * ETA**2 * square(U) - 2 * ETA * along),
    )
    bound = 4 * ETA**3 * L**2 * E**3 * gap + room - 2 * ETA * E * client.gap
    reason = because("B.thm5.eq42", times=2 * ETA * B)
    proof.claim("B.thm5.u4", B * (bound - A), because("B.thm5.eq34"), reason)
    return bound


def prove_along(proof: MachineForm, client: Client) -> str:
    """(35) to (42). The claim of E ||grad f(w)||^2 - sum of the squared gradients is returned."""
    squares, gap = Scalar("squares"), client.start_gap
    steep = fact("lowest_value_by_gradient", client.start)
    short = because("gradients are largest at the start, at every member")
    _, slopes = proof.induct("squares of slopes", "t", COUNT * square(client.start.gradient) - squares, short)
    _prove_terms(proof, client)
    moves = proof.claim(
        "B.thm5.eq41",
        2 * ETA**2 * L * COUNT**2 * gap - square(W - Y),
        because("Jensen of T, at every member", times=ETA**2),
        because("squares of slopes, at every member", times=ETA**2 * COUNT),
        because(steep, times=2 * ETA**2 * L * COUNT**2),
    )
    along = inner((W - Y) / ETA, AWAY) - COUNT * client.gap + 2 * ETA**2 * L**2 * COUNT**3 * gap
    more = 2 * ETA**2 * L**2 * (2 * COUNT**2 + 3 * COUNT + 1)  # (t + 1)^3 - t^3 - t^2
    lowest = because(fact("lowest_value", client.start), times=more)
    terms = because("a term of (38)"), because("a term of (39)"), because(moves, times=L)
    proof.induct("B.thm5.eq42", "t", along, *terms, lowest)
    return slopes


def _prove_terms(proof: MachineForm, client: Client) -> None:
    """(38) and (39), term by term and added up."""
    g, g_0, back = client.now.gradient, client.start.gradient, W - Y
    term37 = inner(g, Y - BEST) + inner(g, back)
    gap, fall = client.now.value - client.star.value, client.start.value - client.now.value
    term38 = gap + inner(g_0, back) + inner(g - g_0, back)
    term39 = gap + fall - L * square(back)
    convex = fact("convex", client.now, client.start)
    proof.claim("a term of (38)", term37 - term38, because(fact("convex", client.star, client.now)))
    proof.claim(
        "a term of (39)",
        term38 - term39,
        because(convex),
        a_square(g - g_0 + L * back, times=1 / (2 * L)),
        because(fact("lipschitz_gradient", client.now, client.start), times=1 / (2 * L)),
    )
    parts = {"36": inner(g, AWAY), "37": term37, "38": term38, "39": term39, "40": square(back)}
    sums = {name: proof.sum(f"sum.{name}", "t", part, OWN)[0] for name, part in parts.items()}
    proof.induct("B.thm5.eq36", "t", inner(back / ETA, AWAY) - sums["36"], relation="= 0")
    proof.induct("B.thm5.eq37", "t", sums["36"] - sums["37"], relation="= 0")
    counted = sums["39"] - (COUNT * client.gap - L * sums["40"])
    proof.induct("B.thm5.eq40", "t", counted, relation="= 0")
    for name, before in (("38", "37"), ("39", "38")):
        proof.induct(f"B.thm5.eq{name}", "t", sums[before] - sums[name], because(f"a term of ({name})"))
