"""Distances of DPFL models from the auxiliary sequence: Theorem 1 and Lemma 3 of ALS-DPFL.

Clients are Huber functions, which alone meet the Lipschitz assumption; quadratics are refused. Three readings
of the auxiliary noise are run: as printed, which is the named one; divided by the batch size like the
clients'; and coupled to the clients'. Only the named one decides about a statement. Cells are by hand for
these readings, and because C is at once the constant of the clients and the threshold that may not clip.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from bounds.language.statement import Statement
from synthetic.algorithms.dpfl import AuxiliaryNoise, Settings
from synthetic.run import run
from verify.cell import NAMED, Cell, build_problem
from verify.matching.cells import required
from verify.matching.cells.sketch import Sketch, fill
from verify.matching.constants import certified
from verify.matching.constants.certified import Requirement
from verify.matching.measurements.measurement import Certificates, Sampled
from verify.matching.runs import Runs

COUPLED, DIVIDED = "coupled noises", "auxiliary noise divided by B"
AUXILIARY_NOISE: dict[str, AuxiliaryNoise] = {
    NAMED: "independent",
    DIVIDED: "independent_divided",
    COUPLED: "average_of_clients",
}
HUBER = {"clients": 5, "dimension": 4, "heterogeneity": 0.5, "threshold": 1.0, "seed": 4}

ONE_CLIENT = "als_dpfl.lemma_3.lemma"
STATEMENTS = ("als_dpfl.theorem_1.distance", "als_dpfl.theorem_1.value", ONE_CLIENT)


def exclude_sampling(statement: Statement) -> dict[str, str]:
    return {"partial participation": "all clients take part in every round of the listing"}


def cells(statement: Statement) -> tuple[Cell, ...]:
    """Batches of 1, 6 and 16, after one and after all local steps, in the three readings."""
    base = {"x": 1, "tau": 5, "eta": 0.5, "sigma": 1.0, "B": 1}
    strong = {"B": 16, "sigma": 10.0}
    sketches = (
        _sketch(statement, "homogeneous", base, heterogeneity=0.0),
        _sketch(statement, "heterogeneous", base | {"x": 5}),
        _sketch(statement, "edge of its conditions, large batch", base | {"x": 5, "B": 16}),
        _sketch(statement, "one step, large batch", base | {"B": 16}),
        _sketch(statement, "homogeneous, batch of 6", base | {"B": 6}, heterogeneity=0.0),
        _sketch(statement, "strong noise, large batch", base | strong),
        *(
            _sketch(statement, role, base | strong | {"x": x}, reading=reading)
            for reading in (DIVIDED, COUPLED)
            for role, x in (("one step, large batch", 1), ("all steps, large batch", 5))
        ),
    )
    filled = fill(statement, sketches)
    (clipped,) = fill(statement, (_sketch(statement, "quadratic clients", base),))
    return (replace(clipped, problem="quadratic.small", problem_arguments={}), *filled)


def _sketch(
    statement: Statement, role: str, base: dict[str, Any], *, heterogeneity: float = 0.5, reading: str = NAMED
) -> Sketch:
    """Lemma 3 is asked of the client that is farthest from the mean."""
    arguments = HUBER | {"heterogeneity": heterogeneity}
    problem = build_problem("huber.small", arguments)
    divergences = certified.uppers(problem, "client_gradient_divergence")
    farthest = int(np.argmax(divergences))
    return Sketch(
        role=role,
        problem="huber.small",
        arguments=arguments,
        values=base | {"C": certified.upper(problem, "lipschitz"), "xi_i": divergences[farthest]},
        start=[2.0] * problem.dimension,
        settings={"client": farthest} if statement.id == ONE_CLIENT else {},
        reading=reading,
    )


def require_no_clipping(statement: Statement, cell: Cell) -> list[Requirement]:
    """Gradients are no longer than C; the divergence is that of the client."""
    problem, p = cell.build_problem(), cell.parameters
    divergences = certified.uppers(problem, "client_gradient_divergence")
    own = {
        "xi_i": divergences[int(cell.engine.get("client", 0))],
        "C": certified.upper(problem, "lipschitz"),
    }
    held = [Requirement(name, float(p[name]), at_least=end) for name, end in own.items() if name in p]
    return [*required.requirements(statement, cell), *held]


def settings(statement: Statement, cell: Cell) -> Settings:
    """One round of x local steps."""
    p = cell.parameters
    noise = AUXILIARY_NOISE[cell.reading]
    return tell({**cell.engine, **p, "T": p["x"], "tau": p["x"], "auxiliary_noise": noise})


def tell(values: Mapping[str, Any]) -> Settings:
    """T steps, tau of them in a round."""
    return Settings(
        start=np.array(values["start"], dtype=float),
        rounds=int(values["T"]) // int(values["tau"]),
        local_steps=int(values["tau"]),
        step=float(values["eta"]),
        clip_threshold=float(values["C"]),
        noise_multiplier=float(values["sigma"]),
        batch_size=int(values["B"]),
        auxiliary_noise=values.get("auxiliary_noise", AUXILIARY_NOISE[NAMED]),
    )


def measure(
    statement: Statement, cell: Cell, of_run: Settings, replicates: int, seed: int, stream: str
) -> Sampled:
    """After the last step inside the only round; of all clients or of the one that the cell names."""
    left = str(statement.left)
    name, problem = statement.notation.observables[left].measured, cell.build_problem()
    trace = run(
        cell.algorithm, problem, of_run, replicates=replicates, seed=seed, stream=stream, observe=[name]
    )
    at_end = np.abs(trace.measurements[name][:, 0, -1])
    client = cell.engine.get("client")
    return Sampled(observables={left: at_end if client is None else at_end[:, int(client)]})


def certify(statement: Statement, cell: Cell) -> Certificates:
    p = {n: float(v) for n, v in cell.parameters.items()}
    clients = 1 if "client" in cell.engine else cell.build_problem().clients
    scale = p["rho"] if str(statement.left) == "value_difference" else 1.0
    return Certificates(second_moment=(scale * _distance(p, cell.reading, clients)) ** 2)


def _distance(p: Mapping[str, float], reading: str, clients: int) -> float:
    """The root of a bound on the mean square distance of so many models' mean from the auxiliary one.

    Two sequences of steps at most C long apart from their noises. Coupled noises cancel in the average of
    all, and are closer to one client's than its own is to 0.
    """
    auxiliary = {NAMED: 1.0, DIVIDED: 1 / p["B"] ** 2, COUPLED: 0.0}[reading]
    own = 0.0 if reading == COUPLED and clients > 1 else 1 / (p["B"] ** 2 * clients)
    noise = p["sigma"] * p["C"] * sqrt(p["d"] * (own + auxiliary))
    return p["eta"] * p["x"] * (2 * p["C"] + noise) * (1 + 1e-9)


RUNS = Runs(
    algorithm="dpfl",
    statements=STATEMENTS,
    cells=cells,
    excluded=exclude_sampling,
    fills={
        "homogeneous, batch of 6": "homogeneous",
        "edge of its conditions, large batch": "edge of its conditions",
        "strong noise, large batch": "strong noise",
    },
    requirements=require_no_clipping,
    settings=settings,
    observe=measure,
    certified=certify,
)
