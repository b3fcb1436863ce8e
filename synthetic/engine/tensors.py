"""Random numbers and data as tensors of torch: drawn by the host and moved, or drawn by a device itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from synthetic.engine.arithmetic import Array
from synthetic.engine.randomness import Place, PlacedNumbers, SameReplicates, SingleNumbers


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TensorNumbers(SameReplicates):
    """The same numbers as torch tensors: drawn by numpy and moved, so that both backends see one noise."""

    device: Any

    def normals(self, place: Place, width: int, clients: int | None = None) -> Array:
        return moved_to(self.device, self.source.normals(place, width, clients))

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Array:
        return moved_to(self.device, self.source.uniforms(place, width, clients))

    def array(self, data: Array) -> Array:
        return moved_to(self.device, self.source.array(data))


def moved_to(device: Any, data: Array) -> Array:
    import torch

    # annotated as an array throughout
    tensor: Any = torch.as_tensor(data.copy())  # torch does not take read-only memory without a warning
    if device.type == "cuda":  # from memory that stays where it is, so that the host need not wait
        tensor = tensor.pin_memory().to(device, non_blocking=True)
    elif device.type != "cpu":
        tensor = tensor.to(device)
    return tensor


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceNumbers(SameReplicates):
    """Numbers of the device's own generator, keyed by the place; data are moved.

    `rows` replicates are drawn at a time, so the numbers of one of them are a function of its place, of the
    plan and of the kind of device. Their law is that of the numbers of the host.
    """

    placed: PlacedNumbers
    device: Any
    rows: int

    def normals(self, place: Place, width: int, clients: int | None = None) -> Array:
        return self._filled(place, width, clients, "normal_", single=isinstance(self.source, SingleNumbers))

    def uniforms(self, place: Place, width: int, clients: int | None = None) -> Array:
        # in double precision always: what is compared with a probability must not become 1
        return self._filled(place, width, clients, "uniform_", single=False)

    def array(self, data: Array) -> Array:
        return moved_to(self.device, self.source.array(data))

    def _filled(self, place: Place, width: int, clients: int | None, fill: str, *, single: bool) -> Array:
        import torch

        drawn_at = [place.client] if clients is None else range(clients)
        shape, kind = (len(drawn_at), self.replicates, width), torch.float32 if single else torch.float64
        numbers, generator = torch.empty(shape, dtype=kind, device=self.device), torch.Generator(self.device)
        for client, rows in zip(drawn_at, numbers, strict=True):
            for start in range(0, self.replicates, self.rows):
                words = self.placed.key_of(place, client, (self.placed.first + start) // self.rows)
                generator.manual_seed(int(words[0]))
                draw: Callable[..., Any] = getattr(rows[start : start + self.rows], fill)
                draw(generator=generator)
        drawn: Any = numbers[0] if clients is None else numbers  # annotated as an array throughout
        return drawn
