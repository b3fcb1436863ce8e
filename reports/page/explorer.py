"""The data of the explorer: each statement's own expressions as a program that the page's script runs.

The program is the one that `evaluate` runs (`bounds.arithmetic.program`), so the page has no second formula.
Its outputs are, in order: the terms, the value, both sides of each condition, the derived quantities, and
what is known without the statement, where that is a formula of the same inputs.
"""

from collections.abc import Collection, Iterable, Sequence
from math import isfinite
from typing import Any

from sympy import Expr, Min

from bounds.arithmetic.program import Operation, Program, Summand, compile_expressions
from bounds.errors import Misuse
from bounds.evaluation.free_bound import known_before_any_run
from bounds.evaluation.resolve import Resolved, names_in, resolve_with, substitution
from bounds.language.condition import Condition
from bounds.language.expression import condition_text, text
from bounds.language.part import Of
from bounds.language.quantity import Domain, Quantity
from bounds.language.statement import AMENDED, Kind, Statement
from reports.documents.description import observables
from verify.ledger.true_form import choose_form
from verify.privacy.conventions import CONVENTIONS
from verify.privacy.formulas import formula
from verify.privacy.utility import RULES

SHARED = ("rounds", "steps", "local_steps")  # settings that every algorithm counts alike
SHORT = 40  # characters of a formula beside its value
ALIKE = {"steps": "rounds", "largest_component_smoothness": "smoothness"}  # at least, for the latter
Plain = dict[str, Any]


def forms(statements: Sequence[Statement]) -> list[Plain]:
    """Every form with a point at which it can be evaluated; the explorer opens there."""
    from bounds.discovery import variants

    found = (form for statement in statements for form in (variants(statement.id) or (statement,)))
    explorers = (explored(form) for form in found)
    return [one for one in explorers if one is not None]


def explored(form: Statement) -> Plain | None:
    """One form as data; None where its author gave no example, or one that does not fit."""
    resolved = _resolve_example(form)
    if resolved is None:
        return None
    limits = _limits(form, resolved)
    free = _free(form, resolved)
    outputs = [
        *(term.expression for term in form.terms),
        form.right,
        *(side for _, sides in limits for side in sides),
        *(expression for _, expression in resolved.derived),
        *([] if free is None else [free]),
    ]
    program = compile_expressions(outputs, substitution(form, frozenset(form.example)))
    if _has_sums(program) or not set(program.inputs) <= form.example.keys():
        return None
    return {
        "id": form.id,
        "form": form.variant,
        "title": form.title,
        "unit": form.unit,
        "inputs": _inputs(form, program.inputs),
        "sizes": _sizes(form, program.inputs),
        **_claim(form),
        "terms": [{"name": term.name, "pays": term.pays_for} for term in form.terms],
        "conditions": [_condition(c) for c, _ in limits],
        "derived": [name for name, _ in resolved.derived],
        "formulas": _formulas(form),
        "rule": _rule(form, {name for name, _ in resolved.derived}, program.inputs),
        "free": free is not None,
        "operations": [_operation(one) for one in program.operations],
        "outputs": list(program.outputs),
        "printed": list(form.printed),
    }


def _resolve_example(form: Statement) -> Resolved | None:
    if not form.evaluable or not form.example:
        return None
    try:
        unset = form.evaluate(**form.example).unset
        return None if unset else resolve_with(form, form.example)[1]
    except Misuse:  # an installed package's example need not fit its statement
        return None


def _claim(form: Statement) -> Plain:
    """What the number is about, and why it is not to be relied on where `eval` takes another form."""
    from bounds.discovery import variants

    is_judged = form.variant != AMENDED and variants(form.id)
    chosen, why = choose_form(form.id) if is_judged else (form, None)
    bounded = form.kind in (Kind.UPPER_BOUND, Kind.RATE)
    return {
        "relation": "An upper bound of" if bounded else "The value of",
        "left": "" if form.left is None else text(form.left),
        "measures": [] if form.left is None else [[o.name, o.meaning] for o in observables(form, form.left)],
        "doubt": why or "",
        "instead": chosen.variant != form.variant,
    }


def _has_sums(program: Program) -> bool:
    """Whether it adds up over rounds, for which the page has no operation."""
    return any(isinstance(one.parameter, Summand) for one in program.operations)


def _limits(form: Statement, resolved: Resolved) -> list[tuple[Condition, tuple[Expr, Expr]]]:
    """The conditions, then the domains of what is derived, whose quantities the example gives."""
    known = form.example.keys()
    pairs = list(zip(form.conditions, resolved.conditions, strict=True))
    pairs += [(condition, (expression, condition.limit)) for condition, expression in resolved.domains]
    return [(c, sides) for c, sides in pairs if all(names_in(side) <= known for side in sides)]


