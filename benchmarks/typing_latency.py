"""Measures how long an editor waits for messages after a key, and for answers to requests.

    .venv/bin/python benchmarks/typing_latency.py [FILE ...]

Plays an editor with the module of the tests (tests/lsp/editor.py): opens each file, makes a mistake in it, and undoes
or corrects it, in turns: a correction makes a text that was not checked before. Prints the median times in ms from the
key to the messages on the screen, wall-clock (with the moment in which the server waits for a further key,
checks.DELAY) and of the server's processor.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
from pathlib import Path
from time import perf_counter

from lsprotocol import types

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "lsp"))

from editor import Editor  # noqa: E402

FILES = ("models/rc.mo", "models/ur5.mo", "models/r3/r3.mo")
TURNS = 5


def processor_seconds(process: int) -> float:
    """The processor time of a process, where the system tells it; else 0."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def mistakes(text: str) -> dict[str, str]:
    """Texts with a mistake, by its kind: in the grammar, and in a name."""
    name = re.search(r"submodel \(\w+", text)
    assert name is not None
    at = name.end()
    return {"grammar": text[:at] + " )(" + text[at:], "name": text[:at] + "x" + text[at:]}


def measure(editor: Editor, path: Path) -> dict[str, tuple[float, float]]:
    """Median times in ms, wall-clock and processor, of each step."""
    text = path.read_text(encoding="utf-8")
    process = editor.process_id()
    times: dict[str, list[tuple[float, float]]] = {}

    def step(name: str, typed: str, has_messages: bool) -> None:
        wall, processor = perf_counter(), processor_seconds(process)
        editor.type(path, typed)
        editor.wait_for(path, lambda shown: bool(shown) is has_messages)
        wall = perf_counter() - wall
        times.setdefault(name, []).append((1e3 * wall, 1e3 * (processor_seconds(process) - processor)))

    editor.open(path)
    editor.diagnostics(path)
    for turn in range(TURNS):
        for kind, wrong in mistakes(text).items():
            step(f"mistake in the {kind}", wrong, True)
            step(f"undone {kind}", text, False)
            step(f"mistake in the {kind}", wrong, True)
            step(f"corrected {kind}", f"{text}{{ correction {turn} }}\n", False)
        for method in (types.TEXT_DOCUMENT_HOVER, types.TEXT_DOCUMENT_COMPLETION):
            wall, processor = perf_counter(), processor_seconds(process)
            editor.at(method, path, 20, 12)
            spent = 1e3 * (perf_counter() - wall), 1e3 * (processor_seconds(process) - processor)
            times.setdefault(method.rpartition("/")[2], []).append(spent)
    editor.close(path)
    return {
        name: (statistics.median(w for w, _ in all), statistics.median(p for _, p in all))
        for name, all in times.items()
    }


def main(files: list[str]) -> None:
    """Print a table for each file."""
    for file in files or FILES:
        path = (ROOT / file).resolve()
        editor = Editor(path.parent)
        print(f"{file}: median times of {TURNS}, in ms: wall-clock, processor")
        for name, (wall, processor) in measure(editor, path).items():
            print(f"  {name:24} {wall:7.0f} {processor:7.0f}")
        editor.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
