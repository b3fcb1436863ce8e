"""The bound on the best aggregated model, whose cells follow from its declarations.

Runs take a client's whole function for every batch: what random batches add is tested with loops of its own.
"""

from verify.matching.cells import standard
from verify.matching.runs import Runs

RUNS = Runs(algorithm="dpfl", statements=("als_dpfl.best_aggregation",), excluded=standard.excluded)
