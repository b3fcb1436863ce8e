"""Instances on which a printed statement, step or line of the DP-FedAvg paper is false."""
