"""Finding statements: the id is the module path, plus a member where one file holds several.

Nothing is registered. Every package under `bounds.papers`, and every package that an installed distribution
names under the entry-point group `fedbounds.papers`, is walked; a Statement at module level is a statement.
"""

import pkgutil
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from warnings import catch_warnings

import bounds.papers
from bounds import errors
from bounds.catalogue import Catalogue
from bounds.installed_papers import contested, own, registered, taken
from bounds.language.quantity import Notation
from bounds.language.statement import AMENDED, Paper, Statement
from bounds.limited_imports import OutOfTime, import_module, is_given_up, limited

HOME = bounds.papers.__name__
HERE = "here"  # the key of what this process alone has adopted

_adopted: dict[str, Statement] = {}
_broken: dict[str, errors.BrokenPaper] = {}  # by module
_origins: dict[str, str] = {}  # of an adopted statement: the id under which a paper has it


@lru_cache(maxsize=1)
def _packages() -> dict[str, str]:
    """Paper key to importable package."""
    return {**registered(), **own()}


def load(key: str, module_name: str) -> ModuleType:
    """Import a module of the paper; `BrokenPaper` names the file and line in which an author's fails."""
    with _blame_author(key, module_name):
        return import_module(module_name)


@contextmanager
def _blame_author(key: str, module_name: str) -> Iterator[None]:
    """An installed paper that cannot be imported is its author's to mend; one of ours is a defect."""
    if module_name in _broken:  # what a file did before it failed would make it fail elsewhere
        raise _broken[module_name]
    if is_given_up(module_name):
        late = ImportError("its import took too long before, and is not tried again")
        raise broken(key, module_name.partition(".")[0], "cannot be loaded", module_name, late)
    try:
        with nullcontext() if is_ours(module_name) else _restore_surroundings():
            yield
    except errors.BrokenPaper:
        raise
    except KeyboardInterrupt as error:
        error.add_note(f"while {module_name} was imported")  # the user may have waited for it
        raise
    except (Exception, SystemExit, OutOfTime) as error:  # a module may call sys.exit
        if is_ours(module_name):
            raise
        package = module_name.partition(".")[0]
        found = broken(key, package, "cannot be loaded", _place(error, package), error)
        _broken[module_name] = found
        raise found from error


@contextmanager
def _restore_surroundings() -> Iterator[None]:
    """What a package prints is no part of a document, and what it sets for the process is undone."""
    import numpy as np

    with redirect_stdout(sys.stderr), catch_warnings(), np.errstate(), limited():
        yield


def is_ours(module_name: str) -> bool:
    return module_name.startswith(f"{bounds.papers.__name__}.")


def broken(key: str, package: str, how: str, place: str, error: BaseException) -> errors.BrokenPaper:
    message = str(error.msg if isinstance(error, SyntaxError) else error) or "without a word"
    what = f"{type(error).__name__}: {' '.join(message.split())}"
    return errors.BrokenPaper(
        f"the paper {key} of the package {package} {how}: {place}: {what}; mend or uninstall it"
    )


def _place(error: BaseException, package: str) -> str:
    """File and line: of a syntax error its own, else the last one inside the package."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    frames = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    folders = [Path(folder) for folder in _folders(package)]
    inside = [f"{f}, line {line}" for f, line in frames if any(at in Path(f).parents for at in folders)]
    return inside[-1] if inside else package


def _folders(package: str) -> Collection[str]:
    """Where the package lies: another folder may have its name, such as that of the project around it."""
    found = find_spec(package)
    return () if found is None else found.submodule_search_locations or ()


def installed() -> dict[str, str]:
    """Paper key to importable package, of the papers that are not ours."""
    return {key: package for key, package in _packages().items() if not is_ours(package)}


def papers() -> tuple[str, ...]:
    """The keys of all papers, ours and installed ones, of which nothing is imported."""
    return tuple(sorted(_packages()))


@lru_cache(maxsize=1)
def described() -> dict[str, Paper]:
    """What each paper's package says of the paper, by key; no file of a statement is loaded for it."""
    found: dict[str, Paper] = {}
    for key, package in _packages().items():
        values = vars(load(key, package)).values()
        found |= {p.key: p for p in values if isinstance(p, Paper) and p.key == key}
    return found


def notations() -> dict[str, Notation]:
    """The notation table of every paper that has one, by key."""
    return {key: paper.notation for key, paper in described().items()}


