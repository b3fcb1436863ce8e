"""What `cite` prints."""

from typing import TypedDict

from reports.documents.types.statement import Paper
from verify.records.markers import document


@document("cite")
class Cite(TypedDict):
    id: str
    locator: str
    title: str
    paper: Paper
    bibtex: str
