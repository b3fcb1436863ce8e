"""The proof of Corollary 1 (A.cor1), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "A.cor1.s1",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\sqrt{\frac{\beta^{2}B}{M}(K+1)}+\eta\cdot\frac{L}{2},",
        "Theorem 1 with T = 1, appendix form",
        ("A.thm1.app", "A.cor1.h1"),
    ),
    Step(
        "A.cor1.s2",
        r"B=\frac{2\hat{B}}{M}\left(1-\frac{M}{\hat{B}}\right)^{2}+2\left(1-\frac{\hat{B}}{M}\right)+2"
        r"\frac{c\sqrt{K+1}\log(1/\delta)}{\epsilon}",
        "insert sigma_DP and p = B_hat/M in B",
        ("A.cor1.h2", "A.cor1.h3"),
    ),
    Step(
        "A.cor1.s3",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\beta\sqrt{\frac{B_{1}}{M}(K+1)}+2\beta"
        r"\sqrt{\frac{B_{2}}{M}}(K+1)+\eta\cdot\frac{L}{2},",
        "split of the square root; B_1 and B_2 as in A.cor3.s4",
        ("A.cor1.s1", "A.cor1.s2", "A.cor3.s4"),
    ),
    Step(
        "A.cor1.s4",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+2\hat{\beta}"
        r"\sqrt{\frac{B_{2}}{M}}+\eta\cdot\frac{L}{2}.",
        "beta = beta_hat/(K+1)",
        ("A.cor1.s3", "A.cor1.h4"),
    ),
    Step(
        "A.cor1.s5",
        r"\eta\leq\frac{1}{K+1}\min\left(\frac{\Delta^{\inf}}{2\sqrt{2L}},\frac{\gamma}{2}"
        r"\frac{\hat{\beta}R}{\alpha+R}\right).",
        "step-size requirement for this beta",
        ("A.thm1.h4", "A.cor1.h4"),
    ),
    Step(
        "A.cor1.s6",
        r"\eta\leq\frac{1}{K+1}\frac{\gamma}{2}\frac{\hat{\beta}R}{\alpha+R}.",
        "if Delta^inf is large enough the second member of the minimum is the smaller",
        ("A.cor1.s5", "A.cor1.h5"),
    ),
    Step(
        "A.cor1.s7",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{6\alpha(f(x^{0})-f^{\inf})}{\gamma\hat{\beta}R}+"
        r"\frac{6(f(x^{0})-f^{\inf})}{\gamma\hat{\beta}}+2R+2\hat{\beta}\sqrt{\frac{B_{2}}{M}}\\",
        "eta at its largest",
        ("A.cor1.s4", "A.cor1.s6", "A.cor1.h7"),
    ),
    Step(
        "A.cor1.s7",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+\frac{1}{K+1}\cdot"
        r"\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}.",
        "the display, continued",
    ),
    Step(
        "A.cor1.s8",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{2\sqrt{3}\alpha\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}R}\sqrt[4]{\frac{B_{2}}{M}}+"
        r"\frac{4\sqrt{3}\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{\frac{B_{2}}{M}}+2R\\",
        "beta_hat, which balances noise against progress",
        ("A.cor1.s7", "A.cor1.h4"),
    ),
    Step(
        "A.cor1.s8",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+\frac{1}{K+1}\cdot"
        r"\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}.",
        "the display, continued",
    ),
    Step(
        "A.cor1.s9",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq\mathcal{O}"
        r"\left(\Delta\frac{\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{d\frac{B_{2}}{M}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right),",
        "alpha = R = O(.); here Delta = 2 sqrt(3) max(alpha, 2)",
        ("A.cor1.s8", "A.cor1.h6"),
    ),
    Step(
        "A.cor1.s10",
        r"\gamma=1/(2L)",
        "set gamma: the conclusion",
        ("A.cor1.s9",),
    ),
)
