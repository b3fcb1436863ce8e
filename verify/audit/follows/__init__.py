"""Whether a corollary follows from its theorem by its own choices."""
