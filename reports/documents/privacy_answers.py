"""What the verb `privacy` answers: from words to mechanisms, from numbers to the facts that go with them."""

from collections.abc import Mapping
from dataclasses import asdict
from decimal import ROUND_CEILING, Context
from typing import Any

from reports.cli.terminal import Progress
from reports.errors import BadOption
from reports.inputs.numerals import number
from reports.inputs.privacy_words import count, counted_by, drawing, optional_count, positive
from verify.privacy import calibration, conventions, formulas, guarantee
from verify.privacy.accountants import Accountant
from verify.privacy.errors import Unaccountable
from verify.privacy.formulas import Formula, Target
from verify.privacy.guarantee import Guarantee, facts
from verify.privacy.implied import Drawn, implied, no_client, of_listing, over_claimed_range
from verify.privacy.mechanism import (
    Independent,
    Mechanism,
    Placement,
    Relation,
    Sampling,
    Spread,
    Unit,
)
from verify.privacy.release import Release, release

Words = Mapping[str, Any]


def calibrated(words: Words, paper: str | None, sizes: Words) -> dict[str, Any]:
    if (words["rounds"] is None) == (words["sigma"] is None):
        raise BadOption("say what is given: --rounds to find the noise, or --sigma to find the rounds")
    of_paper = None if paper is None else formulas.formula(paper).paper
    accountant = counted_by(words["accountant"], drawing(words["sampling"]))
    epsilon, delta = number(words["epsilon"], "--epsilon"), number(words["delta"], "--delta")
    shape: dict[str, Any] = {"relation": Relation(words["relation"]), "sampling": drawing(words["sampling"])}
    target: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "accountant": accountant, **shape}
    if words["sigma"] is None:
        rounds = count(words["rounds"], "--rounds")
        sigma = calibration.noise(**target, rounds=rounds)
        rounding = guarantee.rounding_of_noise(accountant)
        sentence = f"sigma {sigma:.6g} keeps epsilon {epsilon:g} over {rounds} rounds"
    else:
        sigma = positive(words["sigma"], "--sigma")
        rounds = calibration.rounds(**target, multiplier=sigma)
        rounding = guarantee.rounding_of_rounds(accountant)
        sentence = f"sigma {sigma:g} keeps epsilon {epsilon:g} for {rounds} rounds and no more"
    if not rounds:
        raise Unaccountable(f"sigma {sigma:g} does not keep epsilon {epsilon:g} for a single round")
    found = guarantee.of_noise(
        Release(multiplier=sigma, rounds=rounds, **shape), delta, Unit(words["unit"]), accountant
    )
    body = facts(found) | {"rounding": rounding, "found": "rounds" if words["sigma"] else "sigma"}
    body |= {"sentence": sentence, "target_epsilon": epsilon, "paper": of_paper}
    return body | {"conventions": _conventions(of_paper, found, sizes)}


def _conventions(paper: str | None, found: Guarantee, sizes: Words) -> list[dict[str, Any]]:
    if paper is None:
        return []
    at = conventions.Scale(rate=found.sampling_assumed.rate, rounds=found.rounds, **sizes)
    rows = []
    for converted in conventions.convert(paper, found.sigma, at):
        row = asdict(converted)
        missing = ", ".join(_OPTION.get(name, f"--{name}") for name in row.pop("missing"))
        rows.append(row | ({"reason": f"needs {missing}"} if missing else {}))
    return rows


_OPTION = {"contribution": "--clip"}


def cost(words: Words) -> dict[str, Any]:
    mechanism = Mechanism(
        unit=Unit(words["unit"]),
        relation=Relation(words["relation"]),
        sampling=drawing(words["sampling"]),
        placement=Placement(words["placement"]),
        spread=Spread.TOTAL if words["spread"] == "total" else Spread.PER_COORDINATE,
        deviation=positive(words["sigma"], "--sigma"),
        contribution=1.0,
        rounds=count(words["rounds"], "--rounds"),
        clients=optional_count(words["clients"], "--clients"),
        dimension=optional_count(words["dimension"], "--dimension"),
    )
    accountant, delta = counted_by(words["accountant"], mechanism.sampling), number(words["delta"], "--delta")
    found = guarantee.of_noise(release(mechanism), delta, Unit(words["unit"]), accountant)
    return facts(found) | {"sentence": f"epsilon {upwards(found.epsilon)} or less at delta {delta:g}"}


