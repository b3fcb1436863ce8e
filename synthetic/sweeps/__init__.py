"""Many configurations in one run, and estimators of smaller variance."""
