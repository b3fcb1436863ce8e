"""The proof of Theorem 1 (C.thm1), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "C.thm1.s1",
        r"\hat{\mathbf{w}}(t) = \hat{\mathbf{w}}(t-1) - \eta \frac{\sum_i D_i \tilde{g}_i(t-1)}{D}",
        "(6) and (7)",
        ("C.eq6", "C.eq7"),
    ),
    Step(
        "C.thm1.s2",
        r"\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \\ &= \|\hat{\mathbf{w}}(t-1) - "
        r"\eta \frac{\sum_i D_i \tilde{g}_i(t-1)}{D} - \hat{\mathbf{v}}_{[k]}(t-1) + \eta "
        r"\tilde{g}_{[k]}(t-1)\|",
        "(16) and (8)",
        ("C.eq16", "C.eq8"),
    ),
    Step(
        "C.thm1.s2",
        r"\leq \|\hat{\mathbf{w}}(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\| \\ &\quad + \eta "
        r"\frac{\sum_i D_i (\|\tilde{g}_i(t-1) - \tilde{g}_{[k]}(t-1)\|)}{D}",
        "triangle inequality",
    ),
    Step(
        "C.thm1.s2",
        r"\leq \|\hat{\mathbf{w}}(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\| \\ &\quad + \eta "
        r"\frac{\sum_i D_i (\beta \|\hat{\mathbf{w}}_i(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\|)}{D}",
        "from the beta-smooth property",
        ("C.asm1.3",),
    ),
    Step(
        "C.thm1.s3",
        r"\mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| - "
        r"\mathbb{E}\|\hat{\mathbf{w}}(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\| \\"
        "\n"
        r"& \leq \eta \frac{\sum_i D_i (\beta \mathbb{E}\|\hat{\mathbf{w}}_i(t-1) - "
        r"\hat{\mathbf{v}}_{[k]}(t-1)\|)}{D}",
        "expectation of both sides",
        ("C.thm1.s2",),
    ),
    Step(
        "C.thm1.s3",
        r"\leq \eta \frac{\sum_i D_i (\beta g_i(t - (k-1)\tau - 1))}{D}",
        "from (15)",
        ("C.eq15",),
    ),
    Step(
        "C.thm1.s3",
        r"= \eta \beta \frac{\sum_i D_i}{D} \left(\frac{\xi_i + \frac{2\sqrt{d}\sigma "
        r"C}{B}}{\beta} ((\eta\beta + 1)^{t-(k-1)\tau-1} - 1) \right)",
        "definition of g_i",
        ("C.gi",),
    ),
    Step(
        "C.thm1.s3",
        r"= \eta \cdot \left(\xi + \frac{2\sqrt{d}\sigma C}{B} \right) ((\eta\beta + "
        r"1)^{t-(k-1)\tau-1} - 1)",
        "definition of xi",
        ("C.def2",),
    ),
    Step(
        "C.thm1.s4",
        r"\mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| - "
        r"\mathbb{E}\|\hat{\mathbf{w}}(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\| \\"
        "\n"
        r"& = \eta \cdot \left(\xi + \frac{2\sqrt{d}\sigma C}{B} \right) ((\eta\beta + "
        r"1)^{t-(k-1)\tau-1} - 1)",
        "the ends of the chain",
        ("C.thm1.s3",),
    ),
    Step(
        "C.thm1.s5",
        r"\sum_{y=(k-1)\tau+1}^t (\mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| - "
        r"\mathbb{E}\|\hat{\mathbf{w}}(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\|) \\"
        "\n"
        r"& = \mathbb{E}\|\hat{\mathbf{w}}((k-1)\tau+1) - \hat{\mathbf{v}}_{[k]}((k-1)\tau+1)\| \\"
        "\n"
        r"& - \mathbb{E}\|\hat{\mathbf{w}}((k-1)\tau) - \hat{\mathbf{v}}_{[k]}((k-1)\tau)\| \\"
        "\n"
        r"& + \mathbb{E}\|\hat{\mathbf{w}}((k-1)\tau+2) - \hat{\mathbf{v}}_{[k]}((k-1)\tau+2)\| \\"
        "\n"
        r"& - \mathbb{E}\|\hat{\mathbf{w}}((k-1)\tau+1) - \hat{\mathbf{v}}_{[k]}((k-1)\tau+1)\| \\"
        "\n"
        r"& + \dots \\"
        "\n"
        r"& + \mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \\"
        "\n"
        r"& - \mathbb{E}\|\hat{\mathbf{w}}(t-1) - \hat{\mathbf{v}}_{[k]}(t-1)\|",
        "sum of the left of (17), written out",
        ("C.eq17",),
    ),
    Step(
        "C.thm1.s5",
        r"= \mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \\"
        "\n"
        r"& - \mathbb{E}\|\hat{\mathbf{w}}((k-1)\tau) - \hat{\mathbf{v}}_{[k]}((k-1)\tau)\|",
        "telescoping",
    ),
    Step(
        "C.thm1.s5",
        r"= \mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \\"
        "\n"
        r"& \text{(from the definition } \hat{\mathbf{w}}((k-1)\tau) \triangleq "
        r"\hat{\mathbf{v}}_{[k]}((k-1)\tau))",
        "both start at one point",
        ("C.sync",),
    ),
    Step(
        "C.thm1.s6",
        r"\sum_{y=(k-1)\tau+1}^t \left(\eta \left(\xi + \frac{2\sqrt{d}\sigma C}{B} \right) "
        r"((\eta\beta + 1)^{t-(k-1)\tau-1} - 1) \right) \\"
        "\n"
        r"& = \sum_{z=1}^{t-(k-1)\tau} \left(\eta \left(\xi + \frac{2\sqrt{d}\sigma C}{B} \right) "
        r"(\eta\beta + 1)^{z-1} + \eta \left(\frac{2\sqrt{d}\sigma C}{B} + \xi \right) \right)",
        "sum of the right of (17), exchanging z = y-(k-1)tau",
        ("C.eq17",),
    ),
    Step(
        "C.thm1.s6",
        r"= \frac{\xi + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^{t-(k-1)\tau} - 1) \\"
        "\n"
        r"& + \eta \left(\frac{\xi + 2\sqrt{d}\sigma C}{B} \right) (t - (k-1)\tau)",
        "summation",
    ),
    Step(
        "C.thm1.s6",
        r"= h(t - (k-1)\tau)",
        "definition of h",
        ("C.h.app",),
    ),
    Step(
        "C.thm1.s7",
        r"\mathbb{E}\|\hat{\mathbf{w}}(t) - \hat{\mathbf{v}}_{[k]}(t)\| \leq h(t - (k-1)\tau)",
        "the two sums together",
        ("C.thm1.s5", "C.thm1.s6"),
    ),
)
