"""Where an author's own assumption holds: its answer is a truth value, and nothing that Python takes for one.

A margin is true wherever it is not zero, below zero too, and so are NaN and any text: a lemma would be judged
on cases that it does not speak of.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.language.lemmas.declaration import Predicate
from synthetic.outside.calls import broken, call


def find_met(predicate: Predicate, objects: Mapping[str, Any], cases: int) -> NDArray[np.bool_]:
    """For each case, whether the assumption holds."""
    given = {name: objects[name] for name in predicate.names}
    answer = call(f"the assumption {predicate.text!r}", predicate.holds, keywords=given)
    found = _as_array(answer)
    if found is None or found.dtype != np.bool_ or found.shape not in ((), (1,), (cases,)):
        raise broken(
            f"the assumption {predicate.text!r}",
            predicate.holds,
            "the answer is no truth value",
            _describe(answer, found),
            f"True or False, or an array of them with one for each of {cases} cases",
        )
    return np.broadcast_to(found, (cases,))


def _as_array(answer: Any) -> NDArray[Any] | None:
    try:
        return np.asarray(answer)
    except ValueError:  # lists of several lengths
        return None


def _describe(answer: Any, found: NDArray[Any] | None) -> str:
    if found is None or not found.shape:
        return f"{answer!r:.40}"
    return f"an array of {found.dtype} of the shape {found.shape}"
