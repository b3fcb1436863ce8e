"""The proof of Theorem 2 (C.thm2), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "C.thm2.s1",
        r"\mathbb{E}\left(\frac{1}{\theta_{[k]}(k\tau)}\right) - "
        r"\mathbb{E}\left(\frac{1}{\theta_{[k]}((k-1)\tau)}\right) \\ &= "
        r"\sum_{t=(k-1)\tau}^{k\tau-1} \left(\mathbb{E}\left(\frac{1}{\theta_{[k]}(t+1)}\right) - "
        r"\mathbb{E}\left(\frac{1}{\theta_{[k]}(t)}\right) \right)",
        "telescoping over one interval",
    ),
    Step(
        "C.thm2.s1",
        r"\geq \tau \left[\omega\eta(1 - \frac{\beta\eta}{2}) - \frac{\eta\sigma^2 d}{\lambda^2} "
        r"\right]",
        "(22) at every step",
        ("C.eq22",),
    ),
    Step(
        "C.thm2.s2",
        r"\sum_{k=1}^K \left[\mathbb{E}\left(\frac{1}{\theta_{[k]}(k\tau)}\right) - "
        r"\mathbb{E}\left(\frac{1}{\theta_{[k]}((k-1)\tau)}\right) \right] \\ &\geq \sum_{k=1}^K "
        r"\tau \left[\omega\eta(1 - \frac{\beta\eta}{2}) - \frac{\eta\sigma^2 d}{\lambda^2} "
        r"\right]",
        "sum over the intervals",
        ("C.thm2.s1",),
    ),
    Step(
        "C.thm2.s2",
        r"= K\tau \left[\omega\eta(1 - \frac{\beta\eta}{2}) - \frac{\eta\sigma^2 d}{\lambda^2} "
        r"\right]",
        "the summand does not depend on k",
    ),
    Step(
        "C.thm2.s3",
        r"\mathbb{E} \left(\frac{1}{\theta_{[K]}(T)} \right) - \mathbb{E} "
        r"\left(\frac{1}{\theta_{[1]}(0)} \right) \\"
        "\n"
        r"& - \sum_{k=1}^K \left[\mathbb{E} \left(\frac{1}{\theta_{[k+1]}(k\tau)} \right) - "
        r"\mathbb{E} \left(\frac{1}{\theta_{[k]}(k\tau)} \right) \right] \\"
        "\n"
        r"& \geq T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} \right]",
        "reorder the left side, T = K tau",
        ("C.thm2.s2", "C.claim.Texact"),
    ),
    Step(
        "C.thm2.s4",
        r"\mathbb{E} \left(\frac{1}{\theta_{[K]}(T)} \right) - \mathbb{E} "
        r"\left(\frac{1}{\theta_{[1]}(0)} \right) \\"
        "\n"
        r"& \geq T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} \right] \\"
        "\n"
        r"& + \sum_{k=1}^K \left[\mathbb{E} \left(\frac{1}{\theta_{[k+1]}(k\tau)} \right) - "
        r"\mathbb{E} \left(\frac{1}{\theta_{[k]}(k\tau)} \right) \right]",
        "rearranged: (25)",
        ("C.thm2.s3",),
    ),
    Step(
        "C.thm2.s5",
        r"\mathbb{E} \left(\frac{1}{\theta_{[k+1]}(k\tau)} \right) - \mathbb{E} "
        r"\left(\frac{1}{\theta_{[k]}(k\tau)} \right) \\"
        "\n"
        r"& = \mathbb{E} \left(\frac{1}{\theta_{[k+1]}(k\tau)} - \frac{1}{\theta_{[k]}(k\tau)} "
        r"\right)",
        "one expectation",
        ("C.eq20",),
    ),
    Step(
        "C.thm2.s5",
        r"= \mathbb{E} \left(\frac{\theta_{[k]}(k\tau) - "
        r"\theta_{[k+1]}(k\tau)}{\theta_{[k]}(k\tau) \theta_{[k+1]}(k\tau)} \right)",
        "common denominator",
    ),
    Step(
        "C.thm2.s5",
        r"= \mathbb{E} \left(\frac{F(\hat{\mathbf{v}}_{[k]}(k\tau)) - "
        r"F(\hat{\mathbf{v}}_{[k+1]}(k\tau))}{\theta_{[k]}(k\tau) \theta_{[k+1]}(k\tau)} \right)",
        "definition of theta",
        ("C.def3",),
    ),
    Step(
        "C.thm2.s5",
        r"= \mathbb{E} \left(\frac{-1}{\theta_{[k]}(k\tau) \theta_{[k+1]}(k\tau)} \cdot "
        r"[F(\hat{\mathbf{v}}_{[k+1]}(k\tau)) - F(\hat{\mathbf{v}}_{[k]}(k\tau))] \right)",
        "take out the sign",
    ),
    Step(
        "C.thm2.s5",
        r"\geq \frac{1}{\lambda^2} \mathbb{E} ([F(\hat{\mathbf{v}}_{[k+1]}(k\tau)) - "
        r"F(\hat{\mathbf{v}}_{[k]}(k\tau))])",
        "said to follow from (27)",
        ("C.thm2.eq27",),
    ),
    Step(
        "C.thm2.s5",
        r"\geq \frac{-\rho h(\tau)}{\lambda^2}",
        "Theorem 1: (26)",
        ("C.thm2.s7",),
    ),
    Step(
        "C.thm2.s6",
        r"F(\hat{\mathbf{v}}_{[k]}(t)) \geq F(\hat{\mathbf{v}}_{[k]}(t+1))",
        "said to follow from Lemma 5",
        ("C.lem5",),
    ),
    Step(
        "C.thm2.s6",
        r"\theta_{[k]}(t) = F(\hat{\mathbf{v}}_{[k]}(t)) - F(\mathbf{w}^*) \geq "
        r"F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*) \geq \lambda",
        "down to the end of the interval",
        ("C.thm2.3",),
    ),
    Step(
        "C.thm2.s6",
        r"\theta_{[k]}(k\tau) \theta_{[k+1]}(k\tau) \geq \lambda^2",
        "at the end of one interval and at the start of the next",
    ),
    Step(
        "C.thm2.s6",
        r"\frac{1}{\theta_{[k]}(k\tau) \theta_{[k+1]}(k\tau)} \leq \frac{1}{\lambda^2}",
        "reciprocals",
    ),
    Step(
        "C.thm2.s6",
        r"\mathbb{E} \left(\frac{1}{\theta_{[k]}(k\tau) \theta_{[k+1]}(k\tau)} \right) \leq "
        r"\frac{1}{\lambda^2}",
        "expectation: (27)",
    ),
    Step(
        "C.thm2.s7",
        r"\mathbb{E} (F(\hat{\mathbf{w}}(t)) - F(\hat{\mathbf{v}}_k(t))) \leq \mathbb{E} "
        r"(\|F(\hat{\mathbf{w}}(t)) - F(\hat{\mathbf{v}}_k(t))\|) \\"
        "\n"
        r"& \leq \rho \mathbb{E} \|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \leq \rho "
        r"h(t - (k-1)\tau)",
        "F is rho-Lipschitz, and Theorem 1",
        ("C.lem1", "C.eq18"),
    ),
    Step(
        "C.thm2.s8",
        r"\mathbb{E} \left(\frac{1}{\theta_{[K]}(T)} \right) - \mathbb{E} "
        r"\left(\frac{1}{\theta_{[1]}(0)} \right) \\"
        "\n"
        r"& \geq T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} \right] - (K-1) \frac{\rho h(\tau)}{\lambda^2}",
        "(26) in (25): (28)",
        ("C.thm2.eq25", "C.thm2.eq26"),
    ),
    Step(
        "C.thm2.s9",
        r"\mathbb{E} \left(\frac{-1}{(F(\hat{\mathbf{w}}(t)) - F(\mathbf{w}^*)) \cdot "
        r"\theta_{[k]}(k\tau)} \right) \geq \frac{-1}{\lambda^2}",
        "as (27), with the fourth hypothesis: (29)",
        ("C.thm2.eq27", "C.thm2.4"),
    ),
    Step(
        "C.thm2.s10",
        r"\mathbb{E} \left(\frac{1}{F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)} \right) - "
        r"\mathbb{E} \left(\frac{1}{\theta_{[K]}(T)} \right) \\"
        "\n"
        r"& = \mathbb{E} \left(\frac{\theta_{[K]}(T) - (F(\hat{\mathbf{w}}(T)) - "
        r"F(\mathbf{w}^*))}{(F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)) \cdot \theta_{[K]}(T)} "
        r"\right)",
        "common denominator",
    ),
    Step(
        "C.thm2.s10",
        r"= \mathbb{E} \left(\frac{F(\hat{\mathbf{v}}_{[K]}(T)) - "
        r"F(\hat{\mathbf{w}}(T))}{(F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)) \cdot "
        r"\theta_{[K]}(T)} \right)",
        "definition of theta",
        ("C.def3",),
    ),
    Step(
        "C.thm2.s10",
        r"\geq -\frac{1}{\lambda^2} \mathbb{E} (F(\hat{\mathbf{v}}_{[K]}(T)) - "
        r"F(\hat{\mathbf{w}}(T))) \geq -\frac{\rho h(\tau)}{\lambda^2}",
        "(29), then Theorem 1",
        ("C.thm2.eq29", "C.thm2.s11"),
    ),
    Step(
        "C.thm2.s11",
        r"-\mathbb{E} (F(\hat{\mathbf{w}}(T)) - F(\hat{\mathbf{v}}_{[K]}(T))) \\"
        "\n"
        r"& \geq -\mathbb{E} (\|F(\hat{\mathbf{w}}(T)) - F(\hat{\mathbf{v}}_{[K]}(T))\|)",
        "a number is at most its absolute value",
    ),
    Step(
        "C.thm2.s11",
        r"\geq -\rho h(\tau)",
        "F is rho-Lipschitz, and Theorem 1",
        ("C.lem1", "C.eq18"),
    ),
    Step(
        "C.thm2.s12",
        r"\mathbb{E} \left(\frac{1}{F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)} \right) - "
        r"\mathbb{E} \left(\frac{1}{\theta_{[K]}(T)} \right) \geq -\frac{\rho h(\tau)}{\lambda^2}",
        "the ends of the chain: (30)",
        ("C.thm2.s10",),
    ),
    Step(
        "C.thm2.s13",
        r"\mathbb{E} \left(\frac{1}{F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)} \right) - "
        r"\mathbb{E} \left(\frac{1}{\theta_{[1]}(0)} \right) \\"
        "\n"
        r"& \geq T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} \right] - K \frac{\rho h(\tau)}{\lambda^2}",
        "sum of (28) and (30)",
        ("C.thm2.eq28", "C.thm2.eq30"),
    ),
    Step(
        "C.thm2.s13",
        r"= T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} \right] - \frac{T \rho h(\tau)}{\tau \lambda^2}",
        "K = T/tau",
        ("C.claim.Texact",),
    ),
    Step(
        "C.thm2.s13",
        r"= T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} - \frac{\rho h(\tau)}{\tau \lambda^2} \right]",
        "factor out T",
    ),
    Step(
        "C.thm2.s14",
        r"\mathbb{E} \left(\frac{1}{F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)} \right) \\"
        "\n"
        r"& \geq \mathbb{E} \left(\frac{1}{F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)} \right) - "
        r"\mathbb{E} \left(\frac{1}{\theta_{[1]}(0)} \right)",
        "a mean reciprocal gap is positive",
        ("C.eq20",),
    ),
    Step(
        "C.thm2.s14",
        r"\geq T \left[\omega\eta \left(1 - \frac{\beta\eta}{2} \right) - \frac{\eta\sigma^2 "
        r"d}{\lambda^2} - \frac{\rho h(\tau)}{\tau\lambda^2} \right]",
        "the bound above",
        ("C.thm2.s13",),
    ),
    Step(
        "C.thm2.s14",
        r"= T \left(\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} \right)",
        "definition of phi",
        ("C.phi.proof",),
    ),
    Step(
        "C.thm2.s14",
        r"> 0",
        "the second hypothesis",
        ("C.thm2.2",),
    ),
    Step(
        "C.thm2.s15",
        r"\frac{1}{\mathbb{E} \left([F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3 \right)} \\"
        "\n"
        r"& \geq \mathbb{E} \left(\frac{1}{[F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3} \right)",
        "Jensen's inequality with f(x) = 1/x^3",
        ("C.claim.jensen",),
    ),
    Step(
        "C.thm2.s15",
        r"> \mathbb{E} \left(\frac{1}{F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)} \right)",
        "the gap is between 0 and 1",
        ("C.thm2.4",),
    ),
    Step(
        "C.thm2.s15",
        r"\geq T \left(\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} \right)",
        "the bound above",
        ("C.thm2.s14",),
    ),
    Step(
        "C.thm2.s16",
        r"\mathbb{E} \left([F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3 \right) < \frac{1}{T "
        r"\left(\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} \right)}",
        "reciprocals of the ends: (31)",
        ("C.thm2.s15",),
    ),
    Step(
        "C.thm2.s17",
        r"\mathbb{E} (F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)) & \leq \mathbb{E} "
        r"\left([F(\hat{\mathbf{w}}(T)) - F(\mathbf{w}^*)]^3 \right) + \frac{\sqrt{3}}{3}",
        "largest difference of y = x and y = x^3",
        ("C.claim.maxdiff",),
    ),
    Step(
        "C.thm2.s17",
        r"< \frac{1}{T \left(\eta\varphi - \frac{\rho h(\tau)}{\tau\lambda^2} \right)} + "
        r"\frac{\sqrt{3}}{3}",
        "(31): this is (12)",
        ("C.thm2.eq31",),
    ),
)
