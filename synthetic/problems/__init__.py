"""Problems whose constants are known: one family per file."""
