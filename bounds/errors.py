"""Misuse of a statement: one class per broken rule, one clear sentence per error."""

from collections.abc import Iterable
from difflib import get_close_matches


class Misuse(ValueError):
    """Something was asked that has no answer; the command line exits with 2."""


class UnknownStatement(Misuse):
    """No statement has this id."""


class UnknownName(Misuse):
    """No quantity of the statement has this name."""


class MissingQuantity(Misuse):
    """A quantity without which the value does not exist was not given."""


class PrescribedQuantity(Misuse):
    """The statement itself fixes this quantity."""


class OverdeterminedQuantity(Misuse):
    """A derived quantity was given together with what it is derived from."""


class OutOfDomain(Misuse):
    """A value lies outside the domain of its quantity."""


class OutsideConditions(Misuse):
    """A condition of the statement fails where its value is asked."""


class NotANumber(Misuse):
    """A value is not a finite real number."""


class TooManySummands(Misuse):
    """A sum takes too long in an arithmetic that adds up one summand after the other."""


class EmptySelection(Misuse):
    """There is nothing to compute."""


class ShapesDisagree(Misuse):
    """Arrays that do not broadcast to one shape."""


class NotEvaluable(Misuse):
    """The statement gives no number, or speaks of nothing that could be given."""


class UnknownVariant(Misuse):
    """The statement has no such variant."""


class MalformedStatement(Misuse):
    """A statement's file breaks a rule of the language."""


class BrokenPaper(Misuse):
    """An installed paper whose files cannot be imported."""


def nearest(name: str, valid: Iterable[str]) -> str:
    """The tail of an error sentence: the nearest valid name, or all of them when none is near."""
    known = sorted(valid)
    same = [one for one in known if one.lower() == name.lower()]
    close = same or get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    return f"valid names: {', '.join(known)}" if known else "there are none"


def with_article(word: str) -> str:
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"
