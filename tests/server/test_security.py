"""Nothing but the user's own page reaches the server, and it reaches nothing but the folder that was opened."""

from __future__ import annotations

import asyncio
import html
import http.client
import json
import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import PATIENCE, Served, client, served
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cutset.lsp.words import words
from cutset.server import children
from cutset.server.children import Child, Ended
from cutset.server.guard import Guard

RC = (Path(__file__).parents[2] / "models" / "rc.mo").read_text()
# An oscillator with 10^8 periods.
FOR_EVER = "model Fast\n  local x (start=1), v (start=0)\n  der(x) = v\n  der(v) = -1e12*x\nend\n"
ENDLESS = {"stop": 1e3}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside the one that is opened, with a secret."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "secret.mo").write_text("model Secret end")
    opened = folder / "opened"
    (opened / "part").mkdir(parents=True)
    (opened / "rc.mo").write_text(RC)
    (opened / "fast.mo").write_text(FOR_EVER)
    (opened / "part" / "inner.mo").write_text(RC)
    (opened / ".hidden.mo").write_text("model Hidden end")
    (opened / "link.mo").symlink_to(folder / "secret.mo")
    (opened / "way").symlink_to(folder)
    (opened / "own.mo").symlink_to(opened / "rc.mo")
    return folder


@pytest.fixture(scope="module")
def server(outside: Path) -> Iterator[Served]:
    with served(outside / "opened") as found:
        yield found


def answer(server: Served, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    found = connection.getresponse()
    try:
        return found.status, {k.lower(): v for k, v in found.getheaders()}, found.read().decode()
    finally:
        connection.close()


def test_the_page_has_the_token(server: Served) -> None:
    status, headers, text = answer(server, f"/{server.token}/")
    assert status == 200 and "assets/main.js" in text
    assert headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/", "/assets/main.js", "/socket", "/x/", "//TOKEN/", "/x/TOKEN/", "/tOKEN/", "/TOKENx/"]
)
def test_without_token(server: Served, path: str) -> None:
    token = server.token
    asked = path.replace("tOKEN", token.swapcase()).replace("TOKEN", token)
    status, _, text = answer(server, asked)
    assert status == 403 and "<" not in text and token not in text


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1", "localhost.example.com", "127.0.0.1:1", "[::1]", ""])
def test_foreign_host(server: Served, host: str) -> None:
    """A page whose name was made to resolve to this machine sends its own name."""
    assert answer(server, f"/{server.token}/", Host=host)[0] == 400


@pytest.mark.parametrize("hosts", [["127.0.0.1:7", "example.com"], ["127.0.0.1:7"] * 2, []])
def test_one_host(hosts: list[str]) -> None:
    """The library behind the server refuses several, too: no request tells whether the guard does."""
    scope = {"type": "http", "path": "/secret/", "headers": [(b"host", host.encode()) for host in hosts]}
    assert Guard(None, "secret", 7)._refusal(scope)[0] == 400
    assert Guard(None, "secret", 7)._refusal(scope | {"headers": [(b"host", b"127.0.0.1:7")]}) is None


def test_own_hosts(server: Served) -> None:
    for host in ("127.0.0.1", "localhost"):
        assert answer(server, f"/{server.token}/", Host=f"{host}:{server.port}")[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://example.com", "null", "http://127.0.0.1:1", "https://127.0.0.1:PORT", "file://"]
)
def test_foreign_origin(server: Served, origin: str) -> None:
    asked = origin.replace("PORT", str(server.port))
    assert answer(server, f"/{server.token}/", Origin=asked)[0] == 403
    with pytest.raises(InvalidStatus), client(server, origin=asked):
        pass
    assert answer(server, f"/{server.token}/", Origin=f"http://127.0.0.1:{server.port}")[0] == 200


def test_socket_without_token(server: Served) -> None:
    with pytest.raises(InvalidStatus), client(Served(server.url.replace(server.token, "x" * 32), server.process)):
        pass


def test_policy_of_the_page(server: Served) -> None:
    """No inline script, no other server, no other page around it; the nonce of styles is new each time."""
    policies = []
    for _ in range(2):
        _, headers, text = answer(server, f"/{server.token}/")
        policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == "'none'" and policy["script-src"] == "'self'"
        nonce = re.search(r"'nonce-([\w-]+)'", policy["style-src"])
        assert nonce is not None and f'content="{nonce[1]}"' in text
        sources = " ".join(policy.values())
        own = r"'nonce-[\w-]+'|'self'|'none'|data:|blob:|ws://(127\.0\.0\.1|localhost):\d+"
        assert re.sub(own, "", sources).strip() == ""
        assert not re.search(r"<script(?![^>]* src=\"assets/)|https?://|\son\w+=|style=", text)
        policies.append(nonce[1])
    assert policies[0] != policies[1]


