"""The report of a record: one HTML file that opens offline, Markdown and LaTeX.

A record and an installed package may hold anything, so everything is escaped; MathML passes only after
`formula.mathml` has removed all that is not layout, a picture only as `plots.light` made it. The page runs
one script, which its policy names by digest; without it the page is a document.
"""

from reports.page.changes import changes, lines
from reports.page.contents import contents
from reports.page.render import changes_html, html, latex, latex_table, markdown, review_html, review_latex
from reports.page.review import review

__all__ = [
    "changes",
    "changes_html",
    "contents",
    "html",
    "latex",
    "latex_table",
    "lines",
    "markdown",
    "review",
    "review_html",
    "review_latex",
]
