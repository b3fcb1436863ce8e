"""Help texts and docstrings name a subject: patterns of English that readers stumbled over are refused."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from reports.page.words import EXPLAINED, explain_words, read_glossary
from verify.sources import walk_statements

ROOT = Path(__file__).parents[1]
FLOORS = ("bounds", "synthetic", "verify", "reports")
PAPERS = ROOT / "bounds" / "papers"  # a statement's file quotes its paper and has a review of its own

FORBIDDEN = {
    "a relative clause without its noun": re.compile(
        r"^(Who|Whoever|Whatever)\b|^What (is|are|was|were|has|have|can|must|may|does|do)\b"
    ),
    "none in place of a noun": re.compile(r"(?<!there )\b(is|are) none\b|\bsays? no\b"),
    "a fragment without a verb": re.compile(r"^(Of|By|With|Up to)\b"),
}
LONGEST = 90
LONGER = {"reports/verbs/run.py", "reports/verbs/compare.py"}  # their --set lists its own syntax


def faults(text: str) -> list[str]:
    """The forbidden patterns in a help text or a docstring; a first sentence must end before a blank line."""
    words = " ".join(text.split())
    found = [name for name, pattern in FORBIDDEN.items() if pattern.search(words)]
    first = text.split("\n\n")[0].rstrip()
    return found + ([] if re.search(r"[.:?!`)]$", first) else ["a first sentence that is cut"])


@cache
def _collect_texts() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Every docstring and help text with its place; each source is parsed once, and no tree is kept."""
    docstrings: list[tuple[str, str]] = []
    helps: list[tuple[str, str]] = []
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            if PAPERS in path.parents:
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            docstrings += _docstrings(path, tree)
            helps += _helps(path, tree) if floor == "reports" else []
    return docstrings, helps


def _docstrings(path: Path, tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in walk_statements(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            text, name = ast.get_docstring(node), getattr(node, "name", "module")
            if text:
                yield f"{path.relative_to(ROOT)}:{name}", text


def _helps(path: Path, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Those given as `help=`, and those of the options in reports/verbs/options.py: `take_path("...")`."""
    for node in ast.walk(tree):
        text: ast.AST | None = node.value if isinstance(node, ast.keyword) and node.arg == "help" else None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").startswith("take_"):
            text = node.args[0]
        if isinstance(text, ast.Constant):
            yield f"{path.relative_to(ROOT)}", str(text.value)


def test_docstrings() -> None:
    texts, _ = _collect_texts()
    assert len(texts) > 2000
    assert {place: found for place, text in texts if (found := faults(text))} == {}


def test_help_texts() -> None:
    from reports.command_line import VERBS

    _, texts = _collect_texts()
    assert len(texts) > 140
    texts = texts + [(f"fedbounds {verb}", summary) for verb, summary in VERBS.items()]
    assert {place: (text, found) for place, text in texts if (found := faults(text))} == {}
    long = {place: text for place, text in texts if len(text) > LONGEST and place not in LONGER}
    assert long == {}


@pytest.mark.parametrize("option", ['Parameter(help="Of --epsilon.")', 'take_number("Of --epsilon.")'])
def test_the_help_of_an_option_is_read(option: str) -> None:
    assert [text for _, text in _helps(ROOT / "it.py", ast.parse(option))] == ["Of --epsilon."]


@pytest.mark.parametrize(
    "planted",
    [
        "Who counts --epsilon; exact without it: everybody takes part.",
        "What is measured; refused if it does not belong.",
        "Whatever the noise is: does anything count this?",
        "A decimal number; a/b/c is none.",
        "The accountant says no beyond that range.",
        "Of --epsilon.",
        "By RULE.",
        "With half its right side.",
        "Up to the last digits.",
        "Entry k describes the state: its mean,\n\nand its covariance.",
    ],
)
def test_a_planted_sentence_is_found(planted: str) -> None:
    assert len(faults(planted)) == 1


def test_plain_sentences_pass() -> None:
    assert faults("The right-hand side, or None if there is none.") == []
    assert faults("What a term pays for, as a sentence.") == []
    assert faults("Print one JSON document to standard output.") == []


def test_the_glossary_defines_each_word_once_and_the_page_of_a_record_quotes_it() -> None:
    words = [word for word, _ in read_glossary()]
    assert len(words) == len({*words}) > 50
    assert [word for word, _ in explain_words()] == [*EXPLAINED]
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").replace("*", "").replace("`", "")
    assert [word for word, meaning in explain_words() if meaning not in text] == []


UNIT = re.compile(r"\b(integer|number|unit|seconds|[Nn]umber of|between 0 and 1|separated by commas)\b")
# Numbers that are read as text, since fractions and lists are taken too.
AS_TEXT = {"--epsilon", "--delta", "--rounds", "--clients", "--dimension", "--clip", "--batch", "--target"}


def _numbers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Every option that is read as a number, with its help text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named, kind = node.targets[0].id, node.value  # of an alias
        elif isinstance(node, ast.arg):
            named, kind = node.arg, node.annotation or ast.Constant(None)
        else:
            continue
        if not (isinstance(kind, ast.Subscript) and getattr(kind.value, "id", "") == "Annotated"):
            continue
        assert isinstance(kind.slice, ast.Tuple)
        taken, made = kind.slice.elts
        if not isinstance(made, ast.Call):
            continue
        words = {k.arg: k.value.value for k in made.keywords if isinstance(k.value, ast.Constant)}
        texts = [a.value for a in made.args if isinstance(a, ast.Constant)]
        name = str(words.get("name", f"--{named.lower()}"))
        if re.search(r"\b(int|float)\b", ast.unparse(taken)) or name in AS_TEXT:
            yield name, str(words.get("help", *texts))


def test_an_option_that_is_a_number_says_its_unit() -> None:
    texts = [
        (f"{path.stem} {name}", text)
        for path in sorted((ROOT / "reports" / "verbs").glob("*.py"))
        for name, text in _numbers(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(texts) > 30
    assert [pair for pair in texts if not UNIT.search(pair[1])] == []


def test_a_number_without_a_unit_is_found() -> None:
    planted = "X = Annotated[float, Parameter(name='--delta', help='Delta at which privacy is counted.')]"
    short = "Delta = Annotated[float, take_number('Delta at which privacy is counted.')]"
    for source in (planted, short):
        ((name, text),) = _numbers(ast.parse(source))
        assert name == "--delta"
        assert not UNIT.search(text)
