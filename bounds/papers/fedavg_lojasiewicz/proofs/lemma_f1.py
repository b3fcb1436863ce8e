"""The proof of Lemma F.1 (D.F1), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "D.F1.s1",
        r"\nabla f_c^{Z_{r,\ell}}(\theta_{r,\ell}^c) = \nabla f_c^{Z_{r,\ell}}(\theta_{r,\ell}^c)"
        r" - \nabla f_c(\theta_{r,\ell}^c) + \nabla f_c(\theta_{r,\ell}^c) - \nabla f_c(\theta_r^c)"
        r" + \nabla f_c(\theta_r)",
        "decomposition of each gradient",
    ),
    Step(
        "D.F1.s2",
        r"\frac{1}{H} \sum_{h=1}^{H-1} \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r]"
        r" &= \frac{\eta^2}{H} \sum_{h=1}^{H-1} \mathbb{E} \left[\left\| \sum_{\ell=0}^{h-1} \nabla"
        r" f_c^{Z_{r,\ell}}(\theta_{r,\ell}^c) \right\|_2^2 \middle| \theta_r \right]",
        "expression of theta_{r,h}^c",
        ("D.alg.step",),
    ),
    Step(
        "D.F1.s2",
        r"\leq \frac{\eta^2}{H} \sum_{h=1}^{H-1} 2\mathbb{E} \left[\left\| \sum_{\ell=0}^{h-1}"
        r" \nabla f_c(\theta_r) \right\|_2^2 \middle| \theta_r \right] + 4\mathbb{E} \left[\left\|"
        r" \sum_{\ell=0}^{h-1} \nabla f_c(\theta_r) - \nabla f_c(\theta_{r,\ell}^c) \right\|_2^2"
        r" \middle| \theta_r \right] + 4\mathbb{E} \left[\left\| \sum_{\ell=0}^{h-1} \nabla"
        r" f_c(\theta_{r,\ell}^c) - \nabla f_c^{Z_{r,\ell}}(\theta_{r,\ell}^c) \right\|_2^2"
        r" \middle| \theta_r \right]",
        "Young's inequality",
        ("D.F1.s1",),
    ),
    Step(
        "D.F1.s2",
        r"\leq \frac{2\eta^2}{H} \sum_{h=1}^{H-1} h^2 \mathbb{E} [\|\nabla f_c(\theta_r)\|_2^2 |"
        r" \theta_r] + \frac{4\eta^2}{H} \sum_{h=1}^{H-1} \mathbb{E} \left[\left\|"
        r" \sum_{\ell=0}^{h-1} \nabla f_c(\theta_r) - \nabla f_c(\theta_{r,\ell}^c) \right\|_2^2"
        r" \middle| \theta_r \right] + \frac{4\eta^2}{H} \sum_{h=1}^{H-1} h\sigma^2,",
        "the noise has conditional mean zero",
        ("D.claim.mart", "D.FL4"),
    ),
    Step(
        "D.F1.s3",
        r"\frac{1}{H} \sum_{h=1}^{H-1} \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r]"
        r" &\leq \eta^2(H-1)^2 \|\nabla f_c(\theta_r)\|_2^2 + \frac{4\eta^2 L^2}{H}"
        r" \sum_{h=1}^{H-1} \sum_{\ell=0}^{h-1} h \mathbb{E} [\|\theta_r - \theta_{r,\ell}^c\|_2^2"
        r" | \theta_r] + 4\eta^2(H-1)\sigma^2",
        "smoothness of the f_c, Jensen, and the sum of the h^2",
        ("D.F1.s2", "D.FL1", "D.claim.sumsq"),
    ),
    Step(
        "D.F1.s3",
        r"\leq \eta^2(H-1)^2 \|\nabla f_c(\theta_r)\|_2^2 + \frac{2\eta^2 H(H-1)L^2}{H}"
        r" \sum_{h=1}^{H-1} \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r] +"
        r" 2\eta^2(H-1)\sigma^2,",
        "complete the inner sum to l = H-1; sum of the h",
        ("D.claim.complete", "D.claim.sum"),
    ),
    Step(
        "D.F1.s4",
        r"\frac{1}{H} \sum_{h=1}^{H-1} \mathbb{E} [\|\theta_r - \theta_{r,h}^c\|_2^2 | \theta_r]"
        r" \leq 2\eta^2(H-1)^2 \|\nabla f_c(\theta_r)\|_2^2 + 4\eta^2(H-1)\sigma^2.",
        "eta H L <= 1/2; reorganize and multiply by 2",
        ("D.F1.s3", "D.claim.half"),
    ),
    Step(
        "D.F1.s5",
        r"\frac{1}{M} \sum_{c=1}^M \|\nabla f_c(\theta_r)\|_2^2 \leq 2\|\nabla F(\theta_r)\|_2^2 +"
        r" 2\zeta^2",
        "average over the agents with Lemma C.1: the conclusion (34)",
        ("D.F1.s4", "D.lemC1"),
    ),
)
