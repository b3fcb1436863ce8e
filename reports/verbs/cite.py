"""`fedbounds cite`: BibTeX of the paper that a statement is from."""

from typing import TYPE_CHECKING

from reports.cli import exits, terminal
from reports.documents import json_border
from reports.verbs.options import Identity, Json

if TYPE_CHECKING:
    from reports.documents.types.cite import Cite


def run(identity: Identity, /, *, json: Json = False) -> int:
    """Print the BibTeX entry of the paper that a statement is from."""
    import bounds
    from bounds.language import transcription
    from reports.errors import NothingApplies

    statement = bounds.get(identity)
    paper = statement.paper
    if json:
        body: Cite = {
            "id": statement.id,
            "locator": statement.locator,
            "title": statement.title,
            "paper": {"key": paper.key, "title": paper.title, "authors": paper.authors},
            "bibtex": paper.bibtex,
        }
        terminal.write(json_border.document("cite", body))
    else:
        if not paper.bibtex.strip():
            raise NothingApplies(f"the paper {paper.key} has no BibTeX entry: its author gives none")
        terminal.write(f"{paper.bibtex}\n")
        name, package = transcription.NAME, paper.package
        shipped = transcription.has_data(package, name)
        is_there = shipped and transcription.read_transcription(package).under(statement.locator)
        place = transcription.path(package, name) if is_there else package
        terminal.say(f"{statement.title} is {statement.locator} in {place}")
        if statement.derived_from:
            terminal.say(f"the paper does not print it: fedbounds derives it from {statement.derived_from}")
    return exits.OK
