"""Listings whose states are compared with those that each line gives, right or with a known slip."""
