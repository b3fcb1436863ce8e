"""The trace of a run that was cut into blocks of replicates, from the traces of the blocks.

A block knows nothing of the others, so all that follows a mean over the replicates happens here: a block is
asked for sums over its replicates in every round, BLOCK of them at a time. So a mean has the same bits
however a run is cut.
"""

from collections.abc import Sequence

import numpy as np

from synthetic.engine.arithmetic import Array
from synthetic.engine.trace import SUMS, Column, Trace, sums_of_blocks

MEAN = "replicate_mean"
ONE_ROUND = ("first", "last")


def of_a_block(request: str) -> str:
    """What a block is asked for, where the run is asked for this."""
    words = request.split("/")
    if MEAN not in words:
        return request
    own = words[: words.index(MEAN)]
    return "/".join([*(word for word in own if word not in ONE_ROUND), SUMS])


def before_the_mean(request: str) -> str:
    """The observables of several configurations together, whose replicates have no mean in common."""
    words = request.split("/")
    if MEAN not in words:
        return request
    return "/".join(word for word in words[: words.index(MEAN)] if word not in ONE_ROUND)


def of_rows(trace: Trace, rows: slice, requests: Sequence[str]) -> Trace:
    """Some of the replicates, with what a block of them would have been asked for."""
    measurements = {}
    for request in requests:
        asked = before_the_mean(request)
        if asked in trace.measurements:
            own = trace.measurements[asked][rows]
            measurements[of_a_block(request)] = sums_of_blocks(own) if MEAN in request.split("/") else own
    return Trace(
        algorithm=trace.algorithm,
        replicates=rows.stop - rows.start,
        measurements=measurements,
        diverged_round=trace.diverged_round[rows],
        final_state=trace.final_state[rows],
        drew=trace.drew,
    )


def joined(traces: Sequence[Trace], requests: Sequence[str]) -> Trace:
    replicates = sum(trace.replicates for trace in traces)
    measurements = {}
    for request in requests:
        own = of_a_block(request)
        if own not in traces[0].measurements:  # a run without rounds has nothing that is measured in rounds
            continue
        column = _below([trace.measurements[own] for trace in traces])
        if MEAN in request.split("/"):
            column = _after_the_mean(request, column.sum(axis=0) / replicates)
        measurements[request] = column
    return Trace(
        algorithm=traces[0].algorithm,
        replicates=replicates,
        measurements=measurements,
        diverged_round=_below([trace.diverged_round for trace in traces]),
        final_state=_below([trace.final_state for trace in traces]),
        drew=None if traces[0].drew is None else any(trace.drew for trace in traces),
    )


def _below(parts: Sequence[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _after_the_mean(request: str, means: Array) -> Array:
    """The rest of the request, applied to the means (rounds, ...) as if they were the only replicate."""
    words = request.split("/")[1:]
    left = words[words.index(MEAN) :]
    column = Column(reductions=(*(word for word in words if word in ONE_ROUND and word not in left), *left))
    for mean in means:
        column.append(mean[None])
    return column.finished()
