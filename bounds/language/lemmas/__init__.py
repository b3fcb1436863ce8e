"""Lemmas on functions, vectors, matrices, sequences and random vectors: docs/your_lemma.md."""
