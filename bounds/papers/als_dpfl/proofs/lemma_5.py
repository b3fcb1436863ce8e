"""The proof of Lemma 5 (C.lem5), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "C.lem5.s1",
        r"F(\mathbf{x}) \leq F(\mathbf{y}) + \nabla F(\mathbf{y})^T (\mathbf{x} - \mathbf{y}) + "
        r"\frac{\beta}{2} \|\mathbf{x} - \mathbf{y}\|^2",
        "beta-smoothness (Lemma 3.4 of Bubeck 2015)",
        ("C.lem1",),
    ),
    Step(
        "C.lem5.s2",
        r"F(\hat{\mathbf{v}}_{[k]}(t+1)) - F(\hat{\mathbf{v}}_{[k]}(t)) \\ &\leq \nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t))^T (\hat{\mathbf{v}}_{[k]}(t+1) - "
        r"\hat{\mathbf{v}}_{[k]}(t)) \\ &+ \frac{\beta}{2} \|\hat{\mathbf{v}}_{[k]}(t+1) - "
        r"\hat{\mathbf{v}}_{[k]}(t)\|^2",
        "at the two successive models",
        ("C.lem5.s1",),
    ),
    Step(
        "C.lem5.s2",
        r"\leq -\eta \nabla F(\hat{\mathbf{v}}_{[k]}(t))^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t) \\ &+ \frac{\beta\eta^2}{2} \|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|",
        "both from gradient descent (8)",
        ("C.eq8",),
    ),
    Step(
        "C.lem5.s2",
        r"= -\eta \nabla F(\hat{\mathbf{v}}_{[k]}(t) + \mathbf{n}_{\mathbf{v}}^t - "
        r"\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t) \\ &+ \frac{\beta\eta^2}{2} \|\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\|",
        "add a zero term",
    ),
    Step(
        "C.lem5.s2",
        r"= -\eta \nabla F(\hat{\mathbf{v}}_{[k]}(t) + \mathbf{n}_{\mathbf{v}}^t)^T (\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t) \\ &+ \frac{\beta\eta^2}{2} "
        r"\|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t\| \\ &+ \eta "
        r"(\mathbf{n}_{\mathbf{v}}^t)^T (\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t)",
        "split off the noise",
    ),
    Step(
        "C.lem5.s2",
        r"= -\eta \left(1 - \frac{\beta\eta}{2}\right) \|\nabla F(\hat{\mathbf{v}}_{[k]}(t)) + "
        r"\mathbf{n}_{\mathbf{v}}^t\|^2 \\ &+ \eta (\mathbf{n}_{\mathbf{v}}^t)^T (\nabla "
        r"F(\hat{\mathbf{v}}_{[k]}(t)) + \mathbf{n}_{\mathbf{v}}^t)",
        "collect: (21)",
    ),
)
