"""From names and numbers to a question about an author's algorithm, `PACKAGE.NAME`.

A name may be a setting of the algorithm, a constant of the class of problems, or both, as L is where the
step is 1/L.
"""

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bounds.errors import nearest
from synthetic.outside.algorithms import is_outside, outside_names
from synthetic.run import runnable
from verify.worst_case.errors import BadSetting
from verify.worst_case.methods.linear import MOST_CLIENTS
from verify.worst_case.methods.on_functions import read_confirmed_method
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.question import COMMON, check_class, class_fields
from verify.worst_case.setting import CENTRAL, GAP, MEAN_GAP, OBSERVABLES, ProblemClass

OF_CLASS = {"n": "clients", "zeta_star": "zeta_star"} | COMMON
MEASURED = tuple(name for name in OBSERVABLES if name != CENTRAL)


def is_method(name: str) -> bool:
    """Whether an installed package, or this process, has an algorithm of this name."""
    return is_outside(name) and name in outside_names()


def own_settings(algorithm: str) -> list[str]:
    return [f.name for f in dataclasses.fields(runnable(algorithm).settings) if f.name != "start"]


def method_setting(
    algorithm: str, given: Mapping[str, Fraction], *, observable: str | None, convex: bool
) -> MethodSetting:
    """The question that the names describe, after runs of the algorithm's code."""
    own = own_settings(algorithm)
    for name in given:
        if name not in own and name not in OF_CLASS:
            raise BadSetting(f"{algorithm} has no setting {name}: {nearest(name, [*own, *OF_CLASS])}")
    fields = {OF_CLASS[name]: value for name, value in given.items() if name in OF_CLASS}
    values = {name: value for name, value in given.items() if name in own}
    return complete_method(algorithm, fields, values, observable or GAP, convex=convex)


def complete_method(
    algorithm: str,
    fields: Mapping[str, Fraction],
    values: Mapping[str, Any],
    observable: str,
    *,
    convex: bool,
    called: Mapping[str, str] | None = None,
) -> MethodSetting:
    """The question with these fields of the class, if its worst case may be bounded."""
    described = class_fields({"clients": Fraction(1)} | dict(fields), called or {}, convex=convex)
    described["observable"] = observable
    plain = {name: _plain(v) if isinstance(v, Fraction) else v for name, v in values.items()}
    problems = ProblemClass(**described)
    check_class(problems, convex=convex, strong="mu" in fields)
    check_clients(problems.clients)
    method = read_confirmed_method(algorithm, problems.clients, plain, problems.scale)
    setting = MethodSetting(**described, algorithm=algorithm, values=plain, method=method)
    check_method(setting)
    return setting


def check_clients(clients: int) -> None:
    if clients > MOST_CLIENTS:
        raise BadSetting(f"n must be at most {MOST_CLIENTS}, not {clients}")


def check_method(setting: MethodSetting) -> None:
    if setting.observable not in MEASURED:
        raise BadSetting(
            f"no observable is named {setting.observable}: {nearest(setting.observable, MEASURED)}"
        )
    if setting.observable == MEAN_GAP and len(setting.method.iterates) == 1:
        raise BadSetting("mean_gap is the mean over the rounds, and there is none")


def _plain(value: Fraction) -> int | float:
    """As a command line gives it to the algorithm: a whole number, or a float."""
    return int(value) if value.denominator == 1 else float(value)
