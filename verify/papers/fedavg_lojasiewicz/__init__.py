"""Runs on the Lojasiewicz paper, the objects its lemmas are tried on, and what breaks it."""
