"""One thread for the libraries that compute products and exponentials, which otherwise bring their own.

On products as small as ours those gain little, they wait for each other where other work shares the cores,
and the last digits would depend on how many there are: also those of what is computed once and kept.
"""

import sys
from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """For the thread that enters; what OpenMP may do is each thread's own."""
    limit: AbstractContextManager[Any] = _libraries("torch" in sys.modules).limit(limits=1)
    return limit


@cache
def _libraries(_with_torch: bool) -> Any:
    """Found once, and again when torch has brought its own: a search takes as long as a short run."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
