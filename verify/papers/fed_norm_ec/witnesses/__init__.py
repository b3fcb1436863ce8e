"""Instances on which a printed statement, step or line of the Fed-alpha-NormEC paper is false."""
