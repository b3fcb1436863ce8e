"""The facts about functions of a class: each is an expression, in the language of proofs, that is at least 0.

They are the definitions of the classes and what follows from them by calculus. A point p of a function f
brings the names `at p`, `gradient p` and `value p`, and a constant of f the name `smooth f`; no declaration
can take these names, which hold a space.
"""

from typing import Any

PROPERTIES = ("convex", "smooth", "strongly_convex", "lowest", "lipschitz", "weakly_convex", "lojasiewicz")
# The others: of two other points.
OF_ONE = ("lowest_value", "lowest_value_by_gradient", "bounded_gradient", "lojasiewicz")


def list_facts(f: str, p: str, q: str) -> dict[str, tuple[tuple[str, ...], Any]]:
    """The facts about f at p and q by name: the properties of f that one needs, and its expression.

    p and q must differ, because the object {p: 1, q: -1} would lose a coefficient.
    """
    L, mu, lowest, lipschitz, rho, steep = (f"{name} {f}" for name in PROPERTIES[1:])
    along = {f"at {p}": "1", f"at {q}": "-1"}
    turn = {f"gradient {p}": "1", f"gradient {q}": "-1"}
    bent = turn | {f"at {p}": ["-", mu], f"at {q}": mu}  # the turn of f - mu/2 ||.||^2
    above = [
        "-",
        f"value {p}",
        f"value {q}",
        ["inner", f"gradient {q}", along],
    ]  # f(p) - f(q) - <grad f(q), p - q>
    slope, far = ["square", f"gradient {p}"], ["/", ["square", along], "2"]
    curved = ["-", above, ["*", mu, far]]
    turned = ["/", ["square", turn], ["*", "2", L]]
    over_lowest = ["-", f"value {p}", lowest]
    return {
        "convex": (("convex",), above),
        "strongly_convex": (("strongly_convex",), curved),
        # of any subgradient, since f + rho/2 ||.||^2 is convex
        "weakly_convex": (("weakly_convex",), ["+", above, ["*", rho, far]]),
        "smooth": (("smooth",), ["-", ["*", L, far], above]),
        "smooth_below": (("smooth",), ["+", ["*", L, far], above]),
        "lipschitz_gradient": (("smooth",), ["-", ["*", "2", L, L, far], ["square", turn]]),
        "co_coercive": (("convex", "smooth"), ["-", above, turned]),
        # f - mu/2 ||.||^2 is convex and (L - mu)-smooth; times L - mu, so that L = mu needs no case
        "co_coercive_strongly": (
            ("strongly_convex", "smooth"),
            ["-", ["*", ["-", L, mu], curved], ["/", ["square", bent], "2"]],
        ),
        "lowest_value": (("lowest",), over_lowest),
        "lowest_value_by_gradient": (("lowest", "smooth"), ["-", over_lowest, ["/", slope, ["*", "2", L]]]),
        "lojasiewicz": (("lojasiewicz", "lowest"), ["-", slope, ["*", "2", steep, over_lowest]]),
        "bounded_gradient": (("lipschitz",), ["-", ["^", lipschitz, 2], slope]),
    }
