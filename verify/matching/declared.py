"""Runs that follow from what a statement declares, without a file of their own.

Its quantities say which settings, constants and measures of the start they are, and its observables what of a
run they are (`bounds.language.part`, `Notation.observable`). A problem says its constants, an algorithm its
settings and what it measures. From these follow the standard cells, the settings of each run, and what is
required of a cell.
"""

from collections.abc import Mapping
from functools import lru_cache
from numbers import Real

from bounds.errors import MalformedStatement, nearest, with_article
from bounds.evaluation.resolve import resolve
from bounds.language.quantity import Role
from bounds.language.statement import Kind, Statement
from synthetic.errors import Refusal
from synthetic.run import algorithm_names, runnable
from verify.matching.cells import standard
from verify.matching.linear_bound import not_linear
from verify.matching.measurements.measures import requests
from verify.matching.measurements.observed import MEASURABLE, observables_of
from verify.matching.measurements.own_at_start import why_unmeasured
from verify.matching.run_settings import names_of_settings, unknown_setting
from verify.matching.runs import Runs


@lru_cache(maxsize=256)
def declared_runs(statement: Statement) -> Runs | None:
    """The runs that follow from the declarations; None where they do not say enough (`why_not_declared`)."""
    if why_not_declared(statement) is not None:
        return None
    return Runs(algorithm=str(statement.algorithm), statements=(statement.id,), excluded=standard.excluded)


def why_not_declared(statement: Statement) -> str | None:
    """What keeps a statement from being run: the declaration that is missing, and what to write."""
    if not declares(statement):
        return "none of its observables says what of a run it is"
    if statement.kind not in (Kind.UPPER_BOUND, Kind.EQUALITY):
        return f"it is {with_article(statement.kind.value)}; an upper bound or an equality is run"
    return (
        _without_algorithm(statement)
        or _without_measure(statement)
        or _without_rule(statement)
        or _without_part(statement)
        or _without_number(statement)
        or not_linear(statement)
    )


def declares(statement: Statement) -> bool:
    """Whether any observable of the statement is declared to be something that a run measures."""
    return any(observable.measured for observable in observables_of(statement).values())


def _without_algorithm(statement: Statement) -> str | None:
    if statement.algorithm is None:
        return "it names no algorithm: give algorithm=, one that `fedbounds run` knows"
    try:
        runnable(statement.algorithm)
    except Refusal:
        known = ", ".join(algorithm_names())
        return (
            f"no algorithm is named {statement.algorithm}: there are {known}, and PACKAGE.NAME of a package"
        )
    setting = unknown_setting(statement)
    if setting is None:
        return None
    instead = nearest(setting, names_of_settings(statement) - {"start"})
    return f"the algorithm {statement.algorithm} has no setting {setting}: {instead}"


def _without_measure(statement: Statement) -> str | None:
    listing = runnable(str(statement.algorithm))
    known = (*listing.observables, *listing.on_request)
    for name, observable in observables_of(statement).items():
        if not observable.measured:
            one_of = ", ".join(known)
            return f"the observable {name} does not say what of a run it is: give measured=, one of {one_of}"
        if requests(str(statement.algorithm), observable.measured) is None:
            return (
                f"{statement.algorithm} does not measure {observable.measured}: there are {', '.join(known)}"
            )
        if observable.over not in MEASURABLE:
            ways = ", ".join(f"Over.{way.name}" for way in MEASURABLE)
            return f"the observable {name} is {observable.over.value}; a run is measured over {ways}"
    return None


def _without_part(statement: Statement) -> str | None:
    resolved = resolve(statement)
    for name in sorted((resolved.required | resolved.optional) & statement.notation.quantities.keys()):
        quantity = statement.notation.quantities[name]
        if statement.notation.is_index(name):
            return f"{name} is the number of a round, which has a value inside Sum(...) and in weight= only"
        if quantity.role is not Role.PARAMETER:
            return f"{name} is a {quantity.role.value}, whose value nobody knows before the run"
        if quantity.part is None:
            return (
                f"the quantity {name} ({quantity.meaning}) does not say what it is in a run: give it "
                'part=setting("..."), constant("..."), lower_constant("..."), at_start("..."), '
                'lower_at_start("..."), or FREE'
            )
        unmeasured = why_unmeasured(statement, quantity.part)
        if unmeasured is not None:
            return f"the quantity {name} ({quantity.meaning}) is {unmeasured}"
    return None


def _without_number(statement: Statement) -> str | None:
    """An input of the example that is written as a word: cells take some of their values from there."""
    given: Mapping[str, object] = statement.example
    for name, value in given.items():
        if not isinstance(value, Real):
            return f"the example gives {name} = {value!r}, which is not a number: write 0.5 or Rational(1, 2)"
    return None


def _without_rule(statement: Statement) -> str | None:
    """A formula that nothing can evaluate: it costs its statement, and no other that is verified with it."""
    try:
        resolve(statement)
    except MalformedStatement as error:
        return str(error)
    return None
