"""The proof of Theorem 5 (Appendix B.1): eta_k = beta_k = eta for all k >= 0.

One file in spite of its length: one chain, from the update rule to the bound at a random round.
"""

from bounds.language.statement import Step

GENERAL = (
    Step(
        "B.thm5.eq18",
        r"\bm{w}_{k+1}=\bm{w}_{k}-\eta\Big(\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\text{clip}\big("
        r"\bm{u}_{k}^{(i)},C\big)+\bm{\zeta}_{k}\Big)",
        "update rule of the global iterate",
        ("B.alg1",),
    ),
    Step(
        "B.thm5.u1",
        r"\bm{\zeta}_{k}=\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\bm{\zeta}^{(i)}_{k}\sim\mathcal{N}("
        r"\vec{0}_{d},\frac{qK\log(1/\delta)C^{2}}{n^{2}\varepsilon^{2}}\bm{\textup{I}}_{d})",
        "averaged noise; variance from eq. (5)",
        ("B.alg1", "B.thm1"),
    ),
    Step(
        "B.thm5.eq19",
        r"\bm{u}_{k}^{(i)}=\frac{(\bm{w}_{k}-\bm{w}_{k,E}^{(i)})}{\eta}=\sum_{\tau=0}^{E-1}"
        r"\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})",
        "unrolling the local updates",
        ("B.alg1",),
    ),
    Step(
        "B.thm5.eq20",
        r"\mathbb{E}[\|\bm{w}_{k+1}-\bm{w}^{*}\|^{2}] =\mathbb{E}\Big[\Big\|\bm{w}_{k}-\eta\Big("
        r"\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\text{clip}(\bm{u}_{k}^{(i)},C)+\bm{\zeta}_{k}\Big)-"
        r"\bm{w}^{*}\Big\|^{2}\Big]",
        "insert eq. (18); expectation over the randomness of the current round",
        ("B.thm5.eq18",),
    ),
    Step(
        "B.thm5.eq21",
        r"=\|\bm{w}_{k}-\bm{w}^{*}\|^{2}-2\eta\mathbb{E}_{\mathcal{S}_{k}}\Big[\frac{1}{r}\sum_{i\in"
        r"\mathcal{S}_{k}}\langle\text{clip}(\bm{u}_{k}^{(i)},C),\bm{w}_{k}-\bm{w}^{*}\rangle\Big]+"
        r"\eta^{2}\mathbb{E}\Big[\Big\|\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\text{clip}("
        r"\bm{u}_{k}^{(i)},C)+\bm{\zeta}_{k}\Big\|^{2}\Big]",
        "expand the square",
        ("B.thm5.eq20",),
    ),
    Step(
        "B.thm5.eq22",
        r"=\|\bm{w}_{k}-\bm{w}^{*}\|^{2}+\frac{1}{n}\sum_{i=1}^{n}{-2\eta\langle\text{clip}("
        r"\bm{u}_{k}^{(i)},C),\bm{w}_{k}-\bm{w}^{*}\rangle}+\eta^{2}\mathbb{E}_{\mathcal{S}_{k}}\Big["
        r"\Big\|\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\text{clip}(\bm{u}_{k}^{(i)},C)\Big\|^{2}\Big] +"
        r"\eta^{2}\Big(\frac{qKd\log(1/\delta)C^{2}}{n^{2}\varepsilon^{2}}\Big)",
        "expectation over the client set and over the noise",
        ("B.thm5.eq21", "B.thm5.u1"),
    ),
    Step(
        "B.thm5.eq23",
        r"\leq\|\bm{w}_{k}-\bm{w}^{*}\|^{2}+\frac{1}{n}\sum_{i=1}^{n}{-2\eta\langle\text{clip}("
        r"\bm{u}_{k}^{(i)},C),\bm{w}_{k}-\bm{w}^{*}\rangle}+\eta^{2}\mathbb{E}_{\mathcal{S}_{k}}\Big["
        r"\frac{1}{r}\sum_{i\in\mathcal{S}_{k}}\big\|\text{clip}(\bm{u}_{k}^{(i)},C)\big\|^{2}\Big] +"
        r"\eta^{2}\Big(\frac{qKd\log(1/\delta)C^{2}}{n^{2}\varepsilon^{2}}\Big)",
        "Fact 2",
        ("B.thm5.eq22", "B.fact2"),
    ),
    Step(
        "B.thm5.eq24",
        r"=\|\bm{w}_{k}-\bm{w}^{*}\|^{2}+\frac{1}{n}\sum_{i=1}^{n}\Big\{\underbrace{-2\eta\langle"
        r"\text{clip}(\bm{u}_{k}^{(i)},C),\bm{w}_{k}-\bm{w}^{*}\rangle+\eta^{2}\big\|\text{clip}("
        r"\bm{u}_{k}^{(i)},C)\big\|^{2}}_{A_{i}}\Big\} +\eta^{2}\Big(\frac{qKd\log(1/"
        r"\delta)C^{2}}{n^{2}\varepsilon^{2}}\Big)",
        "expectation over the client set; defines A_i",
        ("B.thm5.eq23",),
    ),
    Step(
        "B.thm5.eq25",
        r"A_{i} ={-2\eta C}{\Big\langle \frac{\bm{u}_{k}^{(i)}}{\|\bm{u}_{k}^{(i)}\|},\bm{w}_{k}-"
        r"\bm{w}^{*}\Big\rangle }+\eta^{2}C^{2}",
        "Case 1, ||u_k^(i)|| > C: insert the clipped value in A_i",
        ("B.thm5.eq24", "B.clip"),
    ),
    Step(
        "B.thm5.eq26",
        r"=\frac{-C}{\big\|\bm{u}_{k}^{(i)}\big\|}\Big(\|\bm{w}_{k}-\bm{w}^{*}\|^{2}+\eta^{2}\big\|"
        r"\bm{u}_{k}^{(i)}\big\|^{2}-\|\underbrace{\bm{w}_{k}-\eta\bm{u}_{k}^{(i)}}_{="
        r"\bm{w}_{k,E}^{(i)}}-\bm{w}^{*}\|^{2}\Big)+\eta^{2}C^{2}",
        "polarization; also w_k - eta u_k^(i) = w_{k,E}^(i)",
        ("B.thm5.eq25", "B.thm5.eq19"),
    ),
    Step(
        "B.thm5.eq27",
        r"\|\bm{w}_{k}-\bm{w}^{*}\|^{2}-\|\bm{w}_{k,E}^{(i)}-\bm{w}^{*}\|^{2}\geq\frac{\eta}{2L}\sum_{"
        r"\tau=0}^{E-1}\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\|^{2}-2\eta E\Delta_{i}^{*}",
        "Lemma 1, f_i convex; needs eta <= 1/(2L)",
        ("B.lem1",),
    ),
    Step(
        "B.thm5.eq28",
        r"\big\|\bm{u}_{k}^{(i)}\big\|^{2} =\big\|\sum_{\tau=0}^{E-1}\nabla f_{i}(\bm{w}_{k,"
        r"\tau}^{(i)})\big\|^{2}\leq E\sum_{\tau=0}^{E-1}\big\|\nabla f_{i}(\bm{w}_{k,\tau}^{(i)})\big"
        r"\|^{2}",
        "Fact 2",
        ("B.thm5.eq19", "B.fact2"),
    ),
    Step(
        "B.thm5.eq29",
        r"\|\bm{w}_{k}-\bm{w}^{*}\|^{2}-\|\bm{w}_{k,E}^{(i)}-\bm{w}^{*}\|^{2}\geq\frac{\eta}{2LE}\big"
        r"\|\bm{u}_{k}^{(i)}\big\|^{2}-2\eta E\Delta_{i}^{*}",
        "eq. (28) in eq. (27)",
        ("B.thm5.eq27", "B.thm5.eq28"),
    ),
    Step(
        "B.thm5.eq30",
        r"A_{i}\leq-C\Big(\eta^{2}+\frac{\eta}{2LE}\Big){\|\bm{u}_{k}^{(i)}\|}+2\eta\underbrace{\Bigg("
        r"\frac{C}{\|\bm{u}_{k}^{(i)}\|}\Bigg)}_{<1}E\Delta_{i}^{*}+\eta^{2}C^{2}",
        "eq. (29) in eq. (26); needs eta <= 1/(2L)",
        ("B.thm5.eq26", "B.thm5.eq29"),
    ),
    Step(
        "B.thm5.u2",
        r"C^{2}\geq 16LE^{2}\max_{j\in[n]}\Delta_{j}^{*}",
        "choice of threshold",
        ("B.thm5.general",),
    ),
    Step(
        "B.thm5.u3",
        r"E\Delta_{i}^{*}\leq\frac{C^{2}}{16LE}\leq\frac{C\|\bm{u}_{k}^{(i)}\|}{16LE}",
        "from the choice of threshold and the case condition",
        ("B.thm5.u2",),
    ),
    Step(
        "B.thm5.eq31",
        r"A_{i} \leq-C\Big(\eta^{2}+\frac{\eta}{2LE}\Big)\|\bm{u}_{k}^{(i)}\|+\frac{\eta C}{8LE}\|"
        r"\bm{u}_{k}^{(i)}\|+\eta^{2}C^{2}",
        "the bound on E Delta_i* in eq. (30)",
        ("B.thm5.eq30", "B.thm5.u3"),
    ),
    Step(
        "B.thm5.eq32",
        r"=-\frac{3\eta C}{8LE}\|\bm{u}_{k}^{(i)}\|+\eta^{2}C\underbrace{(C-\|\bm{u}_{k}^{(i)}\|)}_{"
        r"<0}",
        "collect terms",
        ("B.thm5.eq31",),
    ),
    Step(
        "B.thm5.eq33",
        r"\leq-\frac{3\eta C}{8LE}\|\bm{u}_{k}^{(i)}\|",
        "the braced factor is negative; needs C >= 4E sqrt(L max_j Delta_j*) and eta <= 1/(2L)",
        ("B.thm5.eq32",),
    ),
    Step(
        "B.thm5.eq34",
        r"A_{i} ={-2\eta}{\langle\bm{u}_{k}^{(i)},\bm{w}_{k}-\bm{w}^{*}\rangle}+\eta^{2}\|"
        r"\bm{u}_{k}^{(i)}\|^{2}\leq{-2\eta}\underbrace{\langle\bm{u}_{k}^{(i)},\bm{w}_{k}-\bm{w}^{*}"
        r"\rangle}_{B_{i}}+2\eta^{2}LE^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})",
        "Case 2, ||u_k^(i)|| <= C: Lemma 2; defines B_i; needs eta L <= 1",
        ("B.thm5.eq24", "B.clip", "B.lem2"),
    ),
    Step(
        "B.thm5.eq35",
        r"B_{i} =\langle\bm{u}_{k}^{(i)},\bm{w}_{k}-\bm{w}^{*}\rangle",
        "definition",
        ("B.thm5.eq34",),
    ),
    Step(
        "B.thm5.eq36",
        r"=\sum_{\tau=0}^{E-1}\langle\nabla f_{i}(\bm{w}_{k,\tau}^{(i)}),\bm{w}_{k}-\bm{w}^{*}\rangle",
        "eq. (19)",
        ("B.thm5.eq35", "B.thm5.eq19"),
    ),
    Step(
        "B.thm5.eq37",
        r"=\sum_{\tau=0}^{E-1}\{\langle\nabla f_{i}(\bm{w}_{k,\tau}^{(i)}),\bm{w}_{k,\tau}^{(i)}-"
        r"\bm{w}^{*}\rangle+\langle\nabla f_{i}(\bm{w}_{k,\tau}^{(i)}),\bm{w}_{k}-\bm{w}_{k,"
        r"\tau}^{(i)}\rangle\}",
        "insert w_{k,tau}^(i)",
        ("B.thm5.eq36",),
    ),
    Step(
        "B.thm5.eq38",
        r"\geq\sum_{\tau=0}^{E-1}\{f_{i}(\bm{w}_{k,\tau}^{(i)})-f_{i}(\bm{w}^{*})+\langle\nabla f_{i}("
        r"\bm{w}_{k}),\bm{w}_{k}-\bm{w}_{k,\tau}^{(i)}\rangle+\langle\nabla f_{i}(\bm{w}_{k,"
        r"\tau}^{(i)})-\nabla f_{i}(\bm{w}_{k}),\bm{w}_{k}-\bm{w}_{k,\tau}^{(i)}\rangle\}",
        "convexity of f_i",
        ("B.thm5.eq37",),
    ),
    Step(
        "B.thm5.eq39",
        r"\geq\sum_{\tau=0}^{E-1}\{f_{i}(\bm{w}_{k,\tau}^{(i)})-f_{i}(\bm{w}^{*})+f_{i}(\bm{w}_{k})"
        r"-f_{i}(\bm{w}_{k,\tau}^{(i)})-L\|\bm{w}_{k}-\bm{w}_{k,\tau}^{(i)}\|^{2}\}",
        "convexity and smoothness of f_i, Cauchy-Schwarz",
        ("B.thm5.eq38", "B.def4"),
    ),
    Step(
        "B.thm5.eq40",
        r"=E(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))-L\sum_{\tau=0}^{E-1}\|\bm{w}_{k}-\bm{w}_{k,"
        r"\tau}^{(i)}\|^{2}",
        "sum over tau",
        ("B.thm5.eq39",),
    ),
    Step(
        "B.thm5.eq41",
        r"\|\bm{w}_{k}-\bm{w}_{k,\tau}^{(i)}\|^{2}\leq 2\eta^{2}L\tau^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})",
        "Lemma 2; needs eta L <= 1",
        ("B.lem2",),
    ),
    Step(
        "B.thm5.eq42",
        r"B_{i}\geq E(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))-2\eta^{2}L^{2}\sum_{\tau=0}^{E-1}"
        r"\tau^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})\geq E(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))-2"
        r"\eta^{2}L^{2}E^{3}(f_{i}(\bm{w}_{k})-f_{i}^{*})",
        "eq. (41) in eq. (40)",
        ("B.thm5.eq40", "B.thm5.eq41"),
    ),
    Step(
        "B.thm5.u4",
        r"A_{i} \leq-2\eta E(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))+4\eta^{3}L^{2}E^{3}(f_{i}("
        r"\bm{w}_{k})-f_{i}^{*})+2\eta^{2}LE^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})",
        "eq. (42) in eq. (34)",
        ("B.thm5.eq34", "B.thm5.eq42"),
    ),
    Step(
        "B.thm5.eq43",
        r"=-\eta E{\Big(2-2\eta LE-4\eta^{2}L^{2}E^{2}\Big)}(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))+(2"
        r"\eta^{2}LE^{2}+4\eta^{3}L^{2}E^{3})\Delta_{i}^{*}",
        "split f_i(w_k) - f_i^* using Delta_i*; needs eta <= 1/L",
        ("B.thm5.u4", "B.def1"),
    ),
    Step(
        "B.thm5.eq44",
        r"\begin{gathered} A_{i}\leq\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|>C)\Big(-\frac{3\eta C}{8LE}\|"
        r"\bm{u}_{k}^{(i)}\|\Big)\\ +\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|\leq C)\Big(-{\eta E}(2-2\eta LE"
        r"-4\eta^{2}L^{2}E^{2})(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))+(2\eta^{2}LE^{2}+4"
        r"\eta^{3}L^{2}E^{3})\Delta_{i}^{*}\Big) \end{gathered}",
        "eqs. (33) and (43); needs C >= 4E sqrt(L max_j Delta_j*) and eta <= 1/(2L)",
        ("B.thm5.eq33", "B.thm5.eq43"),
    ),
    Step(
        "B.thm5.eq45",
        r"\begin{gathered} A_{i}\leq-{\eta E}\Bigg\{\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|\leq\hat{C}E)"
        r"\Big((2-2\eta LE-4\eta^{2}L^{2}E^{2})(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))\Big)\\ +{"
        r"\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{k}^{(i)}\|"
        r"\Big)}-\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|\leq\hat{C}E)(2\eta LE+4\eta^{2}L^{2}E^{2})"
        r"\Delta_{i}^{*}\Bigg\} \end{gathered}",
        "rewrite with C_hat = C/E; needs C_hat >= 4 sqrt(L max_j Delta_j*) and eta <= 1/(2L)",
        ("B.thm5.eq44",),
    ),
    Step(
        "B.thm5.eq46",
        r"\begin{gathered} \mathbb{E}[\|\bm{w}_{k+1}-\bm{w}^{*}\|^{2}]\leq\|\bm{w}_{k}-\bm{w}^{*}"
        r"\|^{2}-\frac{\eta E}{n}\sum_{i=1}^{n}\Big\{\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|>\hat{C}E)\Big("
        r"\frac{3\hat{C}}{8LE}\|\bm{u}_{k}^{(i)}\|\Big)\\ +\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|\leq"
        r"\hat{C}E)\Big((2-2\eta LE-4\eta^{2}L^{2}E^{2})(f_{i}(\bm{w}_{{k}})-f_{i}(\bm{w}^{*}))\Big)"
        r"\Big\}\\ +\eta E(2\eta LE+4\eta^{2}L^{2}E^{2})\Big(\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}(\|"
        r"\bm{u}_{{k}}^{(i)}\|\leq\hat{C}E)}\Delta_{i}^{*}\Big)+\eta^{2}E^{2}\hat{C}^{2}\Big(\frac{qKd"
        r"\log(1/\delta)}{n^{2}\varepsilon^{2}}\Big) \end{gathered}",
        "eq. (45) in eq. (24)",
        ("B.thm5.eq24", "B.thm5.eq45"),
    ),
    Step(
        "B.thm5.eq47",
        r"\begin{gathered} \frac{1}{K}\sum_{k=0}^{K-1}\mathbb{E}\Big[\frac{1}{n}\sum_{i=1}^{n}\Big\{"
        r"\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|\leq\hat{C}E)\Big((2-2\eta LE-4\eta^{2}L^{2}E^{2})(f_{i}("
        r"\bm{w}_{{k}})-f_{i}(\bm{w}^{*}))\Big)+\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|>\hat{C}E)\Big("
        r"\frac{3\hat{C}\|\bm{u}_{k}^{(i)}\|}{8LE}\Big)\Big\}\Big]\\ \leq\frac{\|\bm{w}_{0}-\bm{w}^{*}"
        r"\|^{2}}{\eta EK}+\eta EK\hat{C}^{2}\Big(\frac{qd\log(1/\delta)}{n^{2}\varepsilon^{2}}\Big)+"
        r"\frac{2\eta LE(1+2\eta LE)}{K}\mathbb{E}\Bigg[\sum_{k=0}^{K-1}\Big(\frac{1}{n}\sum_{i"
        r"=1}^{n}{\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|\leq\hat{C}E)}\Delta_{i}^{*}\Big)\Bigg] "
        r"\end{gathered}",
        "take full expectation, sum the recursion over k, rearrange",
        ("B.thm5.eq46",),
    ),
    Step(
        "B.thm5.u5",
        r"\eta=\frac{\gamma}{\hat{C}LEK}\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}",
        "choice of step size",
        ("B.thm5.general",),
    ),
    Step(
        "B.thm5.u6",
        r"K>\frac{2\gamma}{\hat{C}E}\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}",
        "must hold for the condition eta L <= 1/2 to be satisfied",
        ("B.thm5.u5",),
    ),
    Step(
        "B.thm5.eq48",
        r"\begin{gathered} \frac{1}{K}\sum_{k=0}^{K-1}\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{"
        r"\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|\leq\hat{C}E)\Big(2-\frac{2\gamma}{\hat{C}K}\frac{n"
        r"\varepsilon}{\sqrt{qd\log(1/\delta)}}-\frac{4\gamma^{2}}{\hat{C}^{2}K^{2}}\frac{n^{2}"
        r"\varepsilon^{2}}{qd\log(1/\delta)}\Big)(f_{i}(\bm{w}_{{k}})-f_{i}(\bm{w}^{*}))\\ +"
        r"\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{k}^{(i)}\|"
        r"\Big)\Bigg\}\Bigg]\leq\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}"
        r"\Big)\frac{\hat{C}\sqrt{qd\log(1/\delta)}}{n\varepsilon}\\ +\Bigg(\frac{2\gamma}{\hat{C}K}"
        r"\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}\Bigg)\Bigg(1+\frac{2\gamma}{\hat{C}K}\frac{n"
        r"\varepsilon}{\sqrt{qd\log(1/\delta)}}\Bigg)\mathbb{E}\Bigg[\Bigg(\frac{1}{K}\sum_{k=0}^{K-1}"
        r"\Big(\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}(\|\bm{u}_{{k}}^{(i)}\|\leq\hat{C}E)}"
        r"\Delta_{i}^{*}\Big)\Bigg)\Bigg] \end{gathered}",
        "the choice of step size in eq. (47); needs C_hat >= 4 sqrt(L max_j Delta_j*)",
        ("B.thm5.eq47", "B.thm5.u5", "B.thm5.u6"),
    ),
    Step(
        "B.thm5.eq49",
        r"\begin{gathered} \mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{\mathbbm{1}(\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|\leq\hat{C}E)\Big(2-\frac{2\gamma}{\hat{C}K}\frac{n\varepsilon}{\sqrt{qd"
        r"\log(1/\delta)}}-\frac{4\gamma^{2}}{\hat{C}^{2}K^{2}}\frac{n^{2}\varepsilon^{2}}{qd\log(1/"
        r"\delta)}\Big)(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))\\ +\mathbbm{1}(\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg"
        r"\}\Bigg]\leq\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\frac{"
        r"\hat{C}\sqrt{qd\log(1/\delta)}}{n\varepsilon}\\ +\Bigg(\frac{2\gamma}{\hat{C}K}\frac{n"
        r"\varepsilon}{\sqrt{qd\log(1/\delta)}}\Bigg)\Bigg(1+\frac{2\gamma}{\hat{C}K}\frac{n"
        r"\varepsilon}{\sqrt{qd\log(1/\delta)}}\Bigg)\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}{"
        r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)}\Delta_{i}^{*}\Bigg] \end{gathered}",
        "rewrite the average over k with k~ uniform on [0, K-1]",
        ("B.thm5.eq48",),
    ),
)

