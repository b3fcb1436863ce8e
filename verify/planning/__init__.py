"""Planning: from a problem and a privacy target to a setting, its bound, and what that is worth."""
