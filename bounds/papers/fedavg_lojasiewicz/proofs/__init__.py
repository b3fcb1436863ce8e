"""Machine forms of proofs about one round of FedAVG and of what follows from it."""
