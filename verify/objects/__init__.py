"""A statement against vectors, functions and sequences that are drawn for it."""
