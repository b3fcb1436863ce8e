"""Planted slips: small mutations of the literal implementations, the line that each breaks, and its cause."""

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from planted_replays import ADAPTIVE, COMMON, FEEDBACK, FIXED
from planted_texts import (
    CLIPPING,
    DESCENT,
    KEPT,
    LOCAL,
    NORMALIZED,
    PLAIN,
    PRIVATE,
    STOCHASTIC,
    STOCHASTIC_LOCAL,
)

from fedbounds import REQUIRED, Algorithm

LITERAL = Path(__file__).parent / "literal"
FILES = {
    "dp_fedavg": (("local_model", "private"), "private_round"),
    "dp_norm_fedavg": (("local_model", "private"), "private_round"),
    "fedavg": (("local_model", "plain"), "plain_round"),
    "stochastic_fedavg": (("stochastic_local",), "stochastic_local_round"),
    "gradient_descent": (("descent",), "descent_round"),
    "stochastic_gradient_descent": (("stochastic",), "noisy_round"),
    "dpfl": (("noisy_step", "noisy"), "noisy_round"),
    "als_dpfl": (("noisy_step", "adaptive"), "adaptive_run"),
    "fed_alpha_norm_ec": (("feedback",), "feedback_round"),
}
NORMALIZING = (
    (
        "u * min(1.0, threshold / max(np.linalg.norm(u), 1e-300))",
        "u * threshold / max(np.linalg.norm(u), 1e-300)",
    ),
    ("settings.clip_threshold", "settings.update_length"),
)


@dataclass(frozen=True)
class Planted:
    """`old` is replaced by `new`; slip: the cause's name, None if the catalogue does not have it."""

    algorithm: str
    name: str
    line: str
    slip: str | None
    old: tuple[str, ...]
    new: tuple[str, ...]


def function(folder, algorithm, old=(), new=()):
    """The literal implementation with these texts replaced, imported from a file of its own."""
    files, member = FILES[algorithm]
    text = "".join((LITERAL / f"{file}.py").read_text(encoding="utf-8") for file in files)
    for one, other in NORMALIZING if algorithm == "dp_norm_fedavg" else ():
        assert one in text
        text = text.replace(one, other)
    for one, other in zip(old, new, strict=True):
        assert text.count(one) == 1, (one, text.count(one))
        text = text.replace(one, other)
    module = imported(folder, files[-1], text)
    return _algorithm(module) if hasattr(module, "begin") else getattr(module, member)


def imported(folder, name, text):
    """The module of this text, from a file in the folder."""
    path = Path(folder) / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"planted_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


FEEDBACK_SETTINGS = (
    "local_steps",
    "local_step",
    "memory_step",
    "server_step",
    "smoothing",
    "probability",
    "noise_scale",
    "initial_memory",
)


def _algorithm(module):
    settings = dict.fromkeys(FEEDBACK_SETTINGS, REQUIRED)
    return Algorithm(round=module.feedback_round, begin=module.begin, settings=settings)


FIXED_LINES = {
    "clients": "3",
    "count": "4",
    "batch": "6",
    "clip": "9",
    "divisor": "10.b",
    "noise": "10.n",
    "step": "11",
    "average": "14",
    "start": "15",
}
ADAPTIVE_LINES = {
    "budget": "2",
    "estimate": "4",
    "count": "5",
    "batch": "7",
    "clip": "10",
    "divisor": "11.b",
    "noise": "11.n",
    "step": "12",
    "privacy": "13",
    "average": "16",
    "divergence": "17",
    "search": "19",
    "start": "20",
    "communication": "21",
}


def _numbered(lines, rows):
    return [(name, lines[part], *rest) for name, part, *rest in rows]


def _all():
    table = {
        "dp_fedavg": ("B.alg1", LOCAL + KEPT + PRIVATE + CLIPPING),
        "dp_norm_fedavg": ("B.alg2", LOCAL + PRIVATE + NORMALIZED),
        "fedavg": ("B.alg3", LOCAL + KEPT + PLAIN),
        "stochastic_fedavg": ("D.alg", STOCHASTIC_LOCAL),
        "gradient_descent": ("T", DESCENT),
        "stochastic_gradient_descent": ("T", STOCHASTIC),
        "dpfl": ("C.alg1", _numbered(FIXED_LINES, COMMON + FIXED)),
        "als_dpfl": ("C.alg2", _numbered(ADAPTIVE_LINES, COMMON + ADAPTIVE)),
        "fed_alpha_norm_ec": ("A.alg1", FEEDBACK),
    }
    for algorithm, (locator, rows) in table.items():
        threshold = "update_length" if algorithm == "dp_norm_fedavg" else "clip_threshold"
        for name, line, slip, old, new in rows:
            olds, news = ((text,) if isinstance(text, str) else text for text in (old, new))
            news = tuple(text.replace("settings.THRESHOLD", f"settings.{threshold}") for text in news)
            yield Planted(algorithm, name, f"{locator}.{line}", slip, olds, news)


PLANTED = tuple(_all())
