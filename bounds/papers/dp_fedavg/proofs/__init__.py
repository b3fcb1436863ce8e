"""Machine forms of proofs about the local steps, clipping, and the bounds in the convex case."""
