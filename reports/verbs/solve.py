"""`fedbounds solve`: find the value of a quantity that reaches a target."""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from reports.cli import exits, terminal
from reports.cli.terminal import Page
from reports.documents import json_border
from reports.verbs.options import (
    AccountantOfConstant,
    Constants,
    DimensionOfConstant,
    Identity,
    Json,
    RelationOfConstant,
    SamplingOfConstant,
    Set,
    Variant,
)

if TYPE_CHECKING:
    from bounds.solve import Solution
    from reports.documents.types.privacy import PrivacyAtAPoint

For = Annotated[str | None, Parameter(name="--for", help="Name of the quantity to find.")]
Target = Annotated[
    str | None,
    Parameter(help="Number, in the bound's unit: require bound <= TARGET. Default: find the largest --for."),
]
Over = Annotated[
    str | None,
    Parameter(help="Quantities to choose so that the bound is smallest, separated by commas."),
]


def run(
    identity: Identity,
    /,
    *,
    unknown: For = None,
    target: Target = None,
    set: Set = None,
    constants: Constants = None,
    minimize_over: Over = None,
    accountant: AccountantOfConstant = None,
    relation: RelationOfConstant = None,
    sampling: SamplingOfConstant = None,
    dimension: DimensionOfConstant = None,
    variant: Variant = None,
    json: Json = False,
) -> int:
    """Find the value of a quantity, such as K, eta or sigma, that reaches a target."""
    from reports.inputs.numbers import assignments, separated
    from reports.inputs.numerals import number
    from reports.verbs.eval import collect
    from verify.ledger.true_form import trusted

    statement, note = trusted(identity, variant)
    over = _names(minimize_over)
    wanted = None if target is None else number(target, "--target")
    sought = {unknown, *over}
    found_in_file = sought - assignments(set).keys()  # what a plan chose, another number is asked for
    collected = collect(statement, set, constants)
    kept = {name: value for name, value in collected.items() if name not in found_in_file}
    given, more = separated(statement, kept)
    _check(statement, unknown, over, given)
    words = {"accountant": accountant, "relation": relation, "sampling": sampling, "dimension": dimension}
    found = _solve(statement, note, unknown, wanted, over, given, words)
    solution, given, over = found.solution, found.given, (*over, *found.chosen)
    body = _body(statement, solution, unknown, wanted, over, given | more)
    body |= {"note": note, "chosen": list(found.chosen)} | _informed(statement, solution, given, more)
    body |= {"quotient": _divided(statement, solution, given, smallest=unknown is None and wanted is None)}
    body |= {"privacy": found.privacy} if found.privacy else {}
    terminal.write(json_border.document("solve", body) if json else str(_page(statement, body)))
    return exits.OK if solution.found else exits.OPEN


class _Found(NamedTuple):
    """A solution, with what was given or counted for it and the inputs that were chosen."""

    solution: "Solution"
    given: dict[str, float]
    privacy: "PrivacyAtAPoint | None"
    chosen: tuple[str, ...]


def _solve(
    statement: Any,
    note: str | None,
    unknown: str | None,
    wanted: float | None,
    over: tuple[str, ...],
    given: dict[str, float],
    words: dict[str, str | None],
) -> _Found:
    from bounds.solve import solve, unsolved
    from reports.documents.counted_constant import counted
    from reports.inputs.statements import telling_the_form
    from verify.privacy.errors import Unaccountable

    try:
        given, privacy = counted(statement, given, words, None)
        chosen = _chosen(statement, unknown, wanted, over, given)
        with telling_the_form(statement, note, [*given, *over, *chosen, *filter(None, [unknown])]):
            return _Found(solve(statement, unknown, wanted, given, (*over, *chosen)), given, privacy, chosen)
    except Unaccountable as error:
        return _Found(unsolved(f"refused: no accountant proves this privacy: {error}"), given, None, ())


def _names(text: str | None) -> tuple[str, ...]:
    from reports.errors import BadOption

    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(names) != len({*names}):
        raise BadOption(f"--minimize-over takes different names separated by commas, not {text!r}")
    return names


def _check(statement: Any, unknown: str | None, over: tuple[str, ...], given: Any) -> None:
    """Refuse what is wrong in the request before anything is computed."""
    from bounds.errors import OverdeterminedQuantity, UnknownName, nearest
    from bounds.evaluation.resolve import names_taken
    from reports.errors import BadOption

    asked = ((unknown,) if unknown is not None else ()) + over
    known, taken = statement.notation.quantities, names_taken(statement)
    for name in asked:
        if name not in known:
            raise UnknownName(f"{statement.id} has no quantity {name}: {nearest(name, taken)}")
        if name in given:
            raise OverdeterminedQuantity(f"{name} is to be found, so it may not be set")
    if unknown in over:
        raise BadOption(f"{unknown} is named by --for and by --minimize-over; keep one")


