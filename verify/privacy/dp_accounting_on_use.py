"""dp-accounting, an optional package, loaded when something is counted with it."""

import logging
from typing import Any

from verify.privacy.errors import MissingExtra
from verify.privacy.mechanism import Relation


def dp_accounting() -> Any:
    try:
        import dp_accounting as package
    except ImportError:
        raise MissingExtra(
            "counting privacy with pld or rdp needs dp-accounting: pip install 'fedbounds[privacy]'; "
            "--accountant exact does without, at full participation"
        ) from None
    # It reports orders whose series it drops, which only makes the bound larger.
    logging.getLogger("absl").setLevel(logging.ERROR)
    return package


def relation_of(relation: Relation) -> Any:
    names = dp_accounting().NeighboringRelation
    return names.REPLACE_ONE if relation is Relation.REPLACE_ONE else names.ADD_OR_REMOVE_ONE
