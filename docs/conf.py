"""Sphinx: `make docs` builds the site from what `python -m reports.site` writes."""

project = "fedbounds"
author = "The fedbounds authors"
extensions = ["myst_parser"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
# Guides link to their own headings by the names that GitHub gives them.
myst_heading_anchors = 4
highlight_language = "text"
