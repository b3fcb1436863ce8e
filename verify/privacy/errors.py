"""What cannot be asked, and what can be asked but not counted."""

from bounds.errors import Misuse


class BadRequest(Misuse):
    """A privacy parameter outside its domain, or words that name nothing."""


class MissingExtra(Misuse):
    """The accountants are an optional package."""


class Unaccountable(ValueError):
    """The mechanism is stated, but nothing proven counts it, or something that decides is unknown."""


class TooLittleNoise(Unaccountable):
    """The same accountant would succeed with more noise."""
