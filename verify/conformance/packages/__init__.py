"""Code beside an algorithm of a package, whose own round is the reference."""
