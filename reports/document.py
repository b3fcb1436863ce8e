"""The verbs as Python functions: the same words as on the command line, and its JSON document as a dict.

A call goes through the parser of the command line, so that an option means the same in both, and a wrong one
is refused with the same sentence.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, final

from bounds.language import view
from reports.cli import terminal
from reports.command_line import GROUPS, VERBS, application, calls_an_author, sentence

if TYPE_CHECKING:
    from cyclopts import App

SHORT = 60  # characters of a value


@final
@dataclass(frozen=True, slots=True)
class Verb:
    """`fedbounds.errata("dp_fedavg")`; a group has commands: `fedbounds.privacy.epsilon(...)`."""

    words: tuple[str, ...]

    def __call__(self, *names: object, **options: object) -> "Document":
        """The document that `--json` prints; misuse raises `bounds.errors.Misuse` with one sentence.

        `fedbounds.conform` takes a function or an Algorithm in the place of its name as well.
        """
        if self.words == ("conform",) and names and callable(code := getattr(names[0], "round", names[0])):
            from reports.verbs.conform import given

            with given(names[0], code) as target:
                return document([*self.words, *_arguments((target, *names[1:]), options), "--json"])
        return document([*self.words, *_arguments(names, options), "--json"])

    def __getattr__(self, command: str) -> "Verb":
        if command.startswith("_") or len(self.words) > 1 or self.words[0] not in GROUPS:
            raise AttributeError(f"fedbounds.{'.'.join(self.words)} has no attribute {command!r}")
        return Verb((*self.words, command))

    def __repr__(self) -> str:
        return f"<fedbounds.{'.'.join(self.words)}: {VERBS[self.words[0]]}>"


@final
class Document(dict[str, Any]):
    """A dict that shows in one line what it holds, and as a table in a notebook."""

    def __repr__(self) -> str:
        return f"<{self.get('schema', 'document')}: {', '.join(self._summarize())}>"

    def _summarize(self) -> Iterator[str]:
        for key, value in self.items():
            if key == "schema" or value is None or value == "":
                continue
            if isinstance(value, list | dict):
                yield f"{key} ({len(value)})"
            else:
                text = " ".join(str(value).split())
                yield f"{key} {text if len(text) <= SHORT else text[:SHORT] + '...'}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """IPython would print a dict item by item."""
        printer.text(repr(self))

    def _repr_html_(self) -> str | None:
        return view.html(self)


def document(arguments: list[str]) -> Document:
    if not calls_an_author(arguments):
        return Document(json.loads(_written(arguments)))
    from verify.workers.watched import watched

    return Document(json.loads(watched(_written, arguments)))


def _written(arguments: list[str]) -> str:
    from cyclopts import CycloptsError

    from bounds.errors import Misuse

    with terminal.captured() as written:
        try:
            _application()(arguments, exit_on_error=False, print_error=False, help_on_error=False)
        except CycloptsError as error:
            raise Misuse(sentence(error)) from None  # the parser's own frames explain nothing
    return "".join(written)


@cache
def _application() -> "App":
    return application()


def _arguments(names: tuple[object, ...], options: Mapping[str, object]) -> list[str]:
    """Options in the order given, but those with several values last: they take all words after them.

    A list of names is its names.
    """
    from bounds.errors import Misuse

    lists = (name if isinstance(name, list | tuple) else (name,) for name in names)
    out = [str(name) for several_names in lists for name in several_names]
    strange = [word for word in out if word.startswith("-")]
    if strange:
        raise Misuse(f"{strange[0]} is an option: give it by name, without the dashes")
    several: list[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
        elif isinstance(value, Mapping | list | tuple):
            several += [flag, *_words(value)]
        else:
            out.append(f"{flag}={value}")
    return out + several


def _words(value: Mapping[Any, Any] | list[Any] | tuple[Any, ...]) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}={number}" for name, number in value.items()]
    return [str(word) for word in value]
