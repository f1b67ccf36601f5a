"""Counts the instructions of a run with events, part by part: valgrind's callgrind on the exported program.

    python benchmarks/instructions.py

Counts do not depend on other work of the machine. The parts: the equations, wherever they are evaluated; the steps of
the integrator; the search for crossings within the steps and their location; the events, which are the rest of the
loop; the start. The cost of an event is that of the search and of the events, divided by the number of events, in
instructions and in microseconds at the speed of this program on this machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from events import MANY
from sheets import Sheet

import cutset

_FLAGS = ("-std=c11", "-g", "-ffp-contract=off", "-mavx", "-w")
# The loops as they are compiled for `simulate`, but with functions that can be told from each other.
_LOOPS = ("-O3", "-fno-trapping-math", "-fno-inline-functions-called-once")
_EQUATIONS = ("cutset_derivatives", "cutset_variables", "cutset_crossings", "cutset_updates", "cutset_jacobian")
_MAIN = """#include "{name}.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static struct cutset_program p;
int main(int count, char **arguments)
{{
    double least = 1e9;
    long k;
    for (k = atol(arguments[1]); k > 0; k--) {{
        struct timespec a, b;
        double seconds;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        {name}_defaults(&p);
        if (arguments[3][0] == 'r') p.method = CUTSET_FIXED_STEPS;
        {name}_begin(&p, 0.0);
        if ({name}_continue(&p, atof(arguments[2]))) return 1;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (seconds < least) least = seconds;
    }}
    printf("%.9g %ld %ld\\n", least, p.events.tally.steps,
           p.events.tally.state_events + p.events.tally.sample_events + p.events.tally.time_events);
    return 0;
}}
"""


Calls = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Parts:
    """The instructions of a run, part by part."""

    total: int
    equations: int
    steps: int
    search: int
    events: int
    start: int


def parts(run: Calls, start: Calls) -> Parts:
    """The parts in the profiles of a run and of its start alone."""

    def inside(callee: str, *callers: str, calls: Calls = run) -> int:
        return sum(n for (a, b), n in calls.items() if b == callee and (not callers or a in callers))

    equations = sum(inside(name) for name in _EQUATIONS)
    of_start = sum(inside(name, calls=start) for name in _EQUATIONS)
    in_search = inside("cutset_crossings", "signed_crossings")
    searched = inside("crosses") + inside("signed_crossings", "cutset_explicit", "watch")
    in_steps = inside("cutset_derivatives", "evaluate", "rates_at_z", "glance")
    integrated, looped = inside("cutset_explicit"), inside("cutset_run")
    return Parts(
        total=inside("main"),
        equations=equations,
        steps=integrated - searched - in_steps,
        search=searched - in_search,
        events=looped - integrated - (equations - of_start - in_search - in_steps),
        start=inside("main") - looped - of_start,
    )


def calls_of(lines: Iterable[str]) -> Calls:
    """The instructions of each function (second) when it was called by another (first), with all that it calls."""
    names: dict[str, str] = {}
    found: Calls = Counter()
    caller = callee = ""
    is_call = False
    for line in lines:
        match = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line)
        if match:
            kind, number, name = match.groups()
            name = names.setdefault(number, re.sub(r"\.(constprop|isra|part)\.\d+", "", name or ""))
            caller, callee = (name, callee) if kind == "fn" else (caller, name)
        elif line.startswith("calls="):
            is_call = True
        elif is_call:
            found[caller, callee] += int(line.split()[1])
            is_call = False
    return found


def _profile(folder: Path, name: str, stop: float, method: str) -> Calls:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=profile", "./run", "1", str(stop), method]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    # The functions of a program start with the name of its model.
    return calls_of((folder / "profile").read_text().replace(f" {name}_", " cutset_").splitlines())


def row(path: Path, name: str, stop: float, method: str) -> list[str]:
    """The row of a model of the benchmark events.py."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        cutset.load(path, name).export_c(folder)
        (folder / "main.c").write_text(_MAIN.format(name=name))
        for file, flags in ((f"{name}.c", ("-O1",)), ("program.c", _LOOPS), ("main.c", ()), (f"{name}_tables.c", ())):
            subprocess.run(["gcc", *_FLAGS, *flags, "-c", file], cwd=folder, check=True)
        objects = [f"{name}.o", "program.o", "main.o", f"{name}_tables.o"]
        subprocess.run(["gcc", *objects, "-lm", "-o", "run"], cwd=folder, check=True)
        timed = subprocess.run(
            ["./run", "20", str(stop), method], cwd=folder, check=True, capture_output=True, text=True
        )
        found = parts(*(_profile(folder, name, end, method) for end in (stop, 0.0)))
    seconds, steps, events = map(float, timed.stdout.split())
    numbers = (found.equations, found.steps, found.search, found.events, found.start)
    one = (found.search + found.events) / events
    return [
        name,
        method,
        f"{steps:.0f}",
        f"{events:.0f}",
        f"{found.total / 1e6:.2f}",
        *(f"{100 * n / found.total:.0f} %" for n in numbers),
        f"{one / 1e3:.1f}",
        f"{one * seconds / found.total * 1e6:.1f} us",
    ]


def sheet() -> Sheet:
    columns = [
        "model",
        "method",
        "steps",
        "events",
        "million instructions",
        "equations",
        "steps",
        "search for crossings",
    ]
    columns += ["events", "start", "thousand an event", "an event"]
    return Sheet("Instructions of runs with events", columns, [row(*subject[:4]) for subject in MANY])


if __name__ == "__main__":
    print(sheet().markdown())
    sys.exit(0)
