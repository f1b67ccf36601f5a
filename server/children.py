"""Starts child processes, passes requests to them and ends them. Knows no model and no socket."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from cutset.server.frames import Answer

# An answer is at most so long: 12 million numbers.
_MOST_BYTES = 100_000_000
# A request that does not end by itself so long after it was canceled is ended with its process, in s.
_PATIENCE = 3.0


class Receiver(Protocol):
    """Takes an answer: what it is, an `Answer`, and its message."""

    async def __call__(self, kind: int, body: bytes) -> None: ...


class Ended(Exception):
    """The process ended before it answered."""


class Child:
    """A child process that answers one request after the other. It is started by the first one, and again after its
    end."""

    def __init__(self, kind: str, folder: Path, library_path: Sequence[str]):
        self._command = [sys.executable, "-m", "cutset.server.process", kind, *library_path]
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._number = 0
        self._waiting: dict[int, tuple[Receiver, asyncio.Future[None]]] = {}
        self._reader: asyncio.Task[None] | None = None
        self._opened: Mapping[str, Any] | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """Start the process, unless it runs."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                pipe = asyncio.subprocess.PIPE
                # What packages print there is not for the user, and a model must not write to the terminal.
                errors = None if os.environ.get("CUTSET_DEBUG") else asyncio.subprocess.DEVNULL
                self._process = await asyncio.create_subprocess_exec(
                    *self._command, cwd=self._folder, stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True
                )
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def ask(self, call: str, given: Mapping[str, Any], receive: Receiver) -> None:
        """Pass the answers to a request to `receive`, and return after the last one. Ended if the process ends. If the
        task is canceled, so is the request; a run that is interrupted still answers, with its result so far."""
        is_new = self.process_id is None
        process = await self.start()
        if call == "open":
            self._opened = given
        elif is_new and self._opened is not None:
            # The process before was ended; nobody waits for this answer.
            self._write(process, {"number": 0, "call": "open", "given": self._opened})
        self._number += 1
        number = self._number
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (receive, done)
        try:
            self._write(process, {"number": number, "call": call, "given": given})
            await asyncio.shield(done)
        except asyncio.CancelledError:
            if not await asyncio.shield(self._cancel(process, number, done)):
                raise
        finally:
            self._waiting.pop(number, None)

    async def _cancel(self, process: asyncio.subprocess.Process, number: int, done: asyncio.Future[None]) -> bool:
        """Interrupt a request; if that takes too long, end the process. True if the request was answered."""
        try:
            self._write(process, {"number": number, "call": "cancel", "given": {"number": number}})
            async with asyncio.timeout(_PATIENCE):
                await asyncio.shield(done)
            return True
        except Exception:  # it ended, it takes too long, or nobody takes its answers
            self.kill() if not done.done() else None
            return False

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                # Its own `kill` first looks whether it has ended, and takes the exit status that asyncio waits for.
                os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    async def end(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        if self._process is not None:
            await self._process.wait()
        if self._reader is not None:
            await self._reader

    @property
    def process_id(self) -> int | None:
        """The number of the process; None if it does not run."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    def _write(self, process: asyncio.subprocess.Process, request: Mapping[str, Any]) -> None:
        text = json.dumps(request, separators=(",", ":")).encode()
        assert process.stdin is not None
        if process.stdin.is_closing():
            raise Ended
        process.stdin.write(len(text).to_bytes(4, "little") + text)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Pass on answers until the process ends."""
        assert process.stdout is not None
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                length = int.from_bytes(await process.stdout.readexactly(4), "little")
                if not 12 <= length <= _MOST_BYTES:
                    break
                answer = await process.stdout.readexactly(length)
                number, kind = (int.from_bytes(answer[k : k + 4], "little") for k in (0, 4))
                await self._pass_on(number, kind, answer[12:])
        self.kill()
        await process.wait()
        waiting, self._waiting = list(self._waiting.values()), {}
        for _, done in waiting:
            if not done.done():
                done.set_exception(Ended())
                done.exception()  # it was looked at: no warning if nobody waits any more

    async def _pass_on(self, number: int, kind: int, body: bytes) -> None:
        if number not in self._waiting:
            return
        receive, done = self._waiting[number]
        try:
            await receive(kind, body)
        except Exception as error:
            if not done.done():
                done.set_exception(error)
                done.exception()
        else:
            if kind != Answer.NEWS and not done.done():
                done.set_result(None)
