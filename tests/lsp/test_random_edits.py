"""Random edits raise no exception in a session, and at the end it has the messages of `cutset check`.

    .venv/bin/python tests/lsp/test_random_edits.py 10000

makes that many edits, in files of all sizes, and compares after each hundred.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from random_edits import ROOT, edit_at_random

FILES = ("models/rc.mo", "stdlib/friction.mo", "stdlib/thermal.mo")
ALL_FILES = (*FILES, "models/four_bar.mo", "models/ur5.mo", "stdlib/electrical.mo", "models/r3/motor.mo")


@pytest.mark.parametrize("file", FILES)
def test_random_edits(file: str, tmp_path: Path) -> None:
    path = tmp_path.resolve() / Path(file).name
    shutil.copy(ROOT / file, path)
    edit_at_random(path, 12, seed=len(file), compare_every=4)


def main(edits: int) -> None:
    """Edit all files in turn."""
    done = seed = 0
    while done < edits:
        with tempfile.TemporaryDirectory() as folder:
            file = ROOT / ALL_FILES[seed % len(ALL_FILES)]
            path = Path(folder).resolve() / file.name
            for beside in file.parent.glob("*.mo") if file.parent.name == "r3" else [file]:
                shutil.copy(beside, folder)
            edit_at_random(path, 200, 1000 + seed, compare_every=100)
        done, seed = done + 200, seed + 1
        print(f"{done} edits, last in {file.name}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
