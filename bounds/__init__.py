"""What is stated: quantities, conditions, theorems, and the numbers that they give."""

from bounds.discovery import get, statements
from bounds.statement import Statement

__all__ = ["Statement", "get", "statements"]
