"""Listings whose states are compared with the listing's own, computed with each line right or with a known slip."""
