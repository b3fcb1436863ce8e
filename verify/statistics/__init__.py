"""Betting on means, and how the error level of a run is shared."""
