"""Data sets: bundled ones and a user's files, and how samples are spread over clients."""
