"""Problems whose constants are known: one family per file, built by name."""

from synthetic.problems._registry import build, problem_names

__all__ = ["build", "problem_names"]
