"""The number of examples that Hypothesis tries: a third of them in the first tier, all in `make test-all`."""

import os


def count_examples(every: int) -> int:
    return every if os.environ.get("EVERY_EXAMPLE") else every // 3
