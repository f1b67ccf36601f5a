"""Starts `cutset open` for tests, and asks it as the page does."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from cutset.server.frames import Message, decoded

# Only what never ends takes so many seconds, however loaded the machine is.
PATIENCE = 120.0
START = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"


@dataclass(frozen=True)
class Served:
    """A server and its address: http://127.0.0.1:PORT/TOKEN/."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    @property
    def token(self) -> str:
        return self.url.split("/")[3]


@contextmanager
def served(path: Path) -> Iterator[Served]:
    """`cutset open --no-browser PATH`, which must end well after Ctrl-C, with all its processes."""
    command = [sys.executable, "-c", START, "open", "--no-browser", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", process.stdout.readline())
        assert found is not None
        yield Served(found[0], process)
        children = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert [child for child in children if is_running(child)] == []
    finally:
        process.kill()
        process.wait()


def children_of(parent: int) -> list[int]:
    """The processes that a process has started, of those that run."""
    after_name = {path: text_of(path).rpartition(")")[2].split() for path in Path("/proc").glob("[0-9]*/stat")}
    return [int(path.parent.name) for path, words in after_name.items() if words[1:2] == [str(parent)]]


def text_of(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the process has ended
        return ""


def is_running(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] not in ("Z", "X")


@dataclass
class Client:
    """A page without a browser."""

    socket: ClientConnection
    news: list[dict[str, Any]] = field(default_factory=list)
    number: int = 0

    def start(self, call: str, model: str = "", **given: Any) -> int:
        self.number += 1
        request = {"id": self.number, "call": call, "given": given, "model": model}
        self.socket.send(json.dumps(request))
        return self.number

    def cancel(self, number: int) -> None:
        self.socket.send(json.dumps({"id": number, "call": "cancel"}))

    def answer(self, number: int) -> tuple[bool, Message]:
        """Whether the request succeeded, and its answer."""
        while True:
            found = self.socket.recv(timeout=PATIENCE)
            assert isinstance(found, bytes)
            own, kind = (int.from_bytes(found[k : k + 4], "little") for k in (0, 4))
            message = decoded(found[8:])
            if kind == 2:
                self.news.append(dict(message.data))
            elif own == number:
                return kind == 0, message

    def ask(self, call: str, model: str = "", **given: Any) -> Message:
        is_good, message = self.answer(self.start(call, model, **given))
        assert is_good, message.data
        return message

    def refusal(self, call: str, model: str = "", **given: Any) -> str:
        is_good, message = self.answer(self.start(call, model, **given))
        assert not is_good
        return str(message.data["message"])


@contextmanager
def client(server: Served, **settings: Any) -> Iterator[Client]:
    with connect(server.url.replace("http", "ws") + "socket", max_size=None, **settings) as socket:
        yield Client(socket)
