"""Each file of runtime/c includes what it needs, and only files of its folder and of those above it in the list."""

import re
import subprocess
from pathlib import Path

import pytest

import cutset.runtime
from cutset.runtime.targets.c_files import included
from cutset.runtime.targets.toolchain import find_compiler

FOLDER = Path(cutset.runtime.__file__).parent / "c"
# What generated code calls; the model over time; events; methods; the loops of a run; what the host calls.
FOLDERS = ("model", "point", "events", "steps", "run", "c")
FILES = {path.name: path for path in sorted(FOLDER.rglob("*.[ch]"))}
# The data of all of them.
DATA = "driver.h"
# Parts of other files: tables, and loops for a type of number that the file around them chooses.
PARTS = {"functions.h", "lane_steps.h", "samples.h", "sincos.h"}
# The method that a program chooses; a segment only calls it.
CHOSEN = """static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control,
                              struct cutset_events *e, struct cutset_moment *s, long n, long done)
{
    (void)d, (void)control, (void)e, (void)s, (void)n, (void)done;
    return 0;
}
"""
COMPILER = find_compiler()
FLAGS = ["-std=c11", "-x", "c", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-psabi"]


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize("name", sorted(FILES.keys() - PARTS))
def test_a_file_compiles_alone(name: str, tmp_path: Path) -> None:
    needed = included(f'#include "{name}"\n')
    for other, text in needed.items():
        (tmp_path / other).write_text(text, encoding="utf-8")
    chosen = CHOSEN if "segments.h" in needed and "implicit.h" not in needed else ""
    command = [*(COMPILER.command if COMPILER else ()), *FLAGS, "-I", str(tmp_path), "-"]
    done = subprocess.run(command, input=f'#include "{name}"\n{chosen}', capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.parametrize("name", FILES)
def test_a_file_includes_what_is_above_it(name: str) -> None:
    below = FOLDERS[FOLDERS.index(FILES[name].parent.name) + 1 :]
    for other in re.findall(r'^#include "([\w.]+)"', FILES[name].read_text(encoding="utf-8"), re.MULTILINE):
        allowed = FILES[other].parent.name not in below or (other == DATA and FILES[name].parent.name != "model")
        assert allowed, f"{name} includes {other}"


def test_an_editor_finds_all_folders() -> None:
    lines = (FOLDER / "compile_flags.txt").read_text(encoding="utf-8").splitlines()
    assert [line[2:] for line in lines if line.startswith("-I")] == [".", *FOLDERS[:-1]]
