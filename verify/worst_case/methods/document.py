"""A linear method as plain data, and the way back."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verify.worst_case.errors import NotAWorstCase
from verify.worst_case.methods.linear import LinearMethod, Place, Question, is_close
from verify.worst_case.methods.on_functions import read_confirmed_method
from verify.worst_case.methods.question import check_clients, check_method, is_method
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.numbers import rational
from verify.worst_case.question import check_class


def method_as_data(setting: MethodSetting) -> dict[str, Any]:
    """The name and settings of the code, where it asks which client, and its iterates."""
    return {
        "algorithm": setting.algorithm,
        "values": dict(setting.values),
        "asked": [{"client": q.client} | _as_text(q.at) for q in setting.method.asked],
        "iterates": [_as_text(at) for at in setting.method.iterates],
    }


def _as_text(place: Place) -> dict[str, dict[str, str]]:
    parts = {"own": place.own, "of_mean": place.of_mean}
    return {part: {str(n): str(times) for n, times in multiples.items()} for part, multiples in parts.items()}


def reread_method(data: Mapping[str, Any], described: Mapping[str, Any]) -> MethodSetting:
    """The question of a file, with the points that it records; `described` are the fields of the class."""
    algorithm = data["algorithm"]
    if not is_method(algorithm):
        raise NotAWorstCase(f"no installed package has the algorithm {algorithm}, whose run the file records")
    asked = [
        Question(client=one["client"], at=_place(one, before)) for before, one in enumerate(data["asked"])
    ]
    iterates = [_place(one, len(asked)) for one in data["iterates"]]
    check_clients(described["clients"])
    known = [{None}, {*range(described["clients"])}]
    if not iterates or not any({q.client for q in asked} <= clients for clients in known):
        raise NotAWorstCase("the method has no iterate, or asks a client that does not exist")
    method = LinearMethod(asked=tuple(asked), iterates=tuple(iterates))
    if any(at.own if method.is_alike else at.of_mean for at in iterates):
        raise NotAWorstCase("an iterate of the method is not a point of all clients")
    setting = MethodSetting(**described, algorithm=algorithm, values=data["values"], method=method)
    check_class(setting, convex=setting.has_minimizer, strong=setting.curvature > 0)
    check_method(setting)
    return setting


def _place(table: Mapping[str, Any], before: int) -> Place:
    return Place(_multiples(table["own"], before), _multiples(table["of_mean"], before))


def _multiples(table: Mapping[str, Any], before: int) -> dict[int, Fraction]:
    """Multiples of the gradients that were given before."""
    found: dict[int, Fraction] = {}
    for name, text in table.items():
        if name not in map(str, range(before)):
            raise NotAWorstCase(f"a point of the method contains a gradient that is not given before: {name}")
        found[int(name)] = rational(text)
    return found


def has_changed(setting: MethodSetting) -> bool:
    """Whether the code of the algorithm no longer makes the recorded points."""
    again = read_confirmed_method(setting.algorithm, setting.clients, setting.values, setting.scale)
    return not is_close(setting.method, again, setting.scale)
