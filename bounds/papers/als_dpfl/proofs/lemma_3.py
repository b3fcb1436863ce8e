"""The proof of Lemma 3 (C.lem3), by induction over the steps since the last aggregation."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "C.lem3.s1",
        r"\hat{\mathbf{w}}((k-1)\tau) = \hat{\mathbf{v}}_{[k]}((k-1)\tau)",
        "base case: the averaged model is the start of the auxiliary sequence",
        ("C.sync",),
    ),
    Step(
        "C.lem3.s1",
        r"\hat{\mathbf{w}}((k-1)\tau) = \hat{\mathbf{w}}_i((k-1)\tau)",
        "every client has received the averaged model",
        ("C.sync",),
    ),
    Step(
        "C.lem3.s1",
        r"\hat{\mathbf{w}}_i((k-1)\tau) = \hat{\mathbf{v}}_{[k]}((k-1)\tau)",
        "hence the client starts where the auxiliary sequence does",
    ),
    Step(
        "C.lem3.s2",
        r"\mathbb{E} \|\hat{\mathbf{w}}_i((k-1)\tau) - \hat{\mathbf{v}}_{[k]}((k-1)\tau)\| &= 0",
        "the two are one point",
        ("C.lem3.s1",),
    ),
    Step(
        "C.lem3.s2",
        r"= \frac{\xi_i + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^0 - 1) = g_i(0)",
        "g_i at 0: (15) at x = 0",
        ("C.gi",),
    ),
    Step(
        "C.lem3.s3",
        r"\mathbb{E} \|\hat{\mathbf{w}}_i(a + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + "
        r"(k-1)\tau)\| \\ \leq g_i(a) = \frac{\xi_i + \frac{2\sqrt{d}\sigma C}{B}}{\beta} "
        r"((\eta\beta + 1)^a - 1)",
        "induction hypothesis at x = a",
        ("C.gi",),
    ),
    Step(
        "C.lem3.s4",
        r"\|\hat{\mathbf{w}}_i(a + 1 + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + 1 + (k-1)\tau)\| "
        r"\\ &\leq \|\hat{\mathbf{w}}_i(a + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)\| "
        r"\\ &\quad + \eta \|\tilde{g}_i(a) - \tilde{g}_{[k]}(a)\|",
        "one update of (6) and of (8), triangle inequality",
        ("C.eq6", "C.eq8"),
    ),
    Step(
        "C.lem3.s4",
        r"= \|\hat{\mathbf{w}}_i(a + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)\| \\ "
        r"&\quad + \eta \|\tilde{g}_i(a) - g_i(a) + g_i(a) - \tilde{g}_{[k]}(a)\|",
        "add a zero term",
    ),
    Step(
        "C.lem3.s4",
        r"\leq \|\hat{\mathbf{w}}_i(a + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)\| + "
        r"\eta \cdot \frac{2\sqrt{d}\sigma C}{B} \\ &\quad + \eta \|\nabla "
        r"F_i(\hat{\mathbf{w}}_i(a + (k-1)\tau)) - \nabla F(\hat{\mathbf{v}}_{[k]}(a + "
        r"(k-1)\tau))\|",
        "the deviation by noise replaced by its bound",
        ("C.lem2",),
    ),
    Step(
        "C.lem3.s4",
        r"= \|\hat{\mathbf{w}}_i(a + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)\| + \eta "
        r"\cdot \frac{2\sqrt{d}\sigma C}{B} \\ &\quad + \eta \|\nabla F_i(\hat{\mathbf{w}}_i(a + "
        r"(k-1)\tau)) - \nabla F_i(\hat{\mathbf{v}}_{[k]}(a + (k-1)\tau))\| \\ &\quad + \|\nabla "
        r"F_i(\hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)) - \nabla F(\hat{\mathbf{v}}_{[k]}(a + "
        r"(k-1)\tau))\|",
        "insert the client's gradient at v_[k]",
    ),
    Step(
        "C.lem3.s5",
        r"\leq \|\hat{\mathbf{w}}_i(a + (k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)\| + "
        r"\eta \cdot \frac{2\sqrt{d}\sigma C}{B} \\ &\quad + \eta\beta \|\hat{\mathbf{w}}_i(a + "
        r"(k-1)\tau) - \hat{\mathbf{v}}_{[k]}(a + (k-1)\tau)\| + \eta\xi_i",
        "beta-smoothness and (14)",
        ("C.asm1.3", "C.eq14", "C.eq9"),
    ),
    Step(
        "C.lem3.s6",
        r"\leq (1 + \eta\beta)g_i(a + (k+1)\tau) + \eta \left(\frac{2\sqrt{d}\sigma C}{B} + \xi_i "
        r"\right)",
        "induction hypothesis",
        ("C.lem3.s3",),
    ),
    Step(
        "C.lem3.s7",
        r"= (1 + \eta\beta) \frac{\xi_i + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^a "
        r"- 1) + \eta \left(\frac{2\sqrt{d}\sigma C}{B} + \xi_i \right)",
        "definition of g_i",
        ("C.gi",),
    ),
    Step(
        "C.lem3.s7",
        r"= \frac{\xi_i + \frac{2\sqrt{d}\sigma C}{B}}{\beta} ((\eta\beta + 1)^{a+1} - 1)",
        "algebra: (15) at x = a+1",
    ),
)
