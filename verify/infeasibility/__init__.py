"""Certificates that no parameters exist: the systems, the search for a proof, and its independent checker."""
