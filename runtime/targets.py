"""Lists the targets that can run. Imports nothing heavy: the command line needs the names.

A target that runs is a module NAME_model.py in this folder. Its name is NAME; `Target` in build.py lists what it has.
"""

from __future__ import annotations

from pathlib import Path

TARGETS = tuple(sorted(path.stem.removesuffix("_model") for path in Path(__file__).parent.glob("*_model.py")))
