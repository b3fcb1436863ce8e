"""The declarations of a proof: those that describe the problem, and those that only name what exists.

The first are trusted and may stand in `given` alone: an operator, an atom with its sign, a function of a
class, a relation that is assumed. The second may also stand between the steps, because they claim nothing.
"""

from typing import Any

from verify.proofs.algebra import ANY, NON_NEGATIVE, Vector, add, need, number
from verify.proofs.facts import PROPERTIES, Known
from verify.proofs.reader import Point


def nothing_else(document: Any, *keys: str, optional: tuple[str, ...] = ()) -> None:
    """Refuse an object that lacks a key or has one that nothing reads."""
    need(type(document) is dict, "an object is needed")
    need(set(keys) <= set(document), f"it lacks {', '.join(sorted(set(keys) - set(document)))}")
    extra = set(document) - set(keys) - set(optional)
    need(not extra, f"it has a key that nothing reads: {', '.join(sorted(map(str, extra)))[:80]}")


def declare(checker: Known, entry: dict[str, Any], trusted: bool) -> None:
    kind = str(entry.get("kind"))
    known = kind in NAMING or (trusted and kind in DESCRIBING)
    need(known and not (trusted and kind == "arbitrary"), f"{kind[:80]!r} may not be declared here")
    body = {key: value for key, value in entry.items() if key != "kind"}
    (NAMING | DESCRIBING)[kind](checker, body)


def need_index(checker: Known, index: Any) -> None:
    """Members of a sequence are counted by an index; a mean or a sum has no next member."""
    masses = checker.reader.algebra.masses
    need(
        isinstance(index, str) and index in masses and masses[index] is None,
        "an index is needed, without a mass",
    )


def _over(entry: dict[str, Any]) -> frozenset[str]:
    found = entry.get("over", [])
    need(type(found) is list and all(isinstance(o, str) for o in found), "over is a list of operators")
    return frozenset(found)


def _operator(checker: Known, entry: dict[str, Any]) -> None:
    """A positive linear operator with the mass of 1; without a mass, the index of a sequence."""
    nothing_else(entry, "name", optional=("mass",))
    reader = checker.reader
    mass = reader.scalar(entry["mass"]) if "mass" in entry else None
    need(mass is None or not reader.algebra.dependences(mass), "a mass depends on nothing")
    need(mass is None or reader.algebra.sign(mass) != ANY, "a mass has a sign")
    reader.algebra.masses[reader.fresh(entry["name"])] = mass


def _scalar(checker: Known, entry: dict[str, Any]) -> None:
    nothing_else(entry, "name", "sign", optional=("over",))
    checker.reader.new_scalar(entry["name"], entry["sign"], _over(entry))


def _vector(checker: Known, entry: dict[str, Any]) -> None:
    nothing_else(entry, "name", optional=("over",))
    checker.reader.new_vector(entry["name"], _over(entry))


def _function(checker: Known, entry: dict[str, Any]) -> None:
    nothing_else(entry, "name", "properties", optional=("over",))
    reader, depends, properties = checker.reader, _over(entry), entry["properties"]
    need(
        type(properties) is dict and set(properties) <= set(PROPERTIES), "a function has an unknown property"
    )
    need(depends <= set(reader.algebra.masses), "a function depends on an operator that is not declared")
    for name, constant in properties.items():
        if name != "convex":
            need(reader.algebra.dependences(reader.scalar(constant)) <= depends, f"{name} depends on more")
    name = reader.fresh(entry["name"])
    reader.functions[name], reader.algebra.depends[name] = dict(properties), depends


def _hypothesis(checker: Known, entry: dict[str, Any]) -> None:
    nothing_else(entry, "name", "assumed", "relation")
    need(entry["relation"] in ("= 0", ">= 0", "> 0"), "a relation is one of '= 0', '>= 0' and '> 0'")
    name = entry["name"]
    need(
        isinstance(name, str) and 0 < len(name) < 200 and name not in checker.proved,
        "a hypothesis needs its own name",
    )
    checker.proved[name] = checker.reader.scalar(entry["assumed"]), entry["relation"]


