"""The proof of Theorem F.2 (D.F2): one local step, then the general case, display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "D.F2.s1",
        r"\mathbb{E}[F(\theta_{r+1}) | \theta_r] &\leq \mathbb{E} \left[F(\theta_r) + \langle"
        r" \nabla F(\theta_r), \theta_{r+1} - \theta_r \rangle + \frac{L}{2} \|\theta_{r+1} -"
        r" \theta_r\|_2^2 \middle| \theta_r \right]",
        "case H = 1: FL-1, given theta_r",
        ("D.FL1", "D.claim.H1"),
    ),
    Step(
        "D.F2.s1",
        r"= F(\theta_r) - \eta \mathbb{E} [\|\nabla F(\theta_r)\|_2^2 | \theta_r] +"
        r" \frac{L\eta^2}{2} \mathbb{E} [\|\nabla F^{Z_r}(\theta_r)\|_2^2 | \theta_r]",
        "update of theta_r",
        ("D.alg.step", "D.unbiased"),
    ),
    Step(
        "D.F2.s1",
        r"\leq F(\theta_r) - \eta \|\nabla F(\theta_r)\|_2^2 + L\eta^2 \mathbb{E} [\|\nabla"
        r" F^{Z_r}(\theta_r) - \nabla F(\theta_r)\|_2^2 | \theta_r] + L\eta^2 \|\nabla"
        r" F(\theta_r)\|_2^2",
        "split of the second moment",
    ),
    Step(
        "D.eq35",
        r"= F(\theta_r) - \eta(1 - L\eta) \|\nabla F(\theta_r)\|_2^2 + \frac{L\eta^2 \sigma^2}{M},",
        "collect the terms; (33)",
        ("D.F2.s1", "D.eq33"),
    ),
    Step(
        "D.F2.s2",
        r"\mathbb{E}[F(\theta_{r+1}) | \theta_r] - F^* \leq (1 - \eta\mu(1 - L\eta)) (F(\theta_r)"
        r" - F^*) + \eta(1 - L\eta)\zeta^2 + \frac{L\eta^2 \sigma^2}{M}.",
        "(19), and F* subtracted",
        ("D.eq35", "D.eq19"),
    ),
    Step(
        "D.F2.s3",
        r"\mathbb{E}[F(\theta_r)] - F^* \leq \left(1 - \frac{\eta\mu}{2}\right)^r (F(\theta_0) -"
        r" F^*) + \frac{\zeta^2}{\mu} + \frac{2L\eta\sigma^2}{\mu M}.",
        "eta <= 1/(2L): full expectation and unrolling; said to conclude the case H = 1",
        ("D.F2.s2", "D.claim.step2L", "D.claim.H1end"),
    ),
    Step(
        "D.F2.s4",
        r"F(\theta_{r+1}) \leq F(\theta_r) + \langle \nabla F(\theta_r), \theta_{r+1} - \theta_r"
        r" \rangle + \frac{L}{2} \|\theta_{r+1} - \theta_r\|_2^2.",
        "general case: Lemma D.1",
        ("D.lemD1",),
    ),
    Step(
        "D.F2.s5",
        r"\mathbb{E}[F(\theta_{r+1})|\theta_r] - F(\theta_r) &\leq \mathbb{E}\left[\langle"
        r" \beta^{-1}\nabla F(\theta_r), \beta(\theta_{r+1} - \theta_r) \rangle +"
        r" \frac{L}{2}\|\theta_{r+1} - \theta_r\|_2^2 \middle| \theta_r\right]",
        "beta = 1/sqrt(eta H), given theta_r",
        ("D.F2.s4", "D.def.beta"),
    ),
    Step(
        "D.F2.s5",
        r"\leq \langle \beta^{-1}\nabla F(\theta_r), \beta\mathbb{E}[\theta_{r+1} -"
        r" \theta_r|\theta_r] \rangle + \frac{L}{2}\mathbb{E}[\|\theta_{r+1} -"
        r" \theta_r\|_2^2|\theta_r]",
        "conditional expectation",
    ),
    Step(
        "D.F2.s5",
        r"= \frac{1}{2}\left(\|\beta^{-1}\nabla F(\theta_r) - \beta\mathbb{E}[\theta_r -"
        r" \theta_{r+1}|\theta_r]\|_2^2 - \|\beta^{-1}\nabla F(\theta_r)\|_2^2 -"
        r" \|\beta\mathbb{E}[\theta_r - \theta_{r+1}|\theta_r]\|_2^2\right) +"
        r" \frac{L}{2}\mathbb{E}[\|\theta_{r+1} - \theta_r\|_2^2|\theta_r]",
        "polarization identity",
        ("D.claim.polar",),
    ),
    Step(
        "D.eq36",
        r"= \underbrace{\frac{1}{2\beta^2}\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r -"
        r" \theta_{r+1}|\theta_r]\|_2^2 - \frac{1}{2\beta^2}\|\nabla"
        r" F(\theta_r)\|_2^2}_{(\mathbf{A})} + \underbrace{\frac{L}{2}\mathbb{E}[\|\theta_{r+1} -"
        r" \theta_r\|_2^2|\theta_r] - \frac{\beta^2}{2}\|\mathbb{E}[\theta_{r+1} -"
        r" \theta_r|\theta_r]\|_2^2}_{(\mathbf{B})}. \quad (36)",
        "regroup into (A) and (B)",
        ("D.F2.s5",),
    ),
    Step(
        "D.F2.s6",
        r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r -"
        r" \theta_{r+1}|\theta_r]\right\|_2^2 &="
        r" \left\|\mathbb{E}\left[\frac{1}{M}\sum_{c=1}^M\left(\nabla F(\theta_r) -"
        r" \frac{1}{H}\sum_{h=0}^{H-1}\nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c)\right)\middle|\theta_r\right]\right\|_2^2",
        "bounding (A): F is the mean of the f_c, beta^2 = 1/(eta H), definition of theta_{r+1}",
        ("D.def.beta", "D.alg"),
    ),
    Step(
        "D.F2.s6",
        r"\leq \frac{1}{HM}\sum_{c=1}^M\sum_{h=0}^{H-1}\left\|\mathbb{E}\left[\nabla f_c(\theta_r)"
        r" - \nabla f_c^{Z_{r,h}^c}(\theta_{r,h}^c)\middle|\theta_r\right]\right\|_2^2.",
        "Jensen's inequality",
    ),
    Step(
        "D.F2.s7",
        r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r -"
        r" \theta_{r+1}|\theta_r]\right\|_2^2 &\leq"
        r" \frac{1}{HM}\sum_{c=1}^M\sum_{h=0}^{H-1}\left\|\mathbb{E}\left[\nabla f_c(\theta_r) -"
        r" \nabla f_c(\theta_{r,h}^c)\middle|\theta_r\right]\right\|_2^2",
        "independence of Z_{r,h}^c and theta_{r,h}^c",
        ("D.F2.s6", "D.indep", "D.unbiased"),
    ),
    Step(
        "D.F2.s7",
        r"\leq \frac{1}{HM}\sum_{c=1}^M\sum_{h=0}^{H-1}\mathbb{E}\left[\|\nabla f_c(\theta_r) -"
        r" \nabla f_c(\theta_{r,h}^c)\|_2^2|\theta_r\right]",
        "Jensen's inequality",
    ),
    Step(
        "D.eq37",
        r"\leq \frac{L^2}{HM}\sum_{c=1}^M\sum_{h=0}^{H-1}\mathbb{E}\left[\|\theta_r -"
        r" \theta_{r,h}^c\|_2^2|\theta_r\right]. \quad (37)",
        "smoothness of the f_c",
        ("D.F2.s7", "D.FL1"),
    ),
    Step(
        "D.eq38",
        r"\left\|\nabla F(\theta_r) - \beta^2\mathbb{E}[\theta_r -"
        r" \theta_{r+1}|\theta_r]\right\|_2^2 \leq 4\eta^2(H-1)^2L^2\|\nabla F(\theta_r)\|_2^2 +"
        r" 4\eta^2(H-1)^2L^2\zeta^2 + 4\eta^2(H-1)L^2\sigma^2. \quad (38)",
        "Lemma F.1",
        ("D.eq37", "D.F1"),
    ),
    Step(
        "D.F2.s9",
        r"(\mathbf{A}) \leq 2\eta^3H(H-1)^2L^2\|\nabla F(\theta_r)\|_2^2 +"
        r" 2\eta^3H(H-1)^2L^2\zeta^2 + 2\eta^3H(H-1)L^2\sigma^2.",
        "multiply by 1/(2 beta^2) = eta H/2: the bound on (A)",
        ("D.eq38", "D.def.beta"),
    ),
    Step(
        "D.F2.s10",
        r"\frac{L}{2} \mathbb{E} [\|\theta_{r+1} - \theta_r\|_2^2 | \theta_r] - \frac{\beta^2}{2}"
        r" \|\mathbb{E} [\theta_{r+1} - \theta_r | \theta_r]\|_2^2",
        "bounding (B): this difference is decomposed",
        ("D.eq36",),
    ),
    Step(
        "D.F2.s10",
        r"= \frac{L}{2} \mathbb{E} [\|\mathbb{E} [\theta_{r+1} | \theta_r] - \theta_{r+1}\|^2 |"
        r" \theta_r] + \frac{L}{2} \|\mathbb{E} [\theta_{r+1} - \theta_r | \theta_r]\|_2^2 -"
        r" \frac{\beta^2}{2} \|\mathbb{E} [\theta_{r+1} - \theta_r | \theta_r]\|_2^2",
        "variance plus squared mean",
    ),
    Step(
        "D.F2.s10",
        r"= \frac{L}{2} \mathbb{E} [\|\mathbb{E} [\theta_{r+1} | \theta_r] - \theta_{r+1}\|^2 |"
        r" \theta_r] + \left(\frac{L}{2} - \frac{\beta^2}{2} \right) \|\mathbb{E} [\theta_{r+1} -"
        r" \theta_r | \theta_r]\|_2^2 .",
        "collect the squared mean, whose factor is not positive",
        ("D.claim.neg",),
    ),
    Step(
        "D.F2.s11",
        r"\mathbb{E} [\|\mathbb{E} [\theta_{r+1} | \theta_r] - \theta_{r+1}\|^2 | \theta_r] ="
        r" \mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c) - \mathbb{E} [\nabla f_c(\theta_{r,h}^c) | \theta_r]"
        r" \right\|^2 \middle| \theta_r \right]",
        "the first term: definition of theta_{r+1}",
        ("D.F2.s10", "D.alg"),
    ),
    Step(
        "D.F2.s11",
        r"= \mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c) - \nabla f_c(\theta_r) + \frac{\eta}{M} \sum_{c=1}^M"
        r" \sum_{h=1}^H \nabla f_c(\theta_r) - \mathbb{E} [\nabla f_c(\theta_{r,h}^c) | \theta_r]"
        r" \right\|^2 \middle| \theta_r \right]",
        "insert grad f_c(theta_r)",
    ),
    Step(
        "D.F2.s11",
        r"\leq 2\mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c) - \nabla f_c(\theta_r) \right\|^2 \middle| \theta_r"
        r" \right] + 2\mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c(\theta_r) - \mathbb{E} [\nabla f_c(\theta_{r,h}^c) | \theta_r] \right\|^2 \middle|"
        r" \theta_r \right]",
        "Young's inequality",
    ),
    Step(
        "D.F2.s11",
        r"\leq 4\mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c) - \nabla f_c(\theta_r) \right\|^2 \middle| \theta_r"
        r" \right] ,",
        "Jensen's inequality",
    ),
    Step(
        "D.F2.s12",
        r"\mathbb{E} [\|\mathbb{E} [\theta_{r+1} | \theta_r] - \theta_{r+1}\|^2 | \theta_r]",
        "the same term again",
    ),
    Step(
        "D.F2.s12",
        r"\leq 4\mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c) - \nabla f_c(\theta_{r,h}^c) + \frac{\eta}{M}"
        r" \sum_{c=1}^M \sum_{h=1}^H \nabla f_c(\theta_{r,h}^c) - \nabla f_c(\theta_r) \right\|^2"
        r" \middle| \theta_r \right]",
        "insert grad f_c(theta_{r,h}^c)",
        ("D.F2.s11",),
    ),
    Step(
        "D.F2.s12",
        r"\leq 8\mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H \nabla"
        r" f_c^{Z_{r,h}^c}(\theta_{r,h}^c) - \nabla f_c(\theta_{r,h}^c) \right\|^2 \middle|"
        r" \theta_r \right] + 8\mathbb{E} \left[\left\| \frac{\eta}{M} \sum_{c=1}^M \sum_{h=1}^H"
        r" \nabla f_c(\theta_{r,h}^c) - \nabla f_c(\theta_r) \right\|^2 \middle| \theta_r \right] .",
        "Young's inequality",
    ),
    Step(
        "D.F2.s12b",
        r"\mathbb{E} [\|\mathbb{E} [\theta_{r+1} | \theta_r] - \theta_{r+1}\|^2 | \theta_r] \leq"
        r" \frac{8\eta^2 H}{M} \sigma^2 + \frac{8\eta^2 L^2 H}{M} \sum_{c=1}^M \sum_{h=1}^H"
        r" \mathbb{E} [\|\theta_{r,h}^c - \theta_r\|^2 | \theta_r] .",
        "variance by independence of the draws and FL-4; the rest by Jensen and smoothness",
        ("D.F2.s12", "D.indep", "D.FL4", "D.FL1"),
    ),
    Step(
        "D.F2.s12c",
        r"(\mathbf{B}) &\leq \frac{4\eta^2 HL}{M} \sigma^2 + 4\eta^2 H^2 L^3 (4\eta^2 (H-1)^2"
        r" \|\nabla F(\theta_r)\|_2^2 + 4\eta^2 (H-1)^2 \zeta^2 + 4\eta^2 (H-1) \sigma^2)",
        "Lemma F.1",
        ("D.F2.s10", "D.F2.s12b", "D.F1"),
    ),
    Step(
        "D.F2.s12c",
        r"= 16\eta^4 H^2 (H-1)^2 L^3 \|\nabla F(\theta_r)\|_2^2 + 16\eta^4 H^2 (H-1)^2 L^3 \zeta +"
        r" \left(\frac{4\eta^2 HL}{M} + 16\eta^4 H^2 (H-1) L^3 \right) \sigma^2 .",
        "collect the terms",
    ),
    Step(
        "D.F2.s13",
        r"\mathbb{E} [F(\theta_{r+1}) | \theta_r] - F(\theta_r)",
        "plug the bounds on (A) and (B) into (36)",
        ("D.eq36", "D.F2.s9", "D.F2.s12c"),
    ),
    Step(
        "D.F2.s13",
        r"= \left(2\eta^3 H (H-1)^2 L^2 + 16\eta^4 H^2 (H-1)^2 L^3 - \frac{\eta H}{2} \right)"
        r" \|\nabla F(\theta_r)\|_2^2 + (2\eta^3 H (H-1)^2 L^2 + 16\eta^4 H^2 (H-1)^2 L^3) \zeta^2",
        "the display, continued",
    ),
    Step(
        "D.F2.s13",
        r"+ \left(\frac{4\eta^2 HL}{M} + 2\eta^3 H (H-1) L^2 + 16\eta^4 H^2 (H-1) L^3 \right)"
        r" \sigma^2 .",
        "the display, continued",
    ),
    Step(
        "D.eq39",
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] \leq F(\theta_r) - \frac{\eta H}{4} \|\nabla"
        r" F(\theta_r)\|_2^2 + \eta H \zeta^2 + \frac{4\eta^2 HL}{M} \sigma^2 + 3\eta^3 H(H-1)L^2"
        r" \sigma^2 . \quad (39)",
        "eta H L <= 1/18",
        ("D.F2.s13", "D.claim.18"),
    ),
    Step(
        "D.F2.s15",
        r"\mathbb{E} [F(\theta_{r+1})|\theta_r] - F^* \leq F(\theta_r) - F^* - \frac{\eta H"
        r" \mu}{4} (F(\theta_r) - F^*) + 2\eta H \zeta^2 + \frac{4\eta^2 HL}{M} \sigma^2 + 3\eta^3"
        r" H(H-1)L^2 \sigma^2 .",
        "(19)",
        ("D.eq39", "D.eq19"),
    ),
    Step(
        "D.F2.s16",
        r"expectation and unrolling give the conclusion of Theorem F.2",
        "expectation and unrolling: the conclusion",
        ("D.F2.s15", "D.claim.unroll"),
    ),
)
