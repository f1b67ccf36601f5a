"""Answers requests in a child process: reads them from standard input, writes answers to standard output.

A request is 4 bytes, the length, and JSON: its `number`, the `call` and the arguments `given`. An answer is 4 bytes,
the length, 4 bytes, the number of the request, 4 bytes, what it is (see `Answer`), 4 unused bytes, and a message of
`cutset.server.frames`. When standard input ends, the process ends.
"""

from __future__ import annotations

import _thread
import json
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError
from cutset.server.frames import Answer, Message, encoded, failure

Call = Callable[..., Message]


def calls_of(*services: Any) -> Mapping[str, Call]:
    """The requests that services answer: their public methods by name."""
    return {name: getattr(each, name) for each in services for name in dir(each) if not name.startswith("_")}


# After so many ms an interrupt does not come any more: a finalizer of Python may have swallowed it.
_LATEST_INTERRUPT = 50


class Channel:
    """Writes answers; threads may use it at the same time."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream
        self._lock = threading.Lock()
        self.number = -1
        self.requests: queue.Queue[Mapping[str, Any]] = queue.Queue()
        self._arrived = threading.Event()
        # The listening thread interrupts the main one at most once, while `_is_overtakable`.
        self._overtaking = threading.Lock()
        self._is_overtakable = self._is_overtaken = False

    @property
    def waiting(self) -> bool:
        """True if another request has arrived."""
        return not self.requests.empty()

    def wait(self, seconds: float) -> bool:
        """Wait until another request arrives, for so long at most; `waiting` then."""
        if not self.waiting:
            self._arrived.wait(seconds)
        return self.waiting

    def take(self) -> Mapping[str, Any]:
        """The next request."""
        request = self.requests.get()
        self._arrived.clear()  # one that has arrived since then makes `waiting` true
        return request

    def overtake(self) -> None:
        """End what another request may end; called by the thread that listens, after one has arrived."""
        self._arrived.set()
        with self._overtaking:
            if self._is_overtakable:
                self._is_overtakable, self._is_overtaken = False, True
                _thread.interrupt_main()

    @contextmanager
    def overtakable(self) -> Iterator[None]:
        """Within it, another request ends the current one as Ctrl-C does; nothing must be sent within it, except
        `undisturbed`."""
        with self._overtaking:
            self._is_overtakable, self._is_overtaken = True, False
        try:
            if self.waiting:
                raise KeyboardInterrupt
            yield
        except KeyboardInterrupt:
            self._is_overtaken = False
            raise
        finally:
            self._end_overtaking()

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """A part of what is `overtakable` that no request ends."""
        self._end_overtaking()
        yield
        with self._overtaking:
            self._is_overtakable = True
        if self.waiting:
            raise KeyboardInterrupt

    def _end_overtaking(self) -> None:
        with self._overtaking:
            self._is_overtakable = False
        if self._is_overtaken:
            self._is_overtaken = False
            for _ in range(_LATEST_INTERRUPT):  # it is on its way, and arrives here
                time.sleep(0.001)

    def send(self, kind: Answer, message: Message) -> None:
        """Answer the current request."""
        body = encoded(message)
        head = b"".join(n.to_bytes(4, "little") for n in (12 + len(body), self.number, kind, 0))
        with self._lock:
            self._stream.write(head)
            self._stream.write(body)
            self._stream.flush()

    def news(self, data: Mapping[str, Any]) -> None:
        """Tell of the request in progress."""
        self.send(Answer.NEWS, Message(data))

    def listen(self, stream: BinaryIO) -> None:
        """Read requests until the stream ends, then end the process. The request `cancel` interrupts the current one,
        if it has that number, as Ctrl-C would."""
        while len(head := stream.read(4)) == 4:
            request = json.loads(stream.read(int.from_bytes(head, "little")))
            if request["call"] != "cancel":
                self.requests.put(request)
                self.overtake()
            elif request["given"]["number"] == self.number:
                _thread.interrupt_main()
        os._exit(0)


def serve(calls: Mapping[str, Call], channel: Channel) -> None:
    """Answer requests one after the other, for ever."""
    while True:
        try:
            request = channel.take()
            channel.number = request["number"]
            channel.send(*_answered(calls, request))
        except KeyboardInterrupt:
            pass  # it came too late, or the answer to the request has been sent
        finally:
            channel.number = -1


def _answered(calls: Mapping[str, Call], request: Mapping[str, Any]) -> tuple[Answer, Message]:
    try:
        return Answer.RESULT, calls[request["call"]](**request["given"])
    except KeyboardInterrupt:
        return Answer.ERROR, failure("canceled", "canceled")
    except ModelError as error:
        from cutset.server.messages import reported

        first = error.diagnostics[0]
        return Answer.ERROR, Message(
            {"kind": "model", "code": first.code, "message": first.message, "hint": first.hint, "text": str(error),
             "messages": [reported(each) for each in error.diagnostics]}
        )  # fmt: skip
    except RunError as error:
        return Answer.ERROR, Message(
            {"kind": "run", "code": error.code, "message": error.message, "hint": error.hint, "text": str(error)}
        )
    except MemoryError:
        return Answer.ERROR, failure("run", "there is not enough memory; use fewer output times")
    except Exception as error:
        return Answer.ERROR, failure("internal", f"this is a bug in Cutset: {type(error).__name__}: {error}")
