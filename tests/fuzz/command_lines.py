"""Wrong values of all options of all commands: each command line ends with an exit code and a message.

    .venv/bin/python tests/fuzz/command_lines.py [FIRST [COUNT]]

tries them all, a process for each. What may not happen: an internal error, an exception, a command that does not end.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cutset.api.command_line.command import main, parser_of_all

VALUES = (
    "", "-3", "0", "1", "1e400", "-1e-300", "nan", "inf", "x", "h=", "=1", "h=nan", "h=1=2", "h=1e400", "t.h=1", "h",
    ",", "*", "t.*", "(", "t.h(1", "é", "a b", "99999999999999999999", "-", ".", "/nowhere/x", "x.csv", "x.npz",
    "x.png", "x.html", "t.h=1:2:3", "t.h=1:2:-3", "t.h=1:2:99999999999", "t.h=2:1:1", "h=0:1:nan", "listing", "all",
    "\udcff", "\n",
)  # fmt: skip
# These serve until their user ends them.
_SERVING = ("lsp", "open", "watch")
MODEL = """model Single
  parameter k = 0.5, n(2) = (1, 2)
  input q
  local h (start=2), twice
  der(h) = q - k*h
  twice = 2*h + n(1)
end
"""
TABLE = "time,h\n0,1\n1,2\n"
SECONDS, MEMORY = 20.0, 3 * 2**30


def command_lines() -> Iterator[list[str]]:
    """Each option of each command with each value, and each value in place of each argument."""
    commands = next(a for a in parser_of_all()._actions if isinstance(a, argparse._SubParsersAction)).choices
    for command, parser in commands.items():
        actions = [] if command in _SERVING else parser._actions
        needed = [_file_for(each) for each in actions if not each.option_strings and each.nargs not in ("?", "*")]
        for action in actions:
            for value in VALUES:
                if action.option_strings:
                    yield [command, *needed, f"{action.option_strings[-1]}={value}"]
                    yield [command, *needed, action.option_strings[-1], value]
                else:
                    yield [command, *(value if _file_for(action) == each else each for each in needed)]
        options = [each for each in actions if each.option_strings]
        draw = random.Random(command)
        for _ in range(40 if options else 0):  # several at once
            chosen = draw.sample(options, min(3, len(options)))
            yield [command, *needed, *(f"{each.option_strings[-1]}={draw.choice(VALUES)}" for each in chosen)]


def _file_for(action: argparse.Action) -> str:
    return "run.csv" if "result" in action.dest.lower() else "m.mo"


def fault_of(words: list[str], seconds: float = SECONDS) -> str:
    """What is wrong with the end of this command line, in a process of its own and the current folder; '' if
    nothing."""
    for name, text in (("m.mo", MODEL), ("run.csv", TABLE)):
        Path(name).write_text(text, encoding="utf-8")
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            code = 99
            try:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                resource.setrlimit(resource.RLIMIT_FSIZE, (2**26, 2**26))
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                signal.alarm(int(seconds))
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                code = main(words)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    if os.WIFSIGNALED(status):
        return f"ended by signal {os.WTERMSIG(status)}: {text[-200:]}"
    code = os.WEXITSTATUS(status)
    if code not in (0, 1, 2) or "Traceback" in text or "internal error" in text:
        return f"exit code {code}: {text[-400:]}"
    return "" if code == 0 or text.strip() else f"exit code {code} without a word"


def _main() -> int:
    first, count = (*map(int, sys.argv[1:]), *(0, 10**9)[len(sys.argv) - 1 :])
    faults = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = folder
        for number, words in enumerate(command_lines()):
            if first <= number < first + count:
                fault = fault_of(words)
                tried, faults = tried + 1, faults + bool(fault)
                if fault:
                    print(f"{number}: {words!r}\n    {fault}", flush=True)
    print(f"{tried} command lines, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(_main())
