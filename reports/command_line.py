"""The command `fedbounds`: its verbs, and how their errors are reported.

Verbs are named by import path and imported when they are called: `fedbounds --help` loads none of them.
"""

import gc
import sys
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, TextIO, cast

from reports.cli import exits, failures, terminal

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError
    from rich.console import Console

# In the order in which a new user needs them.
VERBS = {
    "list": "List statements with locator, kind, title and standing.",
    "show": "Show a statement as printed and as read: conditions, terms, units and findings.",
    "eval": "Evaluate a bound term by term and check its conditions.",
    "solve": "Find the value of a quantity, such as K, eta or sigma, that reaches a target.",
    "plan": "Choose a setting for a problem and a privacy target, and report what its bound is worth.",
    "constants": "Print every constant of a problem or data set; its JSON serves as --constants.",
    "run": "Run an algorithm on a problem and print its first and last measurements.",
    "privacy": "Compute noise for a privacy target, the epsilon of a noise, or a paper's open constant.",
    "compare": "Compare bounds with runs, with each other or over parameters; print CSV or draw figures.",
    "conform": "Compare your code with the listing of an algorithm, line by line.",
    "cite": "Print the BibTeX entry of the paper that a statement is from.",
    "audit": "Check statements without running anything: units, satisfiability, information.",
    "verify": "Run the standard experiments (cells), judge each and write a record.",
    "study": "Count, tabulate or merge many cells (experiments) over parameters and problems.",
    "falsify": "Search for a counterexample to a statement, inside its conditions.",
    "prove": "Replay the proof of a statement step by step, with certificates.",
    "worst": "Find the worst case over a class of problems, certified, and compare it with a bound.",
    "replay": "Run a record, a witness, a proof or a worst case again and compare.",
    "report": "Write HTML, Markdown and LaTeX from a record.",
    "errata": "List the defects found in the papers, gravest first.",
    "new": "Create a package for a theorem, a lemma, an algorithm or a problem of your own.",
    "doctor": "Report versions, extras, the device, the engine's settings and the papers found.",
}
# A first call, under the help of a verb; the commands of a group have theirs beside them.
EXAMPLES = {
    "list": "fedbounds list dp_fedavg",
    "show": "fedbounds show dp_fedavg.theorem_2",
    "eval": "fedbounds eval dp_fedavg.theorem_2 --example",
    "solve": "fedbounds solve textbook.gradient_descent_convex --for N --target 0.01 --set L=1 D0=1",
    "plan": (
        "fedbounds plan dp_fedavg.theorem_2 --problem quadratic.small --rounds 50 --epsilon 8 --delta 1e-5 "
        "--relation add-or-remove --run off"
    ),
    "constants": "fedbounds constants quadratic.small",
    "run": "fedbounds run gradient_descent --problem quadratic.small --set steps=20 step=0.5",
    "conform": "fedbounds conform my_code:my_round --as dp_fedavg",
    "cite": "fedbounds cite dp_fedavg.theorem_2",
    "audit": "fedbounds audit fed_norm_ec.lemma_1",
    "verify": "fedbounds verify fed_norm_ec.lemma_1 --out out",
    "falsify": "fedbounds falsify fed_norm_ec.lemma_1 --out witness.json",
    "prove": "fedbounds prove textbook.gradient_descent_convex",
    "worst": "fedbounds worst textbook.gradient_descent_convex --set L=1 D0=1 N=3",
    "replay": "fedbounds replay witness.json",
    "report": "fedbounds report out",
    "errata": "fedbounds errata dp_fedavg",
}
GROUPS = {"compare", "new", "privacy", "study"}  # these have commands of their own
# These call an author's functions, so that they are watched where a package is installed.
CALLING = {
    "audit",
    "compare",
    "conform",
    "constants",
    "errata",
    "falsify",
    "plan",
    "replay",
    "report",
    "run",
    "study",
    "verify",
    "worst",
}
# All but `doctor`, which measures with all threads, import packages, and an import may hang. In Python a call
# of the verbs that only import is not watched: it keeps what it has imported for the next one.
IMPORTING = VERBS.keys() - {"doctor"}

HELP = (
    "Evaluate, audit, run and refute convergence bounds of (private) federated optimization.\n\n"
    "Every verb accepts --json. Exit codes: 0 success; 1 violated, refuted or a failed recheck; "
    "2 misuse; 3 inconclusive, refused, not applicable or without solution. "
    "docs/errors.md explains a code such as [F006] at the end of an error."
)


def application() -> "App":
    from cyclopts import App

    app = App(
        name="fedbounds",
        help=HELP,
        version=version,
        help_format="plaintext",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        console=cast("Console", _ConsoleOnUse()),
    )
    for position, (verb, summary) in enumerate(VERBS.items()):
        member = "app" if verb in GROUPS else "run"
        more = {"help_epilogue": f"Example: {EXAMPLES[verb]}"} if verb in EXAMPLES else {}
        app.command(f"reports.verbs.{verb}:{member}", name=verb, help=summary, sort_key=position, **more)
    return app


class _ConsoleOnUse:
    """Rich's console, made when help is printed: its import is a twentieth of what `fedbounds list` takes."""

    @cached_property
    def console(self) -> "Console":
        return help_console()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.console, name)


