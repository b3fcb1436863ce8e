"""The answer of `fedbounds worst`: the worst case of an algorithm or a statement, beside its bound."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter
from typing import Any, final

import bounds
from bounds import discovery
from bounds.errors import UnknownStatement
from verify.json_numbers import differing
from verify.progress import Progress, silent
from verify.worst_case.document import (
    SCHEMA,
    Reread,
    described,
    found_in,
    reread_statement,
)
from verify.worst_case.errors import BadSetting, NoWorstCase
from verify.worst_case.instance_run import measured
from verify.worst_case.methods.question import is_method, method_setting
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.numbers import digits_above, digits_below, rational
from verify.worst_case.question import NAMES, REFUSED, setting_of
from verify.worst_case.setting import ALL_PAIRS
from verify.worst_case.statements import question
from verify.worst_case.verdict import HOLDS, OPEN, TIGHT, VIOLATED, judged
from verify.worst_case.worst import WorstCase, worst_case


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`found` is None if there is no worst case, and `sentence` says why; `bound` is that of a statement."""

    target: str
    variant: str | None
    sentence: str
    seconds: float
    found: WorstCase | None = None
    bound: Fraction | None = None
    terms: Mapping[str, Fraction] | None = None
    verdict: str | None = None
    given: Mapping[str, Fraction] | None = None

    @property
    def document(self) -> dict[str, Any]:
        """The keys that `fedbounds worst --json` promises."""
        found, bound = self.found, self.bound
        upper = None if found is None else found.upper
        lower = None if found is None else found.lower
        empty = {"setting": None, "observable": None, "upper": None, "upper_exact": None, "lower": None}
        empty |= {
            "lower_exact": None,
            "exact_class": None,
            "all_pairs": None,
            "certificate": None,
            "instance": None,
        }
        return {
            "target": self.target,
            "variant": self.variant,
            "answered": found is not None,
            "sentence": self.sentence,
            **(empty if found is None else described(found)),
            "given": None if self.given is None else {name: str(value) for name, value in self.given.items()},
            "bound": bound,
            "bound_exact": None if bound is None else str(bound),
            "terms": None if self.terms is None else [{"name": n, "value": v} for n, v in self.terms.items()],
            "ratio": None if not bound or not upper else bound / upper,
            "ratio_at_most": None if not bound or not lower else bound / lower,
            "verdict": self.verdict,
            "seconds": self.seconds,
        }


def worst(
    target: str,
    given: Mapping[str, Fraction],
    *,
    variant: str = "printed",
    observable: str | None = None,
    convex: bool = True,
    quadratic: bool = False,
    progress: Progress = silent,
) -> Answer:
    """The worst case of an algorithm, or of a statement under its own assumptions; bad input raises."""
    started = perf_counter()
    try:
        if target in NAMES or target in REFUSED:
            setting = setting_of(target, given, observable=observable, convex=convex, quadratic=quadratic)
            answer = _answer_for_setting(target, worst_case(setting, progress=progress))
        elif is_method(target) and not _is_statement(target):
            if quadratic:
                raise BadSetting(f"--quadratic is for {', '.join(NAMES)}, not for {target}")
            method = method_setting(target, given, observable=observable, convex=convex)
            answer = _answer_for_setting(target, _confirmed(worst_case(method, progress=progress)))
        else:
            if observable is not None or quadratic or not convex:
                raise BadSetting(
                    f"{target} says itself what is measured, and on which class; leave out --observe, "
                    "--nonconvex and --quadratic"
                )
            answer = _answer_for_statement(target, variant, given, progress=progress)
    except NoWorstCase as error:
        answer = Answer(target=target, variant=None, sentence=str(error), seconds=0.0)
    return replace(answer, seconds=perf_counter() - started)


def _confirmed(found: WorstCase) -> WorstCase:
    """The code of an author's method, run on the instance, has to attain what its points attain there."""
    if not isinstance(found.setting, MethodSetting) or found.attained is None:
        return found
    assert found.lower is not None
    run = measured(found.setting, found.attained)
    if run.confirms(found.setting, found.lower):
        return found
    raise NoWorstCase(
        f"{found.setting.algorithm} has no worst-case program: on an instance of the class its code measures "
        f"{run.mean:.6g}, and the fixed multiples of gradients that it seemed to follow attain "
        f"{digits_below(found.lower, 6)}"
    )


