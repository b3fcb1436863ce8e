"""One program for an expression, run on floats, arrays, 50 digits or with a bound on its rounding."""
