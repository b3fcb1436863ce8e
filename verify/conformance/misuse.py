"""Refusals of what a comparison with a listing takes no value for."""

from collections.abc import Mapping
from typing import Any

from synthetic.errors import BadValue


def refuse_settings(like: str, settings: Mapping[str, Any]) -> BadValue:
    return BadValue(
        asked=f"conform --as {like}",
        failed="its settings are chosen here, so that wrong lines show",
        found=", ".join(settings),
        needed="no values of settings",
        change="leave them out; they are for the algorithms of packages",
    )


def refuse_claim(like: str) -> BadValue:
    return BadValue(
        asked=f"conform --as {like}",
        failed="epsilon is computed for noise of clients that are drawn, once a round",
        found="a claim",
        needed="a claim for dp_fedavg or dp_norm_fedavg alone",
        change="leave it out; `fedbounds privacy epsilon` computes it for other mechanisms",
    )
