"""Configures Sphinx for these pages: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import cutset

sys.path.insert(0, str(Path(__file__).parent))

project = "Cutset"
author = "the authors of Cutset"
copyright = f"2026, {author}"
release = version = cutset.__version__

extensions = ["myst_parser", "sphinx_copybutton", "handbook"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["README.md"]

html_theme = "furo"
html_title = f"Cutset {version}"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["cutset.css"]
pygments_style = "friendly"
# A copied example has no prompts and no outputs.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
