"""A linear method as plain data, and the way back."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verify.worst_case.errors import NotAWorstCase
from verify.worst_case.methods.linear import LinearMethod, Multiples, Question, is_close, read_method
from verify.worst_case.methods.question import check_method, is_method
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.numbers import rational


def method_as_data(setting: MethodSetting) -> dict[str, Any]:
    """The name and settings of the code, where it asks which client, and its iterates."""
    return {
        "algorithm": setting.algorithm,
        "values": dict(setting.values),
        "asked": [{"client": q.client, "at": _as_text(q.at)} for q in setting.method.asked],
        "iterates": [_as_text(at) for at in setting.method.iterates],
    }


def _as_text(multiples: Multiples) -> dict[str, str]:
    return {str(number): str(times) for number, times in multiples.items()}


def reread_method(data: Mapping[str, Any], described: Mapping[str, Any]) -> MethodSetting:
    """The question of a file, with the points that it records; `described` are the fields of the class."""
    algorithm = data["algorithm"]
    if not is_method(algorithm):
        raise NotAWorstCase(f"no installed package has the algorithm {algorithm}, whose run the file records")
    asked = [
        Question(client=one["client"], at=_multiples(one["at"], i)) for i, one in enumerate(data["asked"])
    ]
    iterates = [_multiples(one, len(asked)) for one in data["iterates"]]
    if not iterates or any(q.client >= described["clients"] for q in asked):
        raise NotAWorstCase("the method has no iterate, or asks a client that does not exist")
    method = LinearMethod(asked=tuple(asked), iterates=tuple(iterates))
    setting = MethodSetting(**described, algorithm=algorithm, values=data["values"], method=method)
    check_method(setting)
    return setting


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
    return not is_close(setting.method, read_method(setting.algorithm, setting.clients, setting.values))
