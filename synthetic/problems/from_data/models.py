"""The problem that a data set makes: which model, how prepared, how spread over clients."""

from synthetic.arguments import one_of
from synthetic.data._refusal import number_in
from synthetic.data.splits import Rule, split
from synthetic.data.tables import Table, prepared
from synthetic.engine.arithmetic import Array
from synthetic.errors import BadValue, WrongArguments
from synthetic.problems.least_squares import HalfSquare, least_squares
from synthetic.problems.linear_models.model import LinearModel
from synthetic.problems.logistic import Logistic, logistic
from synthetic.problems.nonconvex_logistic import nonconvex_logistic
from synthetic.problems.softmax import Softmax, softmax

MODELS = ("auto", "logistic", "softmax", "least_squares", "nonconvex_logistic")
DEFAULT_STRENGTH = 0.1


def model_of(
    data: Table,
    rule: Rule,
    *,
    model: str = "auto",
    l2: float | None = None,
    strength: float | None = None,
    standardise: bool = True,
    intercept: bool = True,
) -> LinearModel:
    """The model for the data: least squares for numbers, logistic for two classes, softmax for more.

    l2 is 0 and the strength of the non-convex penalty 0.1 unless given; a model has one of the two.
    """
    one_of("model", model, MODELS)
    name = _model_for(data) if model == "auto" else model
    unwanted = {"l2": l2} if name == "nonconvex_logistic" else {"strength": strength}
    _refuse_given(name, unwanted)
    table = prepared(data, standardise=standardise, intercept=intercept)
    parts = split(table, rule)
    features, targets = [table.features[part] for part in parts], [table.targets[part] for part in parts]
    ridge = 0.0 if l2 is None else l2
    if name == "least_squares":
        _refuse_places(data)
        return least_squares(features, targets, l2=ridge)
    classes = _class_count(data, name)
    if name == "softmax":
        return softmax(features, targets, classes=classes, l2=ridge)
    labels: list[Array] = [2 * block - 1 for block in targets]  # the second class counts as 1
    if name == "logistic":
        return logistic(features, labels, l2=ridge)
    return nonconvex_logistic(features, labels, strength=DEFAULT_STRENGTH if strength is None else strength)


def _refuse_places(data: Table) -> None:
    """Classes are given by their places: 0 and 1 are as good as any two numbers, more must be their names."""
    called = [number_in(word) for word in data.classes or ()]
    if len(called) > 2 and called != list(range(len(called))):
        raise BadValue(
            asked=f"model least_squares of {data.name}",
            failed="the targets do not fit",
            found=f"{len(called)} classes",
            needed="numbers",
            change="choose softmax for classes, or task=numbers where the targets are numbers",
        )


def name_of(model: LinearModel) -> str:
    """The name under which a convex model can be asked for."""
    names = {HalfSquare: "least_squares", Logistic: "logistic", Softmax: "softmax"}
    return names[type(model.loss)]


def _model_for(data: Table) -> str:
    if data.classes is None:
        return "least_squares"
    return "logistic" if len(data.classes) == 2 else "softmax"


def _class_count(data: Table, name: str) -> int:
    found = 0 if data.classes is None else len(data.classes)
    if found < 2 or (found > 2 and name != "softmax"):
        raise BadValue(
            asked=f"model {name} of {data.name}",
            failed="the targets do not fit",
            found=("1 class" if found == 1 else f"{found} classes") if found else "numbers",
            needed="two or more classes" if name == "softmax" else "two classes",
            change="choose least_squares for numbers, softmax for many classes",
        )
    return found


def _refuse_given(name: str, unwanted: dict[str, float | None]) -> None:
    for argument, value in unwanted.items():
        if value is not None:
            raise WrongArguments(
                asked=f"model {name}",
                failed="it has no such argument",
                found=f"{argument} = {value}",
                needed="strength" if argument == "l2" else "l2",
                change=f"leave out {argument}, or choose another model",
            )
