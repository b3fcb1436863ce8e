"""Whether a quotation is a formula or words, by its spelling alone."""

import re

_IN_A_FORMULA = r"\\[a-z]*(text|rm|textup)\s*\{(?:[^{}]|\{[^{}]*\})*\}"


def is_prose(printed: str) -> bool:
    """Words with inline mathematics between dollar signs, instead of one formula."""
    outside = re.sub(_IN_A_FORMULA, "", printed)
    return "$" in outside or re.search(r"(?<![\\A-Za-z])[A-Za-z]{2,} [a-z]{2,}", outside) is not None


def has_words(printed: str) -> bool:
    """Not so of one formula between dollar signs, which is prose only for who sets it."""
    outside = "".join(re.sub(_IN_A_FORMULA, "", printed).split("$")[::2])
    return is_prose(printed) and re.search("[A-Za-z]{2}", outside) is not None
