"""Which ids a name means: an id, a module (`fed_norm_ec.theorem_1`), a paper or a glob (`*.lemma_?`)."""

from collections.abc import Iterable
from fnmatch import fnmatchcase


def spelled(name: str) -> str:
    """The spelling of ids; `dp-fedavg/theorem-2` is accepted too."""
    return name.replace("/", ".").replace("-", "_")


def matching(name: str, ids: Iterable[str]) -> list[str]:
    """The ids that the name means, in their order; empty for a name that means none of them."""
    prefix, known = spelled(name), list(ids)
    inside = [one for one in known if one == prefix or one.startswith(f"{prefix}.")]
    return inside + [one for one in known if fnmatchcase(one, prefix) and one not in inside]


def is_glob(name: str) -> bool:
    return bool(set(name) & set("*?["))
