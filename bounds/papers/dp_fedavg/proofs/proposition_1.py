"""The proof of Proposition 1 (Appendix D)."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "B.prop1.eq67",
        r"\|\bm{u}_{k}^{(i)}\| =\Bigg\|\frac{\bm{w}_{k}-\bm{w}_{k,E}^{(i)}}{\eta}\Bigg\|",
        "definition, with eta_k = eta",
        ("B.alg1",),
    ),
    Step(
        "B.prop1.eq68",
        r"=\Bigg\|\sum_{\tau=0}^{E-1}\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\Bigg\|",
        "unrolling the local updates",
        ("B.prop1.eq67",),
    ),
    Step(
        "B.prop1.eq69",
        r"\leq\sum_{\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|",
        "triangle inequality",
        ("B.prop1.eq68",),
    ),
    Step(
        "B.prop1.u1",
        r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})-\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|\geq\eta\lambda"
        r"\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|",
        "Assumption 1 (i) along the local iterates",
        ("B.asm1",),
    ),
    Step(
        "B.prop1.eq70",
        r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})\|^{2}\leq\Bigg(1-\frac{2\eta\lambda^{2}}{L}\Big(1-"
        r"\frac{\eta L}{2}\Big)\Bigg)\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|^{2}",
        "Lemma 3 with Assumption 1 (i)",
        ("B.prop1.u1", "B.lem3"),
    ),
    Step(
        "B.prop1.eq71",
        r"\|\nabla f_{i}(\bm{w}_{k,\tau+1}^{(i)})\| \leq\sqrt{1-\frac{\lambda^{2}}{L^{2}}\rho\Big(1-"
        r"\frac{\rho}{4}\Big)}\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|",
        "eta = rho/(2L) in eq. (70)",
        ("B.prop1.eq70",),
    ),
    Step(
        "B.prop1.eq72",
        r"\leq\Bigg(1-\frac{\lambda^{2}}{2L^{2}}\rho\Big(1-\frac{\rho}{4}\Big)\Bigg)\|\nabla f_{i}("
        r"\bm{w}_{k,\tau}^{(i)})\|",
        "bound on the square root",
        ("B.prop1.eq71",),
    ),
    Step(
        "B.prop1.eq73",
        r"\leq\Bigg(1-\frac{3\lambda^{2}}{8L^{2}}\rho\Bigg)\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|",
        "bound on the bracket",
        ("B.prop1.eq72",),
    ),
    Step(
        "B.prop1.u2",
        r"\widehat{\rho}:=\frac{3\lambda^{2}}{8L^{2}}\rho",
        "notation",
    ),
    Step(
        "B.prop1.eq74",
        r"\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|\leq(1-\widehat{\rho})^{\tau}\|\nabla f_{i}("
        r"\bm{w}_{k,0}^{(i)})\|",
        "iterate eq. (73)",
        ("B.prop1.eq73", "B.prop1.u2"),
    ),
    Step(
        "B.prop1.eq75",
        r"\|\bm{u}_{k}^{(i)}\|\leq\sum_{\tau=0}^{E-1}(1-\widehat{\rho})^{\tau}\|\nabla f_{i}("
        r"\bm{w}_{k,0}^{(i)})\|=\Big(\frac{1-(1-\widehat{\rho})^{E}}{\widehat{\rho}}\Big)\|"
        r"\nabla f_{i}(\bm{w}_{k,0}^{(i)})\|\leq\underbrace{\Big(\frac{1-(1-\widehat{\rho})^{E}}{"
        r"\widehat{\rho}}\Big)G}_{\text{B}(E)}",
        "eq. (74) in eq. (69); geometric sum; Lipschitz bound; defines B(E)",
        ("B.prop1.eq69", "B.prop1.eq74", "B.asm1"),
    ),
    Step(
        "B.prop1.u3",
        r"E\hat{\rho}\leq\frac{1}{4}",
        "from E <= 1/(2 rho)",
        ("B.prop1.u2", "B.prop1"),
    ),
    Step(
        "B.prop1.eq76",
        r"\text{B}(E)\leq GE\Big(1-\frac{11(E-1)\hat{\rho}}{24}\Big)=GE\Bigg(1-\frac{11(E-1){"
        r"\rho}}{64}\Big(\frac{\lambda^{2}}{L^{2}}\Big)\Bigg)",
        "Fact 3 in eq. (75)",
        ("B.prop1.eq75", "B.prop1.u3", "B.fact3"),
    ),
    Step(
        "B.prop1.u4",
        r"\hat{C}=\frac{\Big(1-\frac{11(E-1){\rho}}{64}\big(\frac{\lambda^{2}}{L^{2}}\big)\Big)}{E}=G"
        r"\Big(1-\frac{11(E-1){\rho}}{64}\big(\frac{\lambda^{2}}{L^{2}}\big)\Big)",
        "choice of threshold; then ||u_k^(i)|| <= C_hat E always",
        ("B.prop1.eq76",),
    ),
)
