"""Checks and witnesses of claims that are spread over several papers."""
