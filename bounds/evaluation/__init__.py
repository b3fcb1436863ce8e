"""The value of a statement: what is asked of it, what was given, whether its conditions hold."""