def _mean(checker: Known, entry: dict[str, Any]) -> None:
    """The mean of a vector under an operator, as the problem has it: 0 for an unbiased noise."""
    nothing_else(entry, "over", "of", "equals")
    _set_mean(checker, entry, checker.reader.vector(entry["equals"]))


def _average(checker: Known, entry: dict[str, Any]) -> None:
    """A new name for the mean of a vector under an operator."""
    nothing_else(entry, "name", "over", "of")
    reader, of = checker.reader, checker.reader.vector(entry["of"])
    need(isinstance(entry["over"], str), "an average is over one operator")
    depends = reader.algebra.of_vector(of) - {entry["over"]}
    _set_mean(checker, entry, reader.new_vector(entry["name"], depends))


def _set_mean(checker: Known, entry: dict[str, Any], mean: Vector) -> None:
    algebra, of, operator = checker.reader.algebra, checker.reader.vector(entry["of"]), entry["over"]
    need(isinstance(operator, str) and algebra.masses.get(operator) is not None, "a mean is over an operator")
    need(operator not in algebra.of_vector(mean), f"a mean over {operator} does not depend on it")
    one = len(of) == 1 and all(len(c) == 1 and set(c.values()) == {1} for c in of.values())
    need(one, "a mean is of one vector, with one product of scalars before it")
    ((name, coefficient),) = of.items()
    (scalars,) = coefficient
    need(
        all(operator in algebra.dependences({((f, 1),): number(1)[()]}) for f, _ in scalars),
        "a factor is constant",
    )
    need(
        operator in algebra.depends[name] and (operator, name, scalars) not in algebra.means,
        "the mean is known",
    )
    need(
        algebra.of_vector(mean) <= algebra.of_vector(of) - {operator},
        "a mean depends on more than its vector",
    )
    algebra.means[operator, name, scalars] = mean


def _arbitrary(checker: Known, entry: dict[str, Any]) -> None:
    """A vector of which nothing is known: a claim about it holds for every vector."""
    nothing_else(entry, "name")
    older = frozenset(checker.reader.scalars | checker.reader.vectors)
    checker.reader.new_vector(entry["name"], frozenset())
    checker.reader.before[entry["name"]] = older | {entry["name"]}


def _let(checker: Known, entry: dict[str, Any]) -> None:
    """An abbreviation. It is read once here, so that it can only name what is declared before."""
    reader = checker.reader
    if "vector" in entry:
        nothing_else(entry, "name", "vector")
        reader.vector(entry["vector"])
        reader.abbreviated_vectors[reader.fresh(entry["name"])] = entry["vector"]
    else:
        nothing_else(entry, "name", "equals")
        reader.scalar(entry["equals"])
        reader.abbreviations[reader.fresh(entry["name"])] = entry["equals"]


def _root(checker: Known, entry: dict[str, Any]) -> None:
    """The root, at least 0, of what is at least 0: a norm is the root of a square."""
    nothing_else(entry, "name", "of", optional=("because",))
    of = checker.reader.scalar(entry["of"])
    square = type(entry["of"]) is list and entry["of"][0] == "square"
    seen = square or checker.reader.algebra.sign(of) != ANY
    need(
        seen or ("because" in entry and checker.known(entry["because"])[0] == of),
        "the root of what may be below 0",
    )
    checker.reader.new_scalar(entry["name"], NON_NEGATIVE, checker.reader.algebra.dependences(of))
    checker.reader.algebra.roots[entry["name"]] = of
    checker.reader.root_expressions[entry["name"]] = entry["of"]


def _named(checker: Known, entry: dict[str, Any]) -> None:
    """A new scalar for an expression, with the sign that an earlier claim proves; so it may divide."""
    nothing_else(entry, "name", "stands_for", optional=("because",))
    of, algebra = checker.reader.scalar(entry["stands_for"]), checker.reader.algebra
    sign = algebra.sign(of)
    if "because" in entry:
        expression, relation = checker.known(entry["because"])
        need(expression == of, "the reason is about another expression")
        sign = ">" if relation == "> 0" else NON_NEGATIVE
    value = checker.reader.new_scalar(entry["name"], sign, algebra.dependences(of))
    checker.proved[f"definition of {entry['name']}"] = add(value, of, -1), "= 0"


