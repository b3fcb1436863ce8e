"""What the command line prints of every statement, written to a folder, and two such folders compared.

A change that moves code and changes no behavior must leave every byte of these documents as it was:

    PYTHONPATH=OLD_TREE python tests/gate/documents.py write before
    PYTHONPATH=NEW_TREE python tests/gate/documents.py write after
    python tests/gate/documents.py compare before after

`list`, `show --steps`, `eval` at a statement's own example in each of its forms, `errata` and `audit`, each
with and without `--json`. One process runs all of them, because an import of the papers takes longer than a
document. Lines of progress are left out: they hold the seconds that are left. The folder of the tree, which
commands of `errata` name, is written TREE.
"""

import argparse
import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

PROGRESS = r"^\d+/\d+.*\n"


def commands() -> Iterator[tuple[str, ...]]:
    """Every command line of the gate, without `--json`."""
    from bounds import discovery

    yield ("list",)
    yield ("errata",)
    yield ("audit",)
    for name, form in discovery.forms().items():
        if form.variant == "printed":
            yield ("show", name, "--steps")
        if form.example:
            point = [f"{symbol}={value!r}" for symbol, value in form.example.items()]
            yield ("eval", form.id, "--variant", form.variant, "--set", *point)


def run(command: Sequence[str]) -> str:
    """Exit code, standard output and standard error of one command, in this process."""
    import reports
    from reports.command_line import main

    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(command)
        except SystemExit as stopped:
            code = stopped.code
    told = re.sub(PROGRESS, "", err.getvalue(), flags=re.MULTILINE)
    printed = f"exit {code}\n--- out\n{out.getvalue()}--- err\n{told}"
    return printed.replace(str(Path(str(reports.__file__)).parents[1]), "TREE")


def file_name(command: Sequence[str]) -> str:
    """The verb, the id and the variant; the point of `eval` follows from them."""
    words = command[: command.index("--set")] if "--set" in command else command
    json = ["json"] if "--json" in command else []
    return "_".join([word.lstrip("-") for word in words if word != "--json"] + json) + ".txt"


def write(folder: Path) -> int:
    """Write every document; an existing folder could hold those of another tree."""
    folder.mkdir(parents=True)
    count = 0
    for command in commands():
        verb, *rest = command
        for words in (command, (verb, "--json", *rest)):
            (folder / file_name(words)).write_text(run(words), encoding="utf-8")
            count += 1
    return count


def differences(before: Path, after: Path) -> list[str]:
    """The documents that are not the same byte for byte, exceptions aside; one line for each."""
    found = []
    names = {file.name for folder in (before, after) for file in folder.iterdir()}
    for name in sorted(names):
        missing = [str(folder) for folder in (before, after) if not (folder / name).exists()]
        if missing:
            found.append(f"{name}: missing in {missing[0]}")
        elif (before / name).read_bytes() != (after / name).read_bytes():
            found.append(f"{name}: differs")
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Write the documents of the gate, or compare two folders.")
    jobs = parser.add_subparsers(dest="job", required=True)
    jobs.add_parser("write").add_argument("folder", type=Path)
    compared = jobs.add_parser("compare")
    compared.add_argument("before", type=Path)
    compared.add_argument("after", type=Path)
    asked = parser.parse_args(arguments)
    if asked.job == "write":
        import bounds

        print(f"{write(asked.folder)} documents of {Path(str(bounds.__file__)).parents[1]}")
        return 0
    found = differences(asked.before, asked.after)
    total = len(list(asked.after.iterdir()))
    print("\n".join(found) or f"all {total} documents are identical")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
