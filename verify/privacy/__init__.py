"""Check 8: what a mechanism really costs in privacy, counted by accountants instead of unknown constants.

A mechanism is data: what happened is stated in `mechanism`, and counted elsewhere. Whatever is not stated, or
has no proven count, is refused by name.
"""
