"""Problems whose constants are known: one family per file, built by name."""

from synthetic.problems._registry import build, builder_of, known_problem_names, problem_names

__all__ = ["build", "builder_of", "known_problem_names", "problem_names"]
