"""What the paper claims in its discussion (A.disc.*), one claim each.

Those that state a relation among numbers are evaluable; the others say what would refute them, or why nothing
could. Two further ones, the variance proxy and the noise scale, have files of their own.

One file in spite of its length: the id of a claim begins with the name of its file. The amended forms are at
the end.
"""

from dataclasses import replace
from functools import partial

from sympy import Integer, Ne, Piecewise, Rational, log, sqrt

from bounds.language.condition import at_most
from bounds.language.statement import SUFFICIENT, Edge, EdgeOutcome, Kind, Statement, Term, amend, sets
from bounds.language.vanishing import Equal, Grows
from bounds.papers.fed_norm_ec import PAPER, corollary_1, theorem_1, variance
from bounds.papers.fed_norm_ec.heterogeneity import between_clients, inside_clients
from bounds.papers.fed_norm_ec.notation import (
    B_hat,
    D_init,
    Delta,
    Delta_i_inf_mean,
    Delta_inf,
    K,
    L,
    M,
    R,
    T,
    alpha,
    beta,
    c_O,
    c_rate,
    c_rate_eta,
    c_rate_R,
    d,
    delta,
    drift_term,
    epsilon,
    eta,
    gamma,
    ig_term,
    min_gradient_norm,
    p,
    sigma_DP,
)
from bounds.papers.fed_norm_ec.shared.amended import DERIVATION, no_overshoot

_equality = partial(Statement, kind=Kind.EQUALITY, paper=PAPER)

FULL = replace(
    theorem_1.MAIN,
    locator="A.disc.full",
    title="One local step, full participation, no noise",
    follows_from="fed_norm_ec.theorem_1.main",
    in_the_case=(),
    printed=(r"\frac{3}{K+1}\frac{f(x^{0})-f^{\inf}}{\eta}+2R+\frac{\eta L}{2}.",),
    reading="the bound of Theorem 1 under its own conditions, with T = 1, p = 1 and sigma_DP = 0.",
    other_readings=(),
    terms=(theorem_1.INITIALIZATION, theorem_1.MEMORY, theorem_1.STEP),
    choices=(
        *theorem_1.MAIN.choices,
        sets(T, 1, locator="A.disc.full"),
        sets(p, 1, locator="A.disc.full"),
        sets(sigma_DP, 0, locator="A.disc.full"),
    ),
    where=(between_clients("A.disc.full"),),
    example={n: x for n, x in theorem_1.MAIN.example.items() if n not in ("T", "p", "sigma_DP", "M")},
    increasing=tuple(s for s in theorem_1.MAIN.increasing if s not in (sigma_DP, Delta_inf)),
    decreasing=(K,),
    edges=tuple(e for e in theorem_1.MAIN.edges if e.symbol not in (T, p, sigma_DP)),
    proof=(),
)

RATE = Statement(
    locator="A.disc.rate",
    kind=Kind.RATE,
    paper=PAPER,
    title="Rate of one local step with full participation and no noise",
    algorithm="fed_alpha_norm_ec",
    follows_from="fed_norm_ec.claims.full",
    printed=(r"the rate is $\mathcal{O}(1/\sqrt{K+1})$ in gradient norm",),
    reading=(
        "in the setting of A.disc.full, with R and eta of order 1/sqrt(K+1); eta also has to stay below "
        "Delta_inf/(2 sqrt(2L) (K+1)), which is of smaller order: whether such an eta exists is not printed."
    ),
    left=min_gradient_norm,
    terms=(Term("rate", c_rate / sqrt(K + 1), "everything", (Grows(K),)),),
    explicit="fed_norm_ec.claims.full",
    choices=(
        sets(R, c_rate_R / sqrt(K + 1), locator="A.disc.rate"),
        sets(eta, c_rate_eta / sqrt(K + 1), locator="A.disc.rate"),
    ),
    example={"K": 99, "c_rate": 1},
    decreasing=(K,),
    edges=(Edge(K, 0, EdgeOutcome.REGULAR, "one round"),),
)

