"""What a command loads before it works, and after it has: nothing that it does not use."""

import os
import subprocess
import sys

import pytest

from cutset.runtime.targets.toolchain import find_compiler

LARGE = {"networkx", "scipy", "sympy", "lark", "matplotlib", "rich", "pandas", "fmpy", "numpy.ma"}
RUN = """
import atexit, gc, sys
atexit.register(lambda: print("loaded:", *sys.modules))
atexit.register(lambda: print("to search for cycles:", len(gc.get_objects())))
from cutset.api.command_line.command import main
sys.exit(main())
"""


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")
def test_a_run_loads_only_what_it_uses(own_cache, write_model):
    path = write_model("model M\n  local x (start=1), y\n  der(x) = -x\n  y = if x > 0.5 then x else 0\nend\n")

    def loaded(name: str = "simulate") -> set[str]:
        command = [sys.executable, "-c", RUN, name, str(path)]
        # An installation keeps its compiled loops beside the bytecode: only if that is written.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        *_, searched, modules = done.stdout.splitlines()
        assert int(searched.removeprefix("to search for cycles: ")) < 5000, "the end of a process takes no time"
        return set(modules.split())

    first, from_cache, checked = loaded(), loaded(), loaded("check")
    assert "cutset.compiler.pipeline" in first & checked and first & LARGE == {"lark"}
    assert not checked & LARGE, "a file that was parsed before needs no parser"
    assert "cutset.runtime.targets.c_model" in from_cache
    unused = {"cutset.compiler.pipeline", "cutset.compiler.syntax.parse", "subprocess", "tempfile"}
    later = "runs.run_failures", "runs.initialize", "analysis.explain", "solvers.cvode", "solvers.solved_unknowns"
    unused |= {f"cutset.runtime.{name}" for name in later}
    assert not from_cache & (LARGE | unused)
