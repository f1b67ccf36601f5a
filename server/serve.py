"""Starts the server of the workbench on a free port of this machine, and opens the browser."""

from __future__ import annotations

import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.server.folder import SHOWN, Folder

# A request in the socket has the text of a file at most, a workspace is smaller.
_MOST_MESSAGE_BYTES = 8_000_000


def serve(path: Path, port: int, opens_browser: bool, library_path: Sequence[Path]) -> None:
    """Serve the workbench for a model file or a folder until Ctrl-C, on this port (0: a free one). UsageError for
    another path; CommandFailed if a package is missing or the port is in use."""
    folder, model = _opened(path)
    try:
        import uvicorn

        from cutset.server.app import LimitedProtocol, Opened, application
    except ImportError as error:
        hint = "pip install 'cutset[open]'"
        raise CommandFailed(f"the workbench needs the package {error.name}: install it with {hint}") from error
    listening = _listening(port)
    own_port = int(listening.getsockname()[1])
    token = secrets.token_urlsafe(24)
    opened = Opened(folder, model, [str(each.resolve()) for each in library_path])
    config = uvicorn.Config(
        application(opened, token, own_port),
        http=LimitedProtocol,
        ws="websockets-sansio",
        ws_max_size=_MOST_MESSAGE_BYTES,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=1,
    )
    address = f"http://127.0.0.1:{own_port}/{token}/"
    _announce(address, opens_browser, print)
    with suppress(KeyboardInterrupt):  # the usual end; uvicorn raises it again after the processes have ended
        uvicorn.Server(config).run(sockets=[listening])


def _announce(address: str, opens_browser: bool, tell: Callable[[str], None]) -> None:
    tell(f"The workbench is at {address}")
    tell("Stop it with Ctrl-C.")
    sys.stdout.flush()
    if opens_browser:
        webbrowser.open(address)


def _opened(path: Path) -> tuple[Folder, str]:
    """The folder to serve, and the model file in it; '' for a folder."""
    if path.is_dir():
        return Folder.at(path), ""
    if not path.is_file():
        raise UsageError(f"there is no file or folder '{path}'")
    if not path.name.lower().endswith(SHOWN) or path.name.startswith("."):
        raise UsageError(f"'{path}' is not a model file: its name must end in .mo, .urdf or .xml")
    place = path.resolve()
    return Folder.at(place.parent), place.name


def _listening(port: int) -> socket.socket:
    """A socket on the loopback interface only; connections wait from now on."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        raise CommandFailed(f"cannot use port {port}: {error}") from error
    found.listen(128)
    return found
