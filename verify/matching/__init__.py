"""Where the words of `bounds` and the words of `synthetic` meet, and nowhere else.

One file joins assumptions with facts; one file per algorithm turns a statement's quantities into settings,
and a trace into the statement's observables. It has cells for the standard roles; a role that cannot be is
named by its `excluded`, with the reason.
"""

from verify.matching._roles import STANDARD_ROLES, about_a_run, unfilled, why_not_run

__all__ = ["STANDARD_ROLES", "about_a_run", "unfilled", "why_not_run"]
