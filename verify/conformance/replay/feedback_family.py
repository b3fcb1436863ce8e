"""Algorithm 1 of the Fed-alpha-NormEC paper, as a listing whose states are compared."""

from dataclasses import replace

from verify.conformance.listing import Line, Part
from verify.conformance.replay.family import Family
from verify.conformance.replay.feedback import Lines, predict
from verify.conformance.replay.feedback_cases import EXAMPLE, cases
from verify.conformance.replay.feedback_laws import read_laws
from verify.conformance.replay.feedback_slips import SLIPS

_LINES = (
    (Part.INITIAL_MEMORY, "1", "memories v_i at the start, the server's is their mean"),
    (Part.SAMPLING, "3", "each client takes part with probability p, independently"),
    (Part.LOCAL_START, "5.s", "local steps start at x"),
    (Part.LOCAL_COUNT, "5.c", "T local steps"),
    (Part.LOCAL_STEP, "5.g", "local steps of length gamma/T"),
    (Part.UPDATE, "6.u", "the update (x - T_i(x))/gamma"),
    (Part.CORRECTION, "6.n", "Delta_i = (update - v_i)/(alpha + norm)"),
    (Part.MEMORY, "7", "v_i = v_i + beta Delta_i for every client"),
    (Part.WEIGHT, "10", "what a client sends is divided by p"),
    (Part.NOISE, "12", "noise of total variance sigma_DP^2 of each client that takes part"),
    (Part.SERVER_DIVISOR, "14.f", "beta/M times the sum of what was sent"),
    (Part.SERVER_MEMORY, "14.v", "the server's memory plus the corrections"),
    (Part.SERVER_STEP, "15", "x = x - eta times the direction of the server's memory"),
    (Part.OUTPUT, "17", "return the last state"),
)

FED_ALPHA_NORM_EC: Family[Lines] = Family(
    algorithm="fed_alpha_norm_ec",
    lines=tuple(Line(part=part, locator=f"A.alg1.{line}", text=text) for part, line, text in _LINES),
    example=EXAMPLE,
    right=Lines(),
    slips=SLIPS,
    cases=cases,
    changed=lambda lines, changes: replace(lines, **changes),
    predict=predict,
    laws=read_laws,
    bounded=(Part.CORRECTION, "updates less memories", "alpha"),
    optional=("initial_memory",),
    unseen=(Part.OUTPUT, Part.WEIGHT, Part.SERVER_DIVISOR),
)
