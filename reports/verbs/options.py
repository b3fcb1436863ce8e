"""Options that several verbs share, with one wording; how their words become numbers and paths."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from cyclopts import Token

MOST_WORKERS = 256  # all of them start at once


def whole(_: type, tokens: "Sequence[Token]") -> int:
    """Every option that is a whole number is read here."""
    from reports.inputs import numerals

    return numerals.whole(tokens[0].value, tokens[0].keyword or "the value")


def real(_: type, tokens: "Sequence[Token]") -> float:
    """Every option that is a number is read here."""
    from reports.inputs import numerals

    return numerals.number(tokens[0].value, tokens[0].keyword or "the value")


def place(_: type, tokens: "Sequence[Token]") -> Path:
    """Every option that is a file or a folder is read here: a name that something can have."""
    from reports.errors import BadOption

    text, name = tokens[0].value, tokens[0].keyword
    if not text:
        raise BadOption(f"{name or 'the path'} needs the name of a file or a folder, and it is empty")
    try:
        mode = os.stat(text).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):  # one may be read for ever, and none replaced
            raise BadOption(f"{name or 'the path'} cannot be {text}: it is a device")
    except (FileNotFoundError, NotADirectoryError):
        pass  # it is said where it matters
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise BadOption(f"{name or 'the path'} cannot be {text}: {why}") from error
    return Path(text)


Json = Annotated[
    bool, Parameter(name="--json", negative="", help="Print one JSON document to standard output.")
]
Identity = Annotated[str, Parameter(name="ID", help="Id of a statement, as printed by `fedbounds list`.")]
Identities = Annotated[
    str, Parameter(name="ID", help="Ids of statements, modules or papers. Default: all statements.")
]
Set = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        consume_multiple=True,
        negative="",
        help="One or more NAME=VALUE pairs; a value is a number or a fraction such as 1/3.",
    ),
]
Constants = Annotated[
    Path | None,
    Parameter(
        name="--constants",
        converter=place,
        help="JSON or TOML file: {name: number} or {name: {value, ...}}. --set overrides it.",
    ),
]
On = Annotated[
    str,
    Parameter(
        name="--on",
        help="Where to run: `local`, `dask` (a Dask cluster started here) or dask://HOST:PORT.",
    ),
]
Variant = Annotated[
    str | None,
    Parameter(
        name="--variant",
        help="`printed` or `amended`. Default: amended if the printed form is known to be wrong.",
    ),
]


AccountantName = Annotated[
    Literal["pld", "rdp", "exact"] | None,
    Parameter(
        name="--accountant",
        help="Accountant that computes the constant (c or q) that the paper leaves open.",
    ),
]
RelationName = Annotated[
    Literal["add-or-remove", "replace-one"] | None,
    Parameter(name="--relation", help="Neighboring relation; required with --accountant."),
]
SamplingWord = Annotated[
    str | None,
    Parameter(
        name="--sampling",
        help="Client sampling if the statement has none: full, independent:P or fixed_size:M/N.",
    ),
]
Dimension = Annotated[
    str | None,
    Parameter(name="--dimension", help="Dimension of the model, an integer, if the statement has none."),
]


def check_seed(seed: int) -> None:
    from reports.errors import BadOption

    if seed < 0:
        raise BadOption(f"--seed must be an integer >= 0, but is {seed}")


def check_workers(workers: int) -> None:
    from reports.errors import BadOption

    if not 1 <= workers <= MOST_WORKERS:
        raise BadOption(f"--workers must be an integer from 1 to {MOST_WORKERS}, but is {workers}")
