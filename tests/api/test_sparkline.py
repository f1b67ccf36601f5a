"""Trajectories drawn as one line of text."""

import numpy as np

from cutset.api.show.sparkline import sparkline


def test_a_line_rises_from_the_lowest_to_the_highest_block() -> None:
    assert sparkline(np.array([0.0, 1.0]), np.array([-1.0, 1.0]), 8) == "▁▂▃▄▅▆▇█"
    assert sparkline(np.array([0.0, 1.0]), np.array([5.0, 3.0]), 3) == "█▅▁"


def test_instants_are_evenly_spaced_however_the_rows_lie() -> None:
    assert sparkline(np.array([0.0, 0.01, 0.02, 1.0]), np.array([0.0, 0.0, 0.0, 1.0]), 4) == "▁▃▆█"


def test_constants_gaps_and_runs_without_duration() -> None:
    assert sparkline(np.array([0.0, 1.0]), np.array([3.0, 3.0]), 4) == "▁▁▁▁"
    assert sparkline(np.array([0.0, 1.0, 2.0]), np.array([0.0, np.nan, 1.0]), 3) == "▁ █"
    assert sparkline(np.array([0.0, 0.0]), np.array([0.0, 1.0]), 4) == ""
    assert sparkline(np.array([0.0, 1.0]), np.array([np.nan, np.nan]), 4) == ""