SPECIFIC = (
    *GENERAL,
    Step(
        "B.thm5.u7",
        r"K=\frac{2\alpha\gamma}{\hat{C}E}\Big(\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}\Big)^{2}",
        "choice of K, with alpha >= 1 of the user's choice",
        ("B.thm5.specific",),
    ),
    Step(
        "B.thm5.u8",
        r"E\leq\frac{\alpha}{2}\Big(\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}\Big)",
        "constraint on E",
        ("B.thm5.specific",),
    ),
    Step(
        "B.thm5.eq50",
        r"\begin{gathered} \mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{\mathbbm{1}(\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|\leq\hat{C}E)\Bigg(2-\Bigg(\frac{E\sqrt{qd\log(1/\delta)}}{\alpha n"
        r"\varepsilon}\Bigg)-\Bigg(\frac{E\sqrt{qd\log(1/\delta)}}{\alpha n\varepsilon}\Bigg)^{2}"
        r"\Bigg)(f_{i}(\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))\\ +\mathbbm{1}(\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}}{8LE}\|\bm{u}_{\tilde{k}}^{(i)}\|\Big)\Bigg"
        r"\}\Bigg]\leq\hat{C}\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)"
        r"\frac{\sqrt{qd\log(1/\delta)}}{n\varepsilon}\\ +\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}{"
        r"\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|\leq\hat{C}E)}\Delta_{i}^{*}\Bigg]\frac{E\sqrt{qd"
        r"\log(1/\delta)}}{\alpha n\varepsilon}\underbrace{\Bigg(1+\frac{E\sqrt{qd\log(1/\delta)}}{"
        r"\alpha n\varepsilon}\Bigg)}_{\leq\frac{3}{2}\text{ from our constraint on $E$}} "
        r"\end{gathered}",
        "the choice of K and the constraint on E in eq. (49)",
        ("B.thm5.eq49", "B.thm5.u7", "B.thm5.u8"),
    ),
    Step(
        "B.thm5.u9",
        r"\rho=\frac{\sqrt{qd\log(1/\delta)}}{n\varepsilon}",
        "substitute to finish",
        ("B.thm5.eq50", "B.def5"),
    ),
)
