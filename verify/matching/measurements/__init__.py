"""What a run measures of a statement's observables, exactly where that can be, and how it is rounded."""
