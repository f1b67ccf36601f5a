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
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, BinaryIO

from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError
from cutset.server.frames import Message, encoded


class Answer(IntEnum):
    """What an answer is: the result, an error, or news of a request that is still in progress."""

    RESULT = 0
    ERROR = 1
    NEWS = 2


Call = Callable[..., Message]


class Channel:
    """Writes answers; threads may use it at the same time. `waiting` is true if another request has arrived."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream
        self._lock = threading.Lock()
        self.number = -1
        self.requests: queue.Queue[Mapping[str, Any]] = queue.Queue()

    @property
    def waiting(self) -> bool:
        """True if another request has arrived."""
        return not self.requests.empty()

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
            elif request["given"]["number"] == self.number:
                _thread.interrupt_main()
        os._exit(0)


def serve(calls: Mapping[str, Call], channel: Channel) -> None:
    """Answer requests one after the other, for ever."""
    while True:
        try:
            request = channel.requests.get()
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
        return Answer.ERROR, _failure("canceled", "canceled")
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
        return Answer.ERROR, _failure("run", "there is not enough memory; use fewer output times")
    except Exception as error:
        return Answer.ERROR, _failure("internal", f"this is a bug in Cutset: {type(error).__name__}: {error}")


def _failure(kind: str, message: str) -> Message:
    return Message({"kind": kind, "code": "", "message": message, "hint": "", "text": message})
