"""Machine forms of proofs about one noisy step of the auxiliary sequence."""
