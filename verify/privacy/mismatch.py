"""What a theorem assumes against what an algorithm does: a refusal that names both."""

from collections.abc import Iterator

from verify.privacy.errors import Unaccountable
from verify.privacy.mechanism import Full, Mechanism, Placement, Spread, Unit
from verify.privacy.release import release

# Rounding of a number that both sides computed their own way.
AGREE = 1e-9


def refusal(assumed: Mechanism, done: Mechanism) -> str | None:
    """Why the guarantee of the assumed mechanism says nothing about the one that ran; None where it does."""
    differences = [*_facts(assumed, done), *_sizes(assumed, done)]
    if not differences:
        differences = list(_uncountable(done))
    return "; ".join(differences) or None


def _facts(assumed: Mechanism, done: Mechanism) -> Iterator[str]:
    for name, what in (
        ("unit", "the unit"),
        ("relation", "the neighboring relation"),
        ("sampling", "sampling"),
        ("placement", "the noise"),
        ("spread", "the variance"),
    ):
        there, here = getattr(assumed, name), getattr(done, name)
        if there is None or here is None or there != here:
            yield f"{what}: assumed {_word(there)}, done {_word(here)}{_consequence(name, done)}"


def _word(fact: object) -> str:
    if fact is None:
        return "unknown"
    return f"at the {fact}" if isinstance(fact, Placement) else str(fact)


def _consequence(name: str, done: Mechanism) -> str:
    if name != "placement" or done.placement is not Placement.CLIENTS:
        return ""
    return " (the noise of the sum then depends on how many clients were drawn)"


def _sizes(assumed: Mechanism, done: Mechanism) -> Iterator[str]:
    """More noise, fewer rounds and smaller contributions than assumed only protect better.

    Noises of the clients add up, and a total variance is spread over the coordinates: more clients and fewer
    coordinates are more noise.
    """
    sizes = [
        ("deviation", "standard deviation of the noise", False),
        ("contribution", "largest contribution", True),
        ("rounds", "rounds", True),
    ]
    if done.placement is Placement.CLIENTS and done.unit is Unit.CLIENT and done.sampling == Full():
        sizes.append(("clients", "clients", False))
    if done.spread is Spread.TOTAL:
        sizes.append(("dimension", "dimension", True))
    for name, what, larger_is_worse in sizes:
        there, here = getattr(assumed, name), getattr(done, name)
        if there is None or here is None:
            yield f"{what}: assumed {_number(there)}, done {_number(here)}"
        elif not (here - there if larger_is_worse else there - here) <= AGREE * abs(there):  # NaN too
            yield f"{what}: assumed at {'most' if larger_is_worse else 'least'} {there:g}, done {here:g}"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:g}"


def _uncountable(done: Mechanism) -> Iterator[str]:
    """Agreement is not enough where both are a mechanism that nothing counts."""
    try:
        release(done)
    except Unaccountable as error:
        yield str(error)
