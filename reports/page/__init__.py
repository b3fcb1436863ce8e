"""The report of a record: one HTML file that opens offline without JavaScript, Markdown and LaTeX.

A record and an installed package may hold anything, so everything is escaped; MathML passes only after
`formula.mathml` has removed all that is not layout, a picture only as `plots.inline` made it.
"""

from reports.page.contents import contents
from reports.page.render import html, latex, latex_table, markdown

__all__ = ["contents", "html", "latex", "latex_table", "markdown"]
