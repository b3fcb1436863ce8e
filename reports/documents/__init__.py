"""The documents that the verbs print, as text and as JSON."""
