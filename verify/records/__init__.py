"""Records of verification, standings and refuted statements."""
