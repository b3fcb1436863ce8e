"""From a problem and a privacy target to a setting: what a statement leaves free, chosen, and what it is worth."""
