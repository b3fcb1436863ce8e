"""An answer as plain data, and the way back: a file is read, rebuilt from its setting and checked again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, final

from bounds import discovery
from bounds.language.statement import Statement
from verify.json_numbers import close, is_number
from verify.worst_case.checker import NotACertificate, attained_value
from verify.worst_case.equal_quadratics import equal_quadratics
from verify.worst_case.errors import NotAWorstCase
from verify.worst_case.instance import Attained, Quadratic
from verify.worst_case.instance_run import measured
from verify.worst_case.long_quadratics import followed_in_integers
from verify.worst_case.methods.document import has_changed, method_as_data, reread_method
from verify.worst_case.methods.setting import MethodSetting
from verify.worst_case.numbers import digits_above, digits_below, rational, rounded_down, rounded_up
from verify.worst_case.quadratic_instance import followed
from verify.worst_case.question import COUNTS, class_fields, complete
from verify.worst_case.setting import ProblemClass, Setting
from verify.worst_case.statements import question
from verify.worst_case.verdict import HOLDS, judged
from verify.worst_case.worst import WorstCase, points_program, solved_program, upper_end

SCHEMA = "fedbounds/worst/1"
OF_A_METHOD = {"algorithm", "values", "method"}  # fields of a setting that the table of the method holds


@final
@dataclass(frozen=True, slots=True)
class Reread:
    agrees: bool
    sentence: str


def described(found: WorstCase) -> dict[str, Any]:
    """Both ends, the certificate by the names of its constraints, and the instance with its run."""
    small = solved_program(found.setting)
    multipliers = [
        {"constraint": small.constraints[i].name, "multiplier": str(y)} for i, y in found.multipliers.items()
    ]
    method = found.setting if isinstance(found.setting, MethodSetting) else None
    return {
        "setting": as_text(found.setting),
        **({} if method is None else {"method": method_as_data(method)}),
        "observable": found.setting.observable,
        "upper": rounded_up(found.upper),
        "upper_exact": str(found.upper),
        "lower": None if found.lower is None else rounded_down(found.lower),
        "lower_exact": None if found.lower is None else str(found.lower),
        "exact_class": found.setting.is_exact_class,
        "all_pairs": found.setting.has_all_pairs,
        "certificate": {"multipliers": multipliers, "block_sizes": [*small.blocks]},
        "instance": _instance(found.setting, found.attained),
    }


def _instance(setting: ProblemClass, attained: Attained | None) -> dict[str, Any] | None:
    if attained is None and setting.has_exact_noise:
        return None
    return _functions(setting, attained) | _run_of(setting, attained)


def _run_of(setting: ProblemClass, attained: Attained | None) -> dict[str, Any]:
    found = measured(setting, attained)
    return {
        "measured": found.mean,
        "standard_error": found.standard_error,
        "replicates": found.replicates,
    }


def _functions(setting: ProblemClass, attained: Attained | None) -> dict[str, Any]:
    if attained is None:
        assert isinstance(setting, Setting)
        return {"dimensions": [1], "curvature": str(equal_quadratics(setting).curvature)}
    if attained.quadratic is not None:
        return _quadratic_instance(attained.quadratic)
    return {
        "dimensions": [len(rows[0]) if rows else 0 for rows in attained.coordinates],
        "vectors": [[[str(entry) for entry in row] for row in rows] for rows in attained.coordinates],
        "values": [str(value) for value in attained.values],
    }


def _quadratic_instance(quadratic: Quadratic) -> dict[str, Any]:
    """Its run is followed from these numbers in fractions too, so neither points nor values are kept."""
    return {
        "dimensions": [len(quadratic.start), len(quadratic.spread)],
        "hessian": [[str(entry) for entry in row] for row in quadratic.hessian],
        "start": [str(entry) for entry in quadratic.start],
        "spread": [str(entry) for entry in quadratic.spread],
    }


def as_text(setting: ProblemClass) -> dict[str, Any]:
    """Counts as numbers, other numbers as exact text; what is not assumed is left out."""
    given = {f.name: getattr(setting, f.name) for f in fields(setting) if f.name not in OF_A_METHOD}
    return {
        name: value if isinstance(value, int | str) else str(value)
        for name, value in given.items()
        if value is not None and value is not False
    }


def is_worst_case(data: Any) -> bool:
    return isinstance(data, dict) and data.get("schema") == SCHEMA


def reread(data: Mapping[str, Any]) -> Reread:
    """Rebuild the program from the setting, check both ends exactly, and run the instance again."""
    if data.get("answered") is not True:
        raise NotAWorstCase("the file holds no worst case, only the reason why there is none")
    setting = _setting(data)
    if isinstance(setting, MethodSetting) and has_changed(setting):
        return Reread(False, f"the code of {setting.algorithm} no longer makes the recorded points")
    try:
        upper = upper_end(setting, _multipliers(setting, _table(data, "certificate")))
    except NotACertificate as error:
        return Reread(False, f"the certificate proves nothing: {error}")
    if str(upper) != data.get("upper_exact") or rounded_up(upper) != data.get("upper"):
        return Reread(
            False, f"the certificate proves {float(upper):.12g}, which is not the recorded upper end"
        )
    if isinstance(setting, Setting) and not setting.has_exact_noise:
        return _reread_equal_quadratics(setting, data, upper)
    if data.get("instance") is None:
        agrees = (data.get("lower_exact"), data.get("lower")) == (None, None)
        return Reread(agrees, f"certified at most {digits_above(upper, 12)}, no instance, checked again")
    return _reread_instance(setting, data, upper)


def reread_statement(data: Mapping[str, Any]) -> Reread:
    """The same for the answer about a statement, whose setting, bound and verdict follow from its values."""
    found = reread(data)
    if not found.agrees or data.get("bound_exact") is None:
        return found
    given = {name: rational(value) for name, value in _table(data, "given").items()}
    statement = discovery.get(str(data.get("target")), str(data.get("variant")))
    asked = question(statement, given)
    if as_text(asked.setting) != data["setting"] or asked.failed:
        return Reread(False, "the setting is not the one that the statement is about at these values")
    if str(asked.bound) != data["bound_exact"] or float(asked.bound) != data.get("bound"):
        return Reread(False, f"the bound is {float(asked.bound):.12g}, which is not the recorded one")
    lower = data["lower_exact"]
    ends = rational(data["upper_exact"]), None if lower is None else rational(lower)
    verdict = judged(asked.bound, *ends, exact_class=asked.setting.is_exact_class)
    if verdict != data.get("verdict"):
        return Reread(False, f"the verdict is {verdict}, which is not the recorded one")
    return Reread(True, f"{found.sentence}; the bound is {float(asked.bound):.12g}: {verdict}")


def judge_other_form(data: Mapping[str, Any], statement: Statement) -> str | None:
    """The verdict that the two ends of a file give on another form; None where it asks something else."""
    given = {name: rational(value) for name, value in _table(data, "given").items()}
    asked = question(statement, given)
    if as_text(asked.setting) != data["setting"]:
        return None
    if asked.failed:
        return HOLDS
    lower = data["lower_exact"]
    ends = rational(data["upper_exact"]), None if lower is None else rational(lower)
    return judged(asked.bound, *ends, exact_class=asked.setting.is_exact_class)


def found_in(data: Mapping[str, Any]) -> WorstCase:
    """The worst case of a file that agrees."""
    setting = _setting(data)
    lower, instance = data["lower_exact"], data["instance"]
    return WorstCase(
        setting=setting,
        upper=rational(data["upper_exact"]),
        multipliers=_multipliers(setting, data["certificate"]),
        attained=_attained(setting, instance) if instance is not None and setting.has_exact_noise else None,
        lower=None if lower is None else rational(lower),
    )


def _reread_equal_quadratics(setting: Setting, data: Mapping[str, Any], upper: Fraction) -> Reread:
    """Where noise is not described exactly the lower end is that of equal quadratics."""
    lower = equal_quadratics(setting).observable
    if (data.get("lower_exact"), data.get("lower")) != (str(lower), rounded_down(lower)):
        return Reread(
            False, f"equal quadratics attain {float(lower):.12g}, which is not the recorded lower end"
        )
    below = f"equal quadratics attain {digits_below(lower, 12)}"
    return _confirmed(setting, None, _table(data, "instance"), lower) or Reread(
        True, f"certified at most {digits_above(upper, 12)}, {below}, both checked again"
    )


def _reread_instance(setting: ProblemClass, data: Mapping[str, Any], upper: Fraction) -> Reread:
    table = _table(data, "instance")
    try:
        attained = _attained(setting, table)
        lower = attained.objective * setting.unit
    except NotACertificate as error:
        return Reread(False, f"the instance is not of the class: {error}")
    if str(lower) != data.get("lower_exact") or rounded_down(lower) != data.get("lower"):
        return Reread(False, f"the instance attains {float(lower):.12g}, which is not the recorded lower end")
    if (unlike := _confirmed(setting, attained, table, lower)) is not None:
        return unlike
    both = f"certified at most {digits_above(upper, 12)}, attained {digits_below(lower, 12)}"
    return Reread(True, f"{both}, both checked again")


def _attained(setting: ProblemClass, table: Mapping[str, Any]) -> Attained:
    """The instance, with its objective computed again; raises NotACertificate if it is not of the class."""
    if isinstance(setting, Setting) and setting.quadratic:
        rows = tuple(map(_rationals, _lists(table, "hessian")))
        start, spread = _rationals(table.get("start")), _rationals(table.get("spread"))
        follow = followed_in_integers if setting.is_spectral else followed
        return follow(setting, Quadratic(hessian=rows, start=start, spread=spread))
    coordinates = tuple(tuple(map(_rationals, rows)) for rows in _lists(table, "vectors"))
    values = _rationals(table.get("values"))
    objective = attained_value(points_program(setting), coordinates, values)
    return Attained(coordinates=coordinates, values=values, objective=objective)


def _confirmed(
    setting: ProblemClass, attained: Attained | None, table: Mapping[str, Any], lower: Fraction
) -> Reread | None:
    """Run the instance again; None if it measures what is recorded, and what it attains in fractions."""
    found, recorded = measured(setting, attained), table.get("measured")
    if recorded is None or not is_number(recorded) or not close(found.mean, recorded):
        return Reread(False, "the run of the instance measures another value than the recorded one")
    if not found.confirms(setting, lower):
        return Reread(
            False, f"the run of the instance measures {found.mean:.12g}, and it attains {float(lower):.12g}"
        )
    return None


def _setting(data: Mapping[str, Any]) -> ProblemClass:
    """The setting of a file, checked as one that a user types."""
    table = _table(data, "setting")
    if table.get("quadratic") not in (None, True):
        raise NotAWorstCase("quadratic is true, or left out")
    convex, observable = rational(table.get("curvature")) >= 0, str(table.get("observable"))
    if "method" in data:
        described = class_fields(_numbers(table, MethodSetting), {}, convex=convex)
        return reread_method(_table(data, "method"), described | {"observable": observable})
    numbers = _numbers(table, Setting)
    for name in ("clients", "local_steps", "rounds", "local_step"):
        if name not in numbers:
            raise NotAWorstCase(f"the setting lacks {name}")
    return complete(numbers, {}, observable, convex=convex, quadratic=table.get("quadratic") is True)


def _numbers(table: Mapping[str, Any], kind: type[ProblemClass]) -> dict[str, Fraction]:
    """The numbers that a user types, with mu in place of the curvature."""
    if unknown := sorted(table.keys() - {f.name for f in fields(kind)} | table.keys() & OF_A_METHOD):
        raise NotAWorstCase(f"the setting has an unknown entry {unknown[0]}")
    given = {n: value for n, value in table.items() if n not in ("observable", "curvature", "quadratic")}
    numbers = {
        name: Fraction(v) if name in COUNTS and type(v) is int else rational(v) for name, v in given.items()
    }
    curvature = rational(table.get("curvature"))
    if curvature > 0:
        numbers["mu"] = curvature
    if curvature < 0 and numbers.get("L") != -curvature:
        raise NotAWorstCase("the curvature of a class without convexity must be -L")
    return numbers


def _multipliers(setting: ProblemClass, table: Mapping[str, Any]) -> dict[int, Fraction]:
    small = solved_program(setting)
    places = {form.name: index for index, form in enumerate(small.constraints)}
    found: dict[int, Fraction] = {}
    for entry in _lists(table, "multipliers"):
        name = entry.get("constraint") if isinstance(entry, dict) else None
        if type(name) is not str or name not in places or places[name] in found:
            raise NotACertificate(f"no constraint, or one that is named twice: {name}")
        found[places[name]] = rational(entry.get("multiplier"))
    return found


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    if not isinstance(found, dict):
        raise NotAWorstCase(f"the file has no table named {name}")
    return found


def _lists(data: Mapping[str, Any], name: str) -> Sequence[Any]:
    found = data.get(name)
    if not isinstance(found, list):
        raise NotAWorstCase(f"the file has no list named {name}")
    return found


def _rationals(texts: object) -> tuple[Fraction, ...]:
    if not isinstance(texts, list):
        raise NotAWorstCase("the vectors and the values of an instance must be lists of numbers")
    return tuple(map(rational, texts))
