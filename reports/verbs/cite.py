"""`fedbounds cite`: BibTeX of the paper that a statement is from."""

from importlib import resources
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
        shipped = resources.files(paper.package).joinpath(transcription.NAME).is_file()
        place = transcription.path(paper.package, transcription.NAME) if shipped else paper.package
        terminal.say(f"{statement.title} is {statement.locator} in {place}")
    return exits.OK
