"""Damages files of the cache, or kills the process that fills it, and compares the result of the next run with a good
one.

``python tests/fuzz/cache_damage.py PLACES KILLS`` does it at so many places of each file, and kills so many runs.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models" / "rc.mo"
Damage = Callable[[bytes], bytes]


class CachedRun:
    """A run of `model` in a process of its own, with its cache in `folder`."""

    def __init__(self, folder: Path, model: Path = MODEL):
        self.cache = folder / "cutset"
        self._table = folder / "result.csv"
        self._environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "TMPDIR": str(folder)}
        self._environment.pop("CUTSET_CACHE", None)
        program = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
        self._command = [sys.executable, "-c", program, "simulate", str(model), "-o", str(self._table)]

    def start(self) -> subprocess.Popen[str]:
        self._table.unlink(missing_ok=True)
        return subprocess.Popen(
            self._command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def result(self) -> str:
        """The table it writes, or how it ended otherwise."""
        process = self.start()
        _, errors = process.communicate(timeout=300)
        return self._table.read_text() if process.returncode == 0 else f"ended with {process.returncode}: {errors}"


def damages(size: int, places: int, rng: random.Random) -> Iterator[tuple[str, Damage]]:
    """Cut off, zeroed from, and changed at `places` places of a file of this size, its ends among them."""
    ends = [0, 1, size // 2, size - 1]
    for place in (ends + [rng.randrange(size) for _ in range(places)])[:places]:
        yield f"cut off at {place}", lambda data, n=place: data[:n]
        yield f"zeroed from {place}", lambda data, n=place: data[:n] + bytes(len(data) - n)
        yield f"changed at {place}", lambda data, n=place: data[:n] + bytes([data[n] ^ 0x55]) + data[n + 1 :]


def exchanged(cache: Path, rng: random.Random) -> None:
    """Every file gets the content of another."""
    files = sorted(cache.iterdir())
    contents = [file.read_bytes() for file in files]
    shift = rng.randrange(1, len(files))
    for file, content in zip(files, contents[shift:] + contents[:shift], strict=True):
        _overwrite(file, content)


def damage_all(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    for file in sorted(cache.iterdir()):
        _overwrite(file, damage(file.read_bytes()))


def killed(run: CachedRun, seconds: float) -> None:
    """Starts a run and kills it after so many seconds, or lets it end."""
    process = run.start()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    finally:
        process.communicate()


def _overwrite(file: Path, content: bytes) -> None:
    # A new file: the old one may be mapped by a process that runs.
    file.unlink(missing_ok=True)
    file.write_bytes(content)


def _sweep(places: int, kills: int) -> int:
    """The number of wrong results."""
    wrong, rng = 0, random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        run = CachedRun(Path(name))
        good = run.result()
        assert good.startswith("time"), good
        for file in sorted(run.cache.iterdir()):
            whole = file.read_bytes()
            for what, damage in damages(len(whole), places, rng):
                _overwrite(file, damage(whole))
                wrong += _compare(run, good, f"{file.name} {what}")
            _overwrite(file, whole)
            for other in sorted(run.cache.iterdir()):
                _overwrite(file, other.read_bytes())
                wrong += _compare(run, good, f"{file.name} replaced by {other.name}")
            _overwrite(file, whole)
        for k in range(kills):
            for file in run.cache.iterdir():
                if file.is_file() and rng.random() < 0.7:
                    file.unlink()
            killed(run, rng.uniform(0.0, 1.5))
            wrong += _compare(run, good, f"kill {k}")
    return wrong


def _compare(run: CachedRun, good: str, what: str) -> int:
    found = run.result()
    if found == good:
        return 0
    print(f"{what}: {found[:300]}", flush=True)
    return 1


if __name__ == "__main__":
    began = time.monotonic()
    found = _sweep(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{found} wrong results, {time.monotonic() - began:.0f} s")
    sys.exit(found > 0)
