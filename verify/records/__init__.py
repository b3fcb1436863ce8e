"""What was verified, on file: records, standings, and what is refuted."""
