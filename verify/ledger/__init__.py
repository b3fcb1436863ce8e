"""Defects of the printed mathematics, with evidence that runs again."""
