"""The configuration of the generator of the site's texts (Sphinx with MyST, theme Furo)."""

from __future__ import annotations

from pathlib import Path

from rejoin import __version__

project = "Rejoin"
release = version = __version__
copyright = "the authors of Rejoin"  # noqa: A001 - the generator asks for this name
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "rejoin_site.sphinx_parts"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
nitpicky = False
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries = False
autodoc_default_options = {"no-value": True}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "Rejoin"
html_static_path = ["static"]
templates_path = ["templates"]
suppress_warnings = [
    "misc.highlighting_failure",  # JSON with `...` in it
    "ref.python",  # the three systems use one word, such as Reading, for different classes
]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).parent / "static" / "scorer.js")
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it would fetch pages, which a browser refuses for files
html_last_updated_fmt = None
html_use_index = False
html_domain_indices = False
html_permalinks_icon = "#"
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
