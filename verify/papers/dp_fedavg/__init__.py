"""Runs on the DP-FedAvg paper, the objects its lemmas are tried on, and what breaks it."""
