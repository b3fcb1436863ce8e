"""Runs on the textbook controls."""
