"""Lists the targets that can run. Light to import: the command line needs the names.

A target NAME is a module NAME_model.py in this folder; `Target` in build.py lists what it must define.
"""

from pathlib import Path

TARGETS = tuple(sorted(path.stem.removesuffix("_model") for path in Path(__file__).parent.glob("*_model.py")))
