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


def convert_integer(_: type, tokens: "Sequence[Token]") -> int:
    """Every option that is a whole number is read here."""
    from reports.inputs import numerals

    return numerals.read_integer(tokens[0].value, tokens[0].keyword or "the value")


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


def take_whole_number(help: str) -> Parameter:
    return Parameter(converter=convert_integer, help=help)


def take_number(help: str) -> Parameter:
    return Parameter(converter=real, help=help)


def take_path(help: str) -> Parameter:
    return Parameter(converter=place, help=help)


def take_words(help: str) -> Parameter:
    """Every word up to the next option."""
    return Parameter(consume_multiple=True, negative="", help=help)


def take_flag(help: str) -> Parameter:
    """It is off unless it is named, so there is no `--no-` form."""
    return Parameter(negative="", show_default=False, help=help)


Json = Annotated[bool, take_flag("Print one JSON document to standard output.")]
Identity = Annotated[str, Parameter(name="ID", help="Id of a statement, as printed by `fedbounds list`.")]
Identities = Annotated[
    str, Parameter(name="ID", help="Ids of statements, modules or papers. Default: all statements.")
]
Set = Annotated[
    list[str] | None,
    take_words("One or more NAME=VALUE pairs; a value is a number or a fraction such as 1/3."),
]
Constants = Annotated[
    Path | None,
    take_path("JSON or TOML file: {name: number} or {name: {value, ...}}. --set overrides it."),
]
Problem = Annotated[
    str, Parameter(help="Problem such as quadratic.small, a bundled data set or a data file.")
]
Seed = Annotated[int, take_whole_number("Random seed, an integer >= 0. Equal seeds give equal numbers.")]
RunReplicates = Annotated[int, take_whole_number("Number of independent runs, an integer.")]
Workers = Annotated[int, take_whole_number("Number of parallel processes, from 1 to 256.")]
On = Annotated[
    str,
    Parameter(help="Where to run: `local`, `dask` (a Dask cluster started here) or dask://HOST:PORT."),
]
Variant = Annotated[
    str | None,
    Parameter(help="`printed` or `amended`. Default: amended if the printed form is known to be wrong."),
]

# ---- privacy
Accountant = Literal["pld", "rdp", "exact"]
Relation = Literal["add-or-remove", "replace-one"]
AccountantOfConstant = Annotated[
    Accountant | None,
    Parameter(help="Accountant that computes the constant (c or q) that the paper leaves open."),
]
RelationOfConstant = Annotated[
    Relation | None, Parameter(help="Neighboring relation; required with --accountant.")
]
DeltaOfTarget = Annotated[float | None, take_number("Delta of the target, between 0 and 1; with --epsilon.")]
RelationOfTarget = Annotated[
    Relation | None, Parameter(help="Neighboring relation; required with --epsilon.")
]
SamplingOfConstant = Annotated[
    str | None,
    Parameter(help="Client sampling if the statement has none: full, independent:P or fixed_size:M/N."),
]
DimensionOfConstant = Annotated[
    str | None, Parameter(help="Dimension of the model, an integer, if the statement has none.")
]


def check_seed(seed: int) -> None:
    from reports.errors import BadOption

    if seed < 0:
        raise BadOption(f"--seed must be an integer >= 0, but is {seed}")


def check_workers(workers: int) -> None:
    from reports.errors import BadOption

    if not 1 <= workers <= MOST_WORKERS:
        raise BadOption(f"--workers must be an integer from 1 to {MOST_WORKERS}, but is {workers}")
