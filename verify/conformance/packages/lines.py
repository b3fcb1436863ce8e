"""The lines of a comparison with an algorithm of a package: each is one question, not one formula."""

from dataclasses import dataclass
from typing import final

from verify.conformance.listing import Line, Part
from verify.conformance.packages.scenes import LONG_RUN


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """word: the end of the locator. values: what is listed of its scenes."""

    word: str
    text: str
    values: str = ""


QUESTIONS = {
    Part.ROUND: Question(word="first_round", text="one round, from several starts", values="starts moved by"),
    Part.LATER_ROUNDS: Question(
        word="later_rounds",
        text=f"rounds 2 to {LONG_RUN}, with what a round keeps",
        values="numbers of rounds",
    ),
    Part.DRAWS: Question(word="draws", text="the random numbers, where gradients are short"),
    Part.LENGTHS: Question(word="lengths", text="short and long gradients", values="gradients of length"),
    Part.CURVATURES: Question(word="curvatures", text="flat and steep functions", values="curvatures"),
    Part.CLIENTS: Question(word="clients", text="few and many clients", values="numbers of clients"),
    Part.DIMENSION: Question(
        word="dimension", text="one and several coordinates", values="numbers of coordinates"
    ),
    Part.DIGITS: Question(word="digits", text="numbers of float64"),
    Part.SETTINGS: Question(
        word="settings", text="several settings that change together", values="choices of all settings"
    ),
}
WIDE = (Part.ROUND, Part.DRAWS, Part.LENGTHS, Part.CURVATURES)  # whose differences show at other lines too


def list_lines(algorithm: str, settings: list[str], *, drawn: bool) -> list[tuple[Line, str]]:
    """Each line with the name of its setting, if it has one; drawn: whether there are laws to compare."""
    before = [part for part in QUESTIONS if part is not Part.SETTINGS and (drawn or part is not Part.DRAWS)]
    lines = [(_line(algorithm, part), "") for part in before]
    for name in settings:
        text = f"the effect of the setting {name}"
        lines.append((Line(part=Part.SETTING, locator=f"{algorithm}.{name}", text=text), name))
    return [*lines, *([(_line(algorithm, Part.SETTINGS), "")] if len(settings) > 1 else [])]


def _line(algorithm: str, part: Part) -> Line:
    question = QUESTIONS[part]
    return Line(part=part, locator=f"{algorithm}.{question.word}", text=question.text)


def hidden_by(part: Part) -> str:
    return f"the difference at the line {QUESTIONS[part].word} hides it"
