"""`fedbounds run`: simulate an algorithm on a problem."""

import math
from dataclasses import asdict, replace
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import (
    Json,
    Problem,
    RunReplicates,
    Seed,
    check_seed,
    take_number,
    take_whole_number,
    take_words,
)

NEVER = -1


Algorithm = Annotated[
    str | None,
    Parameter(
        name="ALGORITHM", help="Name of an algorithm, such as dp_fedavg. A wrong name lists the valid ones."
    ),
]
Given = Annotated[
    list[str] | None,
    take_words(
        "NAME=VALUE sets the algorithm, problem.NAME=VALUE the problem. start: a number or a list (default "
        "1, or 0 with --as). participation: full, independent:P or fixed_size:R. oracle: gaussian:S, "
        "sphere:S, two_point:S, student_t:S:DEGREES or minibatch:B."
    ),
]
As = Annotated[
    str | None, Parameter(help="Id of a statement: --set then names its quantities, start and participation.")
]
Delta = Annotated[float, take_number("Delta at which privacy is counted, between 0 and 1.")]
Observe = Annotated[
    list[str] | None,
    take_words("Observables, or NAME/running_minimum, NAME/running_average. Default: the usual ones."),
]
Backend = Annotated[
    Literal["numpy", "numba", "torch"],
    Parameter(help="Array backend. `numba` is numpy with compiled inner loops (extra `fast`)."),
]
Device = Annotated[str, Parameter(help="Device for the torch backend: cpu, cuda, cuda:1, ...")]
Threads = Annotated[
    int | None,
    take_whole_number("Number of parallel blocks, an integer. Default: 1, or what `doctor --tune` recorded."),
]
Noise = Annotated[
    Literal["each", "together"],
    Parameter(help="`together` draws a sum of client noises as one vector, equal in law."),
]
Precision = Annotated[
    Literal["double", "single"],
    Parameter(help="`single` is faster; its distance from double precision is measured and printed."),
]
Normals = Annotated[
    Literal["double", "single"],
    Parameter(help="`single` uses a faster single-precision generator (extra `fast`)."),
]

Draws = Annotated[
    Literal["host", "device"],
    Parameter(
        help="`device` lets a cuda device draw the random numbers, which is faster for many replicates."
    ),
]


def run(
    algorithm: Algorithm = None,
    /,
    *,
    problem: Problem,
    set_: Given = None,
    as_: As = None,
    delta: Delta = 1e-5,
    observe: Observe = None,
    replicates: RunReplicates = 64,
    seed: Seed = 0,
    backend: Backend = "numpy",
    device: Device = "cpu",
    threads: Threads = None,
    noise: Noise = "each",
    precision: Precision = "double",
    normals: Normals = "double",
    draws: Draws = "host",
    json: Json = False,
) -> int:
    """Run an algorithm on a problem; print its first and last measurements over all replicates."""
    from reports.errors import BadOption
    from reports.inputs.problems import settings as assigned
    from reports.inputs.problems import within_machine

    asked = {"algorithm": _named(algorithm, as_), "as": as_, "delta": delta}
    asked |= {"problem": problem, "replicates": replicates, "seed": seed}
    asked |= {"backend": backend, "device": device}
    changed: dict[str, Any] = {"backend": backend, "device": device, "noise": noise}
    changed |= {"precision": precision, "normals": normals, "draws": draws}
    changed |= {} if threads is None else {"threads": threads}
    check_seed(seed)
    if observe is not None and not observe:
        raise BadOption("--observe needs the name of an observable after it")
    given = assigned(set_)
    with within_machine(f"{asked['algorithm']} on {problem}", {"replicates": replicates} | given):
        body = asked | _simulated(asked, changed, given, observe)
    terminal.write(json_border.document("run", body) if json else str(_page(body)))
    return exits.OK


def _simulated(
    asked: dict[str, Any], changed: dict[str, Any], given: dict[str, Any], observe: list[str] | None
) -> dict[str, Any]:
    from reports.documents import run_privacy
    from reports.documents.simulation import simulated
    from reports.errors import UnusableRun
    from reports.inputs.as_statement import settings_as
    from reports.inputs.problems import problem
    from reports.inputs.run_settings import divided, settings_of
    from synthetic import Plan
    from synthetic.engine.recorded_plan import recorded
    from synthetic.errors import Refusal
    from synthetic.run import runnable
    from verify.planning.tuned import plain

    algorithm, runs = asked["algorithm"], {name: asked[name] for name in ("replicates", "seed")}
    try:
        runnable(algorithm)  # its name is the first thing to be wrong about
        of_problem, of_algorithm = divided(given)
        chosen, arguments = problem(asked["problem"], of_problem)
        own = None if asked["as"] is None else settings_as(asked["as"], asked["problem"], chosen, given)
        settings = settings_of(algorithm, of_algorithm, chosen) if own is None else own.settings
        plan = replace(recorded() or Plan(), **changed)
        trace, measured = simulated(algorithm, chosen, settings, observe=observe, plan=plan, **runs)
        errors = _errors_of_single(algorithm, chosen, settings, measured, plan, runs)
    except Refusal as error:
        raise UnusableRun(str(error)) from error
    return {
        "arguments": arguments,
        "clients": chosen.clients,
        "dimension": chosen.dimension,
        "start": _find_common_coordinate(settings),
        "settings": of_algorithm if own is None else plain(settings),
        "parameters": None if own is None else dict(own.parameters),
        "privacy": run_privacy.document(algorithm, settings, chosen, asked["delta"]),
        "plan": asdict(plan),
        "diverged": _diverged(trace.diverged_round),
        "observables": measured,
    } | errors


