"""Whether a bound is ever below what is known without it."""