def _free(form: Statement, resolved: Resolved) -> Expr | None:
    """The smallest free bound that the inputs decide, as `eval` has it."""
    symbols = {symbol.name: symbol for expression in _read(form) for symbol in expression.free_symbols}
    known = form.example.keys() | {name for name, _ in resolved.derived}
    decided = [
        k.expression.xreplace({s: symbols.get(s.name, s) for s in k.expression.free_symbols})
        for k in known_before_any_run(form)
        if names_in(k.expression) <= known
    ]
    return Min(*decided, evaluate=False) if decided else None


def _read(form: Statement) -> list[Expr]:
    """Expressions whose symbols are those that the inputs and what is derived go by."""
    chosen = [side for choice in form.choices for side in (choice.symbol, choice.expression)]
    defined = [side for one in form.where for side in (one.symbol, one.expression)]
    return [*(term.expression for term in form.terms), *chosen, *defined]


def _condition(condition: Condition) -> Plain:
    return {
        "id": condition.id,
        "text": condition_text(condition),
        "strict": condition.relation.strict,
        "upper": condition.relation.upper,
    }


def _inputs(form: Statement, names: Iterable[str]) -> list[Plain]:
    known = form.notation.quantities
    out = []
    for name in names:
        quantity = known.get(name)
        domain = quantity.domain if quantity is not None else Domain()
        out.append(
            {
                "name": name,
                "meaning": "" if quantity is None else quantity.meaning,
                "unit": "" if quantity is None else str(quantity.dimension),
                "value": float(form.example[name]),
                "low": domain.lower if isfinite(domain.lower) else None,
                "high": domain.upper if isfinite(domain.upper) else None,
                "open": [not domain.lower_included, not domain.upper_included],
                "whole": domain.integer,
            }
            | _part(form, name, quantity)
        )
    return out


def _part(form: Statement, name: str, quantity: Quantity | None) -> Plain:
    """What the number is of the problem, the start or the rounds, so that two statements can share it.

    Other settings are those of one algorithm. A noise has its convention: two noises of one unit are equally
    private where the accountant's multiplier, the sampling and the rounds are the same.
    """
    noise = _noise(form, name)
    if noise:
        return noise
    part = None if quantity is None else quantity.part
    shared = part is not None and (part.of in (Of.CONSTANT, Of.START) or part.name in SHARED)
    if part is None or not shared or part.times != 1 or part.root:
        return {}
    names = {ALIKE.get(name, name) for name in (part.name, part.or_else) if name}
    return {"parts": sorted(names)} | ({"more": part.more} if part.more else {})


def _formulas(form: Statement) -> dict[str, str]:
    """Show the prescriptions that are short: a user who has the value then knows what to move."""
    written = {choice.symbol.name: text(choice.expression) for choice in form.choices}
    return {name: formula_ for name, formula_ in written.items() if len(formula_) <= SHORT}


def _noise(form: Statement, name: str) -> Plain:
    """The convention under which the form is judged; nothing for what is no noise."""
    conventions = [c for c in CONVENTIONS.get(form.paper.key, ()) if c.symbol == name]
    own = [c for c in conventions if c.named or c.named_with in form.example]
    chosen = max(own, key=lambda c: bool(c.named_with), default=None)
    return {} if chosen is None else {"noise": chosen.unit, "powers": dict(chosen.powers)}


def _rule(form: Statement, derived: Collection[str], inputs: Collection[str]) -> Plain | None:
    """Find the noise that the rule of a form in epsilon derives, and the open constant that moves it."""
    rule = RULES.get(form.paper.key)
    if rule is None or rule.noise not in derived or rule.constant not in inputs:
        return None
    power = formula(form.paper.key).power
    return {"name": rule.noise, "constant": rule.constant, "power": power, **_noise(form, rule.noise)}


def _sizes(form: Statement, names: Sequence[str]) -> dict[str, list[str]]:
    """The inputs whose product is each number that a convention takes powers of, where they are inputs."""
    known = form.notation.quantities
    parts = {q.part.name: name for name in names if (q := known.get(name)) is not None and q.part is not None}
    wanted: dict[str, tuple[str, ...]] = {
        "dimension": ("dimension",),
        "rounds": ("rounds",),
        "drawn": ("clients_per_round",),
    }
    if "clients_per_round" not in parts:
        wanted["drawn"] = ("participation.independent", "clients")
    return {size: [parts[p] for p in of] for size, of in wanted.items() if all(p in parts for p in of)}


def _operation(one: Operation) -> list[Any]:
    """[name, arguments, parameter]; an exact number becomes the nearest float, as it does in `evaluate`."""
    parameter = one.parameter
    if one.name == "number":
        parameter = float(parameter)
    elif one.name == "power":
        parameter = [parameter.numerator, parameter.denominator]
    elif one.name == "add":
        parameter = list(parameter)
    return [one.name, list(one.arguments), *([] if parameter is None else [parameter])]
