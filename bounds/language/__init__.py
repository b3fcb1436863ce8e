"""What the file of a statement may say: quantities, conditions, terms, assumptions, steps, findings."""
