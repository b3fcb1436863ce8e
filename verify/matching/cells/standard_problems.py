"""Problems on which a statement is run that names none: one of each family, clients alike and apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, final

from bounds.discovery import leave_out
from bounds.errors import BrokenPaper
from bounds.language.statement import Statement
from synthetic.errors import AuthorMistake, BrokenPackage, FalseClaim, Refusal
from synthetic.outside.algorithms import is_outside
from synthetic.outside.problems import is_adopted, outside_problem_names
from synthetic.problem import Problem
from synthetic.problems import build
from verify.workers.watched import watched

LISTS: Final = ("curvatures", "factors", "centers")  # arguments with an entry for each client
DRAWN: Final = {"clients": 5, "dimension": 4, "seed": 2}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Arguments of a problem with clients apart and, where it has them, with clients that are alike.

    at_edge: what it shows, it shows at the edge of a statement's conditions.
    """

    name: str
    apart: Mapping[str, Any]
    alike: Mapping[str, Any] | None = None
    title: str = ""
    at_edge: bool = False

    @property
    def family(self) -> str:
        return self.title or self.name.partition(".")[0]


def _small(family: str, heterogeneity: float, **more: Any) -> Candidate:
    arguments = DRAWN | more
    return Candidate(
        name=f"{family}.small",
        apart=arguments | {"heterogeneity": heterogeneity},
        alike=arguments | {"heterogeneity": 0.0},
    )


def leave_one_client(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same problem with its first client alone."""
    listed = {name: arguments[name][:1] for name in LISTS if name in arguments}
    return {**arguments, **listed} | ({"clients": 1} if "clients" in arguments else {})


# In this order: the first that meets a statement's assumptions carries its standard cells.
CANDIDATES: Final = (
    _small("quadratic", 1.0),
    Candidate(
        name="quadratic.diagonal",
        apart={"curvatures": ((1.0,), (0.05,)), "centers": ((1.0,), (-1.0,))},
        title="quadratic, two clients",
    ),
    _small("huber", 0.3),
    _small("logistic", 1.0),
    _small("nonconvex_logistic", 1.0),
    _small("component_sums", 1.0),
    _small("lojasiewicz", 1.0),
    # Flat where runs start: there 20 rounds of descent, and of acceleration, with steps 1/L are slowest.
    *(
        Candidate(
            name="huber.huber",
            apart={"curvature": 1.0, "threshold": threshold, "centers": ((0.0,), (0.0,))},
            title=f"huber, flat from {threshold:g} on",
            at_edge=True,
        )
        for threshold in (0.05, 0.008)
    ),
)

# For statements about one client: each family once, and quadratics of condition 20.
ALONE: Final = (
    *(
        Candidate(name=candidate.name, apart=one, alike=one, title=candidate.title, at_edge=candidate.at_edge)
        for candidate in CANDIDATES
        if candidate.name != "quadratic.diagonal"
        for one in [leave_one_client(candidate.alike or candidate.apart)]
    ),
    *(
        Candidate(name="quadratic.diagonal", apart=one, alike=one, title="quadratic, two curvatures")
        for one in [{"curvatures": ((1.0, 0.05),), "centers": ((1.0, -1.0),)}]
    ),
)

# For statements that no other problem with clients apart fits: they ask for strong convexity and a bounded
# divergence of gradients, or that L and mu are equal.
RESERVE: Final = tuple(
    Candidate(
        name="quadratic.diagonal",
        apart={"curvatures": (curvatures,) * 3, "centers": ((1.0, -1.0), (1.0, 1.0), (-2.0, 0.0))},
        title=title,
    )
    for curvatures, title in (
        ((1.0, 0.1), "quadratics of one Hessian"),
        ((1.0, 1.0), "quadratics of one curvature"),
    )
)


def candidates(statement: Statement) -> Iterator[Candidate]:
    """Those that the statement names; else ours, then its package's, as they are built without arguments."""
    ours = {candidate.name: candidate for candidate in CANDIDATES}
    if statement.problems:
        yield from (
            ours.get(name) or Candidate(name=name, apart={}, title=name) for name in statement.problems
        )
        return
    yield from CANDIDATES
    for name in outside_problem_names():
        if name.startswith(f"{statement.paper.key}."):
            yield Candidate(name=name, apart={}, title=name)


@cache
def _built(name: str, arguments: tuple[tuple[str, Any], ...]) -> Problem | Refusal:
    """A refused problem is not tried again. An author's functions are tried first where they can be ended."""
    try:
        if is_outside(name):
            watched(_try_to_build, name, arguments)
        return build(name, **dict(arguments))
    except Refusal as error:
        return error


def _try_to_build(name: str, arguments: tuple[tuple[str, Any], ...]) -> None:
    build(name, **dict(arguments))


def built(name: str, arguments: Mapping[str, Any]) -> Problem | None:
    """The problem; None where it cannot be built from these arguments, or its author is mistaken in it."""
    found = build(name) if is_adopted(name) else _built(name, tuple(arguments.items()))
    if isinstance(found, AuthorMistake | BrokenPackage | FalseClaim):
        leave_out(name.partition(".")[0], BrokenPaper(f"the problem {name} is left out: {found}"))
    return None if isinstance(found, Refusal) else found
