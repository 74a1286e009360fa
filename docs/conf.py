"""Settings of the documentation site: Markdown pages, no network."""

project = "Empathic"
author = "The Empathic authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["decisions/TEMPLATE.md"]
html_theme = "furo"
html_title = "Empathic"
