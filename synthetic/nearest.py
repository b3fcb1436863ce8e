"""The known word that is nearest to an unknown one."""

import difflib
from collections.abc import Sequence


def nearest(word: object, known: Sequence[str]) -> str:
    return difflib.get_close_matches(str(word), known, n=1, cutoff=0.0)[0]
