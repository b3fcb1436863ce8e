"""The acting side: problems with known constants, algorithms, and the literal engine that runs them."""

from synthetic.run import run

__all__ = ["run"]
