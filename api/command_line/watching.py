"""Does work anew whenever a file changes: work in a process of its own -> rounds without end.

A round tells which files it looks at. One that is not finished when a file changes is ended.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess, SpawnProcess
from pathlib import Path
from typing import Any, NoReturn

# The time between two looks at the files, in s. A change counts once two looks in turn see the same.
_PAUSE = 0.1
# What the server of processes imports once for all rounds.
_PRELOADED = [
    "cutset.api.model",
    "cutset.api.translate.translation",
    "cutset.compiler.pipeline",
    "cutset.runtime.targets.build",
]

# Size and time of change of a file; None while there is none.
State = tuple[int, int] | None
# What a round does, in another process: it sends the states of the files it looks at, and prints.
Work = Callable[[Any, Connection], None]


def state_of(path: Path) -> State:
    """The state of a file now."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def states_of(paths: Iterable[Path]) -> dict[Path, State]:
    """The states of files now. Whoever reads the files calls this before: a later change must not be missed."""
    return {path: state_of(path) for path in paths}


@dataclass
class Watched:
    """The files that are watched, with their states."""

    states: dict[Path, State] = field(default_factory=dict)

    def add(self, states: Mapping[Path, State]) -> None:
        """Watch further files, whose states were these when they were read."""
        self.states = {**states, **self.states}

    def take_changes(self) -> set[Path]:
        """The files that have changed since the last call."""
        now = states_of(self.states)
        changed = {path for path, state in now.items() if state != self.states[path]}
        self.states = now
        return changed


def rounds(work: Work, given: Any, file: Path, tell: Callable[[set[Path]], None]) -> NoReturn:
    """Do `work(given, ...)` at once and whenever `file`, or a file that the last round has looked at, changes. `tell`
    is called before each round with the files that have changed, in the first one none. Ends with KeyboardInterrupt."""
    start = _starter()
    watched, changed = Watched(), set[Path]()
    watched.add(states_of([file]))
    while True:
        tell(changed)
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = start(target=work, args=(given, theirs), daemon=True)
        process.start()
        theirs.close()
        try:
            changed = _until_change(watched, ours)
        finally:
            process.terminate()
            process.join()
            ours.close()


def _starter() -> type[SpawnProcess] | type[ForkServerProcess]:
    """The kind of process: one that starts with the compiler already loaded, where the system has such."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return SpawnProcess
    multiprocessing.get_context("forkserver").set_forkserver_preload(_PRELOADED)
    return ForkServerProcess


def _until_change(watched: Watched, connection: Connection) -> set[Path]:
    """The files that change next, once none of them is being written any more."""
    changed: set[Path] = set()
    is_open = True
    while True:
        if is_open and connection.poll():
            try:
                watched.add(connection.recv())
            except EOFError:
                is_open = False
        now = watched.take_changes()
        if changed and not now:
            return changed
        changed |= now
        time.sleep(_PAUSE)
