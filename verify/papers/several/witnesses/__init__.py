"""Witnesses that speak of several papers: listings, rules for noise, claims in prose."""
