"""Which quantities of the papers are the same, converted into each other, or only spelled alike."""
