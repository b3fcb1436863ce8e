"""Definition 1: differential privacy."""

from sympy import exp

from bounds.language.lazy_numpy import np
from bounds.language.statement import Concrete, Edge, EdgeOutcome, Kind, Statement, Term
from bounds.language.vanishing import ToZero
from bounds.papers.als_dpfl import PAPER
from bounds.papers.als_dpfl.notation import delta, epsilon, neighbour_probability, output_probability


def _measure_finite_mechanism(
    outputs: object, neighbour_outputs: object, output_set: object, epsilon: object, delta: object
) -> dict[str, object]:
    inside = np.asarray(output_set, dtype=float)
    return {
        "epsilon": epsilon,
        "delta": delta,
        "output_probability": (np.asarray(outputs) * inside).sum(-1),
        "neighbour_probability": np.minimum((np.asarray(neighbour_outputs) * inside).sum(-1), 1.0),
    }


PRIVACY = Statement(
    locator="C.def1",
    kind=Kind.DEFINITION,
    paper=PAPER,
    title="Definition 1: differential privacy",
    printed=(r"provides $(\epsilon,\delta)$-DP if, for any two neighboring databases",),
    reading=(
        "eq. (4) for every pair of databases that differ in one entry, which is replaced, and for every set "
        "of outputs; the printed Range of R is the range R."
    ),
    other_readings=("neighbors differ by one entry that is added or removed.",),
)

EQUATION_4 = Statement(
    locator="C.eq4",
    kind=Kind.UPPER_BOUND,
    paper=PAPER,
    title="Eq. (4): differential privacy, for one pair of databases and one set of outputs",
    printed=(
        r"\Pr[\mathcal{M}(\mathcal{D}_i) \in \mathcal{S}] \leq e^\epsilon "
        r"\Pr[\mathcal{M}(\mathcal{D}'_i) \in \mathcal{S}] + \delta \quad (4)",
    ),
    reading="what a mechanism that provides (epsilon, delta)-DP satisfies for one pair and one set.",
    left=output_probability,
    terms=(
        Term(
            "neighbor",
            exp(epsilon) * neighbour_probability,
            "what the neighboring database would show as well",
            remark="where the neighbor never gives such an output",
        ),
        Term("failure", delta, "outputs that give the entry away", (ToZero(delta),)),
    ),
    example={"epsilon": 1, "delta": 1e-5, "neighbour_probability": 0.2},
    concrete=Concrete(
        objects={
            "outputs": "probabilities of finitely many outputs on D, on the last axis",
            "neighbour_outputs": "probabilities of the same outputs on D', on the last axis",
            "output_set": "which outputs belong to S, on the last axis",
            "epsilon": "the first privacy parameter",
            "delta": "the second privacy parameter",
        },
        numbers=_measure_finite_mechanism,
    ),
    increasing=(epsilon, delta, neighbour_probability),
    edges=(
        Edge(epsilon, 0, EdgeOutcome.OUT_OF_DOMAIN, "the definition asks epsilon > 0"),
        Edge(delta, 0, EdgeOutcome.OUT_OF_DOMAIN, "the definition asks delta in (0, 1)"),
        Edge(neighbour_probability, 0, EdgeOutcome.REGULAR, "delta alone is left"),
    ),
)
