"""What is written without sympy's comparison is what sympy makes of it, and statements have nothing else."""

from sympy import Max, Min, Symbol, sqrt

import bounds
from bounds.discovery import variants
from bounds.language.extremes import larger, smaller

ALPHA, L = Symbol("alpha", positive=True), Symbol("L", positive=True)


def test_they_are_the_objects_that_sympy_makes() -> None:
    assert smaller(ALPHA * L, L) == Min(ALPHA * L, L)
    assert larger(ALPHA, 2) == Max(ALPHA, 2)
    assert larger(ALPHA, 2).subs(ALPHA, 3) == 3
    assert smaller(sqrt(L), ALPHA).subs({L: 4, ALPHA: 3}) == 2


def test_no_statement_has_an_extreme_that_sympy_would_write_otherwise() -> None:
    found = 0
    for printed in bounds.statements():
        for statement in variants(printed.id):
            sides = [t.expression for t in statement.terms] + [d.expression for d in statement.where]
            sides += [c.expression for c in statement.choices]
            for extreme in (e for side in sides for e in side.atoms(Min, Max)):
                found += 1
                assert extreme == extreme.func(*extreme.args), statement.id
    assert found >= 6
