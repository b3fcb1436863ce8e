"""Where the words of `bounds` and the words of `synthetic` meet, and nowhere else.

One file, `assumptions`, joins assumptions with facts. `cells` chooses what is run: problems and numbers.
`constants` names what a problem and a start have, `run_settings` what the algorithm is told, and
`measurements` reads the statement's observables from a trace. The `runs` of a paper, in `verify.papers`, say
what does not follow from declarations; `joined` finds them. They have cells for the standard roles; a role
that cannot be is named by `excluded`, with the reason.
"""

from verify.matching.roles import STANDARD_ROLES, about_a_run, unfilled, why_not_run

__all__ = ["STANDARD_ROLES", "about_a_run", "unfilled", "why_not_run"]