def package_of(module_name: str) -> str | None:
    """The package of the paper that a module belongs to, however deep inside it."""
    return next((p for p in _packages().values() if module_name.startswith(f"{p}.")), None)


@lru_cache(maxsize=64)
def _modules(key: str, package: str) -> tuple[tuple[str, str], ...]:
    """(id, importable name) of every module of a paper, without importing any of them."""
    if not is_ours(f"{package}.") and (rivals := contested(()).get(key)):
        named = " and ".join(rivals)
        raise errors.BrokenPaper(f"two installed packages have the key {key}: {named}; uninstall one of them")
    with _blame_author(key, package):
        spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise errors.BrokenPaper(f"the paper {key} names {package}, which is not a package; uninstall it")
    found = pkgutil.iter_modules(spec.submodule_search_locations)
    modules = tuple((f"{key}.{module.name}", f"{package}.{module.name}") for module in found)
    # a small paper of another distribution may be one file: its package itself
    return modules if is_ours(f"{package}.") else ((key, package), *modules)


@lru_cache(maxsize=1024)
def _members(module_id: str, module_name: str) -> dict[str, tuple[Statement, ...]]:
    """Statements of one module by id; the printed form first, amended forms after it."""
    module = load(module_id.split(".")[0], module_name)
    found = {
        name.lower(): value
        for name, value in vars(module).items()
        if isinstance(value, Statement) and _is_of(value.paper, module_id.split(".")[0], module_name)
    }
    printed = {name: s for name, s in found.items() if s.variant != AMENDED}
    out: dict[str, tuple[Statement, ...]] = {}
    for name, statement in printed.items():
        identity = f"{module_id}.{name}" if len(printed) > 1 or "." not in module_id else module_id
        amended = [
            s
            for n, s in found.items()
            if s.variant == AMENDED
            and s.locator == statement.locator
            and _find_amended_name(n, printed) in ("", name)
        ]
        out[identity] = tuple(replace(s, id=identity) for s in (statement, *amended))
    return out


def _is_of(paper: Paper, key: str, module_name: str) -> bool:
    """A file may import statements of other papers; its own have the key under which it is installed."""
    root = module_name.partition(".")[0]
    if paper.key != key and paper.package.partition(".")[0] == root and not is_ours(module_name):
        raise errors.BrokenPaper(
            f"the package {root} is installed under the key {key}, and its Paper has the key {paper.key!r}: "
            "give both the same key"
        )
    return paper.key == key


def _find_amended_name(name: str, printed: Collection[str]) -> str:
    """NAME_AMENDED amends NAME; under another name, like AMENDED, a form amends all of its locator."""
    amended = name.removesuffix("_amended")
    return amended if amended in printed else ""


def variants(identity: str) -> tuple[Statement, ...]:
    """All variants of a statement, printed first. `dp-fedavg/theorem-2` is accepted too."""
    return (_adopted[identity],) if identity in _adopted else _located(identity)[1]


def adopt(statement: Statement) -> Statement:
    """Give a statement an id that this process alone knows, `here.NAME`; a later one replaces it."""
    name = "_".join(re.findall(r"[a-z0-9]+", (statement.id or statement.locator or "statement").lower()))
    adopted = replace(statement, id=f"{HERE}.{name}")
    _adopted[adopted.id] = adopted
    _origins[adopted.id] = origin_of(statement.id)
    return adopted


def origin_of(identity: str) -> str:
    """The id under which a paper has a statement that was adopted with another run; else the id itself."""
    return _origins.get(identity, identity)


def module_of(identity: str) -> str:
    """The importable name of the module that has the statement."""
    return _located(identity)[0]


def _located(identity: str) -> tuple[str, tuple[Statement, ...]]:
    wanted = identity.replace("/", ".").replace("-", "_")
    key, _, rest = wanted.partition(".")
    package = _packages().get(key)
    if package is not None and rest:
        for module_id, module_name in _modules(key, package):
            if wanted == module_id or wanted.startswith(f"{module_id}."):
                found = _members(module_id, module_name)
                if wanted in found:
                    return module_name, found[wanted]
    raise errors.UnknownStatement(_unknown(identity, wanted))


