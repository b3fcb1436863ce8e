"""Checks that need no run: units, rates, hypotheses, what follows from what, limits."""