def _point(checker: Known, entry: dict[str, Any]) -> None:
    """A function at a point: new names for its gradient and its value there."""
    nothing_else(entry, "name", "function", "at", "gradient", "value")
    reader, function = checker.reader, entry["function"]
    need(
        isinstance(function, str) and function in reader.functions,
        f"{str(function)[:80]!r} is not a function",
    )
    at = reader.vector(entry["at"])
    depends = reader.algebra.of_vector(at) | reader.algebra.depends[function]
    name = reader.fresh(entry["name"])
    gradient = reader.new_vector(entry["gradient"], depends)
    value = reader.new_scalar(entry["value"], ANY, depends)
    reader.points[name] = Point(function, at, gradient, value)


def _known_point(checker: Known, entry: dict[str, Any]) -> None:
    """A function at a point where its gradient is known, such as 0 at a minimizer."""
    nothing_else(entry, "name", "function", "at", "known_gradient", "known_value")
    reader, function = checker.reader, entry["function"]
    need(
        isinstance(function, str) and function in reader.functions,
        f"{str(function)[:80]!r} is not a function",
    )
    gradient, value = reader.vector(entry["known_gradient"]), reader.scalar(entry["known_value"])
    reader.points[reader.fresh(entry["name"])] = Point(function, reader.vector(entry["at"]), gradient, value)


def _sequence(checker: Known, entry: dict[str, Any]) -> None:
    """The next, the first and the last member of a sequence of which the name is the generic one."""
    nothing_else(entry, "name", "index", "next", "first", "last")
    reader, name, index = checker.reader, entry["name"], entry["index"]
    read = reader.vector if name in reader.vectors else reader.scalar
    need(name in reader.vectors or name in reader.scalars, f"{str(name)[:80]!r} is not an atom")
    need_index(checker, index)
    need(index in reader.algebra.depends[name] and (index, name) not in reader.sequences, "not a sequence")
    for where in ("next", "first", "last"):
        read(entry[where])
        if name in reader.root_expressions:
            member = reader.scalar(entry[where])
            square = reader.scalar(reader.root_expressions[name], (index, where))
            same = reader.algebra.sign(member) != ANY and reader.algebra.times(member, member) == square
            need(same, f"{where} is not the root of what {name} is the root of there")
    reader.sequences[index, name] = {where: entry[where] for where in ("next", "first", "last")}


def _recursion(checker: Known, entry: dict[str, Any]) -> None:
    """A new sequence by its first member and its recursion; one that never falls below 0 keeps that sign."""
    nothing_else(entry, "name", "index", "next", "first", "last", "type", optional=("over", "sign"))
    reader, algebra, index = checker.reader, checker.reader.algebra, entry["index"]
    need_index(checker, index)
    need(entry["type"] in ("scalar", "vector"), "a recursion is of scalars or of vectors")
    depends = _over(entry) | {index}
    sign = entry.get("sign", ANY)
    if entry["type"] == "vector":
        need("sign" not in entry, "a vector has no sign")
        reader.new_vector(entry["name"], depends)
        needed, start = (algebra.of_vector(reader.vector(entry[w])) for w in ("next", "first"))
        reader.new_vector(entry["last"], depends - {index})
    else:
        reader.new_scalar(entry["name"], sign, depends)
        following, first = reader.scalar(entry["next"]), reader.scalar(entry["first"])
        needed, start = algebra.dependences(following), algebra.dependences(first)
        for value in (following, first):
            need(sign == ANY or algebra.sign(value) in (sign, ">"), "the recursion does not keep the sign")
        reader.new_scalar(entry["last"], sign, depends - {index})
    need(needed <= depends and start <= depends - {index}, "the recursion depends on more than it says")
    reader.sequences[index, entry["name"]] = {where: entry[where] for where in ("next", "first", "last")}


NAMING = {
    "arbitrary": _arbitrary,
    "let": _let,
    "root": _root,
    "named": _named,
    "average": _average,
    "point": _point,
    "recursion": _recursion,
}
DESCRIBING = {
    "operator": _operator,
    "scalar": _scalar,
    "vector": _vector,
    "function": _function,
    "hypothesis": _hypothesis,
    "mean": _mean,
    "known point": _known_point,
    "sequence": _sequence,
}