def _unknown(identity: str, wanted: str) -> str:
    """The reason why nothing is found: a paper, a file of several statements, a part of an id, or a typo."""
    key = wanted.partition(".")[0]
    if not identity.strip():
        return "an empty name is no id; `fedbounds list` shows all ids"
    if key == HERE:
        return f"{identity} was known to one process only, which is over; install a package that has it"
    if key in _packages():
        statements(key)  # if it cannot be loaded, that error is the reason
    if wanted in _packages():
        return f"{identity} is a paper, not a statement; `fedbounds list {wanted}` shows its statements"
    # an author's locators may begin like ids: then a wrong id is meant
    if key not in _packages() and (found := _printed_at(identity)):
        return f"{identity} is a locator, not an id; use {' or '.join(found)}"
    known = identities()
    inside = [name for name in known if name.startswith(f"{wanted}.")]
    if inside:
        return f"{identity} holds several statements; name one of them: {', '.join(inside)}"
    near = [name for name in known if name.endswith(f".{wanted}")] or _near(wanted, known)
    absent = f"no paper {key} is installed; " if "." in wanted and key not in _packages() else ""
    if near:
        return f"no statement {identity}: {absent}did you mean {' or '.join(near)}?"
    if key in _packages():
        return f"no statement {identity}: `fedbounds list {key}` shows the ids of this paper"
    every = ", ".join(papers())
    return f"no statement {identity}: {absent}`fedbounds list` shows all ids; the papers are {every}"


def _printed_at(locator: str) -> list[str]:
    """The statements of a transcription's id, or of the step or hypothesis that it names."""
    again = {alias.locator: alias for paper in described().values() for alias in paper.aliases}
    if alias := again.get(locator):
        return [f"{alias.of} ({alias.why})"]
    places = {s.id: s.locator for s in statements() if f"{locator}.".startswith(f"{s.locator}.")}
    longest = max(map(len, places.values()), default=0)
    return [identity for identity, place in places.items() if len(place) == longest]


def _near(wanted: str, known: list[str]) -> list[str]:
    """Inside a paper that exists its ids are compared without its name, which all of them share."""
    key, dot, rest = wanted.partition(".")
    if dot and key in _packages():
        inside = {name.removeprefix(f"{key}."): name for name in known if name.startswith(f"{key}.")}
        return [inside[name] for name in get_close_matches(rest, inside, n=1, cutoff=0.5)]
    of_papers = [] if dot else get_close_matches(wanted, papers(), n=1, cutoff=0.6)
    return of_papers or get_close_matches(wanted, known, n=1, cutoff=0.5)


def get(identity: str, variant: str = "printed") -> Statement:
    """The statement with this id."""
    for statement in variants(identity):
        if statement.variant == variant:
            return statement
    known = ", ".join(s.variant for s in variants(identity))
    raise errors.UnknownVariant(f"{identity} has no variant {variant}; it has: {known}")


def statements(paper: str | None = None) -> Catalogue:
    """Every printed statement, paper by paper, in the order of the modules' names: a tuple with `search`."""
    packages = _packages()
    if paper is not None and paper not in packages:
        raise errors.UnknownStatement(f"no paper {paper}: {errors.nearest(paper, packages)}")
    if paper is not None:
        return Catalogue(_load_paper(paper))
    for key in taken() & (claimed := contested(taken())).keys():
        named = " and ".join(claimed[key])
        leave_out(named, errors.BrokenPaper(f"the key {key} of {named} is taken by fedbounds; rename it"))
    return Catalogue(statement for key in papers() for statement in of_paper_or_none(key))


def _load_paper(key: str) -> tuple[Statement, ...]:
    return tuple(
        found[0]
        for module_id, module_name in _modules(key, _packages()[key])
        for found in _members(module_id, module_name).values()
    )


_left_out: dict[str, errors.BrokenPaper] = {}


def of_paper_or_none(key: str) -> tuple[Statement, ...]:
    """The statements of a paper; none if it is broken, and `left_out` then says why."""
    _left_out.pop(key, None)
    try:
        return _load_paper(key)
    except errors.BrokenPaper as error:
        _left_out[key] = error
        return ()


def leave_out(package: str, error: errors.BrokenPaper) -> None:
    """What a package has beside its statements cannot be loaded either; the others stay usable."""
    _left_out[f"{package}, beside its statements"] = error


def left_out() -> tuple[errors.BrokenPaper, ...]:
    """Why papers are missing among all statements, as they were last looked for; each reason once."""
    return tuple(dict.fromkeys(_left_out.values()))


def forms(paper: str | None = None) -> dict[str, Statement]:
    """Every form of every statement by name: its id, and the variant after it where that is not `printed`."""
    return {
        form.id if form.variant == "printed" else f"{form.id} {form.variant}": form
        for statement in statements(paper)
        for form in variants(statement.id)
    }


def identities() -> list[str]:
    return [statement.id for statement in statements()]
