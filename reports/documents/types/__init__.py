"""The types of the JSON documents: what each verb prints, key by key.

A type is the one place where a key, its type, its range and its meaning stand. Builders return dictionaries
that mypy checks against it, and `python -m reports.documents.schemas` writes reports/schemas/ from it. No
command imports these modules: they cost nothing at the start.
"""
