"""What Flower, Opacus and pfl do beside the listings of the papers, read by `conform` from their own code.

    python benchmarks/frameworks.py

It needs the extra `frameworks` and writes benchmarks/frameworks.md. A framework that cannot be imported is
named and left out.
"""

import logging
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from machine import machine

from synthetic.errors import BadValue
from verify import conform
from verify.conformance.meaning import Claim

REPORT = Path(__file__).with_suffix(".md")
TARGETS = (
    ("flower:server", "dp_fedavg"),
    ("flower:client", "dp_fedavg"),
    ("flower:equal", "dp_fedavg"),
    ("opacus:poisson", "dpfl"),
    ("pfl:gaussian", "dp_fedavg"),
)
# the noise of the sum has the deviation of a round's clients times noise_scale: a multiplier of 1
CLAIM = Claim(clients=100, clients_per_round=10, threshold=1.0, noise_scale=0.1, rounds=50, delta=1e-5)


def section(target: str, like: str) -> list[str]:
    try:
        found = conform(target, like=like, claim=CLAIM if like == "dp_fedavg" else None)
    except BadValue as error:
        return [f"## {target}", "", f"Left out: {error}", ""]
    text = [
        f"## {target} as {like}",
        "",
        "| line | listing | verdict | measured | expected | cause |",
        "|---|---|---|---|---|---|",
    ]
    for line in found.lines:
        one = line.observation
        cells = (
            line.line.locator,
            line.line.text,
            one.verdict.value,
            _short(one.measured),
            _short(one.expected),
            one.cause or "",
        )
        text.append("| " + " | ".join(cells) + " |")
    first = found.applicable[0]
    text += ["", "Constants that mend a line, by line: " + _mended(first["by_line"]), ""]
    if found.privacy is not None:
        text += [
            f"- {name}: {_epsilon(found.privacy[name])}" for name in ("claimed", "measured", "as_server")
        ]
        ratio = found.privacy["multiplier_measured"] / found.privacy["multiplier_claimed"]
        text += [f"- noise multiplier, measured over claimed: {ratio:.3f}", ""]
    return text


def _mended(by_line: dict[str, str | None]) -> str:
    return "; ".join(f"{line}: {text or 'none'}" for line, text in by_line.items()) or "nothing differs"


def _short(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_short(item) for item in value)
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)


def _epsilon(answer: dict[str, object]) -> str:
    if answer["epsilon"] is None:
        return f"no epsilon: {answer['reason']}"
    return f"epsilon {answer['epsilon']:.4g} at delta {answer['delta']:g}"


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} is not installed"


def main() -> None:
    logging.disable(logging.WARNING)
    versions = ", ".join(_version(name) for name in ("flwr", "opacus", "pfl"))
    text = [
        "# Frameworks beside the listings",
        "",
        f"`python benchmarks/frameworks.py`, {date.today()}, {machine()['cpu']}; {versions}.",
        "",
        "The claim: 100 clients, 10 in a round, threshold 1, noise multiplier 1, 50 rounds, delta 1e-5.",
        "Clients of",
        "`flower:server` and `flower:client` have 3 to 9 data points, and each other target weights alike.",
        "What the numbers mean is in docs/frameworks.",
        "",
    ]
    for target, like in TARGETS:
        text += section(target, like)
    REPORT.write_text("\n".join(text), encoding="utf-8")
    if "Left out" in "\n".join(text):
        sys.exit("a framework was left out")


if __name__ == "__main__":
    main()