def test_the_page_has_the_words_of_the_compiler(server: Served) -> None:
    """A new function or keyword needs no new bundle."""
    page = answer(server, f"/{server.token}/")[2]
    assert json.loads(html.unescape(re.findall(r'name="words" content="(.*?)"', page)[0])) == words()
    source = (Path(__file__).parents[2] / "workbench" / "src" / "language.ts").read_text(encoding="utf-8")
    assert [group for group in words() if f"...words.{group}" not in source] == []


@pytest.mark.parametrize(
    "path",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "..\\app.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "index.html",
        "app.py",
        "sources.txt",
    ],
)
def test_only_files_of_the_page_are_served(server: Served, path: str) -> None:
    assert answer(server, f"/{server.token}/assets/{path}")[0] == 404


@pytest.mark.parametrize(
    "file",
    [
        *("../secret.mo", "/etc/passwd", "part/../../secret.mo", "link.mo", "way/secret.mo", ".hidden.mo", "./rc.mo"),
        *("part//inner.mo", "..\\secret.mo", "rc.mo\0", "", "way/opened/rc.mo/../../secret.mo"),
    ],
)
def test_files_outside_of_the_folder(server: Served, outside: Path, file: str) -> None:
    before = {path: path.read_text() for path in outside.glob("*.mo")}
    with client(server) as page:
        for call in ("read", "workspace", "save_workspace"):
            given = {"workspace": {}} if call == "save_workspace" else {}
            assert "model Secret" not in page.refusal(call, file=file, **given)
        assert page.refusal("write", file=file, text="model Changed end")
        assert page.refusal("open", file, file=file, text="", name=None)
        assert page.refusal("check", file=file, text="")
        assert page.refusal("check", file="rc.mo", text=RC, unsaved={file: "model Secret end"})
        at = {"line": 0, "character": 0}
        assert page.refusal("rename", file=file, text="", new_name="x", **at)
        shown = {"text": "model A\nend\n", "name": None, "submodel": ""}
        for call, more in (("picture", {}), ("hand", {"does": "move", "given": {"part": "a", "place": None}})):
            assert page.refusal(call, file=file, unsaved={}, **shown, **more)
            assert page.refusal(call, file="rc.mo", unsaved={file: "model A\nend\n"}, **shown, **more)
        assert page.refusal("definition", file="rc.mo", text=RC, unsaved={file: "model Secret end"}, **at)
        assert page.refusal("open", "rc.mo", file="rc.mo", text=RC, name=None, unsaved={file: "model Secret end"})
        assert page.ask("marks", files=[file]).data["marks"] == {file: None}
        refused = page.refusal("fit", "rc.mo", table_file=file, settings={}, columns={}, find=[])
        assert re.search(
            "not a file of this folder|outside the folder|not the name of a file|no file is named", refused
        )
    assert {path: path.read_text() for path in outside.glob("*.mo")} == before


def test_files_of_the_folder(server: Served, outside: Path) -> None:
    with client(server) as page:
        assert page.ask("project").data["files"] == ["fast.mo", "own.mo", "rc.mo", "part/inner.mo"]
        assert page.ask("read", file="part/inner.mo").data["text"] == page.ask("read", file="own.mo").data["text"] == RC
        page.ask("write", file="part/inner.mo", text="model New\nend\n")
        assert (outside / "opened" / "part" / "inner.mo").read_text() == "model New\nend\n"
        assert "is not a file that the workbench can open" in page.refusal("write", file="part/script.sh", text="")
        assert "too large" in page.refusal("write", file="part/inner.mo", text="x" * 2_000_001)


def test_workspace_is_limited(server: Served, outside: Path) -> None:
    with client(server) as page:
        page.ask("save_workspace", file="rc.mo", workspace={"plots": ["C.u"]})
        assert page.ask("workspace", file="rc.mo").data["workspace"] == {"plots": ["C.u"]}
        assert "too large" in page.refusal("save_workspace", file="rc.mo", workspace={"x": "y" * 1_000_000})
        assert "no model file" in page.refusal("save_workspace", file="other.mo", workspace={})
        (outside / "opened" / "rc.workspace.json").write_text("[" * 200_000)
        assert page.ask("workspace", file="rc.mo").data["workspace"] is None


