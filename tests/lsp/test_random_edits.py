"""Random edits raise no exception in a session, and at the end it has the messages of `cutset check`.

    .venv/bin/python tests/lsp/test_random_edits.py 10000

makes that many edits, in files of all sizes, and compares after each 25.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from random_edits import ROOT, edit_at_random

from cutset.api.netlists import imported_netlist

FILES = ("models/rc.mo", "stdlib/friction.mo", "stdlib/thermal.mo")
EDITS_OF_EACH = 25
LIBRARIES = (*FILES, "stdlib/electrical.mo", "stdlib/constants.mo")


def all_files(folder: Path) -> list[Path]:
    """The models, the rows of the language, some libraries, and what is imported of the netlists, into `folder`."""
    for path in (ROOT / "tests/spice/netlists").glob("*.cir"):
        (folder / f"{path.stem}.mo").write_text(imported_netlist(path).text)
    rows = (ROOT / "tests/language/models").glob("*.mo")
    files = [*(ROOT / "models").rglob("*.mo"), *rows, *(ROOT / file for file in LIBRARIES), *folder.glob("*.mo")]
    return random.Random(1).sample(sorted(files), len(files))


@pytest.mark.parametrize("file", FILES)
def test_random_edits(file: str, tmp_path: Path) -> None:
    path = tmp_path.resolve() / Path(file).name
    shutil.copy(ROOT / file, path)
    edit_at_random(path, 12, seed=len(file), compare_every=4)


def main(edits: int) -> None:
    """Edit all files in turn, with the files of their folders beside them."""
    with tempfile.TemporaryDirectory() as imported:
        files = all_files(Path(imported))
        for seed in range(edits // EDITS_OF_EACH):
            file = files[seed % len(files)]
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(file.parent, folder, dirs_exist_ok=True)
                path = Path(folder).resolve() / file.name
                edit_at_random(path, EDITS_OF_EACH, 1000 + seed, compare_every=EDITS_OF_EACH)
            print(f"{(seed + 1) * EDITS_OF_EACH} edits, last in {file.name}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
