"""Many cells and properties: run in parallel, stored, and taken up again."""
