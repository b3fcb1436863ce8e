"""All that a person sees: the command line, reports, plots."""
