"""One file per paper: instances on which a printed statement is false."""
