"""FedAvg under a Lojasiewicz condition: one round with every outcome of its noise, gradients at a point."""

from typing import Any

import numpy as np

from bounds.language.assumptions import LOJASIEWICZ
from bounds.language.statement import Statement
from verify.objects.draw import CASES, Draw, Points
from verify.objects.functions import SLACK, clients, function
from verify.objects.numbers import inside_the_conditions

Objects = dict[str, Any]


def deviations(draw: Draw, M: int, d: int) -> Points:
    """Two equally likely errors of every agent, one the negative of the other; none now and then."""
    return draw.centred(2, d, CASES, M) * draw.share() * draw.count(0, 1)


def one_round(draw: Draw, statement: Statement, *, H: int, eta: float) -> Objects:
    """`eta` in units of 1/(H L)."""
    d, L = draw.dimension(3), draw.decades(-1, 1)
    convex = any(a.name == LOJASIEWICZ.name for a in statement.assumptions)
    functions = clients(draw, draw.count(1, 3), d, L, convex=convex)
    theta = draw.points(d)
    asked = {
        "deviations": deviations(draw, len(functions), d),
        "gradients": [f.gradient for f in functions],
        "theta": theta,
        **{"eta": eta / (H * L * SLACK), "H": H, "L": L * SLACK},
        "F": lambda x: sum(f.value(x) for f in functions) / len(functions),
        "F_star": 0.0,
        "gaps": np.stack([f.value(theta) for f in functions], axis=-1),
        "alpha": draw.between(1.01, 2),
    }
    assert statement.concrete is not None
    return {name: asked[name] for name in statement.concrete.objects}


def short_round(draw: Draw, statement: Statement) -> Objects:
    return one_round(draw, statement, H=draw.count(1, 3), eta=draw.share() / 18)


def round_of_lemma_f1(draw: Draw, statement: Statement) -> Objects:
    return one_round(draw, statement, H=draw.count(1, 3), eta=draw.share())


def any_round(draw: Draw, statement: Statement) -> Objects:
    """No limit on the step."""
    return one_round(draw, statement, H=draw.count(1, 3), eta=draw.decades(-2, 1))


def any_step(draw: Draw, statement: Statement) -> Objects:
    return one_round(draw, statement, H=1, eta=draw.decades(-2, 1))


def short_step(draw: Draw, statement: Statement) -> Objects:
    return one_round(draw, statement, H=1, eta=draw.share())


def one_agent(draw: Draw, _: Statement) -> Objects:
    d, L, H = draw.dimension(3), draw.decades(-1, 1), draw.count(1, 4)
    return {
        "deviations": deviations(draw, 1, d),
        "gradient": function(draw, d, L).gradient,
        **{"theta": draw.points(d), "eta": draw.decades(-2, 0) / L, "H": H, "L": L * SLACK},
    }


def errors(draw: Draw, _: Statement) -> Objects:
    M, d = draw.count(1, 3), draw.dimension()
    return {"deviations": draw.centred(2 * draw.count(1, 2), d, CASES, M)}


def step(draw: Draw, _: Statement) -> Objects:
    d = draw.dimension()
    F = function(draw, d, draw.decades(-2, 2))
    theta = draw.points(d)
    named = {"F": F.value, "gradient": F.gradient, "F_star": F.lowest, "L": F.L * SLACK}
    return named | {"theta": theta, "theta_next": draw.moved(theta, draw.length())}


def later_gaps(draw: Draw, statement: Statement) -> Objects:
    """Numbers inside the conditions, and how many rounds follow."""
    assert statement.concrete is not None
    names = [name for name in statement.concrete.objects if name != "rounds"]
    found = inside_the_conditions(statement, names, CASES, int(draw.random.integers(2**32)))
    return found | {"rounds": np.full(len(found["s_r"]), draw.count(1, 30))}


INSTANCES = {
    "fedavg_lojasiewicz.claims_of_lemma_f1.complete": one_agent,
    "fedavg_lojasiewicz.claims_of_lemma_f3.twice_the_floor": later_gaps,
    "fedavg_lojasiewicz.equation_33.bound": errors,
    "fedavg_lojasiewicz.equation_33.equality": errors,
    "fedavg_lojasiewicz.equation_35": any_step,
    "fedavg_lojasiewicz.equation_36": any_round,
    "fedavg_lojasiewicz.equation_37": any_round,
    "fedavg_lojasiewicz.equation_38": short_round,
    "fedavg_lojasiewicz.equation_39": short_round,
    "fedavg_lojasiewicz.equation_40": short_step,
    "fedavg_lojasiewicz.lemma_d1": step,
    "fedavg_lojasiewicz.lemma_f1": round_of_lemma_f1,
}