def constants(words: Words, progress: Progress) -> dict[str, Any]:
    """Also under the listing's placement, where the number of clients that were drawn decides."""
    formula = formulas.formula(words["name"])
    sampling, delta = drawing(words["sampling"]), number(words["delta"], "--delta")
    rounds, clients = count(words["rounds"], "--rounds"), optional_count(words["clients"], "--clients")
    targets = _targets(formula, words["epsilon"], delta, rounds, sampling)
    accountant, relation = Accountant(words["accountant"]), Relation(words["relation"])
    points = []
    for point in implied(formula, targets, relation, accountant):
        points.append(asdict(point) | {"sigma": point.multiplier})
        del points[-1]["multiplier"]
        progress(len(points), len(targets), f"epsilon {point.epsilon:g}")
    progress.close()
    found = [point["constant"] for point in points]
    return {
        "paper": formula.paper,
        "locator": formula.locator,
        "symbol": formula.symbol,
        "printed": formula.printed,
        "claims": formula.claimed,
        "points": points,
        "smallest": min(found),
        "largest": max(found),
        "sentence": _span(formula.symbol, min(found), max(found)),
        "listing": _listing(formula, sampling, relation, clients),
        "drawn": _drawn(formula, sampling, clients, min(found), max(found)),
        "facts": {
            "delta": delta,
            "relation": relation,
            "unit": formula.unit,
            "sampling_assumed": str(sampling),
            "sampling_implemented": "no run",
            "rounds": rounds,
            "accountant": accountant,
            "rounding": guarantee.rounding_of_noise(accountant),
        },
    }


def _targets(
    formula: Formula, words: str | None, delta: float, rounds: int, sampling: Sampling
) -> list[Target]:
    if words is None:
        return over_claimed_range(formula, delta, rounds, sampling)
    values = [number(word.strip(), "--epsilon") for word in words.split(",")]
    return [Target(epsilon=value, delta=delta, rounds=rounds, sampling=sampling) for value in values]


def _span(symbol: str, least: float, most: float) -> str:
    return f"{symbol} from {least:.4g} to {most:.4g} over these epsilons; the largest serves them all"


def _listing(formula: Formula, sampling: Sampling, relation: Relation, clients: int | None) -> str:
    if formula.in_sum is None:
        return f"{formula.listing}; nothing depends on how many were drawn."
    why = f"{formula.listing}: the noise of the sum goes with the square root of how many were drawn"
    if clients is None:
        return f"{why}; --clients says how many that is."
    empty = no_client(sampling, clients)
    none = f", and with probability {empty:.3g} a round has none" if empty > 0 else ""
    tells = isinstance(sampling, Independent) or relation is Relation.ADD_OR_REMOVE
    uncounted = (
        " A variance that tells who took part is no Gaussian mechanism: nothing counts it." if tells else ""
    )
    return f"{why}{none}.{uncounted}"


def _drawn(
    formula: Formula, sampling: Sampling, clients: int | None, least: float, most: float
) -> list[dict[str, Any]]:
    rows = () if clients is None else of_listing(formula, sampling, clients)
    return [_summarize_drawn(row, least, most) for row in rows]


def _summarize_drawn(row: Drawn, least: float, most: float) -> dict[str, Any]:
    body = {"clients": row.clients, "when": row.when, "noise_over_formula": row.noise_over_formula}
    if row.noise_over_formula == 0:
        return body | {"constant": None, "reason": "nobody is drawn: there is no noise at any constant"}
    of = row.constant_over_implied
    return body | {"constant": [of * least, of * most]}


# ---- the facts of a guarantee


def lines(body: Words) -> list[tuple[str, str]]:
    """The facts for a reader; every answer has all of them."""
    done = body["sampling_implemented"]
    return [
        ("privacy", f"epsilon {upwards(body['epsilon'])} or less at delta {body['delta']:g}"),
        ("relation", str(body["relation"])),
        ("unit", str(body["unit"])),
        (
            "sampling",
            f"assumed {body['sampling_assumed']['text']}; "
            + (f"done: {done['text']}" if done else "no run was made, so none is compared"),
        ),
        ("rounds", str(body["rounds"])),
        ("sigma", f"{body['sigma']:.6g} times the largest contribution, per coordinate of the sum"),
        ("noise", f"{body['sigma_over_sensitivity']:.6g} times the sensitivity of the sum"),
        ("accountant", str(body["accountant"])),
        ("rounding", body["rounding"]),
    ]


def upwards(value: float) -> str:
    """Six digits of an upper bound are an upper bound too."""
    return f"{Context(prec=6, rounding=ROUND_CEILING).create_decimal(value).normalize():f}"
