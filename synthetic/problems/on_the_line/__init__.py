"""What the families on the line share: curves, shapes, constants of piecewise functions."""
