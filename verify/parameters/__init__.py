"""Points at which the conditions of a statement hold."""
