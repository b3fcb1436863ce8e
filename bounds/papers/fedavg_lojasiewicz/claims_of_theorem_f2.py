"""Claims in prose in the proof of Theorem F.2."""

from dataclasses import replace
from typing import Any

from sympy import Rational

from bounds.language.condition import at_most, solved_at_most
from bounds.language.lazy_numpy import np
from bounds.language.lemmas.drawn import drawn
from bounds.language.lemmas.objects import vector
from bounds.language.statement import (
    SUFFICIENT,
    Concrete,
    Edge,
    EdgeOutcome,
    Kind,
    Setting,
    Statement,
    Term,
    amend,
    defined_by,
    sets,
)
from bounds.language.vanishing import Equal
from bounds.papers.fedavg_lojasiewicz import PAPER, definitions, equation_39, theorem_f2, unrolled
from bounds.papers.fedavg_lojasiewicz.assumptions import ITERATES
from bounds.papers.fedavg_lojasiewicz.notation import (
    H,
    L,
    M,
    R,
    a_norm,
    b_norm,
    beta,
    bound_s3,
    bound_s13,
    eta,
    f0_gap,
    gap,
    gradient_norm,
    half_smoothness,
    inner_product,
    last_s,
    mean_gap,
    mu_1,
    r,
    sigma,
    sum_norm,
    zeta,
)
from bounds.papers.fedavg_lojasiewicz.shared.one_round import Points, square
from bounds.papers.fedavg_lojasiewicz.shared.sequences import addition_of_a_round, given, path

_CONSTANTS = (eta, mu_1, L, M, zeta, sigma)

H1 = Statement(
    locator="D.claim.H1",
    kind=Kind.CLAIM,
    paper=PAPER,
    title="With one local step FedAVG is SGD on F",
    algorithm="fedavg",
    printed=("for $H=1$ the algorithm is SGD on $F$",),
    reading="theta_{r+1} is theta_r - eta grad F^Z(theta_r), with Z = Z_r.",
    refuted_by="a round with H = 1 that ends elsewhere than at theta_r - eta grad F^Z(theta_r)",
    setting=(ITERATES,),
)


def _one_step(f0_gap: Any, r: Any, eta: Any, mu_1: Any, **others: Any) -> dict[str, Any]:
    """The recursion D.F2.s2 with equality."""
    rest = 1 - others["L"] * eta
    addition = eta * rest * others["zeta"] ** 2 + others["L"] * eta**2 * others["sigma"] ** 2 / others["M"]
    sequence = path(f0_gap, r, 1, eta * mu_1 * rest, addition)
    return others | {"f0_gap": f0_gap, "r": r, "eta": eta, "mu_1": mu_1, "mean_gap": sequence[-1]}


STEP2L = replace(
    unrolled.F2_ONE_STEP,
    locator="D.claim.step2L",
    title="D.F2.s2 unrolls to D.F2.s3",
    algorithm=None,
    printed=(r"since $\eta \leq 1/2L$, D.F2.s2 unrolls to D.F2.s3",),
    reading="for every sequence of gaps that obeys D.F2.s2: at most the right-hand side of D.F2.s3.",
    left=mean_gap,
    setting=(Setting("D.F2.s2", "s_r obeys the recursion D.F2.s2"),),
    assumptions=(),
    conditions=(at_most(eta, 1 / (2 * L), locator="D.claim.step2L", printed=r"\eta \leq 1/2L"),),
    concrete=Concrete(objects=given(f0_gap, r, *_CONSTANTS), numbers=_one_step),
)

STEP2L_AMENDED = amend(
    STEP2L,
    change="mu <= 2L is asked, which FL-1 and FL-2 imply for the gaps of a run that are not all 0",
    because="the factor of a round, 1 - eta mu (1 - L eta), is then at least 1/2; without it a round may "
    "add more than the floor holds",
    derivation="docs/amended/fedavg_lojasiewicz.md#one-local-step-unrolled",
    needed="fedavg_lojasiewicz.claims_of_theorem_f2.step2l",
    printed=STEP2L.printed,
    reading=f"{STEP2L.reading} mu is at most 2L.",
    terms=(replace(STEP2L.terms[0], non_negative=True), *STEP2L.terms[1:]),
    conditions=(*STEP2L.conditions, theorem_f2.AT_MOST_TWICE_L),
)


