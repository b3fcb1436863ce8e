"""The proof of Theorem 3 (Appendix C)."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "B.thm3.u1",
        r"\begin{gathered} \min\Bigg(\Big(2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}}"
        r"\Big)(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*})),\frac{3\hat{C}}{8LE}\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|\Bigg)\\ \leq\Bigg(\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)"
        r"\Big(2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)(f_{i}(\bm{w}_{\tilde{k}})"
        r"-f_{i}(\bm{w}^{*}))+\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3"
        r"\hat{C}}{8LE}\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg) \end{gathered}",
        "the two indicators are complementary",
    ),
    Step(
        "B.thm3.u2",
        r"\mathbb{E}\Big[\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq"
        r"\hat{C}E)}\Delta_{i}^{*}\Big]\leq\frac{1}{n}\sum_{i=1}^{n}\Delta_{i}^{*}",
        "drop the indicator",
        ("B.def1",),
    ),
    Step(
        "B.thm3.u3",
        r"\Big(2-\frac{\rho E}{\alpha}-\frac{\rho^{2}E^{2}}{\alpha^{2}}\Big)=\mathcal{O}(1)",
        "as E <= alpha/(2 rho)",
        ("B.thm2",),
    ),
    Step(
        "B.thm3.u4",
        r"\gamma=\mathcal{O}(L\|\bm{w}_{0}-\bm{w}^{*}\|),\quad \alpha=\mathcal{O}(1)",
        "choices inserted in Theorem 2",
        ("B.thm3",),
    ),
    Step(
        "B.thm3.eq51",
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\min\Bigg(f_{i}(\bm{w}_{\tilde{k}})-f_{i}("
        r"\bm{w}^{*}),\mathcal{O}\Big(\frac{\hat{C}}{LE}\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg)\Bigg]"
        r"\leq\mathcal{O}\Bigg(\hat{C}\|\bm{w}_{0}-\bm{w}^{*}\|+E\Big(\frac{1}{n}\sum_{i=1}^{n}"
        r"\Delta_{i}^{*}\Big)\Bigg)\rho",
        "all four in Theorem 2",
        ("B.thm2", "B.thm3.u1", "B.thm3.u2", "B.thm3.u3", "B.thm3.u4"),
    ),
    Step(
        "B.thm3.eq52",
        r"\|\bm{u}_{\tilde{k}}^{(i)}\|^{2} =\Big\|\sum_{\tau=0}^{E-1}\nabla f_{i}(\bm{w}_{\tilde{k},"
        r"\tau}^{(i)})\Big\|^{2}",
        "eq. (19)",
        ("B.thm5.eq19",),
    ),
    Step(
        "B.thm3.eq53",
        r"=\sum_{\tau,\tau^{\prime}}\frac{1}{2}\Big(\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})"
        r"\|^{2}+\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau^{\prime}}^{(i)})\|^{2}-\|\nabla f_{i}(\bm{w}_{"
        r"\tilde{k},\tau}^{(i)})-\nabla f_{i}(\bm{w}_{\tilde{k},\tau^{\prime}}^{(i)})\|^{2}\Big)",
        "polarization",
        ("B.thm3.eq52",),
    ),
    Step(
        "B.thm3.eq54",
        r"=E\sum_{\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|^{2}-\sum_{\tau<\tau^{"
        r"\prime}}\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})-\nabla f_{i}(\bm{w}_{\tilde{k},\tau^{"
        r"\prime}}^{(i)})\|^{2}",
        "count pairs",
        ("B.thm3.eq53",),
    ),
    Step(
        "B.thm3.eq55",
        r"\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})-\nabla f_{i}(\bm{w}_{\tilde{k},\tau^{"
        r"\prime}}^{(i)})\| \leq L\|\bm{w}_{\tilde{k},\tau}^{(i)}-\bm{w}_{\tilde{k},\tau^{"
        r"\prime}}^{(i)}\|",
        "L-smoothness, for tau < tau'",
        ("B.def4",),
    ),
    Step(
        "B.thm3.eq56",
        r"=\eta L\Big\|\sum_{t=\tau}^{\tau^{\prime}-1}\nabla f_{i}(\bm{w}_{\tilde{k},t}^{(i)})\Big\|",
        "local update rule",
        ("B.thm3.eq55", "B.alg1"),
    ),
    Step(
        "B.thm3.eq57",
        r"\leq\eta L\sum_{t=\tau}^{\tau^{\prime}-1}\|\nabla f_{i}(\bm{w}_{\tilde{k},t}^{(i)})\|",
        "triangle inequality",
        ("B.thm3.eq56",),
    ),
    Step(
        "B.thm3.u6",
        r"\|\nabla f_{i}(\bm{w}_{\tilde{k},t}^{(i)})\|\leq\|\nabla f_{i}(\bm{w}_{\tilde{k},{t"
        r"-1}}^{(i)})\|\leq\ldots\leq\|\nabla f_{i}(\bm{w}_{\tilde{k},0}^{(i)})\|=\|\nabla f_{i}("
        r"\bm{w}_{\tilde{k}})\|",
        "Lemma 3",
        ("B.lem3",),
    ),
    Step(
        "B.thm3.eq58",
        r"\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})-\nabla f_{i}(\bm{w}_{\tilde{k},\tau^{"
        r"\prime}}^{(i)})\|\leq\eta L(\tau^{\prime}-\tau)\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|\leq"
        r"\eta LE\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|",
        "gradient norms do not grow: eq. (57)",
        ("B.thm3.eq57", "B.thm3.u6"),
    ),
    Step(
        "B.thm3.eq59",
        r"\|\bm{u}_{\tilde{k}}^{(i)}\|^{2} \geq E\sum_{\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{\tilde{k},"
        r"\tau}^{(i)})\|^{2}-\sum_{\tau<\tau^{\prime}}\eta^{2}L^{2}E^{2}\|\nabla f_{i}(\bm{w}_{"
        r"\tilde{k}})\|^{2}",
        "eq. (58) in eq. (54)",
        ("B.thm3.eq54", "B.thm3.eq58"),
    ),
    Step(
        "B.thm3.eq60",
        r"\geq E\sum_{\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|^{2}-\frac{"
        r"\eta^{2}L^{2}E^{4}}{2}\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|^{2}",
        "number of pairs",
        ("B.thm3.eq59",),
    ),
    Step(
        "B.thm3.eq61",
        r"\|\nabla f_{i}(\bm{w}_{\tilde{k}})\| \leq\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|+\|"
        r"\nabla f_{i}(\bm{w}_{\tilde{k}})-\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|",
        "triangle inequality, for tau >= 1",
    ),
    Step(
        "B.thm3.eq62",
        r"\leq\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|+L{\|\bm{w}_{\tilde{k}}-\bm{w}_{"
        r"\tilde{k},\tau}^{(i)}\|}",
        "smoothness",
        ("B.thm3.eq61", "B.def4"),
    ),
    Step(
        "B.thm3.u7",
        r"\eta LE\leq\frac{1}{4}",
        "from eta = rho/(2 alpha L) and E <= alpha/(2 rho) in Theorem 2; lets Lemma 4 apply",
        ("B.thm2",),
    ),
    Step(
        "B.thm3.eq63",
        r"\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|\leq\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|+2"
        r"\eta L\tau\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|",
        "Lemma 4 in eq. (62)",
        ("B.thm3.eq62", "B.thm3.u7", "B.lem4"),
    ),
    Step(
        "B.thm3.eq64",
        r"\|\nabla f_{i}(\bm{w}_{\tilde{k},\tau}^{(i)})\|\geq\frac{\|\nabla f_{i}(\bm{w}_{\tilde{k}})"
        r"\|}{2}\text{ }\forall\text{ }\tau\geq 1",
        "eta L tau <= eta L E <= 1/4",
        ("B.thm3.eq63", "B.thm3.u7"),
    ),
    Step(
        "B.thm3.eq65",
        r"\|\bm{u}_{\tilde{k}}^{(i)}\|^{2}\geq\frac{E^{2}}{4}\big(1-2\eta^{2}L^{2}E^{2}\big)\|"
        r"\nabla f_{i}(\bm{w}_{\tilde{k}})\|^{2}\geq\frac{7E^{2}}{32}\|\nabla f_{i}(\bm{w}_{"
        r"\tilde{k}})\|^{2}",
        "eq. (64) in eq. (60), and eta L E <= 1/4",
        ("B.thm3.eq60", "B.thm3.eq64", "B.thm3.u7"),
    ),
    Step(
        "B.thm3.eq66",
        r"\|\bm{u}_{\tilde{k}}^{(i)}\|\geq\mathcal{O}(E\|\nabla f_{i}(\bm{w}_{\tilde{k}})\|)",
        "square root of eq. (65); inserted in eq. (51) it gives eq. (7)",
        ("B.thm3.eq51", "B.thm3.eq65"),
    ),
)
