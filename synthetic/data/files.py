"""A user's data: CSV or svmlight text. What is read are numbers and labels; nothing is ever executed."""

from pathlib import Path

from synthetic.arguments import one_of
from synthetic.data._refusal import number, number_in, refused
from synthetic.data.comma_separated import comma_separated
from synthetic.data.labels import check_labels
from synthetic.data.svmlight import svmlight
from synthetic.data.tables import Table, table

LARGEST_FILE = 256 * 2**20  # bytes; the numbers are held in memory, several times over
ENDINGS = {".csv": "csv", ".tsv": "csv", ".svmlight": "svmlight", ".libsvm": "svmlight", ".svm": "svmlight"}
TASKS = ("auto", "classes", "numbers")
HEADERS = ("auto", "yes", "no")
MOST_CLASSES = 20  # of whole numbers, before they count as numbers to predict


def is_data_file(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS


def read(
    path: Path,
    *,
    target: str | int | None = None,
    client: str | int | None = None,
    header: str = "auto",
    task: str = "auto",
) -> Table:
    """target: of a CSV, the name of a column or its number from 0; without any, the last column.

    client: the column that says whose each row is; without one, the rows are split.

    task: whether targets are classes or numbers to predict; by itself, classes if all are words, or whole
    numbers of which there are few.
    """
    one_of("header", header, HEADERS)
    one_of("task", task, TASKS)
    text = _text(path)
    owners = None
    if ENDINGS[path.suffix.lower()] == "svmlight":
        if client is not None:
            raise refused(str(path), "no columns with names", client, "a CSV", "leave out client")
        features, answers, lines = svmlight(text, str(path))
    else:
        columns = comma_separated(text, str(path), target=target, client=client, header=header)
        features, answers, lines = columns.features, columns.answers, columns.lines
        owners = None if columns.owners is None else _numbered(_alike(columns.owners))[0]
    if task == "auto":
        check_labels(answers, lines, str(path))
    answers = _alike(answers)
    if task == "numbers" or (task == "auto" and not _are_classes(answers)):
        pairs = zip(answers, lines, strict=True)
        numbers = [number(word, str(path), f"line {line}, target") for word, line in pairs]
        return table(path.name, features, numbers, owners=owners)
    labels, classes = _numbered(answers)
    return table(path.name, features, labels, classes, owners=owners)


def _numbered(words: list[str]) -> tuple[list[int], tuple[str, ...]]:
    """The place of each word among the different ones, and these in their order."""
    order = sorted(set(words), key=_rank_word)
    place = {word: index for index, word in enumerate(order)}
    return [place[word] for word in words], tuple(order)


def _text(path: Path) -> str:
    if not is_data_file(path):
        raise refused(
            str(path),
            "unknown ending",
            path.suffix or "none",
            " or ".join(ENDINGS),
            "name the file after what it is",
        )
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise refused(
                str(path),
                "too large",
                f"{size:,} bytes",
                f"at most {LARGEST_FILE:,}",
                "give a part of the samples",
            )
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise refused(str(path), "cannot be read", why, "a readable file", "check the path") from error
    except UnicodeDecodeError as error:
        raise refused(
            str(path), "not text", "bytes that are not UTF-8", "UTF-8 text", "save it as UTF-8"
        ) from error


def _are_classes(answers: list[str]) -> bool:
    values = [number_in(word) for word in answers]
    few = len(set(answers)) <= min(MOST_CLASSES, max(2, len(answers) // 2))
    return any(value is None for value in values) or (
        few and all(value is not None and value.is_integer() for value in values)
    )


def _alike(answers: list[str]) -> list[str]:
    """Labels that are numbers by their value: 1, 1.0 and +1 are one class."""
    values = [number_in(word) for word in answers]
    return [word if value is None else f"{value:.17g}" for word, value in zip(answers, values, strict=True)]


def _rank_word(word: str) -> tuple[bool, float, str]:
    """Numbers by size, words by the alphabet."""
    value = number_in(word)
    return value is None, 0.0 if value is None else value, word