def _end_of_one_step(f0_gap: Any, R: Any, eta: Any, mu_1: Any, **others: Any) -> dict[str, Any]:
    start = (1 - eta * mu_1 / 2) ** np.asarray(R, dtype=float) * f0_gap
    noise = 2 * others["L"] * eta * others["sigma"] ** 2 / (mu_1 * others["M"])
    bound = start + others["zeta"] ** 2 / mu_1 + noise
    return others | {"f0_gap": f0_gap, "R": R, "eta": eta, "mu_1": mu_1, "bound_s3": bound}


H1END = replace(
    theorem_f2.THEOREM,
    locator="D.claim.H1end",
    title="D.F2.s3 concludes the case of one local step",
    algorithm=None,
    follows_from="",
    in_the_case=(),
    printed=("D.F2.s3 concludes the proof of Theorem F.2 for $H=1$",),
    reading=(
        "the right-hand side of D.F2.s3 after R rounds is at most that of Theorem F.2 with H = 1, as both "
        "are printed."
    ),
    left=bound_s3,
    setting=(Setting("D.F2.s1", "one local step, H = 1"),),
    assumptions=(),
    choices=(sets(H, 1, locator="D.claim.H1end"),),
    example={n: x for n, x in theorem_f2.THEOREM.example.items() if n != "H"},
    concrete=Concrete(objects=given(f0_gap, R, *_CONSTANTS), numbers=_end_of_one_step),
    edges=tuple(e for e in theorem_f2.THEOREM.edges if e.symbol is not H),
    proof=(),
)


_DIVIDED_BY_MU = (
    r"\mathbb{E}[F(\theta_R)] - F^* \leq \left(1 - \frac{\eta H \mu}{4}\right)^R (F(\theta_0) - F^*)"
    r" + \frac{8\zeta^2}{\mu} + \frac{16\eta L}{M\mu} \sigma^2 + \frac{12\eta^2(H-1)L^2}{\mu} \sigma^2"
)


def _with_noise_by_mu(claim: Statement) -> Statement:
    """The printed constants: the recursion that the claim starts from has them too."""
    initialization, heterogeneity, *noises = claim.terms
    return amend(
        claim,
        change=(
            "both summands with sigma are divided by mu; mu <= 2L is asked, which FL-1 and FL-2 imply "
            "unless every gap of the run is 0"
        ),
        because="the recursion D.F2.s15 adds them in every round and contracts by eta H mu/4",
        derivation="docs/amended/fedavg_lojasiewicz.md#the-printed-recursion-of-theorem-f2-unrolled",
        needed=SUFFICIENT,
        printed=(_DIVIDED_BY_MU,),
        reading=f"{claim.reading.removesuffix('.')}, with both summands with sigma divided by mu.",
        terms=(
            replace(initialization, non_negative=True),
            heterogeneity,
            *(replace(noise, expression=noise.expression / mu_1) for noise in noises),
        ),
        conditions=(*theorem_f2.THEOREM.conditions, theorem_f2.AT_MOST_TWICE_L),
    )


H1END_AMENDED = _with_noise_by_mu(H1END)


def _pair(a: Points, b: Points) -> dict[str, Any]:
    return {
        "inner_product": np.sum(a * b, axis=-1),
        "a_norm": np.sqrt(square(a)),
        "b_norm": np.sqrt(square(b)),
        "sum_norm": np.sqrt(square(a + b)),
    }


POLAR = Statement(
    locator="D.claim.polar",
    kind=Kind.EQUALITY,
    paper=PAPER,
    title="Polarization identity",
    printed=(r"$2\langle a, b \rangle = \lVert a + b\rVert_2^2 - \lVert a\rVert_2^2 - \lVert b\rVert_2^2$",),
    reading="any vectors; in the proof the square of each is a gap.",
    left=2 * inner_product,
    terms=(
        Term("sum", sum_norm**2, "length of a + b", remark="when a = -b"),
        Term("first", -(a_norm**2), "length of a", (Equal(a_norm, 0),), non_negative=False),
        Term("second", -(b_norm**2), "length of b", (Equal(b_norm, 0),), non_negative=False),
    ),
    example={"sum_norm": 2, "a_norm": 1, "b_norm": 1.5},
    concrete=Concrete(
        objects={"a": "a vector", "b": "another vector"},
        numbers=_pair,
        drawn=drawn(a=vector("a"), b=vector("b")),
    ),
    increasing=(sum_norm,),
    decreasing=(a_norm, b_norm),
    edges=(Edge(sum_norm, 0, EdgeOutcome.REGULAR, "opposite vectors"),),
)

