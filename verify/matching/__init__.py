"""Where the words of `bounds` and the words of `synthetic` meet, and nowhere else.

One file, `assumptions`, joins assumptions with facts. `declared_cells` has the cells that are run: on
problems of `standard_problems` and `sharp_problems`, whose constants `constants` names, at the numbers of
`one_cell`; `run_settings` are what the algorithm is told, `observed` what is measured. The `runs` of a
paper, in `verify.papers`, turn a statement's quantities into settings, and a trace into the statement's
observables: `joined` finds them. They have cells for the standard roles; a role that cannot be is named by
`excluded`, with the reason.
"""

from verify.matching.roles import STANDARD_ROLES, about_a_run, unfilled, why_not_run

__all__ = ["STANDARD_ROLES", "about_a_run", "unfilled", "why_not_run"]
