"""Configures Sphinx for these pages: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import cutset

sys.path.insert(0, str(Path(__file__).parent))

project = "Cutset"
author = "the authors of Cutset"
release = version = cutset.__version__

extensions = ["myst_parser", "handbook"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["README.md"]

html_theme = "furo"
html_title = f"Cutset {version}"
html_show_sourcelink = False
html_copy_source = False
pygments_style = "friendly"
