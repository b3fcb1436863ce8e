"""Failures that are no defect of fedbounds: of what was asked, and of the machine that it was asked on."""

import errno
import sys

# The system's messages on limits and on media, each with what to do about it.
OF_SYSTEM = {
    errno.EMFILE: "too many open files; raise the limit (`ulimit -n`) or ask for fewer --workers",
    errno.ENFILE: "the system has too many open files; close some, or ask for fewer --workers",
    errno.ENOSPC: "no space is left on a device that is needed; free some",
    errno.EDQUOT: "the disk quota is used up; free some space",
    errno.EAGAIN: "the system starts no more processes or threads; ask for fewer --workers or --threads",
    errno.ENOMEM: "the system has no more memory; ask for less",
}
# Of the engine those that any verb may meet: the plan, the device and the extras are the user's, and
# so are the functions, packages and claims of an author.
MISUSE = {
    "bounds.errors": ("Misuse",),
    "bounds.installation": ("MixedInstallation",),
    "synthetic.errors": (
        "WrongPlan",
        "MissingExtra",
        "AuthorMistake",
        "BrokenPackage",
        "AmbiguousName",
        "FalseClaim",
    ),
}


def is_misuse(error: BaseException) -> bool:
    """Without importing `bounds`, and sympy with it, only to ask: what was raised has been imported."""
    loaded = [(sys.modules[module], names) for module, names in MISUSE.items() if module in sys.modules]
    return isinstance(error, tuple(getattr(module, name) for module, names in loaded for name in names))


def is_refusal(error: BaseException) -> bool:
    """Whether no statement says anything of what was asked; asked of what was raised, as above."""
    module = sys.modules.get("reports.errors")
    return module is not None and isinstance(error, module.NothingApplies)


def of_an_author(error: BaseException) -> BaseException | None:
    """The sentence for a failure inside a paper that somebody has installed."""
    if "bounds.discovery" not in sys.modules:
        return None
    from bounds.authors import blamed

    return blamed(error)


def papers_left_out() -> tuple[BaseException, ...]:
    """Why papers were missing in what was done."""
    module = sys.modules.get("bounds.discovery")
    return () if module is None else module.left_out()


def of_the_machine(error: BaseException) -> str | None:
    """The sentence for a failure that another machine, or another limit, would not have; else None."""
    process = sys.modules.get("concurrent.futures.process")
    if process is not None and isinstance(error, process.BrokenProcessPool):
        return (
            "a worker process ended before its work was done, killed or out of memory or of open files; "
            "ask for fewer --workers"
        )
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return OF_SYSTEM[errno.EAGAIN]
    # an import that finds no free descriptor is told of as a module that is missing
    causes = (error, error.__cause__, error.__context__)
    found = next((c for c in causes if isinstance(c, OSError) and c.errno in OF_SYSTEM), None)
    return None if found is None or found.errno is None else OF_SYSTEM[found.errno]