INIT = _equality(
    locator="A.disc.init",
    title="An initialization with a small memory error",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"v_{i}^{0}=\nicefrac{{(x^{0}-\mathcal{T}_{i}(x^{0}))}}{{\gamma}}+e",
        r"e=(D/\sqrt{K+1},0,0,\ldots,0)\in\mathbb{R}^{d}",
    ),
    reading="what the initialization gives: R = |e|; D is printed without a sign and is taken as positive.",
    left=R,
    terms=(Term("error", D_init / sqrt(K + 1), "the vector e", (Grows(K),)),),
    example={"D_init": 1, "K": 99},
    increasing=(D_init,),
    decreasing=(K,),
    edges=(Edge(K, 0, EdgeOutcome.REGULAR, "one round: R = D"),),
)

DRIFT = _equality(
    locator="A.disc.drift",
    title="Error term of several local steps",
    algorithm="fed_alpha_norm_ec",
    printed=(r"\mathbb{I}_{T\neq 1}\left[8L\sqrt{2L}\cdot\sqrt{\Delta^{\inf}}\right]",),
    reading="as printed here, without the factor gamma that the term has in Theorem 1.",
    other_readings=("gamma times this, as in Theorem 1.",),
    left=drift_term,
    terms=(
        Term(
            "drift",
            Piecewise((8 * L * sqrt(2 * L) * sqrt(Delta_inf), Ne(T, 1)), (Integer(0), True)),
            "several local steps on heterogeneous clients",
            (Equal(T, 1), Equal(Delta_inf, 0)),
        ),
    ),
    where=(between_clients("A.disc.drift"),),
    example={"T": 5, "L": 1, "Delta_inf": 1},
    increasing=(L, Delta_inf),
    edges=(
        Edge(T, 1, EdgeOutcome.REGULAR, "one local step: no drift"),
        Edge(Delta_inf, 0, EdgeOutcome.REGULAR, "no heterogeneity: no drift term"),
    ),
)

IG = _equality(
    locator="A.disc.ig",
    title="Additional error of incremental-gradient steps",
    algorithm="fed_alpha_norm_ec",
    printed=(r"\gamma\cdot 4L\sqrt{2L}\cdot\sqrt{\frac{1}{M}\sum_{i=1}^{M}\Delta^{\inf}_{i}},",),
    reading="over the gradient-descent variant; Delta_i^inf is measured from f^inf.",
    left=ig_term,
    terms=(
        Term(
            "heterogeneity_within",
            gamma * 4 * L * sqrt(2 * L) * sqrt(Delta_i_inf_mean),
            "data points with different infima",
            (Equal(Delta_i_inf_mean, 0),),
        ),
    ),
    where=(inside_clients("A.disc.ig"),),
    example={"gamma": 0.5, "L": 1, "Delta_i_inf_mean": 1},
    increasing=(gamma, L, Delta_i_inf_mean),
    edges=(
        Edge(Delta_i_inf_mean, 0, EdgeOutcome.OUT_OF_DOMAIN, "Theorem 2 asks Delta_i^inf > 0"),
        Edge(gamma, 0, EdgeOutcome.OUT_OF_DOMAIN, "Algorithm 1 asks gamma > 0"),
    ),
)

UTIL = Statement(
    locator="A.disc.util",
    kind=Kind.RATE,
    paper=PAPER,
    title="Utility of Fed-alpha-NormEC as the discussion writes it",
    algorithm="fed_alpha_norm_ec",
    printed=(
        r"\mathcal{O}\left(\Delta\sqrt[4]{d\cdot\frac{B}{M^{2}}\cdot\frac{\log(1/\delta)}"
        r"{\epsilon^{2}}}\right),",
    ),
    reading="B is the number of clients sampled per round, B_hat in Corollary 1; Delta is its prefactor.",
    left=min_gradient_norm,
    terms=(
        Term(
            "utility",
            c_O * Delta * (d * B_hat / M**2 * log(1 / delta) / epsilon**2) ** Rational(1, 4),
            "privacy",
            (Equal(sigma_DP, 0), Grows(M)),
        ),
    ),
    explicit="fed_norm_ec.corollary_1.explicit",
    choices=corollary_1.RATE.choices,
    where=(variance.noise_part("A.cor1.h6"),),
    conditions=(at_most(B_hat, M, locator="A.disc.util", printed=r"\hat{B}\in[1,M]"),),
    example={"c_O": 1, "Delta": 2, "d": 100, "B_hat": 10, "M": 100, "delta": 1e-5, "epsilon": 5},
    increasing=(Delta, d, B_hat),
    decreasing=(M, epsilon, delta),
    edges=(
        Edge(d, 1, EdgeOutcome.REGULAR, "one dimension"),
        Edge(epsilon, 0, EdgeOutcome.OUT_OF_DOMAIN, "perfect privacy leaves no utility"),
    ),
)