def _is_statement(target: str) -> bool:
    """A package may have a statement and an algorithm of one name: then the statement is meant."""
    try:
        return bool(discovery.variants(target))
    except UnknownStatement:
        return False


def _answer_for_setting(target: str, found: WorstCase) -> Answer:
    return Answer(target=target, variant=None, sentence=_ends(found), seconds=0.0, found=found)


def _answer_for_statement(
    target: str,
    variant: str,
    given: Mapping[str, Fraction],
    found: WorstCase | None = None,
    progress: Progress = silent,
) -> Answer:
    """`found` is the worst case in the setting of the statement, where it is known already."""
    statement = bounds.get(target, variant)
    asked = question(statement, given)
    if asked.failed:
        raise NoWorstCase(f"{statement.id} claims nothing here: {', '.join(asked.failed)} fails")
    found = _confirmed(worst_case(asked.setting, progress=progress)) if found is None else found
    verdict = judged(asked.bound, found.upper, found.lower, exact_class=found.setting.is_exact_class)
    return Answer(
        target=statement.id,
        variant=statement.variant,
        sentence=f"{_ends(found)}; {_SENTENCES[verdict](asked.bound, found)}",
        seconds=0.0,
        found=found,
        bound=asked.bound,
        terms=asked.terms,
        verdict=verdict,
        given=given,
    )


def reread_answer(data: Mapping[str, Any]) -> Reread:
    """Check the evidence of an answer that was read, and derive everything else that it says from that."""
    try:
        return _reread_answer(data)
    except NoWorstCase as error:
        return Reread(False, f"today the question has no answer: {error}")


def _reread_answer(data: Mapping[str, Any]) -> Reread:
    reread = reread_statement(data)
    if not reread.agrees:
        return reread
    found = found_in(data)
    if data.get("bound_exact") is None:
        ran = [found.setting.algorithm] if isinstance(found.setting, MethodSetting) else NAMES
        if data.get("target") not in ran:
            return Reread(False, f"no bound is recorded of {data.get('target')}, which is not what was run")
        again = _answer_for_setting(data["target"], found)
    else:
        given = {name: rational(value) for name, value in data["given"].items()}
        again = _answer_for_statement(data["target"], data["variant"], given, found)
    own = json.loads(json.dumps({"schema": SCHEMA, **again.document}, default=float))
    unlike = sorted({*differing(own, data)} - {"seconds"})
    return Reread(False, f"the file differs in {', '.join(unlike)}") if unlike else reread


def _ends(found: WorstCase) -> str:
    upper = f"the worst case is at most {digits_above(found.upper, 10)} (certified)"
    near = f"since beyond {ALL_PAIRS} local steps only near points are compared"
    if found.lower is None:
        if found.setting.has_all_pairs:
            return f"{upper}; no instance was made that attains it"
        return f"{upper}; it may be above the worst case, {near}, and no instance is sought"
    where = (
        ""
        if found.setting.is_exact_class
        else ", by an instance that meets the limit on the spread at its points"
    )
    if found.setting.follows_moments:
        lower = digits_below(found.lower, 10)
        return (
            f"{upper} and at least {lower} (attained by equal quadratics); the upper end may be above the "
            "worst case, since noise is known by its second moments alone"
        )
    ends = f"{upper} and at least {digits_below(found.lower, 10)} (attained{where})"
    return (
        ends if found.setting.has_all_pairs else f"{ends}; the upper end may be above the worst case, {near}"
    )


def _holding(bound: Fraction, found: WorstCase) -> str:
    times = f" and is {float(bound / found.upper):.6g} times it" if found.upper else ""
    clients = found.setting.clients
    of = f" with {clients} client{'s' * (clients > 1)}" if isinstance(found.setting, MethodSetting) else ""
    return f"the bound {float(bound):.10g} holds for every problem of the class{of}{times}"


_SENTENCES: dict[str, Callable[[Fraction, WorstCase], str]] = {
    HOLDS: _holding,
    VIOLATED: lambda bound, _: (
        f"the bound {float(bound):.10g} is below what the instance attains: it is false"
    ),
    TIGHT: lambda bound, found: (
        f"the bound {float(bound):.10g} lies between the two ends: it is {float(bound / found.upper):.10g} "
        "times the certified one, and tight"
    ),
    OPEN: lambda bound, _: (
        f"the bound {float(bound):.10g} is below the certified end, and no instance decides"
    ),
}
