"""Algorithms and problems that an author brings in a package."""