def _claim(locator: str, title: str, printed: str, reading: str, **more: str) -> Statement:
    return Statement(
        locator=locator,
        kind=Kind.CLAIM,
        paper=PAPER,
        title=title,
        printed=(printed,),
        reading=reading,
        **more,  # type: ignore[arg-type]  # refuted_by or not_checkable
    )


UTILALPHA = _claim(
    "A.disc.utilalpha",
    "Utility of alpha-NormEC",
    r"\mathcal{O}\left(\Delta\sqrt[4]{d\cdot\frac{1}{M}\cdot\frac{\log(1/\delta)}{\epsilon^{2}}}\right)",
    "cited from another paper, for comparison with A.disc.util.",
    not_checkable="the cited bound comes with an O(.) whose constant is not given here",
)

PARTS = _claim(
    "A.disc.parts",
    "Where the terms of Theorem 1 come from",
    r"the bound of `A.thm1` is sub-linear plus additive constants",
    "each additive constant vanishes where its cause does: R = 0; p = 1 and sigma_DP = 0; Delta_inf = 0; and "
    "what is left, the first term, falls to 0 with K under the theorem's own conditions.",
    refuted_by="a term of Theorem 1 that stays where its cause is absent, or a first term that does not fall",
)

NONNEG = _claim(
    "A.disc.nonneg",
    "Delta_inf vanishes for non-negative losses",
    r"$\Delta^{\inf}=0$ for problems with non-negative losses",
    "of lower bounds, for which Assumption 1 asks: 0 is one of f and of every f_i. Of the infima it is "
    "false: f_1 = (x-1)^2/2 and f_2 = (x+1)^2/2 have Delta_inf = 1/2.",
    refuted_by="non-negative losses with Delta_inf above 0 for all lower bounds that they have",
)

BH = _claim(
    "A.disc.bh",
    "Bounded heterogeneity fails for quadratics",
    r"this fails for quadratic objectives with heterogeneous data over an unbounded domain",
    "no xi bounds ||grad f_i - grad f|| over all x when the clients' Hessians differ.",
    refuted_by="heterogeneous quadratics with a finite xi: equal Hessians and different centres have one",
)

NOVEL = _claim(
    "A.disc.novel",
    "The two bounds behind the analysis",
    r"the analysis rests on two bounds",
    "the bounds are Lemmas 7 and 6; the text names them in the other order.",
    refuted_by="a proof step of Theorem 1 that rests on neither, or a lemma that does not give its bound",
)

SENS = replace(
    _claim(
        "A.disc.sens",
        "Sensitivity one by normalization",
        r"the normalization gives every client update a sensitivity of 1",
        "adding or removing one client; the moments accountant then gives the noise scale.",
        refuted_by="two neighbouring datasets whose sums of normalized updates differ by more than 1, or a "
        "noise that is not one on their sum",
    ),
    printed=(
        r"the normalization gives every client update a sensitivity of 1",
        r"zero-mean Gaussian noise is injected to the aggregated update",
    ),
)

AMP = _claim(
    "A.disc.amp",
    "Subsampling amplifies privacy",
    r"subsampling amplifies privacy",
    "with independent participation, p in the noise rule is the sampling probability.",
    refuted_by="an accountant by which the rule, with one c for all p, does not give (epsilon, delta)",
)

