"""The proof of Lemma 4 (C.lem4), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "C.lem4.s1",
        r"\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2 \\"
        "\n"
        r"& = \|(\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) - \eta(\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t)\|^2",
        "update (8), with the noise n_v^t and without clipping",
        ("C.eq8",),
    ),
    Step(
        "C.lem4.s1",
        r"= \|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2 - 2\eta(\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)))^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) \\"
        "\n"
        r"& + \eta^2 \|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|^2",
        "expand the square",
    ),
    Step(
        "C.lem4.s1",
        r"= \|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2 - 2\eta \nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) \\"
        "\n"
        r"& + \eta^2 \|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2 - "
        r"2\eta(\mathbf{n}_{\mathbf{v}}^t)^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) \\"
        "\n"
        r"& + 2\eta^2 (\nabla F(\hat{\mathbf{v}}_{[k]}(t))^T \mathbf{n}_{\mathbf{v}}^t) + "
        r"\|\mathbf{n}_{\mathbf{v}}^t\|^2",
        "expand further",
    ),
    Step(
        "C.lem4.s2",
        r"0 < \theta_{[k]}(t) \leq \nabla F(\hat{\mathbf{v}}_{[k]}(t))^T "
        r"(\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) - \frac{\|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))\|^2}{2\beta}",
        "(20), and smoothness with convexity (Lemma 3.5 of Bubeck 2015)",
        ("C.eq20", "C.lem1"),
    ),
    Step(
        "C.lem4.s3",
        r"-\nabla F(\hat{\mathbf{v}}_{[k]}(t))^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) < "
        r"-\frac{\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2}{2\beta}",
        "the outer ends, rearranged",
        ("C.lem4.s2",),
    ),
    Step(
        "C.lem4.s4",
        r"\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2 \\ &= \|\hat{\mathbf{v}}_{[k]}(t) - "
        r"\mathbf{w}^*\|^2 - 2\eta \nabla F(\hat{\mathbf{v}}_{[k]}(t))^T "
        r"(\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) \\ &+ \eta^2 \|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))\|^2 - 2\eta (\mathbf{n}_{\mathbf{v}}^t)^T "
        r"(\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) \\ &+ 2\eta^2 (\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))^T \mathbf{n}_{\mathbf{v}}^t) + "
        r"\|\mathbf{n}_{\mathbf{v}}^t\|^2",
        "the expansion",
        ("C.lem4.s1",),
    ),
    Step(
        "C.lem4.s4",
        r"< \|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2 - 2\eta \frac{\|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))\|^2}{2\beta} \\ &+ \eta^2 \|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))\|^2 - 2\eta (\mathbf{n}_{\mathbf{v}}^t)^T "
        r"(\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) \\ &+ 2\eta^2 (\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))^T \mathbf{n}_{\mathbf{v}}^t) + "
        r"\|\mathbf{n}_{\mathbf{v}}^t\|^2",
        "insert the bound on the inner product",
        ("C.lem4.s3",),
    ),
    Step(
        "C.lem4.s4",
        r"= \|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2 - \eta \left(\frac{1}{\beta} - "
        r"\eta\right) \|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2 \\ &- 2\eta "
        r"(\mathbf{n}_{\mathbf{v}}^t)^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*) + 2\eta^2 "
        r"(\nabla F(\hat{\mathbf{v}}_{[k]}(t))^T \mathbf{n}_{\mathbf{v}}^t) + "
        r"\|\mathbf{n}_{\mathbf{v}}^t\|^2",
        "collect the squared gradients",
    ),
    Step(
        "C.lem4.s5",
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2) \\ &< "
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2) - \eta \left(\frac{1}{\beta} "
        r"- \eta\right) \mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2) \\ &- 2\eta "
        r"\mathbb{E}((\mathbf{n}_{\mathbf{v}}^t)^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*)) + "
        r"2\eta^2 \mathbb{E}(\nabla F(\hat{\mathbf{v}}_{[k]}(t))^T \mathbf{n}_{\mathbf{v}}^t) \\ "
        r"&+ \mathbb{E}(\|\mathbf{n}_{\mathbf{v}}^t\|^2)",
        "expectation of both sides",
        ("C.lem4.s4",),
    ),
    Step(
        "C.lem4.s6",
        r"\mathbb{E}((\mathbf{n}_{\mathbf{v}}^t)^T (\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*)) = 0",
        "the noise has mean zero and is independent of v_[k](t)",
        ("C.claim.indep",),
    ),
    Step(
        "C.lem4.s6",
        r"\mathbb{E}(\nabla F(\hat{\mathbf{v}}_{[k]}(t))^T \mathbf{n}_{\mathbf{v}}^t) = 0",
        "the noise has mean zero and is independent of v_[k](t)",
        ("C.claim.indep",),
    ),
    Step(
        "C.lem4.s7",
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2) \\ &< "
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2) - \eta \left(\frac{1}{\beta} "
        r"- \eta\right) \mathbb{E}(\|\nabla F(\hat{\mathbf{v}}_{[k]}(t))\|^2) \\ &+ "
        r"\mathbb{E}(\|\mathbf{n}_{\mathbf{v}}^t\|^2)",
        "the cross terms vanish",
        ("C.lem4.s5", "C.lem4.s6"),
    ),
    Step(
        "C.lem4.s8",
        r"\mathbb{E}(\|\mathbf{n}_{\mathbf{v}}^t\|^2) = \mathbb{E}\left(\sum_{i=1}^M \sum_{j=1}^N "
        r"x_{ij}^2\right) = \sigma^2 d",
        "all elements of the noise have variance sigma^2",
    ),
    Step(
        "C.lem4.s9",
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|^2) \leq "
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|^2)",
        "the second hypothesis",
        ("C.lem4.s7", "C.lem4.s8", "C.thm2.5"),
    ),
    Step(
        "C.lem4.s10",
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t+1) - \mathbf{w}^*\|) \leq "
        r"\mathbb{E}(\|\hat{\mathbf{v}}_{[k]}(t) - \mathbf{w}^*\|)",
        "the norms are not negative",
        ("C.lem4.s9",),
    ),
)
