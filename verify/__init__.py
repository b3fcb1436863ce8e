"""Judges: joins what `bounds` states with what `synthetic` does."""

from verify.run import check
from verify.valid_parameters import valid_parameters

__all__ = ["check", "valid_parameters"]
