"""Which cells are run for a statement: on which problems, from which start, at which numbers.

`standard` makes the cells that every statement has, on the problems of `standard_problems`; `sharp` adds one
on each problem where usual bounds are reached. `one_cell` finds the numbers of a cell.
"""
