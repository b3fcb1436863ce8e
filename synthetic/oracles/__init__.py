"""Stochastic gradients of the clients: one law per file, each with its moments and its almost sure bound."""

from synthetic.oracles.gaussian import Gaussian
from synthetic.oracles.interface import AdditiveOracle, Oracle
from synthetic.oracles.minibatch import Minibatch
from synthetic.oracles.sphere import Sphere
from synthetic.oracles.student_t import StudentT
from synthetic.oracles.two_point import TwoPoint

__all__ = ["AdditiveOracle", "Gaussian", "Minibatch", "Oracle", "Sphere", "StudentT", "TwoPoint"]
