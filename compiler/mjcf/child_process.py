"""Runs MuJoCo's compiler in a process of its own: a file -> a robot. A crash or an endless run becomes a message.

The process works in an empty folder, which is removed with what MuJoCo writes there. Request and answer are JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source, Span
from cutset.compiler.mjcf import messages
from cutset.compiler.mjcf.files import Files, read_files
from cutset.compiler.mjcf.read_model import read_model
from cutset.compiler.robots.robot import Robot
from cutset.contract.plain_records import plain_of, record_of

# A robot of hundreds of bodies and meshes takes seconds.
_SECONDS = 120
_MEMORY = 16 * 2**30  # bytes of address space


def robot_of(path: Path, text: str, allowed: Sequence[Path], files: Files, seconds: float = _SECONDS) -> Robot:
    """The robot of the file, whose elements are `files`. ModelError E156, E157, E159."""
    request = {
        "path": str(path.absolute()),
        "name": str(path),
        "text": text,
        "allowed": [str(folder.absolute()) for folder in allowed],
        "seconds": seconds,
    }
    span = files.roots[0].span
    if find_spec("mujoco") is None:
        raise ModelError([messages.no_mujoco(span)])
    with tempfile.TemporaryDirectory(prefix="cutset-") as folder:
        answer = _answer(json.dumps(request).encode(), folder, seconds, span)
    try:
        if "errors" in answer:
            sources = {root.span.source.name: root.span.source for root in files.roots}
            raise ModelError([_diagnostic(each, sources) for each in answer["errors"]])
        return record_of(Robot, answer["robot"], {Span: span})
    except (ValueError, KeyError, TypeError):
        raise ModelError([messages.failed("its answer is damaged", span)]) from None


def _answer(request: bytes, folder: str, seconds: float, span: Span) -> Mapping[str, Any]:
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    # The package is found where this process found it, and nothing else in the folder of the user.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(each for each in sys.path if each), "PYTHONSAFEPATH": "1"}
    try:
        done = subprocess.run(
            command, input=request, capture_output=True, cwd=folder, env=environment, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise ModelError([messages.too_long(seconds, span)]) from None
    except OSError as error:
        raise ModelError([messages.failed(f"it cannot be started ({error.strerror or error})", span)]) from None
    if done.returncode != 0:
        raise ModelError([messages.failed(_ending(done.returncode, done.stderr), span)])
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ModelError([messages.failed("it ends without an answer", span)])
    return answer


def _ending(code: int, printed: bytes) -> str:
    """What is known of a failure: a signal, or the last line that was printed."""
    lines = printed.decode("utf-8", "replace").strip().splitlines()
    reason = f": {lines[-1][:200]}" if lines else ""
    return f"signal {-code}{reason}" if code < 0 else f"exit code {code}{reason}"


def main() -> None:
    """Answer the request on standard input; what MuJoCo prints goes to standard error."""
    answer_to = os.dup(1)
    os.dup2(2, 1)
    request = json.loads(sys.stdin.buffer.read())
    _limit(request["seconds"])
    path, name = Path(request["path"]), request["name"]
    try:
        files = read_files(path, request["text"], [Path(folder) for folder in request["allowed"]])
        answer: dict[str, Any] = {"robot": plain_of(read_model(path, files), Span)}
    except ModelError as error:
        answer = {"errors": [_plain(each, str(path), name) for each in error.diagnostics]}
    with os.fdopen(answer_to, "wb") as file:
        file.write(json.dumps(answer).encode())


def _limit(seconds: float) -> None:
    """Limit time and memory, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _plain(diagnostic: Diagnostic, path: str, name: str) -> dict[str, Any]:
    span = diagnostic.span
    place = None
    if span is not None:
        place = [name if span.source.name == path else span.source.name, *span[1:]]
    return {"code": diagnostic.code, "message": diagnostic.message, "hint": diagnostic.hint, "place": place}


def _diagnostic(plain: Mapping[str, Any], sources: Mapping[str, Source]) -> Diagnostic:
    span = None
    if plain["place"] is not None:
        name, *numbers = plain["place"]
        span = Span(sources[name], *map(int, numbers))
    return Diagnostic(str(plain["code"]), str(plain["message"]), span, str(plain["hint"]))
