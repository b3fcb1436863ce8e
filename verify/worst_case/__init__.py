"""Exact worst cases over a class of problems: certified from above, attained from below."""
