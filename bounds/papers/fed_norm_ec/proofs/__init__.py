"""Machine forms of proofs about one step of the server and of the normalized update."""
