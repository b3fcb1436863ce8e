"""The proof of Lemma 6 (C.lem6), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "C.lem6.s1",
        r"\theta_{[k]}(t) = F(\hat{\mathbf{v}}_{[k]}(t)) - F(\mathbf{w}^*)",
        "definition of theta",
        ("C.def3",),
    ),
    Step(
        "C.lem6.s1",
        r"\theta_{[k]}(t+1) = F(\hat{\mathbf{v}}_{[k]}(t+1)) - F(\mathbf{w}^*)",
        "and at the next step",
        ("C.def3",),
    ),
    Step(
        "C.lem6.s2",
        r"\theta_{[k]}(t+1) &\leq \theta_{[k]}(t) - \eta(1 - \frac{\beta\eta}{2}) \|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|^2 \\ &\quad + "
        r"\eta(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t)",
        "insert both in (21)",
        ("C.eq21", "C.lem6.s1"),
    ),
    Step(
        "C.lem6.s3",
        r"\theta_{[k]}(t) &= F(\hat{\mathbf{v}}_{[k]}(t)) - F(\mathbf{w}^*)",
        "definition",
        ("C.def3",),
    ),
    Step(
        "C.lem6.s3",
        r"\leq \nabla F(\hat{\mathbf{v}}_{[k]}(t))^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*)",
        "convexity",
        ("C.lem1",),
    ),
    Step(
        "C.lem6.s3",
        r"\leq \|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\| \|\hat{\mathbf{v}}_{[k]}(t) - "
        r"\mathbf{w}^*\|",
        "Cauchy-Schwarz",
    ),
    Step(
        "C.lem6.s4",
        r"\frac{\theta_{[k]}(t)}{\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|} \leq \|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))\| \leq \|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t\|",
        "divide by the distance; for the second relation no reason is printed",
        ("C.lem6.s3", "C.claim.gradnoise"),
    ),
    Step(
        "C.lem6.s5",
        r"\theta_{[k]}(t+1) &\leq \theta_{[k]}(t) - \eta(1 - \frac{\beta\eta}{2}) "
        r"\frac{(\theta_{[k]}(t))^2}{\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2} \\ &\quad + "
        r"\eta(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t)",
        "(24) in (23)",
        ("C.eq23", "C.eq24"),
    ),
    Step(
        "C.lem6.s6",
        r"-\omega \geq \frac{-1}{\|\hat{\mathbf{v}}_{[k]}((k-1)\tau) - \mathbf{w}^*\|^2} \geq "
        r"\frac{-1}{\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2}",
        "definition of omega; the distance does not grow inside the interval",
        ("C.omega.lem6", "C.lem4"),
    ),
    Step(
        "C.lem6.s7",
        r"\theta_{[k]}(t+1) &\leq \theta_{[k]}(t) - \omega\eta(1 - "
        r"\frac{\beta\eta}{2})(\theta_{[k]}(t))^2 \\ &\quad + \eta(\mathbf{n}_{\mathbf{v}}^t)^T "
        r"(\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t)",
        "insert omega",
        ("C.lem6.s5", "C.lem6.s6"),
    ),
    Step(
        "C.lem6.s8",
        r"\frac{1}{\theta_{[k]}(t)} &\leq \frac{1}{\theta_{[k]}(t+1)} - \omega\eta(1 - "
        r"\frac{\beta\eta}{2}) \frac{\theta_{[k]}(t)}{\theta_{[k]}(t+1)} \\ &\quad + "
        r"\eta(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t) \frac{1}{\theta_{[k]}(t+1)\theta_{[k]}(t)}",
        "divide by the product of both gaps, positive by (20)",
        ("C.lem6.s7", "C.eq20"),
    ),
    Step(
        "C.lem6.s9",
        r"0 < \theta_{[k]}(t+1) \leq \theta_{[k]}(t)",
        "said to follow from (20) and (23)",
        ("C.eq20", "C.eq23"),
    ),
    Step(
        "C.lem6.s9",
        r"\frac{\theta_{[k]}(t)}{\theta_{[k]}(t+1)} \geq 1",
        "divide",
    ),
    Step(
        "C.lem6.s10",
        r"\frac{1}{\theta_{[k]}(t+1)} - \frac{1}{\theta_{[k]}(t)} &\geq \omega\eta(1 - "
        r"\frac{\beta\eta}{2}) \frac{\theta_{[k]}(t)}{\theta_{[k]}(t+1)} \\ &\quad - "
        r"\eta(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t) \frac{1}{\theta_{[k]}(t+1)\theta_{[k]}(t)}",
        "rearranged",
        ("C.lem6.s8",),
    ),
    Step(
        "C.lem6.s10",
        r"\geq \omega\eta(1 - \frac{\beta\eta}{2}) - \eta(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t) "
        r"\frac{1}{\theta_{[k]}(t+1)\theta_{[k]}(t)}",
        "the quotient of the gaps is at least 1",
        ("C.lem6.s9",),
    ),
    Step(
        "C.lem6.s10",
        r"= \omega\eta(1 - \frac{\beta\eta}{2}) - \eta \frac{\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))}{\theta_{[k]}(t)\theta_{[k]}(t+1)} "
        r"(\mathbf{n}_{\mathbf{v}}^t)^T \\ &\quad - \eta "
        r"\frac{1}{\theta_{[k]}(t)\theta_{[k]}(t+1)} (\mathbf{n}_{\mathbf{v}}^t)^T "
        r"(\mathbf{n}_{\mathbf{v}}^t)",
        "expand the product with the noise",
    ),
    Step(
        "C.lem6.s11",
        r"\mathbb{E}(\frac{1}{\theta_{[k]}(t+1)}) - \mathbb{E}(\frac{1}{\theta_{[k]}(t)}) &\geq "
        r"\omega\eta(1 - \frac{\beta\eta}{2}) \\ &\quad - \eta\mathbb{E}(\frac{\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))}{\theta_{[k]}(t+1)\theta_{[k]}(t)})\mathbb{E}(("
        r"\mathbf{n}_{\mathbf{v}}^t)^T) \\ &\quad (\text{notice that } "
        r"\mathbb{E}((\mathbf{n}_{\mathbf{v}}^t)^T) = 0) \\ &\quad - "
        r"\eta\mathbb{E}(\frac{1}{\theta_{[k]}(t+1)\theta_{[k]}(t)})\mathbb{E}((\mathbf{n}_{"
        r"\mathbf{v}}^t)^T (\mathbf{n}_{\mathbf{v}}^t)) \\ &\quad (\text{notice that } "
        r"\mathbb{E}((\mathbf{n}_{\mathbf{v}}^t)^T (\mathbf{n}_{\mathbf{v}}^t)) = "
        r"\mathbb{E}(\|\mathbf{n}_{\mathbf{v}}^t\|^2) = \sigma^2 d)",
        "expectation of both sides, with the noise in factors of its own",
        ("C.lem6.s10", "C.claim.linear", "C.claim.indep", "C.lem4.s8"),
    ),
    Step(
        "C.lem6.s11",
        r"\geq \omega\eta(1 - \frac{\beta\eta}{2}) - \frac{\eta\sigma^2 d}{\lambda^2}",
        "the mean reciprocal product is at most 1/lambda^2: (22)",
        ("C.lem6.s12",),
    ),
    Step(
        "C.lem6.s12",
        r"F(\hat{\mathbf{v}}_{[k]}(t)) \geq F(\hat{\mathbf{v}}_{[k]}(t+1))",
        "said to follow from Lemma 5",
        ("C.lem5",),
    ),
    Step(
        "C.lem6.s12",
        r"\theta_{[k]}(t) = F(\hat{\mathbf{v}}_{[k]}(t)) - F(\mathbf{w}^*) \geq "
        r"F(\hat{\mathbf{v}}_{[k]}(k\tau)) - F(\mathbf{w}^*) \geq \lambda",
        "down to the end of the interval",
        ("C.thm2.3",),
    ),
    Step(
        "C.lem6.s12",
        r"\theta_{[k]}(t+1)\theta_{[k]}(t) \geq \lambda^2",
        "at t and at t+1",
    ),
    Step(
        "C.lem6.s12",
        r"\frac{1}{\theta_{[k]}(t+1)\theta_{[k]}(t)} \leq \frac{1}{\lambda^2}",
        "reciprocals",
    ),
    Step(
        "C.lem6.s12",
        r"\mathbb{E}(\frac{1}{\theta_{[k]}(t+1)\theta_{[k]}(t)}) \leq \frac{1}{\lambda^2}",
        "expectation",
    ),
)
