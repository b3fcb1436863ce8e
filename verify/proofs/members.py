"""Whether a sequence goes on as what its members are: a value at a point as the value at the next point.

A form names the members of a sequence itself. Where they are something already, such as the gradients of a
function at the points of a path, the names have to be those of the moved points; else the sequence would be a
hypothesis. A sequence of vectors or of counters that are nothing else is the algorithm, which a person reads.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

from verify.proofs.algebra import Polynomial, Rejected, Vector, number
from verify.proofs.checker import Checker
from verify.proofs.shapes import Definition, is_multiple

NEXT: Final = "next"
WHERE: Final = (NEXT, "first", "last")
PROBE: Final = "any vector"  # a name with a space, which no declaration takes
Entry = Mapping[str, Any]


# What makes atoms: a point its gradient and its value, a mean a vector, a recursion its members.
MAKING: Final[Mapping[str, tuple[str, ...]]] = {
    "point": ("gradient", "value"),
    "average": ("name",),
    "recursion": ("name", "last"),
}


def count_read(given: Sequence[Entry]) -> int:
    """How many sequences say what an algorithm does, or how a number goes on."""
    names = [entry["name"] for entry in given if entry["kind"] == "sequence"]
    return sum(not any(_makes(entry, name) for entry in given) for name in names)


def _makes(entry: Entry, name: str) -> bool:
    return name in [entry[key] for key in MAKING.get(entry["kind"], ())]


@final
@dataclass(frozen=True, slots=True)
class Members:
    """The sequences that a form is given; `written` has the expressions of its hypotheses by their names."""

    checker: Checker
    given: Sequence[Entry]
    written: Mapping[str, Any]

    def list_untied(self) -> Iterator[str]:
        """The sequences of what a point, a mean or a recursion makes that do not go on as that does."""
        for entry in self._list_sequences():
            if not all(self._is_followed(entry, maker) for maker in self._list_makers(entry["name"])):
                yield f"{entry['name']} over {entry['index']}"

    def fits(self, name: str, own: Sequence[Definition], every: Sequence[Definition]) -> bool:
        """Whether the definitions of a member are those of the generic one, moved, if these can be moved."""
        for entry in self._list_sequences():
            for where in WHERE:
                if entry[where] == name and entry["name"] != name:
                    generic = [one for one in every if entry["name"] in self.checker.atoms(one.value)]
                    moved = [self._move(one, entry, where) for one in generic if one not in own]
                    known = [value for value in moved if value is not None]
                    alike = all(any(is_multiple(one.value, v) for v in known) for one in own)
                    if known and len(known) == len(moved) and not alike:
                        return False
        return True

    def goes_on(self, name: str, own: Sequence[Definition]) -> bool:
        """Whether the next member of a symbol, if it is written as a formula, meets the definitions too."""
        return not any(
            self._move(one, entry, NEXT)
            for entry in self._list_sequences()
            if entry["name"] == name and not self._is_name(entry[NEXT])
            for one in own
        )

    def _is_name(self, member: Any) -> bool:
        return isinstance(member, str) and member in self.checker.kinds

    def _list_sequences(self) -> Iterator[Entry]:
        return (entry for entry in self.given if entry["kind"] == "sequence")

    def _list_makers(self, name: str) -> Iterator[Entry]:
        return (entry for entry in self.given if _makes(entry, name))

    def _is_followed(self, sequence: Entry, maker: Entry) -> bool:
        """Whether every member is what the maker makes there; one that cannot be moved is not."""
        follows = {"point": self._follows_point, "average": self._follows_average}.get(maker["kind"])
        try:
            return follows is not None and all(follows(sequence, maker, where) for where in WHERE)
        except Rejected:
            return False

    def _follows_point(self, sequence: Entry, point: Entry, where: str) -> bool:
        checker, function = self.checker, point["function"]
        if sequence["index"] in checker.depends[function]:
            return False
        at = checker.vector(point["at"], (sequence["index"], where))
        key = "gradient" if sequence["name"] == point["gradient"] else "value"
        read: Any = checker.vector if key == "gradient" else checker.scalar
        others = (e for e in self.given if e["kind"] == "point" and e["function"] == function)
        member = read(sequence[where])
        return any(checker.vector(other["at"]) == at and read(other[key]) == member for other in others)

    def _follows_average(self, sequence: Entry, average: Entry, where: str) -> bool:
        """Both sides have the same inner product with any vector."""
        checker, probe = self.checker, {PROBE: number(1)}
        checker.depends[PROBE] = frozenset()
        moved: Vector = checker.vector(average["of"], (sequence["index"], where))
        mean = checker.over(average["over"], checker.inner(moved, probe))
        return checker.inner(checker.vector(sequence[where]), probe) == mean

    def _move(self, one: Definition, entry: Entry, where: str) -> Polynomial | None:
        """The definition at that member; None if something in it has no sequence there."""
        try:
            return self.checker.scalar(self.written[one.name], (entry["index"], where))
        except Rejected:
            return None
