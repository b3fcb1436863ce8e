"""The constant that a utility statement leaves open, by an accountant: c of fed_norm_ec, q of dp_fedavg.

The statement's own rule makes its noise from the constant. So the constant is the one at which the rule, in
the statement's own convention and placement, gives the noise that the accountant asks for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from bounds.evaluation.resolve import names_taken
from bounds.language.statement import Statement
from verify.privacy import calibration, guarantee
from verify.privacy.accountants import Accountant
from verify.privacy.conventions import Converted, Scale, convert
from verify.privacy.errors import BadRequest
from verify.privacy.formulas import Target, formula
from verify.privacy.guarantee import Guarantee
from verify.privacy.mechanism import Full, Independent, Relation, Sampling, Unit
from verify.privacy.release import Release

Numbers = Mapping[str, float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A paper's rule for its noise: the constant in it, and the statement's quantities that it counts with.

    in_rule: what the rule calls the noise, from the accountant's multiplier and the noise in the convention
    under which the paper's statements are judged.
    """

    constant: str
    noise: str
    clients: str
    more_rounds_than_K: int  # one where K names the last of the rounds that start at 0
    rate: Callable[[Numbers], float | None]
    in_rule: Callable[[float, float], float]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Accounted:
    """The constant, with the noise in every convention of the paper and the facts of the guarantee."""

    name: str
    value: float
    noise: Converted
    conventions: tuple[Converted, ...]
    guarantee: Guarantee


def _rate_of_fed_norm_ec(q: Numbers) -> float | None:
    if "p" in q:
        return q["p"]
    return q["B_hat"] / q["M"] if "B_hat" in q and "M" in q else None


RULES = {
    # sigma_DP = c p sqrt((K+1) log(1/delta))/epsilon, and sigma_DP is what the convention converts to
    "fed_norm_ec": Rule(
        constant="c",
        noise="sigma_DP",
        clients="M",
        more_rounds_than_K=1,
        rate=_rate_of_fed_norm_ec,
        in_rule=lambda multiplier, noise: noise,
    ),
    # sigma^2 = q K C^2 log(1/delta)/(n epsilon)^2 for the average over r: C cancels, and with p = r/n the
    # rule speaks of the multiplier itself
    "dp_fedavg": Rule(
        constant="q",
        noise="sigma",
        clients="n",
        more_rounds_than_K=0,
        rate=lambda q: q["r"] / q["n"] if "r" in q and "n" in q else None,
        in_rule=lambda multiplier, noise: multiplier,
    ),
}


def accounted(
    statement: Statement,
    given: Mapping[str, Any],
    *,
    accountant: Accountant,
    relation: Relation,
    sampling: Sampling | None = None,
    dimension: int | None = None,
) -> Accounted:
    """At the statement's own epsilon, delta, rounds and clients."""
    rule = _rule(statement, given)
    q = {name: float(value) for name, value in given.items() if not isinstance(value, str)}
    drawn = _sampling(statement, rule, q, sampling)
    target = _target(statement, rule, q, drawn)
    multiplier = calibration.noise(
        epsilon=target.epsilon,
        delta=target.delta,
        rounds=target.rounds,
        relation=relation,
        sampling=drawn,
        accountant=accountant,
    )
    converted = convert(statement.paper.key, multiplier, _scale(statement, rule, q, target, dimension))
    noise = _as_judged(statement, rule, converted)
    if noise.value is None:
        raise BadRequest(f"the noise of {statement.id} needs {', '.join(noise.missing)}: give --dimension")
    return Accounted(
        name=rule.constant,
        value=formula(statement.paper.key).constant(rule.in_rule(multiplier, noise.value), target),
        noise=noise,
        conventions=converted,
        guarantee=guarantee.of_noise(
            Release(multiplier=multiplier, relation=relation, sampling=drawn, rounds=target.rounds),
            target.delta,
            Unit.CLIENT,
            accountant,
        ),
    )


def _as_judged(statement: Statement, rule: Rule, converted: Sequence[Converted]) -> Converted:
    """The noise under the reading of the statement; the corollaries that take d read it per coordinate."""
    taken = names_taken(statement)
    found = [c for c in converted if c.symbol == rule.noise and (c.named or c.named_with in taken)]
    return max(found, key=lambda c: bool(c.named_with))


def _rule(statement: Statement, given: Mapping[str, Any]) -> Rule:
    rule = RULES.get(statement.paper.key)
    if rule is None or rule.constant not in names_taken(statement):
        raise BadRequest(
            f"{statement.id} leaves no constant of a noise rule open, so an accountant has nothing to set"
        )
    if rule.constant in given:
        raise BadRequest(f"{rule.constant} is given, and the accountant would set it; keep one")
    return rule


def _sampling(statement: Statement, rule: Rule, q: Numbers, named: Sampling | None) -> Sampling:
    rate = rule.rate(q)
    if rate is None and named is None:
        raise BadRequest(f"{statement.id} does not say how clients are drawn: give --sampling")
    if rate is None or named is not None:
        if rate is not None and named is not None and abs(named.rate - rate) > 1e-9 * rate:
            raise BadRequest(f"--sampling draws at the rate {named.rate:g}, and the statement at {rate:g}")
        assert named is not None
        return named
    return Full() if rate == 1 else Independent(probability=rate)


def _target(statement: Statement, rule: Rule, q: Numbers, sampling: Sampling) -> Target:
    return Target(
        epsilon=_known(statement, q, "epsilon"),
        delta=_known(statement, q, "delta"),
        rounds=round(_known(statement, q, "K")) + rule.more_rounds_than_K,
        sampling=sampling,
    )


def _scale(statement: Statement, rule: Rule, q: Numbers, target: Target, dimension: int | None) -> Scale:
    return Scale(
        rate=target.sampling.rate,
        rounds=target.rounds,
        clients=round(_known(statement, q, rule.clients)),
        dimension=round(q["d"]) if "d" in q else dimension,
        # C cancels in the rule; where the statement has none, the noise is told in units of it
        contribution=q.get("C", 1.0),
        batch=None,
    )


def _known(statement: Statement, q: Numbers, name: str) -> float:
    if name not in q:
        raise BadRequest(f"counting the privacy of {statement.id} needs {name}: give it by --set")
    return q[name]
