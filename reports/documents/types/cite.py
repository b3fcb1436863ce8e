"""What `cite` prints."""

from typing import TypedDict

from reports.documents.types.markers import document
from reports.documents.types.statement import Paper


@document("cite")
class Cite(TypedDict):
    id: str
    locator: str
    title: str
    paper: Paper
    bibtex: str