def _chosen(
    statement: Any, unknown: str | None, target: float | None, over: tuple[str, ...], given: Any
) -> tuple[str, ...]:
    """The statement's own free parameters that nothing sets; one whole number at most can be chosen."""
    from bounds.solve.free import free_parameters
    from reports.errors import BadOption

    if unknown is not None and target is None:
        return ()
    asked = {*over} | ({unknown} if unknown is not None else set())
    table = statement.notation.quantities
    free = free_parameters(statement, {*given, *asked}) if statement.evaluable else ()
    counts = [name for name in (*asked, *free) if table[name].domain.integer]
    chosen = tuple(name for name in free if name not in counts[1:])
    if not asked and not (chosen and _complete(statement, {*given, *chosen})):
        raise BadOption("say what to find: --for NAME with --target VALUE, or --minimize-over NAMES")
    return chosen


def _complete(statement: Any, names: set[str]) -> bool:
    """Whether the value needs nothing else."""
    from bounds.evaluation.resolve import resolve_with

    return bool(resolve_with(statement, names)[1].required <= names)


def _informed(statement: Any, solution: Any, given: dict[str, float], more: dict[str, float]) -> Any:
    """The free bound at the solution, and whether the bound is below it."""
    from bounds.evaluation.evaluate import Evaluation
    from bounds.evaluation.free_bound import FreeBound, Informed
    from bounds.evaluation.resolve import resolve_with
    from reports.documents import informative

    values = {**given, **solution.values}
    _, resolved = resolve_with(statement, values)
    if not solution.found or not resolved.required <= values.keys():
        unknown = FreeBound(value=None, reason="there is no value to compare")
        none = Informed(free=unknown, informative=None, reason=unknown.reason)
        return informative.plain(None, none, statement.unit)
    return informative.document(Evaluation(statement, resolved, values, ()), more)


def _body(
    statement: Any,
    solution: Any,
    unknown: str | None,
    target: float | None,
    over: tuple[str, ...],
    given: Any,
) -> dict[str, Any]:
    from reports.documents.description import finding
    from reports.documents.evaluation import checked_condition
    from verify.ledger.true_form import findings

    body = {
        "id": statement.id,
        "variant": statement.variant,
        "for": unknown,
        "target": target,
        "minimize_over": list(over),
        "inputs": given,
        "found": bool(solution.found),
        "solution": dict(solution.values) if solution.found else None,
        "certified": solution.certified,
        "value": solution.value,
        "unit": statement.unit,
        "best": solution.best,
        "best_at": dict(solution.values) if solution.values and not solution.found else None,
        "binding_conditions": [checked_condition(c) for c in solution.binding],
        "blocked_by": [checked_condition(c) for c in solution.blocked_by],
        "sentence": solution.sentence,
        "findings": [finding(f) for f in findings(statement)],
    }
    return body | ({} if solution.found else {"reason": solution.sentence})


def _divided(statement: Any, solution: Any, given: dict[str, float], *, smallest: bool) -> Any:
    """The bound over the coefficient of what it bounds, where that takes what was found and is above 0."""
    from bounds.solve.quotient import divide

    found = divide(statement, frozenset(given), tuple(solution.values)) if solution.found else None
    if found is None or not solution.value:
        return None
    over = float(found.statement.evaluate(**given, **solution.values).value)
    if not 0 < over < float("inf"):
        return None
    return {
        "observable": found.observable,
        "coefficient": solution.value / over,
        "value": over,
        "unit": found.unit,
        "smallest": smallest,
    }


def _weighed(quotient: Any) -> str:
    from reports.documents.units import with_unit

    value = with_unit(f"{quotient['value']:.6g}", quotient["unit"])
    smallest = quotient["smallest"]
    because = ", which the choice makes smallest" if smallest else "; the target is for the bound itself"
    return (
        f"over {quotient['coefficient']:.6g}, the coefficient of {quotient['observable']} on the left: "
        f"{value}{because}"
    )


def _page(statement: Any, body: dict[str, Any]) -> Page:
    from reports.documents.description import notes_that_matter
    from reports.documents.informative import line
    from reports.documents.units import with_unit

    page = Page()
    page.title(statement.title)
    page.paragraph(f"{body['id']}, {statement.locator}, {body['variant']}", indent=0)
    page.heading("Solution" if body["found"] else "No solution")
    if body["found"]:
        page.columns_of((name, f"{value:.10g}") for name, value in body["solution"].items())
    page.paragraph(body["sentence"])
    if body["value"] is not None:
        value = with_unit(f"{body['value']:.6g}", body["unit"])
        page.paragraph(f"bound there: {value}")
        if body["quotient"]:
            page.paragraph(_weighed(body["quotient"]))
        page.paragraph(line(body))
    if body["chosen"]:
        page.paragraph(f"chosen too, since nothing sets them: {', '.join(body['chosen'])}")
    if not body["certified"]:
        page.paragraph("found by search, not certified")
    for key, title in (("binding_conditions", "At their limit"), ("blocked_by", "What blocks it")):
        if body[key]:
            page.heading(title)
            page.columns_of((c["id"], c["text"]) for c in body[key])
    if body["note"] or body["findings"]:
        page.heading("Notes")
        if body["note"]:
            page.item(body["note"])
        for sentence in notes_that_matter(body["findings"], statement.locator):
            page.item(sentence)
    return page