P1 = _claim(
    "A.disc.p1",
    "Full participation gives the utility of alpha-NormEC",
    r"at $p=1$ the utility bound equals that of α-NormEC",
    "B_hat = M turns d B_hat/M^2 into d/M, up to the constants of the two O(.).",
    refuted_by="another exponent of M in A.disc.util at B_hat = M",
)

VHAT0 = _claim(
    "A.disc.vhat0",
    "The server's first memory by secure aggregation",
    r"maintaining this initialization condition while preserving privacy",
    "the clients' first memories are summed without being revealed, and the sum is, exactly; privacy is that "
    "of Definition 1, which Section 5.1 claims of the method.",
    refuted_by="neighbouring data sets whose first memories have different means",
)

GAMMA0 = _claim(
    "A.disc.gamma0",
    "The drift term can be controlled by gamma",
    r"this term can be controlled, or removed, by reducing $\gamma$",
    "the term is proportional to gamma in Theorem 1, which prescribes gamma = 1/(2L).",
    refuted_by="a term that does not fall with gamma, or a prescription that leaves gamma no freedom",
)

SAMEINF = _claim(
    "A.disc.sameinf",
    "Delta_inf vanishes for clients that share their infimum",
    r"$\Delta^{\inf}=0$ when all clients share the same infimum",
    "the same infimum value, as the displayed equality says.",
    refuted_by=(
        "clients with one infimum and different minimizers: f_1 = (x-1)^2/2 and f_2 = (x+1)^2/2 have the "
        "infimum 0 each, their mean has 1/2"
    ),
)

IG0 = _claim(
    "A.disc.ig0",
    "The additional error vanishes for equal infima",
    r"this error vanishes if all $f_{i,j}$ share the same infimum $f_{i}^{\inf}$",
    "Delta_i^inf as displayed, measured from f^inf: with f_ij^inf = f_i^inf its mean over i is Delta_inf.",
    refuted_by="a problem with f_ij^inf = f_i^inf for all j and Delta_inf > 0",
)

DAS = _claim(
    "A.disc.das",
    "The step size of earlier work depends on unknowns",
    r"the paper states that its own stepsizes can be implemented in practice",
    "a step size can be implemented if it depends on nothing that is unknown before the run.",
    refuted_by="an unknown in the paper's own step sizes: Theorems 1 and 2 limit eta by Delta_inf and R",
)

BIAS = _claim(
    "A.disc.bias",
    "Clipping and normalization introduce bias",
    r"clipping and normalization introduce bias",
    "DP-FedAvg without noise need not approach the minimizer, Fed-alpha-NormEC does.",
    refuted_by="convex quadratics on which clipped FedAvg converges from every start with every step",
)

EXPB = _claim(
    "A.disc.expB",
    "Why a middle beta is best",
    r"the noise component $2\sigma^{2}_{\rm DP}/p$ of $B$ is proportional to $p\beta^{2}$",
    "with sigma_DP proportional to p beta, as the text has it; Section 6 and the settings print that size as "
    "the variance of the noise.",
    refuted_by="substitution of the printed noise into 2 sigma_DP^2/p that is not proportional to p beta^2",
)

COMMS = _claim(
    "A.disc.comms",
    "How transmissions are counted",
    r"total number of client-to-server transmissions after round $k$ is counted as $k\times p\times M$",
    "the expected number of messages in k rounds of independent participation.",
    refuted_by="a mean number of messages, over many runs, other than k p M",
)

FULL_AMENDED = amend(
    FULL,
    change=(
        "no condition limits eta by Delta_inf or by 1, eta may be four times as long, and gamma is any;"
        " 1 in place of 3"
    ),
    because="Theorem 1 as amended asks nothing of Delta_inf where T = 1; the local updates then are the "
    "gradients, which are L-Lipschitz whatever gamma is",
    derivation=f"{DERIVATION}#discussion",
    follows_from="",  # the proof of Theorem 1 and not its statement, which limits gamma whatever T is
    printed=(r"\frac{f(x^{0})-f^{\inf}}{(K+1)\eta}+2R+\frac{\eta L}{2}",),
    reading="the bound of Theorem 1 as amended, with T = 1, p = 1 and sigma_DP = 0.",
    terms=(theorem_1.AMENDED_INITIALIZATION, *FULL.terms[1:]),
    choices=FULL.choices[1:],
    where=(),
    conditions=(
        no_overshoot("A.thm1.h2"),
        at_most(
            eta,
            beta * R / (L * (alpha + R)),
            locator="A.thm1.h4",
            printed=r"\frac{1}{L}\frac{\beta R}{\alpha+R}",
            part="memory",
        ),
    ),
    example={n: x for n, x in FULL.example.items() if n != "Delta_inf"},
    edges=tuple(e for e in FULL.edges if e.symbol is not Delta_inf),
)

