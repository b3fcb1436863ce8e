"""Comparisons: the numbers first, then their picture. matplotlib is loaded only to draw."""
