"""The proof of Corollary 3 (A.cor3), display by display."""

from bounds.language.statement import Step

BEFORE_ORDER = (
    Step(
        "A.cor3.s1",
        r"T>1",
        "Theorem 1 with T > 1: the display of A.cor2.s1, which is not repeated",
        ("A.thm1.app", "A.cor2.s1"),
    ),
    Step(
        "A.cor3.s2",
        r"B=\frac{2\hat{B}}{M}\left(1-\frac{M}{\hat{B}}\right)^{2}+2\left(1-\frac{\hat{B}}{M}\right)+2"
        r"\frac{c\sqrt{K+1}\log(1/\delta)}{\epsilon}",
        "insert sigma_DP and p = B_hat/M in B",
        ("A.cor3.h2", "A.cor3.h3"),
    ),
    Step(
        "A.cor3.s3",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right] &\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\beta\sqrt{\frac{B_{1}}{M}(K+1)}+2\beta"
        r"\sqrt{\frac{B_{2}}{M}}(K+1)+\eta\cdot\frac{L}{2}\\",
        "split of the square root",
        ("A.cor3.s1", "A.cor3.s2"),
    ),
    Step(
        "A.cor3.s3",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right],",
        "the display, continued",
    ),
    Step(
        "A.cor3.s4",
        r"B_{1}=\frac{2\hat{B}}{M}\left[\left(1-\frac{M}{\hat{B}}\right)^{2}+\frac{M}{\hat{B}}-1\right]",
        "sampling part of B",
        ("A.cor3.s2",),
    ),
    Step(
        "A.cor3.s4",
        r"B_{2}=2c^{2}\frac{\hat{B}}{M}\frac{\log(1/\delta)}{\epsilon^{2}}",
        "noise part of B, per round",
        ("A.cor3.s2",),
    ),
    Step(
        "A.cor3.s5",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right] &\leq\frac{3}{K+1}"
        r"\frac{f(x^{0})-f^{\inf}}{\eta}+2R+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+2\hat{\beta}"
        r"\sqrt{\frac{B_{2}}{M}}+\eta\cdot\frac{L}{2}\\",
        "beta = beta_hat/(K+1)",
        ("A.cor3.s3", "A.cor3.s4", "A.cor3.h5"),
    ),
    Step(
        "A.cor3.s5",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right].",
        "the display, continued",
    ),
    Step(
        "A.cor3.s6",
        r"\eta\leq\frac{1}{K+1}\min\left(\frac{\Delta^{\inf}}{2\sqrt{2L}},\frac{\gamma}{2}"
        r"\frac{\hat{\beta}R}{\alpha+R}\right).",
        "step-size requirement for this beta",
        ("A.thm1.h4", "A.cor3.h5"),
    ),
    Step(
        "A.cor3.s7",
        r"\frac{\Delta^{\inf}}{2\sqrt{2L}}>\frac{\gamma}{2}\frac{\hat{\beta}R}{\alpha+R}",
        "after inserting beta_hat and alpha = R, this condition on Delta^inf ...",
        ("A.cor3.h5", "A.cor3.h6"),
    ),
    Step(
        "A.cor3.s7",
        r"\gamma<\frac{2(\Delta^{\inf})^{2}}{3L(f(x^{0})-f^{\inf})\sqrt{M/B_{2}}}",
        "... is said to be equivalent to this one on gamma",
        ("A.cor3.h4",),
    ),
    Step(
        "A.cor3.s8",
        r"\eta\leq\frac{1}{K+1}\frac{\gamma}{2}\frac{\hat{\beta}R}{\alpha+R}.",
        "by the choice of gamma the second member of the minimum is the smaller",
        ("A.cor3.s6", "A.cor3.s7"),
    ),
    Step(
        "A.cor3.s9",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{6\alpha(f(x^{0})-f^{\inf})}{\gamma\hat{\beta}R}+"
        r"\frac{6(f(x^{0})-f^{\inf})}{\gamma\hat{\beta}}+2R+2\hat{\beta}\sqrt{\frac{B_{2}}{M}}\\",
        "eta at its largest",
        ("A.cor3.s5", "A.cor3.s8", "A.cor3.h7"),
    ),
    Step(
        "A.cor3.s9",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+\frac{1}{K+1}\cdot"
        r"\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}\\",
        "the display, continued",
    ),
    Step(
        "A.cor3.s9",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right].",
        "the display, continued",
    ),
    Step(
        "A.cor3.s10",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &"
        r"\frac{2\sqrt{3}\alpha\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}R}\sqrt[4]{\frac{B_{2}}{M}}+"
        r"\frac{4\sqrt{3}\sqrt{f(x^{0})-f^{\inf}}}{\sqrt{\gamma}}\sqrt[4]{\frac{B_{2}}{M}}+2R\\",
        "beta_hat, which balances noise against progress",
        ("A.cor3.s9", "A.cor3.h5"),
    ),
    Step(
        "A.cor3.s10",
        r"&+2\hat{\beta}\sqrt{\frac{B_{1}}{M(K+1)}}+\frac{1}{K+1}\cdot"
        r"\frac{\gamma L\hat{\beta}R}{4(\alpha+R)}+\gamma\cdot\left[8L\sqrt{2L}"
        r"\sqrt{\Delta^{\inf}}\right].",
        "the display, continued",
    ),
)
STEPS = (
    *BEFORE_ORDER,
    Step(
        "A.cor3.s11",
        r"\underset{k\in[0,K]}{\min}{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]\leq &\mathcal{O}"
        r"\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}\right)"
        r"+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right)\\",
        "alpha = R = O(.)",
        ("A.cor3.s10", "A.cor3.h6"),
    ),
    Step(
        "A.cor3.s11",
        r"&+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right]",
        "the display, continued",
    ),
    Step(
        "A.cor3.s12",
        r"\leq &\mathcal{O}\left(\Delta\sqrt[4]{\frac{d\hat{B}}{M^{2}}\frac{\log(1/\delta)}{\epsilon^{2}}}"
        r"+\gamma\cdot\left[8L\sqrt{2L}\sqrt{\Delta^{\inf}}\right]\right)\\",
        "merge; here Delta = 2 sqrt(3) max(alpha, 2)",
        ("A.cor3.s11",),
    ),
    Step(
        "A.cor3.s12",
        r"&+\mathcal{O}\left(\frac{1}{\sqrt{K+1}}\right)+\mathcal{O}\left(\frac{1}{K+1}\right),",
        "the display, continued",
    ),
    Step(
        "A.cor3.s13",
        r"\gamma\leq 1/(2L)",
        "together with the derived upper bound on gamma: the conclusion",
        ("A.cor3.s12", "A.cor3.h4"),
    ),
)
