"""What several statements of this paper use, and what is no statement itself."""