RATE_AMENDED = amend(
    RATE,
    change="eta = c_eta/sqrt(K+1) with c_eta up to what R = c_R/sqrt(K+1) allows",
    because="alpha + R falls with K, so that the limit on eta is kept for all K once it is at K = 0",
    derivation=f"{DERIVATION}#discussion",
    needed=SUFFICIENT,
    printed=RATE.printed,
    reading=(
        "in the setting of A.disc.full as amended, with R and eta of order 1/sqrt(K+1) and beta free of K; "
        "the limit on eta then is one on the constant of its order. The limit on beta binds at the K in "
        "question, and for every K where beta <= alpha."
    ),
    conditions=(
        no_overshoot("A.thm1.h2", (beta, (sqrt(alpha) + sqrt(c_rate_R / sqrt(K + 1))) ** 2)),
        at_most(
            c_rate_eta,
            beta * c_rate_R / (L * (alpha + c_rate_R)),
            locator="A.disc.rate",
            printed=r"c_{\eta}\leq\frac{1}{L}\frac{\beta c_{R}}{\alpha+c_{R}}",
        ),
    ),
    example={"K": 99, "c_rate": 40, "c_rate_R": 1, "c_rate_eta": 0.01, "alpha": 0.1, "beta": 0.1, "L": 1},
)

DRIFT_AMENDED = amend(
    DRIFT,
    change="with the factor gamma, as the term has it in Theorem 1",
    because="the bound has the unit of a gradient, which the term without gamma has not",
    derivation=f"{DERIVATION}#discussion",
    printed=(r"\gamma\cdot\mathbb{I}_{T\neq 1}\left[8L\sqrt{2L}\cdot\sqrt{\Delta^{\inf}}\right]",),
    reading="the term of Theorem 1 as printed.",
    other_readings=(),
    terms=(theorem_1.DRIFT,),
    example={**DRIFT.example, "gamma": 0.5},
    increasing=(gamma, L, Delta_inf),
)

SAMEINF_AMENDED = amend(
    SAMEINF,
    change="sharing a minimizing sequence in place of sharing the value of the infimum",
    because="f^inf is the limit of f along a sequence on which every f_i comes down to f_i^inf",
    derivation=f"{DERIVATION}#discussion",
    printed=(r"$\Delta^{\inf}=0$ exactly when all clients share a minimizing sequence",),
    reading="f^inf and the f_i^inf are the infima themselves; the values f_i^inf may differ.",
    refuted_by=(
        "clients with a common minimizing sequence and Delta_inf > 0, or without one and Delta_inf = 0"
    ),
)

IG0_AMENDED = amend(
    IG0,
    change="Delta_i^inf is measured from f_i^inf in place of f^inf, and Delta_inf is paid for apart",
    because="f^inf less the mean of the f_ij^inf is Delta_inf plus the mean of these Delta_i^inf",
    derivation=f"{DERIVATION}#discussion",
    printed=(
        r"with $\Delta_{i}^{\inf}=f_{i}^{\inf}-\frac{1}{N}\sum_{j=1}^{N}f_{i,j}^{\inf}$ this error vanishes "
        r"if all $f_{i,j}$ share the same infimum $f_{i}^{\inf}$",
    ),
    reading="for all f_ij that share the infimum f_i^inf; the term of Delta_inf is another one.",
    refuted_by="a problem with f_ij^inf = f_i^inf for all j on which f_i^inf less their mean is not 0",
)
