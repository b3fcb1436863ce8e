"""The vocabulary of assumptions: one name per property, shared by all papers.

A paper's statement attaches its own words and locator with `as_stated`. `verify.matching` knows every
name here; a test fails if one has no partner among the facts of the engine.
"""

from dataclasses import replace

from bounds.language.statement import Assumption

CONVEX_CLIENTS = Assumption("convex clients", "every client objective is convex", "")
SMOOTH_CLIENTS = Assumption("smooth clients", "every client objective is L-smooth", "")
LIPSCHITZ_CLIENTS = Assumption("lipschitz clients", "every client objective is Lipschitz everywhere", "")
BOUNDED_BELOW = Assumption("bounded below", "every client objective and their mean are bounded below", "")
MINIMUM_ATTAINED = Assumption("minimum attained", "the mean objective has a minimizer", "")
STRONGLY_CONVEX = Assumption("strongly convex", "the objective is mu-strongly convex", "")
GRADIENT_DIVERGENCE = Assumption(
    "bounded gradient divergence", "client gradients stay within a fixed distance of the mean gradient", ""
)
GRADIENT_DIVERGENCE_AT_ITERATES = Assumption(
    "bounded gradient divergence at the iterates",
    "client gradients stay within a fixed distance of the mean gradient at every iterate",
    "",
)
BOUNDED_GRADIENTS = Assumption(
    "gradients below the clipping bound", "no gradient is ever longer than the clipping bound", ""
)
UNBIASED_NOISE = Assumption(
    "unbiased noise of bounded variance", "gradient noise has mean zero and bounded total variance", ""
)
LOJASIEWICZ = Assumption(
    "lojasiewicz at the iterates", "a Lojasiewicz inequality holds for every client at every iterate", ""
)
CURVATURE_ALONG_GRADIENTS = Assumption(
    "curvature along gradients",
    "one gradient step changes every client's gradient by at least a fixed fraction of it, everywhere",
    "",
)
ONE_CLIENT = Assumption("one client", "there is one client, whose objective is the mean", "")
QUADRATIC_CLIENTS = Assumption("quadratic clients", "every client objective is a quadratic function", "")
GRADIENT_DISSIMILARITY = Assumption(
    "bounded gradient dissimilarity",
    "the mean of ||grad f_i||^2 is at most G^2 + B^2 ||grad f||^2 everywhere",
    "",
)
HESSIAN_SIMILARITY = Assumption(
    "similar clients", "grad f_i - grad f is delta-Lipschitz for every client i", ""
)
LIPSCHITZ_HESSIANS = Assumption(
    "lipschitz hessians", "the Hessian of every client objective exists and is M-Lipschitz", ""
)
EXPECTED_SMOOTHNESS = Assumption(
    "expected smoothness",
    "the mean square of the stochastic gradient is at most 2 A (f - f^inf) + B ||grad f||^2 + C",
    "",
)
RELATIVE_SMOOTHNESS = Assumption(
    "relative smoothness", "L h - f_i is convex for every client i, with a given convex function h", ""
)


def as_stated(assumption: Assumption, text: str, locator: str, *, reconstructed: bool = False) -> Assumption:
    return replace(assumption, text=text, locator=locator, reconstructed=reconstructed)
