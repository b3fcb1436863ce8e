"""For which numbers of rounds a condition holds, all else as at a point."""

from collections.abc import Callable, Iterable, Iterator, Mapping

LARGEST = 2**50  # every whole number up to here is a float


def far(points: Iterable[Mapping[str, float]]) -> Iterator[Mapping[str, float]]:
    """The points after very many rounds."""
    return ({**point, "K": float(LARGEST)} if "K" in point else point for point in points)


def where_it_holds(
    holds: Callable[[Mapping[str, float]], bool], point: Mapping[str, float], first: int
) -> str:
    """In words, found at `first` and at powers of two, and between two of them by bisection.

    Empty where K is no input.
    """
    if "K" not in point:
        return ""

    def at(K: int) -> bool:
        return holds({**point, "K": float(K)})

    tried = sorted({first, *(2**j for j in range(LARGEST.bit_length()))})
    found = [at(K) for K in tried]
    changes = [i for i in range(1, len(tried)) if found[i] != found[i - 1]]
    if not changes:
        return (
            "; there it holds for "
            + ("every" if found[0] else "no")
            + f" K = {tried[0]}, {tried[1]}, {tried[2]}, ..., 2^50"
        )
    if len(changes) > 1:
        return "; there it holds for some K = 2^j and fails for others"
    before, after = _between(at, tried[changes[0] - 1], tried[changes[0]])
    return f"; there it holds up to K = {before}" if found[0] else f"; there it holds from K = {after} on"


def _between(at: Callable[[int], bool], low: int, high: int) -> tuple[int, int]:
    """Neighbours between which the answer changes; it is known to differ at the ends."""
    below = at(low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at(middle) == below else (low, middle)
    return low, high