def _find_common_coordinate(settings: Any) -> float | None:
    """The one number of which the start is made; None if its coordinates differ."""
    import numpy as np

    numbers = {float(x) for x in np.ravel(getattr(settings, "start", ()))}
    return numbers.pop() if len(numbers) == 1 else None


def _named(algorithm: str | None, statement: str | None) -> str:
    from reports.errors import BadOption
    from reports.inputs.as_statement import algorithm_of

    if statement is not None:
        return algorithm_of(statement, algorithm)
    if algorithm is None:
        raise BadOption("run needs ALGORITHM, or --as STATEMENT; it comes before --set")
    return algorithm


def _errors_of_single(
    algorithm: str,
    problem: Any,
    settings: Any,
    measured: list[dict[str, Any]],
    plan: Any,
    runs: dict[str, Any],
) -> dict[str, Any]:
    """The largest difference from double precision on the same random numbers, over all rounds."""
    from reports.documents.simulation import stream
    from synthetic.tuning.single_precision import error_of_single

    if plan.precision == "double":
        return {}
    asked = runs | {"stream": stream(algorithm), "observe": [o["name"] for o in measured], "plan": plan}
    found = error_of_single(algorithm, problem, settings, **asked)
    reason = {"reason": "a replicate has diverged in single precision only"}
    errors = [{"name": n, "error": e} | (reason if math.isinf(e) else {}) for n, e in found.items()]
    return {"single_precision_errors": errors}


def _diverged(rounds: Any) -> dict[str, Any]:
    gone = rounds[rounds != NEVER]
    if not len(gone):
        return {"count": 0, "first_round": None, "reason": "no replicate has diverged"}
    return {"count": len(gone), "first_round": int(gone.min())}


def _page(body: dict[str, Any]) -> Page:
    page = Page()
    page.title(f"{body['algorithm']} on {body['problem']}")
    start = "" if body["start"] is None else f", from the start with every coordinate {body['start']:.6g}"
    page.paragraph(
        f"{body['clients']} clients, dimension {body['dimension']}, {body['replicates']} replicates, "
        f"seed {body['seed']}{start}",
        indent=0,
    )
    if "single_precision_errors" in body:
        page.heading("Single precision: largest difference from double, relative to max(1, size)")
        errors = body["single_precision_errors"]
        page.columns_of((e["name"], e.get("reason") or f"{e['error']:.2g}") for e in errors)
    for end in ("first", "last"):
        page.heading(f"In the {end} round: mean ± its standard error, smallest to largest")
        ends = [(o["name"], o[end]) for o in body["observables"]]
        page.columns_of((n, _mean(e), f"from {e['min']:.6g} to {e['max']:.6g}") for n, e in ends)
    _append_meanings(page, [o["name"] for o in body["observables"]])
    _settings_and_privacy(page, body)
    gone = body["diverged"]
    if gone["count"]:
        page.heading("Diverged")
        share = f"{gone['count']} of {body['replicates']} replicates"
        page.paragraph(f"{share}, first in round {gone['first_round']}")
    return page


def _append_meanings(page: Page, names: list[str]) -> None:
    """The unit and the meaning of each measure that is not a package's own."""
    from reports.documents.units import MEASURES

    bases = dict.fromkeys(name.partition("/")[0] for name in names)
    if known := [(name, *MEASURES[name]) for name in bases if name in MEASURES]:
        page.heading("Units and meanings (F: unit of the objective, X: of a distance between parameters)")
        page.columns_of(known)


def _settings_and_privacy(page: Page, body: dict[str, Any]) -> None:
    from reports.documents.run_privacy import rows

    if body["as"] is not None:
        page.heading(f"Settings, as {body['as']} says")
        page.columns_of(
            (n, f"{v:.6g}" if isinstance(v, float) else str(v)) for n, v in body["settings"].items()
        )
    if body["privacy"]["guarantees"]:
        page.heading("Privacy")
        page.columns_of(rows(body["privacy"]))


def _mean(summary: dict[str, Any]) -> str:
    error = summary["standard_error"]
    return f"{summary['mean']:.6g}" if error is None else f"{summary['mean']:.6g} ± {error:.2g}"
