"""Each file of runtime/c includes what it needs: it compiles alone, whatever another file includes before it."""

import subprocess
from pathlib import Path

import pytest

import cutset.runtime
from cutset.runtime.targets.c_files import included
from cutset.runtime.targets.toolchain import find_compiler

FOLDER = Path(cutset.runtime.__file__).parent / "c"
# Parts of other files: tables, and loops for a type of number that the file around them chooses.
PARTS = {"functions.h", "lane_steps.h", "samples.h", "sincos.h"}
# The file that integrates defines it; a segment only calls it.
CHOSEN = "static int integrate_implicit("
COMPILER = find_compiler()
FLAGS = ["-std=c11", "-x", "c", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-psabi"]
FLAGS += ["-Wno-unused-const-variable"]


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize("name", sorted({path.name for path in FOLDER.glob("*.[ch]")} - PARTS))
def test_a_file_compiles_alone(name: str) -> None:
    body = " {\n    (void)d, (void)control, (void)e, (void)s, (void)n, (void)done;\n    return 0;\n}\n"
    arguments = "struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e, "
    chosen = f"{CHOSEN}{arguments}struct cutset_moment *s, long n, long done)"
    files = {name, *included((FOLDER / name).read_text(encoding="utf-8"))}
    defined = "implicit.h" in files or "segments.h" not in files
    text = f'#include "{name}"\n' + ("" if defined else chosen + body)
    command = [*COMPILER.command, *FLAGS, "-I", str(FOLDER), "-"] if COMPILER else []
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
