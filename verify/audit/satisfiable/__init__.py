"""Whether anything satisfies what a statement asks: a point and a problem, or a proof that there is none."""
