"""The proof of Lemma F.3 (D.F3), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "D.F3.s1",
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] \leq F(\theta_r) - \eta(1 - L\eta) \|\nabla"
        r" F(\theta_r)\|_2^2 + \frac{L\eta^2 \sigma^2}{M} .",
        "from (35)",
        ("D.eq35",),
    ),
    Step(
        "D.eq40",
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] - F^* \leq F(\theta_r) - F^* - \frac{\eta \mu}{2}"
        r" (F(\theta_r) - F^*)^\alpha + \frac{\eta}{2} \zeta^2 + \frac{L\eta^2 \sigma^2}{M} . \quad"
        r" (40)",
        "(19), F* subtracted, eta <= 1/L",
        ("D.F3.s1", "D.eq19", "D.claim.eta1L"),
    ),
    Step(
        "D.F3.s3",
        r"\mathbb{E}[F(\theta_{r+1})] - F^* \leq \mathbb{E}[F(\theta_r)] - F^* - \frac{\eta"
        r" \mu}{2} (\mathbb{E}[F(\theta_r)] - F^*)^\alpha + \frac{\eta}{2} \zeta^2 + \frac{L\eta^2"
        r" \sigma^2}{M}",
        "full expectation and Jensen",
        ("D.eq40", "D.claim.jensen"),
    ),
    Step(
        "D.F3.s4",
        r"s_{r+1} \leq s_r - \frac{\eta \mu}{2} s_r^\alpha + \frac{\eta}{2} \zeta^2 +"
        r" \frac{L\eta^2 \sigma^2}{M} .",
        "in terms of s_r",
        ("D.F3.s3", "D.def.sv"),
    ),
    Step(
        "D.eq41",
        r"v_{r+1} \leq v_r - \frac{\eta \mu}{2} (v_r + C)^\alpha + \eta \zeta^2 . \quad (41)",
        "in terms of v_r = s_r - C",
        ("D.F3.s4", "D.def.sv", "D.def.C.F3"),
    ),
    Step(
        "D.F3.s6",
        r"v_{r+1} \leq v_r - \frac{\eta \mu}{2} v_r^\alpha - \frac{\eta \mu C^\alpha}{2} + \eta"
        r" \zeta^2 = v_r - \kappa v_r^\alpha ,",
        "case s_r >= C for all r: the power of a sum; kappa = eta mu/2",
        ("D.eq41", "D.claim.super", "D.def.kappa.F3", "D.def.C.F3"),
    ),
    Step(
        "D.eq42",
        r"\frac{v_{r+1} - v_r}{v_r^\alpha} \leq -\kappa . \quad (42)",
        "divide by v_r^alpha",
        ("D.F3.s6",),
    ),
    Step(
        "D.F3.s8",
        r"v_{r+1}^{-(\alpha-1)} \geq v_r^{-(\alpha-1)} + (v_{r+1} - v_r)"
        r" \frac{1-\alpha}{v_r^\alpha} ,",
        "convexity of g, rewritten",
        ("D.def.g", "D.claim.convex"),
    ),
    Step(
        "D.F3.s9",
        r"\frac{v_{r+1}^{-(\alpha-1)} - v_r^{-(\alpha-1)}}{1 - \alpha} \leq \frac{v_{r+1} -"
        r" v_r}{v_r^\alpha} \leq -\kappa .",
        "divide by 1 - alpha < 0 and use (42)",
        ("D.F3.s8", "D.eq42"),
    ),
    Step(
        "D.F3.s10",
        r"(s_R - C)^{-(\alpha-1)} \geq \kappa R(\alpha - 1) + s_0^{-(\alpha-1)} .",
        "sum over r = 0, ..., R-1 and rearrange",
        ("D.F3.s9",),
    ),
    Step(
        "D.F3.s11",
        r"s_R \leq C + \left\{ \kappa R(\alpha - 1) + s_0^{-(\alpha-1)} \right\}^{-1/(\alpha-1)} ="
        r" C + \frac{s_0}{(\kappa R(\alpha - 1)s_0^{\alpha-1} + 1)^{1/(\alpha-1)}} .",
        "solve for s_R",
        ("D.F3.s10",),
    ),
    Step(
        "D.F3.s12",
        r"if some $s_r \leq C$ the sequence stays smaller than $2C$",
        "the other case, called straightforward",
        ("D.claim.2C",),
    ),
)
