"""A stranger's paper: lemmas that every course proves, and a false twin of each."""

from bounds.language.quantity import Notation
from bounds.language.statement import Paper

PAPER = Paper(
    key="their_lemmas",
    title="Lemmas of a course",
    authors="a stranger",
    bibtex="@misc{course, title={Lemmas of a course}}",
    package=__name__,
    notation=Notation(),
)
