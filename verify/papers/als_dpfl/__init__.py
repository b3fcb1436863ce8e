"""Runs on the ALS-DPFL paper, the objects its lemmas are tried on, and what breaks it."""
