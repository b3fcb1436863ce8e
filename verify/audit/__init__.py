"""What is judged before anything is run: units, rates, hypotheses, what follows from what, limits."""
