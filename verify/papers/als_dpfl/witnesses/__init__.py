"""Instances on which a printed statement, step or line of the ALS-DPFL paper is false."""
