"""Definition 3: gap of the auxiliary sequence."""

from bounds.language.statement import Edge, EdgeOutcome, Kind, Statement, Term
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.assumptions import CENTRALIZED, minimum_attained
from bounds.papers.als_dpfl.notation import auxiliary_value, lowest_value, theta

DEFINITION = Statement(
    locator="C.def3",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Definition 3: gap of the auxiliary sequence",
    printed=(r"\theta_{[k]}(t) = F(\hat{\mathbf{v}}_{[k]}(t)) - F(\mathbf{w}^*)",),
    reading="for one k and one t of its interval, both ends included, and every realisation.",
    left=theta,
    terms=(
        Term("value", auxiliary_value, "the loss at the auxiliary sequence", non_negative=False),
        Term("lowest", -lowest_value, "the loss that no model avoids", non_negative=False),
    ),
    setting=CENTRALIZED,
    assumptions=(minimum_attained,),
    example={"auxiliary_value": 0.7, "lowest_value": 0.2},
    edges=(Edge(lowest_value, 0, EdgeOutcome.REGULAR, "the gap is the loss itself"),),
)
