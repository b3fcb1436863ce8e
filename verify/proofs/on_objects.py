"""Whether some objects meet what a proved lemma asks: from hypotheses that nothing meets anything
follows, and no certificate shows it.
"""

from typing import Final

from bounds.language.statement import Statement

SEED: Final = 0


def why_none_meets(statement: Statement) -> str:
    """Why no drawn objects meet what a lemma asks; empty where some do, and of other statements."""
    # on use: `list` asks which proofs are on file, and loads no arrays
    from verify.objects.both_sides import on_objects
    from verify.objects.check import QUICK_TRIALS, TRIALS
    from verify.objects.conditions_met import meets_for_certain
    from verify.objects.declared import declaration_of, why_not_drawn
    from verify.objects.recipes import draws

    if declaration_of(statement) is None:
        return ""
    if (why := why_not_drawn(statement)) is not None:
        return why
    for trials in (QUICK_TRIALS, TRIALS):  # a few cases are enough almost always
        for family, objects in draws(statement, seed=SEED, trials=trials):
            tried = on_objects(statement, family, objects)
            if tried is not None and tried.counted and meets_for_certain(statement, tried):
                return ""
    return "no objects are drawn that meet what the lemma asks: its hypotheses may contradict each other"
