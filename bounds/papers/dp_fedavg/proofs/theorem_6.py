"""The proof of Theorem 6: one round, the two cases of an update, and the sum over the rounds."""

from bounds.language.statement import Step

GENERAL = (
    Step(
        "B.thm6.eq77",
        r"\mathbb{E}[\|\bm{w}_{k+1}-\bm{w}^{*}\|^{2}]\leq\|\bm{w}_{k}-\bm{w}^{*}\|^{2}+\frac{1}{n}"
        r"\sum_{i=1}^{n}\Big\{\underbrace{-2\eta\langle\text{norm}(\bm{u}_{k}^{(i)},C),\bm{w}_{k}-"
        r"\bm{w}^{*}\rangle+\eta^{2}\big\|\text{norm}(\bm{u}_{k}^{(i)},C)\big\|^{2}}_{A_{i}}\Big"
        r"\}\\",
        "eqs. (18) to (24) with norm in the place of clip; defines A_i",
        ("B.alg2", "B.thm1", "B.thm5.eq24"),
    ),
    Step(
        "B.thm6.eq77",
        r"+\eta^{2}\Big(\frac{qKd\log(1/\delta)C^{2}}{n^{2}\varepsilon^{2}}\Big)",
        "the display, continued",
    ),
    Step(
        "B.thm6.eq78",
        r"A_{i}\leq-\frac{3\eta\hat{C}}{8L}\|\bm{u}_{k}^{(i)}\|",
        "Case 1, ||u|| > C_hat E: as Case 1 of Theorem 5, for eta L <= 1/2 and the threshold",
        ("B.thm6.eq77", "B.thm5.eq33"),
    ),
    Step(
        "B.thm6.eq79",
        r"A_{i}\leq\Bigg(\frac{\hat{C}E}{\|\bm{u}_{k}^{(i)}\|}\Bigg)\Big({-2\eta}\underbrace{"
        r"\langle\bm{u}_{k}^{(i)},\bm{w}_{k}-\bm{w}^{*}\rangle}_{B_{i}}\Big)+\eta^{2}"
        r"\hat{C}^{2}E^{2}",
        "Case 2, ||u|| <= C_hat E: insert the normalized update; defines B_i",
        ("B.thm6.eq77", "B.norm"),
    ),
    Step(
        "B.thm6.eq80",
        r"{z}_{k}^{(i)}:=\Bigg(\frac{\hat{C}E}{\|\bm{u}_{k}^{(i)}\|}\Bigg)",
        "notation: the gain of normalization",
    ),
    Step(
        "B.thm6.eq81",
        r"B_{i}\geq E(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))-2\eta^{2}L^{2}E^{3}(f_{i}("
        r"\bm{w}_{k})-f_{i}^{*})",
        "eq. (42) of Theorem 5, for eta L <= 1",
        ("B.thm5.eq42", "B.lem2"),
    ),
    Step(
        "B.thm6.u1",
        r"A_{i} \leq{-2\eta E}{z}_{k}^{(i)}\Big\{(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))-2"
        r"\eta^{2}L^{2}E^{2}(f_{i}(\bm{w}_{k})-f_{i}^{*})\Big\}+\eta^{2}\hat{C}^{2}E^{2}",
        "eq. (81) in eq. (79)",
        ("B.thm6.eq79", "B.thm6.eq80", "B.thm6.eq81"),
    ),
    Step(
        "B.thm6.eq82",
        r"={-2\eta E}{z}_{k}^{(i)}\Big\{(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*})){(1-2"
        r"\eta^{2}L^{2}E^{2})}-2\eta^{2}L^{2}E^{2}\Delta_{i}^{*}\Big\}+\eta^{2}\hat{C}^{2}E^{2}",
        "split with Delta_i*",
        ("B.thm6.u1", "B.def1"),
    ),
    Step(
        "B.thm6.eq83",
        r"A_{i}\leq{\eta E}\Bigg\{\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|\leq\hat{C}E)\Big(4"
        r"\eta^{2}L^{2}E^{2}\Delta_{i}^{*}{z}_{k}^{(i)}+\eta\hat{C}^{2}E\Big)\\",
        "eqs. (78) and (82) together, for eta L <= 1/2 and the threshold",
        ("B.thm6.eq78", "B.thm6.eq82"),
    ),
    Step(
        "B.thm6.eq83",
        r"-\mathbbm{1}(\|\bm{u}_{k}^{(i)}\|\leq\hat{C}E)(2-4"
        r"\eta^{2}L^{2}E^{2}){z}_{k}^{(i)}(f_{i}(\bm{w}_{k})-f_{i}(\bm{w}^{*}))-\mathbbm{1}(\|"
        r"\bm{u}_{k}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}\|\bm{u}_{k}^{(i)}\|}{8LE}\Big)\Bigg\}",
        "the display, continued",
    ),
    Step(
        "B.thm6.u2",
        r"{z}_{k}^{(i)}=\frac{\hat{C}E}{\|\bm{u}_{k}^{(i)}\|},\quad \eta=\frac{\gamma}{\hat{C}LEK}"
        r"\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}",
        "value of z and choice of the step size, then the same process as in Theorem 5",
        ("B.thm6.eq80", "B.thm6.general"),
    ),
    Step(
        "B.thm6.eq84",
        r"\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}\Bigg\{\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E)\Big(2-\frac{4\gamma^{2}}{\hat{C}^{2}K^{2}}\frac{n^{2}\varepsilon^{2}}{qd"
        r"\log(1/\delta)}\Big)\Bigg(\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}\Bigg)(f_{i}("
        r"\bm{w}_{\tilde{k}})-f_{i}(\bm{w}^{*}))\\",
        "eq. (83) and the choices in eq. (77), summed over the rounds; a uniformly random round",
        ("B.thm6.eq77", "B.thm6.eq83", "B.thm6.u2"),
    ),
    Step(
        "B.thm6.eq84",
        r"+\mathbbm{1}(\|\bm{u}_{\tilde{k}}^{(i)}\|>\hat{C}E)\Big(\frac{3\hat{C}\|\bm{u}_{"
        r"\tilde{k}}^{(i)}\|}{8LE}\Big)\Bigg\}\Bigg]\leq\Big(\frac{L\|\bm{w}_{0}-\bm{w}^{*}"
        r"\|^{2}}{\gamma}+\frac{\gamma}{L}\Big)\frac{\hat{C}\sqrt{qd\log(1/\delta)}}{n"
        r"\varepsilon}\\",
        "the display, continued",
    ),
    Step(
        "B.thm6.eq84",
        r"+\mathbb{E}\Bigg[\frac{1}{n}\sum_{i=1}^{n}{\mathbbm{1}\big(\|\bm{u}_{\tilde{k}}^{(i)}\|"
        r"\leq\hat{C}E\big)}\Bigg\{\frac{\gamma\hat{C}}{LK}\frac{n\varepsilon}{\sqrt{qd\log(1/"
        r"\delta)}}+\frac{4\gamma^{2}\Delta_{i}^{*}}{\hat{C}^{2}K^{2}}\frac{n^{2}"
        r"\varepsilon^{2}}{qd\log(1/\delta)}\Bigg(\frac{\hat{C}E}{\|\bm{u}_{\tilde{k}}^{(i)}\|}"
        r"\Bigg)\Bigg\}\Bigg]",
        "the display, continued",
    ),
    Step(
        "B.thm6.u3",
        r"K>\frac{2\gamma}{\hat{C}E}\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}",
        "condition on K, so that eta L E <= 1/2",
        ("B.thm6.u2",),
    ),
)

SPECIFIC = (
    Step(
        "B.thm6.u4",
        r"K=\frac{2\gamma}{\hat{C}E}\Big(\frac{n\varepsilon}{\sqrt{qd\log(1/\delta)}}\Big)^{2}",
        "choice of K",
        ("B.thm6.eq84",),
    ),
    Step(
        "B.thm6.u5",
        r"\rho=\frac{\sqrt{qd\log(1/\delta)}}{n\varepsilon}",
        "substitute to finish",
        ("B.def5",),
    ),
)
