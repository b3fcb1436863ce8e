"""A question about an author's linear method: its points, and the class of problems."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from verify.worst_case.methods.linear import LinearMethod
from verify.worst_case.setting import ProblemClass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSetting(ProblemClass):
    """`values` are the settings with which the algorithm was run, and the method is what it did."""

    algorithm: str
    values: Mapping[str, Any]
    method: LinearMethod

    @property
    def gradients(self) -> int:
        return len(self.method.asked)
