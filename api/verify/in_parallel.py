"""Computes independent tasks in processes that share what was computed before, as many at a time as there are cores.

A process is a copy of this one (fork), so a task needs no argument that can be sent, and starts at once.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

T = TypeVar("T")
# For each result that is awaited the name of its task and the process.
_Running = dict[Connection, tuple[str, BaseProcess]]


def in_parallel(tasks: Mapping[str, Callable[[], T]], tell: Callable[[str], object]) -> dict[str, T]:
    """The result of each task; they must be things that pickle sends. `tell` is called with the name
    of each before it begins. An error of a task is raised. One after the other, in this process, where a copy is not
    safe: beside other threads, and on systems other than Linux."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    is_safe = threading.active_count() == 1 and not multiprocessing.current_process().daemon
    results: dict[str, T] = {}
    running: _Running = {}
    try:
        for name, task in tasks.items():
            tell(name)
            if not is_safe or cores < 2:
                results[name] = task()
                continue
            _begin(running, name, task)
            if len(running) == cores:
                results |= _ended(running, tasks)
        while running:
            results |= _ended(running, tasks)
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()
    return results


def _begin(running: _Running, name: str, task: Callable[[], object]) -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, task), daemon=True)
    process.start()
    theirs.close()
    running[ours] = name, process


def _send(to: Connection, task: Callable[[], object]) -> None:
    try:
        to.send((task(), None))
    except Exception as error:
        to.send((None, error))


def _ended(running: _Running, tasks: Mapping[str, Callable[[], Any]]) -> Iterator[tuple[str, Any]]:
    """The names and results of tasks that have ended, at least one. A task whose process was killed, as a system
    without memory does, is computed here."""
    for connection in wait(list(running)):
        assert isinstance(connection, Connection)
        name, process = running.pop(connection)
        with connection:
            try:
                result, error = connection.recv()
            except EOFError:
                result, error = tasks[name](), None
        process.join()
        if error is not None:
            raise error
        yield name, result
