"""Proofs: the steps as the paper prints them (`steps`), and their machine form (`form`, `expression`)."""
