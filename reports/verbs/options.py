"""Options that several verbs share, with one wording."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Json = Annotated[bool, Parameter(name="--json", negative="", help="One JSON document on stdout.")]
Identity = Annotated[str, Parameter(name="ID", help="Id of a statement, as `fedbounds list` prints it.")]
Identities = Annotated[
    str, Parameter(name="ID", help="Ids of statements, modules or papers; all statements without any.")
]
Set = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        consume_multiple=True,
        negative="",
        help="NAME=VALUE, any number of them; the value is a number or a fraction a/b.",
    ),
]
Constants = Annotated[
    Path | None,
    Parameter(
        name="--constants",
        help="JSON or TOML file of constants, {name: number} or {name: {value, ...}}; --set overrides it.",
    ),
]
Variant = Annotated[
    str | None,
    Parameter(name="--variant", help="printed or amended; without it the form whose number is true."),
]