NEG = Statement(
    locator="D.claim.neg",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="The squared mean move has a factor that is not positive",
    printed=(
        r"since $\eta HL \leq 1$: $\frac{L}{2} - \frac{\beta^2}{2} ="
        r" \frac{L}{2} - \frac{1}{2\eta H} \leq 0$",
    ),
    reading="turned round: L/2 is at most beta^2/2.",
    left=half_smoothness,
    terms=(Term("polarization", beta**2 / 2, "what polarization takes off the mean move"),),
    where=(defined_by(definitions.WEIGHT, locator="D.claim.neg"),),
    conditions=(
        at_most(
            eta * H * L,
            1,
            locator="D.claim.neg",
            printed=r"\eta HL \leq 1",
            solved=solved_at_most(eta, 1 / (H * L)),
        ),
    ),
    example={"eta": 0.02, "H": 5, "L": 4},
    concrete=Concrete(
        objects=given(eta, H, L),
        numbers=lambda eta, H, L: {"eta": eta, "H": H, "L": L, "half_smoothness": L / 2},
    ),
    decreasing=(eta, H),
    edges=(Edge(H, 1, EdgeOutcome.REGULAR, "one local step: L <= 1/eta"),),
)


def _measure_round(**given: Any) -> dict[str, Any]:
    """The right-hand side of D.F2.s13, in the order of its terms."""
    eta, H, L = given["eta"], np.asarray(given["H"], dtype=float), given["L"]
    both = 2 * eta**3 * H * (H - 1) ** 2 * L**2 + 16 * eta**4 * H**2 * (H - 1) ** 2 * L**3
    noise = (
        4 * eta**2 * H * L / given["M"]
        + 2 * eta**3 * H * (H - 1) * L**2
        + 16 * eta**4 * H**2 * (H - 1) * L**3
    )
    change = (
        (both - eta * H / 2) * given["gradient_norm"] ** 2
        + both * given["zeta"] ** 2
        + noise * given["sigma"] ** 2
    )
    return given | {"bound_s13": given["gap"] + change}


EIGHTEENTH = replace(
    equation_39.BOUND,
    locator="D.claim.18",
    title="D.F2.s13 gives (39)",
    algorithm=None,
    printed=(r"using $\eta HL \leq 1/18$, D.F2.s13 gives (39)",),
    reading="the right-hand side of D.F2.s13 is at most that of (39); the gap is added to both.",
    left=bound_s13,
    setting=(),
    assumptions=(),
    conditions=(
        at_most(
            eta * H * L,
            Rational(1, 18),
            locator="D.claim.18",
            printed=r"\eta HL \leq 1/18",
            solved=solved_at_most(eta, 1 / (18 * H * L)),
        ),
    ),
    concrete=Concrete(objects=given(eta, H, L, M, gap, gradient_norm, zeta, sigma), numbers=_measure_round),
)


def _unrolled(f0_gap: Any, R: Any, mu_1: Any, **others: Any) -> dict[str, Any]:
    """The recursion D.F2.s15 with equality."""
    decrease = others["eta"] * others["H"] * mu_1 / 4
    sequence = path(f0_gap, R, 1, decrease, addition_of_a_round(**others))
    return others | {"f0_gap": f0_gap, "R": R, "mu_1": mu_1, "last_s": sequence[-1]}


UNROLL = replace(
    theorem_f2.THEOREM,
    locator="D.claim.unroll",
    title="D.F2.s15 unrolls to Theorem F.2",
    algorithm=None,
    follows_from="",
    in_the_case=(),
    printed=("the conclusion of Theorem F.2 follows by taking expectation and unrolling D.F2.s15",),
    reading="for every sequence of gaps that obeys D.F2.s15: at most the right-hand side of Theorem F.2.",
    left=last_s,
    setting=(Setting("D.F2.s15", "s_r obeys the recursion D.F2.s15, in expectation"),),
    assumptions=(),
    concrete=Concrete(objects=given(f0_gap, R, H, *_CONSTANTS), numbers=_unrolled),
    proof=(),
)

UNROLL_AMENDED = _with_noise_by_mu(UNROLL)
