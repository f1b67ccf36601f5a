"""Tests independent tasks in processes: their results, errors, and processes that are killed."""

from __future__ import annotations

import os
import signal
import threading
from functools import partial

import pytest

from cutset.api.verify.in_parallel import in_parallel

HERE = os.getpid()


def _alone(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    """As in a process without other threads, which the tests have."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)))


def _killed_elsewhere() -> str:
    if os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return "computed here"


@pytest.mark.parametrize("cores", [1, 2, 9])
def test_each_task_has_its_result_whatever_the_number_of_processes(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    _alone(monkeypatch, cores)
    told: list[str] = []
    found = in_parallel({str(k): partial(lambda k: (k, os.getpid() == HERE), k) for k in range(5)}, told.append)
    assert found == {str(k): (k, cores == 1) for k in range(5)}
    assert told == [str(k) for k in range(5)]


def test_beside_other_threads_all_is_computed_in_this_process() -> None:
    done, other = threading.Event(), threading.Thread(target=lambda: done.wait(60))
    other.start()
    try:
        assert in_parallel({"a": os.getpid, "b": os.getpid}, lambda name: None) == {"a": HERE, "b": HERE}
    finally:
        done.set()
        other.join()


def test_an_error_of_a_task_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    _alone(monkeypatch, 2)
    with pytest.raises(ValueError, match="invalid literal"):
        in_parallel({"right": os.getpid, "wrong": partial(int, "three")}, lambda name: None)


def test_a_task_whose_process_is_killed_is_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    _alone(monkeypatch, 2)
    assert in_parallel({"a": _killed_elsewhere}, lambda name: None) == {"a": "computed here"}
