"""The search for the largest excess: coordinates, hard problems, trials, the search itself."""
