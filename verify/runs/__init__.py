"""A statement against runs: cells, the bound at a cell, measurements, the judge."""