def help_console() -> "Console":
    from rich.console import Console

    # `--help | head -1` is no error; rich would exit with 1
    return Console(file=cast("TextIO", terminal.Stdout()))


def version() -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("fedbounds")
    except PackageNotFoundError:
        return "not installed"


def main(arguments: Sequence[str] | None = None) -> None:
    # sympy and the papers stay as long as the process: looking for garbage while they load finds none
    gc.set_threshold(100_000, 20, 20)
    terminal.tolerate_any_encoding()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = _run_watched(words) if _can_be_shared() and calls_an_author(words, IMPORTING) else run(words)
    except KeyboardInterrupt as error:
        terminal.say(" ".join(("interrupted", *getattr(error, "__notes__", ()))))
        code = exits.INTERRUPTED
    except Exception:
        import traceback

        terminal.say(traceback.format_exc().rstrip())
        terminal.say(
            "This is a defect of fedbounds, not of your input; please report it with the lines above."
        )
        code = exits.CRASHED
    sys.exit(code)


def calls_an_author(arguments: Sequence[str], verbs: Collection[str] = CALLING) -> bool:
    """Whether the verb, one of these, may call functions of a package, or of the file that is compared."""
    from importlib.metadata import entry_points

    verb = arguments[0] if arguments else ""
    return verb == "conform" or (verb in verbs and bool(entry_points(group="fedbounds.papers")))


def _can_be_shared() -> bool:
    """Whether a child can write to both streams: one that only this process has, as in a test, it cannot."""
    try:
        return min(sys.stdout.fileno(), sys.stderr.fileno()) >= 0
    except (AttributeError, OSError, ValueError):  # closed, or no file
        return False


def _run_watched(arguments: Sequence[str]) -> int:
    """In a child, which is ended if a call in compiled code does not return."""
    from verify.workers.watched import watched

    return _with_sentences(arguments, lambda: watched(_run_onto, terminal.stdout(), arguments), [])


def _run_onto(stream: TextIO, arguments: Sequence[str]) -> int:
    with terminal.writing_to(stream):
        return run(arguments)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; misuse becomes one sentence on stderr and code 2, a refusal code 3."""

    def carry_out() -> object:
        return application()(list(arguments), exit_on_error=False, print_error=False, help_on_error=False)

    explained: list[str] = []
    code = _with_sentences(arguments, carry_out, explained)
    for left_out in failures.papers_left_out():
        if str(left_out) not in explained:
            terminal.refuse(left_out)
    return code


def _with_sentences(arguments: Sequence[str], carry_out: Callable[[], object], sentences: list[str]) -> int:
    """The code that it returns; in the place of an error a sentence, which is added to `sentences`."""
    from cyclopts import CycloptsError

    try:
        code = carry_out()
    except CycloptsError as error:
        terminal.refuse(sentence(error))
        return exits.MISUSE
    except MemoryError as error:
        terminal.refuse(_too_large(arguments, error))
        return exits.MISUSE
    except Exception as error:
        explained = _explain(error)
        if explained is None:
            raise
        terminal.refuse(explained)
        sentences.append(str(explained))
        return exits.OPEN if failures.is_refusal(error) else exits.MISUSE
    return code if isinstance(code, int) else exits.OK


def _explain(error: Exception) -> object:
    """A sentence if the user or the machine caused the error; None for a defect of fedbounds."""
    if isinstance(error, terminal.CannotPrint) or failures.is_misuse(error):
        return error
    return failures.of_the_machine(error) or failures.of_an_author(error)


def _too_large(arguments: Sequence[str], error: MemoryError) -> str:
    """The sentence for a lack of memory that no earlier check reported."""
    asked = " ".join(arguments)
    detail = f" ({error})" if str(error) else ""
    return f"`{asked}` needs more memory than there is{detail}; ask for less"


def sentence(error: "CycloptsError") -> object:
    from cyclopts import MissingArgumentError, UnusedCliTokensError

    if isinstance(error.__cause__, ValueError) and failures.is_misuse(error.__cause__):
        return error.__cause__  # of an option that reads its own word
    if _verb(error) in GROUPS and isinstance(error, MissingArgumentError | UnusedCliTokensError):
        return _without_command(error)
    if isinstance(error, UnusedCliTokensError):
        words = " ".join(error.unused_tokens or ())
        return f"unexpected {words}; `fedbounds {_verb(error)} --help` shows what it takes"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        hint = "; it comes before --set" if _has_set(error) and not name.startswith("-") else ""
        return f"{_verb(error)} needs {name}{hint}"
    return " ".join(str(error).split())


def _without_command(error: "CycloptsError") -> str:
    """A group that may do without a command, such as `compare --from`, was given another word, or nothing."""
    from bounds.errors import nearest

    names = () if error.app is None else error.app
    commands = sorted(name for name in names if not name.startswith("-"))
    if error.unused_tokens:
        word = error.unused_tokens[0]
        return f"{_verb(error)} has no command {word}; {nearest(word, commands)}"
    return f"{_verb(error)} needs one of its commands, {', '.join(commands)}, or --from"


def _has_set(error: "CycloptsError") -> bool:
    """--set takes all words after it, so what is named by its place may have gone into it."""
    known = () if error.target is None else signature(error.target).parameters
    return "set" in known or "set_" in known


def _verb(error: "CycloptsError") -> str:
    return " ".join(error.command_chain or ())


if __name__ == "__main__":
    main()
