"""Lemmas that proofs share. Each writes claims with their reasons, which the checker reads as any other."""

from bounds.language.proof.expression import Scalar, Vector, inner, square
from bounds.language.proof.form import MachineForm, a_square, because


def bound_square_of_sum(
    proof: MachineForm, name: str, index: str, count: Scalar, squares: Scalar, moved: Vector, part: Vector
) -> tuple[str, str]:
    """count * squares - ||moved||^2 >= 0, where a step adds ||part||^2 to squares and part to moved.

    The names of the claim at every member and at the last one, as by `induct`.
    """
    v = proof.arbitrary(f"v.{name}")

    def spread(v: Vector) -> Scalar:
        return count * square(v) - 2 * inner(v, moved) + squares

    around, _ = proof.induct(f"spread of {name}", index, spread(v), a_square(v - part))
    about = proof.instance(f"spread of {name} about its part", spread(part), around, spread(v), v, part)
    return proof.induct(f"Jensen of {name}", index, count * squares - square(moved), because(about))
