"""The acting side: problems with known constants, algorithms, and the engine that runs them."""

from synthetic.engine.plan import Plan
from synthetic.run import run

__all__ = ["Plan", "run"]
