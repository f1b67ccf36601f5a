"""Where a run is can be read beside it, and is shown on a terminal alone."""

from __future__ import annotations

import io
import sys
import time

import numpy as np
import pytest

import cutset
from cutset.api.command_line import progress
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.solvers import METHODS

SWING = "model Swing\n local x (start=1), v\n v = der(x)\n der(v) = -100*x\nend"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_says_where_it_is(method: str, target: str, write_model) -> None:
    now = np.array([-1.0])
    cutset.load(write_model(SWING)).run(Experiment(stop=0.7, method=method), target, now)
    assert now[0] == pytest.approx(0.7, abs=0.1)


@pytest.mark.parametrize(
    ("said", "shown"), [([], "time 2 of 3 s"), (["{:.0f} of {:.0f} runs"], "2 of 3 runs")], ids=["run", "sweep"]
)
def test_a_bar_is_drawn_while_the_run_goes_and_is_gone_then(
    said: list[str], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with progress.shown_progress(1.0, 3.0, *said) as now:
        assert now is not None
        now[0] = 2.0
        deadline = time.monotonic() + 300.0
        while "50 %" not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.05)
        now[0] = 2.5
        while "75 %" not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.05)
    text = screen.getvalue()
    assert shown in text and "50 %" in text and "75 %" in text and "to go" in text
    size = len(text)
    time.sleep(0.4)
    assert len(screen.getvalue()) == size


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.shown_progress(0.0, 1.0) as now:
        assert now is not None
    assert screen.getvalue() == ""


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.shown_progress(0.0, 1.0) as now:
        assert now is None
    assert capsys.readouterr().err == ""
