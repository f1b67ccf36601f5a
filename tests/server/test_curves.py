"""Curves keep their extremes, scenes their motion, with the rows that a picture shows."""

from __future__ import annotations

import numpy as np
import pytest

from cutset.runtime.results.shown_rows import shown_rows
from cutset.server.frames import Message, decoded, encoded


def test_few_rows_are_all_shown() -> None:
    time = np.linspace(0.0, 1.0, 501)
    assert shown_rows(time, [time], 0.0, 1.0, 300).tolist() == list(range(501))


def test_a_peak_of_one_row_is_shown() -> None:
    time = np.linspace(0.0, 1.0, 100_001)
    values = np.sin(40.0 * time)
    values[[31_415, 77_777]] = 9.0, -9.0
    other = np.cos(3.0 * time)
    other[50_005] = np.nan
    rows = shown_rows(time, [values, other], 0.0, 1.0, 400)
    assert {31_415, 77_777, 0, 100_000} <= set(rows.tolist()) and np.all(np.diff(rows) > 0)
    assert len(rows) <= 402 * 6


def test_a_range_has_one_row_on_each_side() -> None:
    time = np.linspace(0.0, 10.0, 11)
    assert shown_rows(time, [time], 2.5, 4.5, 100).tolist() == [2, 3, 4, 5]
    assert shown_rows(time, [time], 20.0, 30.0, 100).tolist() == [10]
    assert shown_rows(np.array([0.0, 1.0, 1.0, 2.0]), [], 1.0, 1.0, 100).tolist() == [0, 1, 2, 3]


def test_messages_keep_their_arrays() -> None:
    arrays = [np.array([1.5, np.nan]), np.array([2.0, 3.0, 4.0], np.float32), np.frombuffer(b"<text>", np.uint8)]
    found = decoded(encoded(Message({"x": "\u00fc"}, arrays)))
    assert found.data == {"x": "\u00fc"}
    for sent, got in zip(arrays, found.arrays, strict=True):
        assert sent.dtype == got.dtype and np.array_equal(sent, got, equal_nan=sent.dtype != np.uint8)
    with pytest.raises(ValueError):
        encoded(Message({"x": float("nan")}))
