"""Runs an FMU in a process of its own, so that it can crash or hang without ending the run, or in this one."""

from __future__ import annotations

import json
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from cutset.contract.fmu_archive import Damaged, Unsafe, extract, platforms
from cutset.runtime.errors import Fault, FunctionFailure
from cutset.runtime.fmu.instance import FmuFailure
from cutset.runtime.fmu.requests import Requests

# The limit in s on the time until an FMU is loaded.
TO_START = 60.0
# The same until it is terminated.
_TO_END = 5.0


class FmuRunner:
    """An instance of the FMU, of one of its interfaces, 'CoSimulation' or 'ModelExchange'. It is made at the first
    request. `is_separate` tells whether it has a process of its own."""

    def __init__(self, path: Path, is_separate: bool, interface: str):
        self._path, self.is_separate, self._interface = path, is_separate, interface
        self._place: _Place | None = None

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """The answer to a request, see `fmu_requests`, within `limit` in s. FunctionFailure."""
        title = self._path.name
        try:
            if self._place is None:
                _require_platform(self._path)
                self._place = _Separate(self._path) if self.is_separate else _Here(self._path)
                self._place.ask("make", TO_START, interface=self._interface)
            return self._place.ask(do, limit, **request)
        except FmuFailure as error:
            raise FunctionFailure(Fault("E662", f"the FMU {title} failed: {error}")) from error
        except TimeoutError as error:
            self.close()
            what = f"the FMU {title} gave no answer within {limit:g} s, in {error}"
            raise FunctionFailure(Fault("E663", what)) from error

    def close(self) -> str:
        """Free the instance, and end its process. What went wrong then, '' if nothing."""
        what = "" if self._place is None else self._place.close()
        self._place = None
        return f"the FMU {self._path.name} failed after the run: {what}" if what else ""


class _Place(Protocol):
    """Where an instance is."""

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """The answer to a request. FmuFailure, TimeoutError."""

    def close(self) -> str:
        """Free the instance. What went wrong, '' if nothing."""


def _require_platform(path: Path) -> None:
    """FunctionFailure if the FMU has no library for this machine, or is damaged."""
    from fmpy import platform, platform_tuple

    try:
        has = platforms(path)
    except (Damaged, FileNotFoundError) as error:
        raise FunctionFailure(Fault("E660", f"the FMU {path.name} cannot be read: {error}")) from error
    if not has:
        raise FunctionFailure(Fault("E660", f"the FMU {path.name} contains no binaries"))
    if platform not in has and platform_tuple not in has:
        what = f"the FMU {path.name} has no binary for this machine"
        raise FunctionFailure(Fault("E661", what, (f"it has binaries for {', '.join(has)}",)))


def _extracted(path: Path) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="cutset-fmu-"))
    try:
        extract(path, folder)
    except (Damaged, Unsafe, OSError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise FunctionFailure(Fault("E660", f"the FMU {path.name} cannot be read: {error}")) from error
    return folder


class _Here:
    """An FMU in this process."""

    def __init__(self, path: Path):
        self._folder = _extracted(path)
        self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._requests = Requests(self._folder)

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """Do it now; nothing limits the time."""
        return self._requests.done(do, request)

    def close(self) -> str:
        """Free the instance."""
        self._requests.end()
        self._remove()
        return ""


class _Separate:
    """An FMU in a process of its own, which ends with this object."""

    def __init__(self, path: Path):
        self._folder = _extracted(path)
        command = [sys.executable, "-m", "cutset.runtime.fmu.process", str(self._folder)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        self._end = weakref.finalize(self, _end, self._process, self._folder)
        self._calls = "the start of its process"
        self._is_well = True  # it has answered each request

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """The answer of the process. FmuFailure, also if it crashes; TimeoutError with the function of the FMU."""
        assert self._process.stdin is not None
        self._is_well = False
        try:
            self._process.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._crashed() from error
        while True:
            try:
                line = self._answers.get(timeout=limit)
            except queue.Empty as error:
                raise TimeoutError(self._calls) from error
            if not line:
                raise self._crashed()
            answer = json.loads(line)
            if "calls" in answer:
                self._calls = str(answer["calls"])
            elif "failed" in answer:
                raise FmuFailure(str(answer["failed"]))
            else:
                self._is_well = True
                return answer["done"]

    def _crashed(self) -> FmuFailure:
        code = self._process.wait()
        how = f"with {signal.Signals(-code).name}" if code < 0 else f"with the exit code {code}"
        return FmuFailure(f"its process ended {how} in {self._calls}")

    def close(self) -> str:
        """Terminate the FMU, unless it failed before, and end the process. What went wrong, '' if nothing."""
        what = ""
        if self._is_well:
            try:
                self.ask("end", _TO_END)
            except FmuFailure as error:
                what = str(error)
            except TimeoutError as error:
                what = f"it gave no answer within {_TO_END:g} s, in {error}"
        self._end()
        return what


def _listen(stream: Any, answers: queue.Queue[str]) -> None:
    for line in stream:
        answers.put(line)
    answers.put("")


def _end(process: subprocess.Popen[str], folder: Path) -> None:
    """Let the process end by itself, for a moment, then kill it."""
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    try:
        process.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)
