"""The short code of an error that users often meet; `docs/errors.md` has a paragraph on each."""

from typing import Final

# By the name of the class: looking up a class would import every package that has one.
CODES: Final = {
    "UnknownStatement": "F001",
    "UnknownName": "F002",
    "MissingQuantity": "F003",
    "PrescribedQuantity": "F004",
    "OverdeterminedQuantity": "F005",
    "OutOfDomain": "F006",
    "NotANumber": "F007",
    "BadAssignment": "F008",
    "UnreadableFile": "F009",
    "MalformedFile": "F010",
    "UnusableProblem": "F011",
    "UnusableRun": "F012",
    "NotEvaluable": "F013",
    "BadRequest": "F014",
    "MissingExtra": "F015",
}


def add_code(error: object) -> str:
    """The sentence of an error, with the code of the nearest class that has one."""
    names = (known.__name__ for known in type(error).__mro__)
    code = next((CODES[name] for name in names if name in CODES), None)
    return f"{error}" if code is None else f"{error} [{code}]"
