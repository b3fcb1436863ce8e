"""Exact moments of linear processes, where a run needs no sampling."""
