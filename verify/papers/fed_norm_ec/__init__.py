"""Runs on the Fed-alpha-NormEC paper, the objects its lemmas are tried on, and what breaks it."""
