"""What this project knows of each paper beside its statements: what is run, tried on objects, refuted.

A paper's folder holds `runs*` (cells and measurements), `objects` (what its lemmas are tried on), `witnesses`
(instances on which it is false) and `errata.toml` (what the witnesses show, in words). Nothing is registered:
`verify.paper_modules` finds a new file by its name. An installed package of statements may have all of these
too: `runs*` and `objects` where its declarations do not say enough (`verify.matching.declared`).
"""
