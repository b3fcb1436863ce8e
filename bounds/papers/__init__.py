"""One package per paper; one file per statement."""
