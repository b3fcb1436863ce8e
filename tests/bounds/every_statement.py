"""What the tests of every statement share: the statements, their points, and how closely values agree."""

import ast
from collections.abc import Mapping
from functools import cache

import pytest
from hypothesis import Phase
from oracle import kappa

from bounds import discovery
from bounds.evaluation.resolve import resolve
from bounds.language.statement import Statement
from verify.parameters.points import points

EVERYTHING = discovery.forms()
STATEMENTS = {identity: statement for identity, statement in EVERYTHING.items() if statement.evaluable}
every_statement = pytest.mark.parametrize("identity", STATEMENTS)
EPS = 2.0**-52
# The oracle is too slow for hundreds of shrinking steps; the point that is shown is valid as it is.
UNSHRUNK = (Phase.explicit, Phase.generate)

Point = Mapping[str, float]


def tolerance(statement: Statement, *points: Point) -> float:
    """Relative: a few roundings, amplified by the conditioning at the points."""
    needed = resolve(statement).required
    kappas = [kappa(statement.right, statement, {n: p[n] for n in needed}) for p in points]
    return 1e-12 + 16 * EPS * float(max(kappas))


@cache
def seeded_points(statement: Statement) -> tuple[dict[str, float], ...]:
    """Valid points, half of them at corners; a statement without inputs has one."""
    return tuple(points(statement, (), 40))


def statement_makers(tree: ast.Module) -> set[str]:
    """Names that make a statement in this file; partial(Statement, ...) makes those of one kind."""
    own = {f.name for f in tree.body if isinstance(f, ast.FunctionDef) and _returns_one(f)}
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    kinds = {ast.unparse(n.targets[0]) for n in assigned if "partial(Statement," in ast.unparse(n.value)}
    return {"Statement", "replace", "amend"} | own | kinds


def _returns_one(function: ast.FunctionDef) -> bool:
    return isinstance(function.returns, ast.Name) and function.returns.id == "Statement"
