"""The table of all amended forms in docs/amended/strength.md is what the rows and certificates say now."""

import runpy
from pathlib import Path

from bounds import discovery

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "benchmarks" / "strength.py"))
PAGE = ROOT / "docs" / "amended" / "strength.md"


def test_the_page_has_the_numbers_of_the_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text.rpartition("\n\n")[2]
    assert SCRIPT["page"](text) == text, "run python benchmarks/strength.py --write"
    amended = {form.id for form in discovery.forms().values() if form.amendment is not None}
    assert all(f"`{identity}`" in table for identity in amended)
    forged = text.replace("| 1.000 |", "| 1.001 |", 1)
    assert SCRIPT["page"](forged) == text


def test_no_form_has_both_a_search_and_a_sentence_in_its_place() -> None:
    rows = SCRIPT["rows_of_now"](ROOT / "benchmarks" / "falsify.jsonl")
    searched = {
        discovery.get(*form).locator for form, row in rows.items() if row["searched"] and form[1] == "amended"
    }
    assert not searched & SCRIPT["WITHOUT_SIDES"].keys()
    amended = {form.locator for form in discovery.forms().values() if form.amendment is not None}
    assert searched | SCRIPT["WITHOUT_SIDES"].keys() == amended
