"""Checks and witnesses of claims in words: three ways to decide one, each used by several papers.

They are not split by paper. A file holds one way (exact numbers, printed formulas, small objects) and the few
lines that a claim of each paper adds to it; split, two papers would repeat it for a handful of claims each.
"""
