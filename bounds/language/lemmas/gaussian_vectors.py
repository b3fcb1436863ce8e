"""Gaussian vectors: of polynomials, finitely many outcomes have the same expectations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, final

from sympy import Add, Expr, Integer, Mul, Pow, Symbol

from bounds.errors import MalformedStatement
from bounds.language.dimension import Dimension, X
from bounds.language.lemmas.expressions import Atom, Known, Scalar, World, as_scalar
from bounds.language.lemmas.indices import Index
from bounds.language.lemmas.linear import Sizes, Sum, Vector
from bounds.language.lemmas.matrices import Image, Outer, Product
from bounds.language.lemmas.of_matrices import Trace
from bounds.language.lemmas.of_vectors import Hadamard, Inner, Norm

EXACT_TO: Final = 7  # the degree of a polynomial of which the outcomes have the expectation
ADDING: Final = ("mean", "sum", "E")


@final
@dataclass(frozen=True, eq=False)
class GaussianObject(Vector):
    """Independent normal coordinates with mean zero and one deviation."""

    is_object: ClassVar[bool] = True
    name: str
    over: Index
    deviation: Scalar
    dimensions: Dimension

    @property
    def sizes(self) -> Sizes:
        return (None,)

    @property
    def text(self) -> str:
        return self.name

    @property
    def latex(self) -> str:
        return self.name

    def dimension(self, known: Known) -> Dimension:
        return self.dimensions

    def value(self, world: World) -> Any:
        """The outcomes of a standard one are whole numbers, so that no rounding stands between them."""
        return world.given(self.name, self.over.name, own=1) * world.number(self.deviation)[..., None]


def gaussian_vector(name: str, *, deviation: Any = 1, dimension: Dimension = X) -> Vector:
    """A vector with the distribution N(0, deviation^2 I); x + A @ Z has any mean and covariance.

    Its expectations are those of polynomials, such as norm(Z) ** 4 or inner(u, Z) * inner(v, Z).
    """
    outcomes = Index(f"outcomes_of_{name}", weighted=True, exact_to=EXACT_TO)
    return GaussianObject(name, outcomes, as_scalar(deviation), dimension)


def check_polynomial(body: Any, outcome: Index, depends: Callable[[Any], bool]) -> None:
    """Refuse an expectation that the outcomes do not have."""
    if outcome.exact_to is None:
        return
    degree = _degree(body, depends)
    if degree is None or degree > outcome.exact_to:
        raise MalformedStatement(
            f"a Gaussian vector has expectations of polynomials of degree {outcome.exact_to} at most, and "
            f"{body.text} is none of them: write random_vector(..., deviation=...) for any centered vector "
            "of this variance, gaussian_tail(t) for the tail of one standard normal number, and "
            "chi_square_tail(t, d) or gaussian_length(d) for the norm"
        )


def _degree(node: Any, depends: Callable[[Any], bool]) -> int | None:
    """The degree in the outcome; None for what is no polynomial, as far as its form shows."""
    if not depends(node):
        return 0
    if isinstance(node, Scalar):
        return _degree_of_formula(node.formula, node.atoms, depends)
    if isinstance(node, GaussianObject):
        return 1
    if isinstance(node, Sum):
        summands = (_added(_degree(c, depends), _degree(part, depends)) for c, part in node.parts)
        return _largest(*summands)
    if isinstance(node, Inner | Hadamard | Outer):
        return _added(_degree(node.u, depends), _degree(node.v, depends))
    if isinstance(node, Product):
        return _added(_degree(node.left, depends), _degree(node.right, depends))
    if isinstance(node, Image):
        return _added(_degree(node.matrix, depends), _degree(node.at, depends))
    if isinstance(node, Trace):
        return _degree(node.matrix, depends)
    return _degree(node.body, depends) if getattr(node, "kind", "") in ADDING else None


def _degree_of_formula(e: Expr, atoms: Mapping[Symbol, Atom], depends: Callable[[Any], bool]) -> int | None:
    if not any(s in atoms and depends(atoms[s]) for s in e.free_symbols):
        return 0
    if isinstance(e, Symbol):
        return _degree(atoms[e], depends)
    if isinstance(e, Add | Mul):
        parts = [_degree_of_formula(part, atoms, depends) for part in e.args]
        return _largest(*parts) if isinstance(e, Add) else _added(*parts)
    if not (isinstance(e, Pow) and isinstance(e.exp, Integer) and e.exp > 0):
        return None
    base, exponent = atoms.get(e.base), int(e.exp)
    if isinstance(base, Norm) and base.order == "2" and exponent % 2 == 0:
        degree = _degree(base.u, depends)
    else:
        degree = _degree_of_formula(e.base, atoms, depends)
    return None if degree is None else degree * exponent


def _added(*degrees: int | None) -> int | None:
    known = [degree for degree in degrees if degree is not None]
    return sum(known) if len(known) == len(degrees) else None


def _largest(*degrees: int | None) -> int | None:
    known = [degree for degree in degrees if degree is not None]
    return max(known) if len(known) == len(degrees) else None
