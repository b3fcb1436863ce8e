"""Measure the witnesses that the errata files name, and compare them with the numbers on file.

`python -m verify.ledger.witnesses` writes `verify/witnesses.json`.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, isfunction, signature
from typing import Any, final

import bounds
from bounds.authors import blamed
from bounds.discovery import installed
from bounds.errors import nearest
from bounds.installed_papers import registered
from bounds.language.finding import FindingClass
from bounds.language.statement import Kind
from verify.json_numbers import close
from verify.paper_modules import HOME, modules
from verify.progress import Progress, silent
from verify.records import refuted
from verify.records.errata import WITNESS, BrokenErrata, Erratum, our_errata
from verify.witness import Measured

Measure = Callable[[], Measured]
SIDES = ("left", "right")
AGAIN = "python -m verify.ledger.witnesses"


@final
@dataclass(frozen=True, slots=True)
class Witness:
    """A finding with the function that measures its evidence."""

    erratum: Erratum
    measure: Measure


@cache
def measures() -> dict[str, Measure]:
    """Every function of the witness files that can be called without arguments, by paper, file and name."""
    short = {f"{HOME}.": ""} | {f"{package}.": f"{key}." for key, package in installed().items()}
    return {
        f"{_short(module.__name__, short)}.{name}": function
        for module in modules("witnesses")
        for name, function in vars(module).items()
        if isfunction(function) and _needs_nothing(function)
    }


def _short(module: str, short: Mapping[str, str]) -> str:
    begin = next(begin for begin in short if module.startswith(begin))
    return (short[begin] + module.removeprefix(begin)).replace(".witnesses.", ".")


def _needs_nothing(function: Callable[..., Any]) -> bool:
    return all(p.default is not Parameter.empty for p in signature(function).parameters.values())


def all_witnesses() -> tuple[Witness, ...]:
    """The witnesses of our papers, in the order of the errata files."""
    return witnesses_of(our_errata())


def witnesses_of(errata: Iterable[Erratum]) -> tuple[Witness, ...]:
    return tuple(Witness(e, _measure(e)) for e in errata if e.kind == WITNESS)


def _measure(erratum: Erratum) -> Measure:
    known = measures()
    if erratum.evidence not in known:
        near = nearest(erratum.evidence, known)
        raise BrokenErrata(f"{erratum.source}: no witness is called {erratum.evidence}; {near}")
    return known[erratum.evidence]


def measurement(erratum: Erratum) -> dict[str, Any]:
    """Both sides of the witness that a finding names: on file of our papers, of a package measured now."""
    if erratum.paper in registered():
        return _measured_now(erratum)
    found = refuted.measurements().get(erratum.evidence)
    if found is None:
        raise BrokenErrata(
            f"{erratum.source}: no measurement of {erratum.evidence} is on file; run `{AGAIN}`"
        )
    return found


def _measured_now(erratum: Erratum) -> dict[str, Any]:
    return entry(measured(erratum))


@cache
def measured(erratum: Erratum) -> Measured:
    """What the witness of a package measures, which has no numbers on file; it must refute something."""
    try:
        found = _measure(erratum)()
    except Exception as error:
        if (blame := blamed(error)) is None:
            raise
        raise BrokenErrata(f"{erratum.source}: {erratum.evidence} cannot be measured: {blame}") from error
    if not isinstance(found, Measured):
        raise BrokenErrata(f"{erratum.source}: {erratum.evidence} returns no Measured, but {found!r:.80}")
    if not found.refutes:
        raise BrokenErrata(f"{erratum.source}: the witness refutes nothing: {found}")
    if erratum.grade is FindingClass.FALSE:
        _check_source(erratum, found)
    return found


def _check_source(erratum: Erratum, found: Measured) -> None:
    """A formula that can be computed is refuted by its own value, not by a number that somebody wrote."""
    statement = bounds.get(erratum.statement)
    if found.of == statement.id or statement.kind not in (Kind.UPPER_BOUND, Kind.EQUALITY):
        return
    how = "measured_on" if statement.concrete is not None else "at_a_point"
    about = f"measures {found.of}" if found.of else "returns numbers that are written by hand"
    raise BrokenErrata(
        f"{erratum.source}: {erratum.evidence} {about}; what refutes {statement.id} is "
        f'{how}("{statement.id}", ...), which computes it, or a file of `falsify`'
    )


def measured_again(witnesses: Sequence[Witness], progress: Progress = silent) -> list[tuple[str, bool, str]]:
    """(statement, agrees, sentence) of every finding with a witness; each function is called once."""
    done: dict[str, Measured] = {}
    out = []
    for number, witness in enumerate(witnesses):
        erratum = witness.erratum
        progress(number, len(witnesses), erratum.label)
        if erratum.evidence not in done:
            done[erratum.evidence] = witness.measure()
        now = done[erratum.evidence]
        agrees = now.refutes and _same(entry(now), measurement(erratum))
        sentence = f"{erratum.label}: {now.left:.6g} against {now.right:.6g}"
        out.append((erratum.statement, agrees, f"{sentence}, {'agrees' if agrees else 'differs'}"))
    return out


def _same(now: dict[str, Any], then: dict[str, Any]) -> bool:
    """Both sides up to roundings, and whether equality is claimed."""
    if now.keys() != then.keys() or now["equality"] is not then["equality"]:
        return False
    return all(close(now[side], then[side]) for side in SIDES)


def entry(found: Measured) -> dict[str, Any]:
    return {"left": found.left, "right": found.right, "equality": found.equality}


def make() -> None:
    """Refuse an instance that refutes nothing: its finding would be a sentence without evidence."""
    entries = {}
    for witness in all_witnesses():
        found = witness.measure()
        if not found.refutes:
            raise BrokenErrata(f"{witness.erratum.source}: the witness refutes nothing: {found}")
        entries[witness.erratum.evidence] = entry(found)
    text = json.dumps(dict(sorted(entries.items())), indent=1)
    refuted.MEASURED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
