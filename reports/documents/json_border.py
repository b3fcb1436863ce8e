"""The JSON border, outwards: everything that a verb knows as plain data with a schema."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any


def document(verb: str, body: Mapping[str, Any]) -> str:
    """One document, with its schema's name; non-finite numbers are null with a reason beside them."""
    import msgspec

    content = plain({"schema": f"fedbounds/{verb}/1", **body})
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def plain(value: Any) -> Any:
    """Dataclasses, enums, arrays and fractions as what JSON has."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Fraction):
        return plain(float(value))
    if is_dataclass(value) and not isinstance(value, type):
        return _object({f.name: getattr(value, f.name) for f in fields(value)})
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, list | tuple | set | frozenset):
        ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [plain(item) for item in ordered]
    if hasattr(value, "tolist"):  # numpy's arrays and scalars
        return plain(value.tolist())
    return str(value)


def _object(mapping: Mapping[Any, Any]) -> dict[str, Any]:
    out = {str(key): plain(value) for key, value in mapping.items()}
    reasons = [f"{key} is {word}" for key, item in mapping.items() if (word := not_finite(item))]
    if reasons and not out.get("reason"):
        out["reason"] = "; ".join(reasons)
    return out


def not_finite(value: Any) -> str | None:
    """In words why a number cannot be written; None for everything that can."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return "not a number" if math.isnan(value) else ("infinite" if value > 0 else "minus infinite")
    if isinstance(value, list | tuple):
        return next((f"partly {word}" for item in value if (word := not_finite(item))), None)
    return None
