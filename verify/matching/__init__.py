"""Where the words of `bounds` and the words of `synthetic` meet, and nowhere else.

One file joins assumptions with facts; one file per algorithm turns a statement's quantities into settings,
and a trace into the statement's observables.
"""
