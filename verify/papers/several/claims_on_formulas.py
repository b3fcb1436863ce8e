"""Claims in words about printed formulas, checked on these formulas, exactly."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sympy import Expr, Integer

import bounds
from bounds.evaluation.resolve import definitions


def _moves(expression: Expr, name: str) -> int:
    """The sign of the derivative on the whole domain: 0 where the quantity is absent, 2 where unknown."""
    found = [symbol for symbol in expression.free_symbols if symbol.name == name]
    if not found:
        return 0
    slope = expression.diff(found[0])
    return 1 if slope.is_nonnegative else -1 if slope.is_nonpositive else 2


def _term(identity: str, name: str) -> Expr:
    """As printed, with the free bound for what is random on the right."""
    statement = bounds.get(identity)
    (expression,) = (term.expression for term in statement.terms if term.name == name)
    return expression.xreplace(dict(definitions(replace(statement, where=()))))


def _at(expression: Expr, **values: int) -> Expr:
    """The expression with numbers in the place of the named symbols."""
    return expression.subs({s: values[s.name] for s in expression.free_symbols if s.name in values})


def _rounds_against_heterogeneity() -> bool:
    """In eq. (6) alpha is not in term A, and term B falls with it to 0."""
    first, second = (_term("dp_fedavg.theorem_2", name) for name in ("initialization", "heterogeneity"))
    return _moves(first, "alpha") == 0 and _moves(second, "alpha") == -1


def _initialization_for_heterogeneity() -> bool:
    """The threshold of Proposition 1 falls with E, and term B of eq. (6) grows with it."""
    choices = {c.symbol.name: c.expression for c in bounds.get("dp_fedavg.proposition_1").choices}
    return (
        _moves(choices["C_hat"], "E") == -1
        and _moves(_term("dp_fedavg.theorem_2", "initialization"), "C_hat") == 1
        and _moves(_term("dp_fedavg.theorem_2", "heterogeneity"), "E") == 1
    )


def _noise_in_the_variance() -> bool:
    """2 sigma_DP^2/p with sigma_DP = p beta, over p beta^2: the same at every p and beta."""

    def share(p: int, beta: int) -> int:
        return 2 * (p * beta) ** 2 // p // (p * beta**2)

    return {share(p, beta) for p in range(1, 5) for beta in range(1, 5)} == {2}


def _causes_of_the_constants() -> bool:
    """Each additive constant of Theorem 1 is 0 where its cause is absent, and the rest falls with K."""
    theorem = "fed_norm_ec.theorem_1.main"
    variance = sum((t.expression for t in bounds.get("fed_norm_ec.variance.main_text").terms), Integer(0))
    return (
        _at(_term(theorem, "memory"), R=0) == 0
        and _at(_term(theorem, "drift"), Delta_inf=0) == 0
        and _at(variance, p=1, sigma_DP=0) == 0
        and _at(_term(theorem, "sampling_and_noise"), B=0) == 0
        and _moves(_term(theorem, "initialization"), "K") == -1
    )


def _two_bounds() -> bool:
    """The proof of Theorem 1 names Lemmas 6 and 7; the one on the distance is 7, not 6 as the text has it."""
    named = {use for step in bounds.get("fed_norm_ec.theorem_1.main").steps for use in step.uses}
    distance = bounds.get("fed_norm_ec.lemma_7.c5").printed[0]
    return (
        any(n.startswith("A.lem6") for n in named)
        and any(n.startswith("A.lem7") for n in named)
        and r"\gamma\nabla f_{i}(x^{k})" in distance
    )


def _full_participation() -> bool:
    """If B_hat = M, the fourth power of A.disc.util is Delta^4 d/M log(1/delta)/epsilon^2, up to c_O^4."""
    utility = _term("fed_norm_ec.claims.util", "utility")
    symbols = {s.name: s for s in utility.free_symbols}
    fourth = (utility.subs(symbols["B_hat"], symbols["M"]) ** 4).expand()
    share = fourth * symbols["M"] / symbols["d"] / (symbols["Delta"] * symbols["c_O"]) ** 4
    return {s.name for s in share.simplify().free_symbols} == {"delta", "epsilon"}


ON_FORMULAS: Mapping[str, Callable[[], bool]] = {
    "dp_fedavg.claims.rounds_against_heterogeneity": _rounds_against_heterogeneity,
    "dp_fedavg.claims.initialization_for_heterogeneity": _initialization_for_heterogeneity,
    "fed_norm_ec.claims.expb": _noise_in_the_variance,
    "fed_norm_ec.claims.parts": _causes_of_the_constants,
    "fed_norm_ec.claims.novel": _two_bounds,
    "fed_norm_ec.claims.p1": _full_participation,
}
