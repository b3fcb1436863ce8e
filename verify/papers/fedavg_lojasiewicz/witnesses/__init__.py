"""Instances on which a printed statement, step or line of the Lojasiewicz paper is false."""
