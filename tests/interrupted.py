"""Runs a program in a process of its own that presses Ctrl-C on itself as soon as its run is well under way."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

_PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
now = np.zeros(1)  # the time of the run
sys.path.insert(0, sys.argv.pop(1))
def press():
    while now[0] < 500.0:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
presser = threading.Thread(target=press, daemon=True)
"""


def output_of(program: str, folder: Path, *words: str) -> str:
    """What the program prints, in which `presser.start()` begins the wait and modules of `folder` can be imported."""
    command = [sys.executable, "-c", _PRELUDE + program, str(folder), *words]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        preexec_fn=_listening,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _listening() -> None:
    # Where the tests were started in the background SIGINT is ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
