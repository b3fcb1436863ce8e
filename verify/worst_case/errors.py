"""What cannot be asked, and what can be asked but has no worst case here."""

from bounds.errors import Misuse


class BadSetting(Misuse):
    """A setting that does not exist, or a number outside its domain."""


class MissingExtra(Misuse):
    """The solver is an optional package."""


class NotAWorstCase(Misuse):
    """A file is no answer of `fedbounds worst` that this version can read."""


class NoWorstCase(ValueError):
    """The question is understood, but has no answer: no Gram form, no bound, or no certificate."""
