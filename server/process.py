"""Starts a child process of the workbench, which answers requests until its standard input ends."""

import os
import signal
import sys
import threading

from cutset.server.worker import Channel, serve


def _limit_memory() -> None:
    """Leave a quarter of the memory of this machine to others."""
    try:
        import resource

        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        resource.setrlimit(resource.RLIMIT_DATA, (memory // 4 * 3, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    except (ImportError, ValueError, OSError):
        pass  # not on this platform, or the limit is already lower


def main() -> None:
    """Answer the requests of the server about the kind of work that the argument names: `check` or `model`."""
    kind, library_path = sys.argv[1], sys.argv[2:]
    # Nothing that a model or a package prints may get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # `cancel` needs it; a parent may ignore the signal
    channel = Channel(answers)
    threading.Thread(target=channel.listen, args=(sys.stdin.buffer,), daemon=True).start()
    if kind == "check":
        from cutset.server import checker

        serve(checker.calls(channel, library_path), channel)
    from cutset.server import calls

    serve(calls.calls(channel, library_path), channel)


if __name__ == "__main__":
    main()
