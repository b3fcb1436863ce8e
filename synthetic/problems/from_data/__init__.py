"""The problem that a data set makes, bundled or of a file."""
