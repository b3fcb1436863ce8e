"""How a run is computed, apart from what it computes."""

from dataclasses import dataclass
from typing import Any, Literal, final, get_args

from synthetic.checks import one_of
from synthetic.errors import WrongPlan
from synthetic.randomness import Numbers, PlacedNumbers, TensorNumbers

Backend = Literal["numpy", "torch"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """device is a name of torch, such as "cpu" or "cuda:0"; numpy computes on the "cpu" only."""

    backend: Backend = "numpy"
    device: str = "cpu"

    def __post_init__(self) -> None:
        one_of("backend", self.backend, get_args(Backend))
        if self.backend == "numpy" and self.device != "cpu":
            raise _wrong(self.device, "numpy computes on the cpu", 'set backend="torch"')

    def numbers(self, *, seed: int, stream: str, replicates: int) -> Numbers:
        drawn = PlacedNumbers(seed=seed, stream=stream, replicates=replicates)
        if self.backend == "numpy":
            return drawn
        return TensorNumbers(source=drawn, device=_device(self.device))


def _device(name: str) -> Any:
    import torch

    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise _wrong(name, f"torch cannot use it: {reason}", 'use "cpu" or install a fitting torch') from None
    return device


def _wrong(device: str, failed: str, change: str) -> WrongPlan:
    return WrongPlan(
        asked="device", failed=failed, found=repr(device), needed="a device of the backend", change=change
    )
