"""Observers of the pipeline: what they keep, and that they change nothing."""

from __future__ import annotations

import pytest

from cutset.api.translate.listeners import Dump, Enough, Sizes
from cutset.compiler.observer import Observer


def test_the_result_is_handed_on_and_timed_in_order() -> None:
    observer = Observer()
    result = object()
    assert observer("one", result) is result
    assert observer("two", result) is result
    assert list(observer.seconds) == ["one", "two"]
    assert min(observer.seconds.values()) >= 0.0


def test_listeners_see_every_stage_and_cost_no_stage_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("cutset.compiler.observer.perf_counter", lambda: clock[0])
    heard = []

    def slow(stage: str, result: object) -> None:
        heard.append((stage, result))
        clock[0] += 10.0

    observer = Observer([slow])
    clock[0] += 1.0
    observer("one", 1)
    clock[0] += 2.0
    observer("two", 2)
    assert heard == [("one", 1), ("two", 2)]
    assert observer.seconds == {"one": 1.0, "two": 2.0}


def test_dump_keeps_the_text_of_its_stage_and_ends_there() -> None:
    dump = Dump("two")
    observer = Observer([dump])
    observer("one", 1)
    with pytest.raises(Enough):
        observer("two", [2])
    assert (dump.text, dump.seen) == ("[2]", ["one", "two"])


def test_sizes_of_an_unknown_type_are_empty() -> None:
    sizes = Sizes()
    sizes("one", 3)
    assert sizes.lines == [("one", "")]
