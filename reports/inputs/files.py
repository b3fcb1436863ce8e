"""Reading and writing files: one clear sentence where it cannot be done, nothing half-written.

Nothing that is read is ever executed.
"""

import os
import signal
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reports.errors import MalformedFile, RefusedTarget, UnreadableFile
from verify.records.file_mode import usual_mode

LARGEST = 256 * 2**20  # bytes; what is read is held in memory, several times over


def read_text(path: Path) -> str:
    try:
        if (size := path.stat().st_size) > LARGEST:
            raise UnreadableFile(
                f"cannot read {path}: it has {size:,} bytes, and at most {LARGEST:,} are read"
            )
        # A byte-order mark is what spreadsheets put in front of their CSV.
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"cannot read {path}: {_why(error)}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"cannot read {path}: it is not UTF-8 text") from error
    except ValueError as error:  # a zero byte in the name
        raise UnreadableFile(f"cannot read {str(path)!r}: {error}") from error


def read_table(path: Path) -> dict[str, Any]:
    """The object of a JSON file or the table of a TOML file; the ending says which."""
    kind = path.suffix.lower()
    if kind not in (".json", ".toml"):
        raise MalformedFile(f"{path} must end in .json or .toml, so that it is clear how to read it")
    text = read_text(path)
    content = decode(text, str(path)) if kind == ".json" else _toml(text, path)
    if not isinstance(content, dict):
        raise MalformedFile(f"{path} must hold names and values, not {type(content).__name__}")
    return content


def decode(text: str, source: str) -> Any:
    """Strict JSON, read as every other file is."""
    from verify.json_numbers import decoded

    return decoded(text, source, MalformedFile)


def decode_file(file: Path) -> Any:
    """What a file of JSON holds; None if it is a folder, is not JSON or cannot be read."""
    try:
        return None if file.is_dir() else decode(read_text(file), str(file))
    except (MalformedFile, UnreadableFile):
        return None


def _toml(text: str, path: Path) -> Any:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise MalformedFile(f"{path} is not valid TOML: {error}") from error


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def check_target(path: Path) -> None:
    """Before the work whose result is to be written there; what it needs is not made yet."""
    with _explain_errors(path):
        if path.is_dir():
            raise RefusedTarget(f"cannot write {path}: it is a folder")
        if path.exists() and not path.is_file():
            raise RefusedTarget(f"cannot write {path}: it is a device or a pipe, and not a file")
        check_folder(path.resolve().parent, asked=path)


def check_folder(folder: Path, asked: Path | None = None) -> None:
    """The same for a folder that is to be made, or filled; `asked` is how the sentence calls it."""
    named = asked or folder
    with _explain_errors(named):
        missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
        # below a file nothing exists, and a link to nothing is in the way too
        nearest = missing[-1].parent if missing else folder
        if not nearest.is_dir():
            raise RefusedTarget(f"cannot write {named}: {nearest} is no folder")
        longest = os.pathconf(nearest, "PC_NAME_MAX")
        if any(len(os.fsencode(place.name)) > longest for place in (*missing, *([asked] if asked else ()))):
            raise RefusedTarget(f"cannot write {named}: file name too long; at most {longest} bytes")
        # permissions say little: a folder may be of a kind that takes no file from anybody
        with tempfile.TemporaryFile(dir=nearest):
            pass


@contextmanager
def _explain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RefusedTarget(f"cannot write {path}: {_why(error)}") from error


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write files that belong together: Ctrl-C leaves all of them as they were, or all new."""
    with _uninterrupted():
        for path, content in contents.items():
            write_bytes(path, content)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait; only the main thread is interrupted, and only it can say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting:
            signal.raise_signal(signal.SIGINT)


def write_bytes(path: Path, content: bytes) -> None:
    """All of it or nothing: a neighbor is written and then takes the name. A link is followed."""
    check_target(path)
    with _uninterrupted(), _explain_errors(path):
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".fedbounds-")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
            os.chmod(name, usual_mode())
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
