"""The displayed steps of the proofs, one file per statement."""
