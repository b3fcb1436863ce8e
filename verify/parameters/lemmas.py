"""Named lemmas on hypotheses that do not go together, each with its proof.

A lemma is matched by the assumptions that a statement makes and by the quantities of its conditions, never by
the statement's name. `leaves` says what remains: nothing, only trivial problems, or all but the case named.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import final

from bounds.evaluation.resolve import definitions
from bounds.language import assumptions as stated
from bounds.language.finding import FindingClass
from bounds.language.quantity import Role
from bounds.language.statement import Assumption, Statement


class Leaves(Enum):
    NOTHING = "nothing"
    TRIVIAL = "only trivial problems"
    OTHERS = "all but the case named"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Lemma:
    """`proof` is complete. `grade` is the class of what follows for a statement, None for a remark.

    `of` are the assumptions that the defect lies in, where it lies in assumptions and not in conditions.
    """

    name: str
    leaves: Leaves
    consequence: str
    proof: str
    matches: Callable[[Statement], bool]
    grade: FindingClass | None
    of: tuple[Assumption, ...] = ()
    right: str = ""

    def quoted(self, statement: Statement) -> str:
        """What the statement says of these assumptions."""
        names = {assumption.name for assumption in self.of}
        return "\n".join(
            a.text + (" (reconstructed)" if a.reconstructed else "")
            for a in statement.assumptions
            if a.name in names
        )


def _assumes(statement: Statement, *wanted: Assumption) -> bool:
    assumed = {assumption.name for assumption in statement.assumptions}
    return all(assumption.name in assumed for assumption in wanted)


def _speaks_of(statement: Statement) -> set[str]:
    spoken = {s.name for s in statement.symbols}
    for expression in (e for c in statement.conditions for e in (c.value, c.limit)):
        spoken |= {s.name for s in expression.free_symbols}
    return spoken | {s.name for _, e in definitions(statement) for s in e.free_symbols}


def _shrinking_gradients(statement: Statement) -> bool:
    return _assumes(
        statement,
        stated.CONVEX_CLIENTS,
        stated.SMOOTH_CLIENTS,
        stated.LIPSCHITZ_CLIENTS,
        stated.CURVATURE_ALONG_GRADIENTS,
    )


STRONG = ("strong_convexity", "client_strong_convexity")  # constants by the part that they play


def _steep_and_flat(statement: Statement) -> bool:
    """Where mu may be 0, as authors write who treat convex f too, f may be Lipschitz."""
    quantities = statement.notation.quantities.values()
    strong = [q.domain for q in quantities if q.part is not None and q.part.name in STRONG]
    positive = all(d.lower > 0 or (d.lower == 0 and not d.lower_included) for d in strong)
    return positive and _assumes(statement, stated.STRONGLY_CONVEX, stated.LIPSCHITZ_CLIENTS)


def _growth_beyond_quadratic(statement: Statement) -> bool:
    """FL-2 with an exponent that is a quantity of the statement, whose domain lies above 1."""
    if not _assumes(statement, stated.SMOOTH_CLIENTS, stated.LOJASIEWICZ, stated.UNBIASED_NOISE):
        return False
    exponent = statement.notation.quantities.get("alpha")
    above_one = exponent is not None and exponent.domain.lower >= 1
    return above_one and "alpha" in _speaks_of(statement)


def grows_at_most_quadratically(statement: Statement) -> bool:
    """FL-2 with exponent 1, whose constant has a name of its own."""
    return _assumes(statement, stated.SMOOTH_CLIENTS, stated.LOJASIEWICZ) and "mu_1" in _speaks_of(statement)


GAUSSIAN = ("sigma", "sigma_v")
PATHWISE = "almost sure"  # among the readings of a quantity of the run that is no mean


def _on_every_path(statement: Statement) -> bool:
    """A condition on a quantity of a path, where the run carries Gaussian noise.

    A mean has one value for all paths: a condition on it can hold, whatever the noise.
    """
    quantities = statement.notation.quantities.items()
    of_a_path = {n for n, q in quantities if q.role is Role.RUN and PATHWISE in q.detail}
    conditions = {s.name for c in statement.conditions for e in (c.value, c.limit) for s in e.free_symbols}
    speaks_of_noise = bool(_speaks_of(statement) & {*GAUSSIAN})
    return bool(conditions & of_a_path) and speaks_of_noise and _assumes(statement, stated.MINIMUM_ATTAINED)


LEMMAS = (
    Lemma(
        name="gradients that change along every step and stay bounded are zero",
        leaves=Leaves.TRIVIAL,
        consequence=(
            "from a point to the one that a gradient step leads to it from, the gradient grows by a fixed "
            "factor, and so on backward, so that no G bounds it unless it is 0: "
            "only constant clients satisfy all of it, and for them nothing is stated"
        ),
        proof=(
            "Let ||grad f(w - eta grad f(w)) - grad f(w)|| >= eta lam ||grad f(w)|| for every w, f convex "
            "and L-smooth, eta L < 1, and let g = grad f(w) be other than 0. The map w' -> w + eta grad "
            "f(w') is a contraction, so there is a w' with w = w' - eta g', g' = grad f(w'), and g' is "
            "not 0, else w = w' and g = 0. Co-coercivity gives eta <g' - g, g'> = <g' - g, w' - w> >= "
            "||g' - g||^2/L, and the hypothesis at w' gives ||g' - g|| >= eta lam ||g'||. Hence ||g||^2 = "
            "||g'||^2 - 2 <g' - g, g'> + ||g' - g||^2 <= ||g'||^2 - (2/(eta L) - 1) ||g' - g||^2 <= (1 - "
            "(eta lam)^2) ||g'||^2. So the gradient grows by a fixed factor from w to w', and again from "
            "w' to the point before it: no G bounds it."
        ),
        matches=_shrinking_gradients,
        grade=FindingClass.VACUOUS,
        of=(stated.CURVATURE_ALONG_GRADIENTS, stated.LIPSCHITZ_CLIENTS),
        right="the inequality along gradients only where the run passes, or on a bounded set",
    ),
    Lemma(
        name="a strongly convex function on the whole space is not Lipschitz",
        leaves=Leaves.NOTHING,
        consequence="no problem satisfies both",
        proof=(
            "||grad f(w) - grad f(w*)|| >= mu ||w - w*|| is unbounded as w moves away from w*, and a "
            "G-Lipschitz f has gradients of length G at most."
        ),
        matches=_steep_and_flat,
        grade=FindingClass.VACUOUS,
        of=(stated.STRONGLY_CONVEX, stated.LIPSCHITZ_CLIENTS),
        right="gradients bounded on the set that the run does not leave",
    ),
    Lemma(
        name="a Lojasiewicz inequality with exponent above 1 bounds the gaps of smooth clients",
        leaves=Leaves.OTHERS,
        consequence=(
            "every gap of a client at an iterate is at most (2L/mu)^(1/(alpha-1)), almost surely; with "
            "noise that reaches every open set (Gaussian) only constant clients satisfy it"
        ),
        proof=(
            "At an iterate mu (f - f*)^alpha <= ||grad f||^2 <= 2L (f - f*): the first is the hypothesis, "
            "the second smoothness with f >= f*. If the gap is not 0, (f - f*)^(alpha-1) <= 2L/mu. Noise "
            "with a density above 0 everywhere brings the iterates into every open set with positive "
            "probability, so by continuity the inequality holds on the whole space, and with it the "
            "bound. Follow the gradient upwards, w' = grad f(w), from a point with a gap above 0: the "
            "path exists for all time, since the gradient is Lipschitz, and d/dt (f - f*) = ||grad f||^2 "
            ">= mu (f - f*)^alpha lets the gap grow without limit, against the bound. So f = f* "
            "everywhere."
        ),
        matches=_growth_beyond_quadratic,
        grade=FindingClass.INTERPRETATION,
        of=(stated.LOJASIEWICZ,),
        right=(
            "for noise so small, and starts so near, that no step leaves the points at which the "
            "inequality holds"
        ),
    ),
    Lemma(
        name="a Lojasiewicz constant is at most twice the smoothness constant",
        leaves=Leaves.OTHERS,
        consequence="where mu > 2L every iterate minimizes every client, and nothing is stated",
        proof=(
            "mu (f - f*) <= ||grad f||^2 <= 2L (f - f*), as f is L-smooth and f >= f*: with mu > 2L the "
            "gap is 0 at every iterate."
        ),
        matches=grows_at_most_quadratically,
        grade=None,
    ),
    Lemma(
        name="Gaussian noise keeps no condition on every path",
        leaves=Leaves.OTHERS,
        consequence=(
            "read almost surely, the conditions on a path fail for every sigma > 0: that reading is "
            "vacuous, except without noise"
        ),
        proof=(
            "A step with Gaussian noise in every coordinate has a density above 0 everywhere, so the next "
            "iterate enters every ball with positive probability: the ball around w* in which F - F* < "
            "lam, which breaks a lower bound on the gap; for convex F other than constant, unbounded "
            "above, one in which F - F* > 1, which breaks an upper bound; and one far from w*, which "
            "breaks a lower bound on the reciprocal distance. A condition that is printed with an "
            "expectation is none of these."
        ),
        matches=_on_every_path,
        grade=FindingClass.INTERPRETATION,
        right="in mean, with exact moments in place of the quantities of a path",
    ),
)


def leaving_nothing(statement: Statement) -> Lemma | None:
    """The lemma that leaves no problem, or only trivial ones, to a statement."""
    return next((one for one in LEMMAS if one.leaves is not Leaves.OTHERS and one.matches(statement)), None)


def matching(statement: Statement) -> tuple[Lemma, ...]:
    return tuple(lemma for lemma in LEMMAS if lemma.matches(statement))
