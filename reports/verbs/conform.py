"""`fedbounds conform`: does a user's code implement the listing of an algorithm?"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import Json, check_seed, take_whole_number, take_words

if TYPE_CHECKING:
    from verify.conformance.conform import Conformance
    from verify.conformance.meaning import Claim

ANSWERS = ("claimed", "measured", "as_server")
CLAIMED = ("clients", "clients_per_round", "threshold", "noise_scale", "rounds", "delta")

# what a caller in Python gave in the place of a name; the command line has names only
_GIVEN: ContextVar[tuple[str, Any] | None] = ContextVar("given", default=None)


@contextmanager
def given(target: Any, code: Any) -> Iterator[str]:
    """Within it, `run` with the name that this yields checks this function or Algorithm."""
    name = f"{code.__module__}:{getattr(code, '__qualname__', type(code).__qualname__)}"
    token = _GIVEN.set((name, target))
    try:
        yield name
    finally:
        _GIVEN.reset(token)


def _code(target: str) -> Any:
    held = _GIVEN.get()
    return held[1] if held is not None and held[0] == target else target


Target = Annotated[
    str,
    Parameter(
        name="TARGET",
        help="MODULE:FUNCTION of the current folder or an installed package, or an adapter. It is run.",
    ),
]
As = Annotated[str, Parameter(help="Algorithm to compare with, such as dp_fedavg or als_dpfl.")]
Library = Annotated[
    Literal["numpy", "torch"], Parameter(help="Library of the function; an Algorithm states its own.")
]
ClaimOption = Annotated[
    list[str] | None, take_words("Settings to compute epsilon for, NAME=VALUE: " + ", ".join(CLAIMED) + ".")
]
At = Annotated[
    list[str] | None,
    take_words("Settings at which code is compared with an algorithm of a package, NAME=VALUE."),
]
Seed = Annotated[int, take_whole_number("Random seed of the runs, an integer >= 0.")]


def run(
    target: Target,
    /,
    *,
    as_: As,
    library: Library = "numpy",
    claim: ClaimOption = None,
    set_: At = None,
    seed: Seed = 20240601,
    json: Json = False,
) -> int:
    """Run your code on functions that separate right from wrong; report each line of the listing."""
    from reports.errors import UnusableRun
    from reports.inputs.problems import settings as assigned
    from synthetic.errors import BadValue, UnknownAlgorithm
    from verify.conformance.conform import conform

    check_seed(seed)
    claimed = None if claim is None else _claim(claim)
    progress = terminal.Progress()
    try:
        found = conform(
            _code(target),
            as_,
            library=library,
            claim=claimed,
            settings=assigned(set_),
            seed=seed,
            progress=progress,
        )
    except (BadValue, UnknownAlgorithm) as error:
        raise UnusableRun(str(error)) from error
    finally:
        progress.close()
    if json:
        terminal.write(json_border.document("conform", body(target, found)))
    else:
        terminal.write(str(_page(target, found)))
    return exits.REFUTED if found.differing else exits.OK if found.agrees else exits.OPEN


def _claim(words: list[str]) -> "Claim":
    """The settings that epsilon is asked for, all of them or a refusal."""
    from reports.errors import BadAssignment, BadOption
    from reports.inputs.numerals import number, read_integer
    from verify.conformance.meaning import Claim

    pairs = dict(word.partition("=")[::2] for word in words)
    if len(pairs) < len(words):
        raise BadAssignment("--claim names a setting twice")
    if set(pairs) != set(CLAIMED):
        raise BadOption(f"--claim needs exactly {', '.join(CLAIMED)}, but has {', '.join(pairs) or 'none'}")
    counts = {name: read_integer(pairs[name], name) for name in ("clients", "clients_per_round", "rounds")}
    reals = {name: number(pairs[name], name) for name in ("threshold", "noise_scale", "delta")}
    if min(counts.values()) < 1 or counts["clients_per_round"] > counts["clients"]:
        raise BadOption("--claim needs 1 <= clients_per_round <= clients and rounds >= 1")
    if not (min(reals.values()) > 0 and reals["delta"] < 1 and max(reals.values()) < float("inf")):
        raise BadOption("--claim needs a threshold and a noise_scale > 0 and a delta in (0, 1)")
    return Claim(
        clients=counts["clients"],
        clients_per_round=counts["clients_per_round"],
        rounds=counts["rounds"],
        threshold=reals["threshold"],
        noise_scale=reals["noise_scale"],
        delta=reals["delta"],
    )


def body(target: str, found: "Conformance") -> dict[str, Any]:
    """The keys that `fedbounds conform --json` promises."""
    return {
        "target": target,
        "algorithm": found.algorithm,
        "agrees": found.agrees,
        "lines": [
            {
                "locator": line.line.locator,
                "part": line.line.part,
                "text": line.line.text,
                "verdict": line.observation.verdict,
                "measured": line.observation.measured,
                "expected": line.observation.expected,
                "ratio": line.observation.ratio,
                "cause": line.observation.cause,
                "slip": line.observation.slip,
                "conversion": _words(line.observation.conversion),
                "because": line.observation.because,
            }
            for line in found.lines
        ],
        "privacy": found.privacy,
        "applicable": list(found.applicable),
        "runs": found.runs,
        "tried": list(found.tried),
        "untried": list(found.untried),
    }


def _words(conversion: Any) -> str | None:
    return None if conversion is None else str(conversion)


def _page(target: str, found: "Conformance") -> Page:
    page = Page()
    count = len(found.differing)
    verdict = f"{count} line{'s' * (count > 1)} differ{'s' * (count == 1)}"
    if not count:
        verdict = "agrees" if found.agrees else "no line differs, but some cannot be observed"
    page.title(f"{target} as {found.algorithm}: {verdict}")
    page.heading("Lines of the comparison" if found.tried else "Lines of the listing")
    for line in found.lines:
        observation = line.observation
        page.item(f"{observation.verdict.value:<14}  {line.line.locator}  {line.line.text}")
        if observation.verdict.value == "differs":
            page.paragraph(_difference(observation), indent=20)
            page.paragraph(f"cause: {observation.cause or 'none of those that are known'}", indent=20)
        if observation.because:
            page.paragraph(observation.because, indent=20)
    if count:
        lines = "the line that differs" if count == 1 else "the first of the lines that differ"
        page.paragraph(f"Next: mend {lines}, and run again. A line that a difference hides is read then.")
    for heading, sentences in (("What was run", found.tried), ("What is not seen", found.untried)):
        if sentences:
            page.heading(heading)
            for sentence in sentences:
                page.paragraph(sentence, indent=2)
    if found.privacy is not None:
        page.heading("Privacy at the claimed settings")
        page.columns_of((name, _epsilon(found.privacy[name])) for name in ANSWERS)
    page.heading("Statements of the catalog")
    for sentence, names in _statements(found).items():
        page.item(f"{sentence}:", ", ".join(names))
    bounds = [one for one in found.applicable if one["bound"] is not None]
    if bounds:
        page.heading("Bounds at the example of each statement")
        page.columns_of((one["id"], _bound(one["bound"])) for one in bounds)
    if not found.applicable:
        page.paragraph("no statement is about this algorithm")
    return page


def _difference(observation: Any) -> str:
    """Print as many digits as the numbers need to differ: equal ones are lengths of different movements."""
    measured, expected = observation.measured, observation.expected
    digits = next((n for n in (6, 9, 12) if _text(measured, n) != _text(expected, n)), None)
    if digits is None:
        return f"measured another movement of the same length, {_text(measured)}"
    ratio = "" if observation.ratio is None else f", ratio {observation.ratio:.{digits}g}"
    return f"measured {_text(measured, digits)}, expected {_text(expected, digits)}{ratio}"


def _text(value: Any, digits: int = 6) -> str:
    if isinstance(value, list):
        return ", ".join(_text(item, digits) for item in value)
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _epsilon(answer: Mapping[str, Any]) -> str:
    if answer["epsilon"] is None:
        return f"no epsilon: {answer['reason']}"
    return f"epsilon {answer['epsilon']:.4g} at delta {answer['delta']:g}, {answer['relation']}"


def _statements(found: "Conformance") -> dict[str, list[str]]:
    """The ids of the statements under the sentence that is true of them."""
    grouped: dict[str, list[str]] = {}
    for statement in found.applicable:
        sentence = "its algorithm is this code"
        if not statement["applies"]:
            sentence = f"does not apply, because {_without_constants(statement['by_line'])} differs"
        if statement["conversion"]:
            sentence = f"applies after a conversion of constants ({statement['conversion']})"
            if statement["bound"] is not None and statement["bound"]["leaves"]:
                sentence = "asks for constants that the code does not have: see its bound below"
        grouped.setdefault(sentence, []).append(statement["id"])
    return grouped


def _bound(bound: Mapping[str, Any]) -> str:
    """The bound at the constants given and at the code's own, or the condition that these violate."""
    moved = ", ".join(f"{name} {a:.6g} -> {b:.6g}" for name, (a, b) in bound["constants"].items())
    own = f"the code's own ({moved})" if moved else "the code's own"
    value = "none" if bound["own"] is None else f"{bound['own']:.6g}"
    leaves = f": {'; '.join(bound['leaves'])}" if bound["leaves"] else ""
    return f"{bound['printed']:.6g} at the constants given, {value} at {own}{leaves}{_name_form(bound)}"


def _name_form(bound: Mapping[str, Any]) -> str:
    """Which form's bound it is, where something grave is known of the printed one."""
    if bound["not_printed"] is None:
        return ""
    if bound["variant"] == "printed":
        return f" ({bound['not_printed']}, and no amended form is known)"
    return f" (the amended form, since {bound['not_printed']})"


def _without_constants(by_line: Mapping[str, str | None]) -> str:
    """The lines that no change of constants mends; the others with the constants that mend them."""
    with_constants = [f"{line} ({conversion})" for line, conversion in by_line.items() if conversion]
    open_ = [line for line, conversion in by_line.items() if not conversion]
    return ", ".join(open_) + (f"; besides, {', '.join(with_constants)}" if with_constants else "")
