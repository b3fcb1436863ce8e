"""How large the fields of a record may be: it comes from elsewhere and may name any size."""

from typing import Final

LONGEST: Final = 4_000  # characters of a text
MOST_NUMBERS: Final = 100_000  # in the arguments of a problem, or in the settings of a run
MOST_REPLICATES: Final = 2**16
LARGEST_SEED: Final = 2**63 - 1
MOST_TRIALS: Final = 60
DEEPEST: Final = 12  # tables and lists inside each other
