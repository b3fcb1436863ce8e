"""The estimates of rho_i, beta_i and xi_i that clients and server make in Algorithm 2."""

from dataclasses import replace

from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import (
    beta_i,
    divergence_at_model,
    model_distance,
    model_gradient_difference,
    model_loss_difference,
    rho_i,
    xi_i,
)

_NOT_SYNCHRONIZED = (
    "at a time t at which the client's model and the averaged one differ; right after a round the client has "
    "received the averaged model, and the quotient is 0/0."
)

LIPSCHITZ = Statement(
    locator="C.rho_i",
    kind=Kind.RULE,
    paper=PAPER,
    title="Estimate of the Lipschitz constant of a client",
    algorithm="als_dpfl",
    printed=(
        r"\rho_i \leftarrow \frac{\|F_i(\hat{\mathbf{w}}_i(t)) - F_i(\hat{\mathbf{w}}(t))\|}"
        r"{\|\hat{\mathbf{w}}_i(t) - \hat{\mathbf{w}}(t)\|}",
    ),
    reading=_NOT_SYNCHRONIZED + " The norm of a difference of losses is its absolute value.",
    left=rho_i,
    terms=(
        Term(
            "slope",
            model_loss_difference / model_distance,
            "what the client sees between two models: a lower bound of the constant, not an upper one",
            remark="where both models have one loss",
        ),
    ),
    example={"model_loss_difference": 0.2, "model_distance": 0.5},
    increasing=(model_loss_difference,),
    decreasing=(model_distance,),
    edges=(
        Edge(model_distance, 0, EdgeOutcome.OUT_OF_DOMAIN, "0/0: the two models are one"),
        Edge(model_loss_difference, 0, EdgeOutcome.REGULAR, "the estimate 0, whatever the constant is"),
    ),
)

SMOOTHNESS = replace(
    LIPSCHITZ,
    locator="C.beta_i",
    title="Estimate of the smoothness constant of a client",
    printed=(
        r"\beta_i \leftarrow \frac{\|\nabla F_i(\hat{\mathbf{w}}_i(t)) - \nabla F_i(\hat{\mathbf{w}}(t))\|}"
        r"{\|\hat{\mathbf{w}}_i(t) - \hat{\mathbf{w}}(t)\|}",
    ),
    reading=_NOT_SYNCHRONIZED,
    left=beta_i,
    terms=(
        Term(
            "slope",
            model_gradient_difference / model_distance,
            "what the client sees between two models: a lower bound of the constant, not an upper one",
            remark="where both models have one gradient",
        ),
    ),
    example={"model_gradient_difference": 0.2, "model_distance": 0.5},
    increasing=(model_gradient_difference,),
    edges=(
        Edge(model_distance, 0, EdgeOutcome.OUT_OF_DOMAIN, "0/0: the two models are one"),
        Edge(model_gradient_difference, 0, EdgeOutcome.REGULAR, "the estimate 0, whatever the constant is"),
    ),
)

DIVERGENCE = replace(
    LIPSCHITZ,
    locator="C.xi_i",
    title="Estimate of the gradient divergence of a client",
    printed=(r"\xi_i \leftarrow \|\nabla F_i(\hat{\mathbf{w}}(t)) - \nabla F(\hat{\mathbf{w}}(t))\|",),
    reading="at one model, where Definition 2 asks for a bound over all models.",
    left=xi_i,
    terms=(
        Term(
            "divergence",
            divergence_at_model,
            "heterogeneity seen at one model: a lower bound of xi_i, not an upper one",
            remark="where the client's gradient is the mean gradient",
        ),
    ),
    example={"divergence_at_model": 0.3},
    increasing=(divergence_at_model,),
    decreasing=(),
    edges=(Edge(divergence_at_model, 0, EdgeOutcome.REGULAR, "the estimate 0, whatever xi_i is"),),
)