def test_large_body(server: Served) -> None:
    """The server answers without reading 100 MB, and closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
        head = f"POST /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100000000\r\n\r\n"
        raw.sendall(head.encode())
        assert raw.recv(1000).startswith(b"HTTP/1.1 413 ")
        sent = 0
        with pytest.raises(OSError):
            while sent < 100_000_000:
                sent += raw.send(bytes(1_000_000))
                time.sleep(0.001)
        assert sent < 50_000_000
    assert answer(server, f"/{server.token}/", Transfer_Encoding="chunked")[0] == 413


def test_large_message(server: Served) -> None:
    with client(server) as page, pytest.raises(ConnectionClosed):
        page.socket.send("x" * 100_000_000)
        page.socket.recv(timeout=PATIENCE)
    with client(server) as page:
        assert page.ask("files").data["files"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"id": "x", "call": 1}', "[" * 50_000, '{"id": 1e400, "call": "files"}']
)
def test_what_is_no_request_is_ignored(server: Served, text: str) -> None:
    with client(server) as page:
        page.socket.send(text)
        assert page.ask("files").data["files"]
        assert "no request 'shell'" in page.refusal("shell")
        assert page.refusal("read", wrong="x")


def test_many_connections(server: Served) -> None:
    """Programs without the token cannot take all connections: the oldest ones are closed."""
    idle: list[socket.socket] = []
    with client(server) as page:
        try:
            for _ in range(1000):
                idle.append(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
            assert answer(server, f"/{server.token}/")[0] == 200
            assert page.ask("files").data["files"]
            opened = os.listdir(f"/proc/{server.process.pid}/fd")
            assert len(opened) < 150
        finally:
            for each in idle:
                each.close()


def test_endless_run_is_canceled(server: Served) -> None:
    """The rows so far are shown, and the same process answers the next request."""
    with client(server) as page:
        page.ask("open", "fast.mo", file="fast.mo", text=FOR_EVER, name=None)
        number = page.start("run", "fast.mo", settings=ENDLESS, number=None, curves=[], scene_rows=0)
        while not page.news:  # the run is in progress
            waiting = page.start("files")
            page.answer(waiting)
        page.cancel(number)
        is_good, message = page.answer(number)
        assert is_good and message.data["run"]["outcome"] == "interrupted" and message.data["run"]["rows"] >= 1
        run = page.ask("run", "fast.mo", settings={"stop": 1e-4}, number=None, curves=[], scene_rows=0)
        assert run.data["run"]["outcome"] == "completed"


def test_endless_run_ends_with_its_page(server: Served) -> None:
    with client(server) as page:
        page.ask("open", "fast.mo", file="fast.mo", text=FOR_EVER, name=None)
        page.start("run", "fast.mo", settings=ENDLESS, number=None, curves=[], scene_rows=0)
    with client(server) as page:
        run = page.ask("run", "fast.mo", settings={"stop": 1e-4}, number=None, curves=[], scene_rows=0)
        assert run.data["run"]["outcome"] == "completed"


def test_a_process_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A translation, or a library in C, may not notice an interrupt."""
    monkeypatch.setattr(children, "_PATIENCE", 0.1)
    deaf = "import sys, time\nwhile True: time.sleep(1)"

    async def receive(kind: int, body: bytes) -> None:
        raise AssertionError

    async def ask() -> None:
        child = Child("model", tmp_path, ())
        child._command = [sys.executable, "-c", deaf]
        asking = asyncio.create_task(child.ask("run", {}, receive))
        while child.process_id is None:
            await asyncio.sleep(0.01)
        process = child.process_id
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(PATIENCE):
            while child.process_id is not None:  # it has been killed
                await asyncio.sleep(0.01)
        await child.end()
        assert child.process_id is None and not Path(f"/proc/{process}").exists()
        child._command = [sys.executable, "-c", ""]
        with pytest.raises(Ended):
            await child.ask("run", {}, receive)
        await child.end()

    asyncio.run(ask())


def test_a_model_cannot_read_other_files(server: Served) -> None:
    with client(server) as page:
        for include in ("@../secret", '@"../secret.mo"', '@"/etc/passwd"', "@link"):
            text = f"{include}\nmodel M\n  local x\n  x = 1\nend\n"
            found = page.ask("check", file="rc.mo", text=text).data["messages"]
            assert all("Secret" not in str(each) and "root:" not in str(each) for each in found)
