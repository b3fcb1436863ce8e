"""One algorithm per file: a frozen `Settings` and a function with the file's own name."""
