"""Advances FMUs that are components of a model, as controllers: time, parameters, inputs -> outputs.

An FMU runs in a process of its own, so that it can crash or hang without ending the run, or in this one where the model
asks for it.
"""

from __future__ import annotations

import base64
import json
import math
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from cutset.contract.fmu_archive import Damaged, Unsafe, extract, platforms
from cutset.contract.metadata import External
from cutset.runtime.errors import Fault, FunctionFailure
from cutset.runtime.fmu_instance import FmuFailure, FmuInstance

# The arguments before parameters and inputs: time, step, the limit of time for an answer, and whether it is separate.
_FIRST = 4
_TO_START = 60.0


class _Runner(Protocol):
    """An instance, here or in another process."""

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """The answer to a request. FmuFailure, TimeoutError."""
        ...

    def close(self) -> None:
        """Free the instance."""
        ...


class FmuComponent:
    """The FMU of one component in one run; it is loaded at the first call. Raises FunctionFailure."""

    def __init__(self, external: External):
        self._external, self._names = external, external.names
        self.title = Path(external.path).name
        self._runner: _Runner | None = None
        self._time, self._step, self._is_separate = math.nan, math.nan, True
        self._kept: dict[str, Any] | None = None
        self._lost = ""

    def __call__(self, given: Sequence[float]) -> list[float]:
        """The outputs at the time given[0], after a step from the time of the call before with the held inputs, which
        are last; at the first call after the initialization with the inputs before these."""
        time, _, limit, separate = given[:_FIRST]
        parameters, inputs, _ = self._names
        numbers = given[_FIRST:]
        now, held = numbers[len(parameters) : -len(inputs) or None], numbers[len(numbers) - len(inputs) :]
        self._is_separate = bool(separate)
        if self._runner is None and self._kept is None:
            self._begin()
            values = dict(zip((*parameters, *inputs), (*numbers[: len(parameters)], *now), strict=True))
            found = self._ask("start", limit, time=time, values=values)
        else:
            if self._runner is None:
                self._resume()
            values = dict(zip(inputs, held, strict=True))
            found = self._ask("advance", limit, time=self._time, step=time - self._time, values=values)
        self._time = time
        return [*map(float, found)] or [0.0]

    def __getstate__(self) -> dict[str, Any]:
        """The time and the state of the FMU, as plain data."""
        if self._lost:
            raise FunctionFailure(Fault("E662", self._lost))
        if self._runner is None:
            return self._kept or {}
        state = self._ask("save", _TO_START)
        return {"time": self._time, "separate": self._is_separate, "state": state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue from a state that `__getstate__` has returned."""
        self.close()
        self._kept = dict(state) or None

    def rest(self) -> None:
        """Free the instance, and keep its state if it can be saved."""
        if self._runner is not None:
            try:
                self._kept = self.__getstate__()
            except FunctionFailure as error:
                self._lost = str(error)
            self.close()

    def close(self) -> None:
        """End the process of the FMU."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def _resume(self) -> None:
        assert self._kept is not None
        kept, self._kept = self._kept, None
        self._time, self._is_separate = float(kept["time"]), bool(kept["separate"])
        self._begin()
        self._ask("restore", _TO_START, state=kept["state"])

    def _begin(self) -> None:
        path = Path(self._external.path)
        _require_platform(path)
        self._runner = _Separate(path) if self._is_separate else _Here(path)
        self._ask("make", _TO_START, outputs=list(self._names[2]))

    def _ask(self, do: str, limit: float, **request: Any) -> Any:
        assert self._runner is not None
        try:
            return self._runner.ask(do, limit, **request)
        except FmuFailure as error:
            raise FunctionFailure(Fault("E662", f"the FMU {self.title} failed: {error}")) from error
        except TimeoutError as error:
            self.close()
            what = f"the FMU {self.title} gave no answer within {limit:g} s, in {error}"
            raise FunctionFailure(Fault("E663", what)) from error


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
        self._instance: FmuInstance | None = None

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """Do it now; nothing limits the time."""
        if self._instance is None:
            self._instance = FmuInstance(self._folder, request["outputs"])
            return None
        match do:
            case "start":
                return self._instance.start(request["time"], request["values"])
            case "advance":
                return self._instance.advance(request["time"], request["step"], request["values"])
            case "save":
                return base64.b64encode(self._instance.saved()).decode("ascii")
        return self._instance.restore(base64.b64decode(request["state"]))

    def close(self) -> None:
        """Free the instance."""
        if self._instance is not None:
            with suppress(FmuFailure):  # the run has ended, whatever the FMU says
                self._instance.end()
            self._instance = None
        self._remove()


class _Separate:
    """An FMU in a process of its own, which ends with this object."""

    def __init__(self, path: Path):
        self._folder = _extracted(path)
        command = [sys.executable, "-m", "cutset.runtime.fmu_process"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        self._end = weakref.finalize(self, _end, self._process, self._folder)
        self._calls = "the start of its process"

    def ask(self, do: str, limit: float, **request: Any) -> Any:
        """The answer of the process. FmuFailure, also if it crashes; TimeoutError with the function of the FMU."""
        if do == "make":
            request["folder"] = str(self._folder)
        assert self._process.stdin is not None
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
                return answer["done"]

    def _crashed(self) -> FmuFailure:
        code = self._process.wait()
        how = f"with {signal.Signals(-code).name}" if code < 0 else f"with the exit code {code}"
        return FmuFailure(f"its process ended {how} in {self._calls}")

    def close(self) -> None:
        """End the process."""
        self._end()


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
