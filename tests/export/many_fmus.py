"""Exports many models as FMUs, has FMPy validate and simulate them, and compares with `simulate`. Not a test.

    python tests/export/many_fmus.py [part of a name ...] [--version 2|3]

For each model and version it prints how many faults FMPy's validator finds, and for model exchange and co-simulation
the largest distance of a variable from that of `simulate`, relative to its range: around events from the band that the
variable passes through within one output step. 2e-3 passes. Differences below the absolute tolerance of integrators do
not count: a sticking brake moves by rounding. The exit code counts the models that do not pass. With CC=tcc the
compilation takes a tenth of the time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import cutset
from cutset.export.fmi_binaries import this_machine

ROOT = Path(__file__).resolve().parents[2]
CASES = "tests/cases/models/"
# File, model (empty: the last one), stop.
MODELS = (
    ("models/r3/r3.mo", "", 1.86),
    ("tests/cases/models/rectifier.mo", "Rectifier", 0.1),
    ("tests/cases/models/rectifier.mo", "PolyphaseRectifier", 0.1),
    ("tests/golden/events/bouncing_ball.mo", "", 1.2),
    ("tests/golden/events/thermostat.mo", "", 400.0),
    ("tests/golden/events/sampled_pi.mo", "", 2.0),
    ("tests/golden/events/counter.mo", "", 2.0),
    ("tests/golden/events/coulomb_friction.mo", "", 2.0),
    ("tests/golden/events/ideal_diode.mo", "", 0.1),
    ("tests/golden/events/stair.mo", "", 3.0),
    ("benchmarks/models/digital_arm.mo", "", 0.5),
    ("benchmarks/models/converter.mo", "", 0.002),
    ("benchmarks/models/pulses.mo", "", 0.02),
    ("benchmarks/models/delayed_control.mo", "", 3.0),
    (CASES + "shafts.mo", "CoupledClutches", 1.5),
    (CASES + "shafts.mo", "ClutchAndBrake", 1.0),
    (CASES + "shafts.mo", "SimpleGearShift", 3.0),
    (CASES + "shafts.mo", "Freewheel", 0.5),
    (CASES + "chopper.mo", "", 0.02),
    (CASES + "ideal_diodes.mo", "", 1.0),
    (CASES + "chua_circuit.mo", "", 2000.0),
    (CASES + "control.mo", "PIDController", 4.0),
    (CASES + "transistor_amplifier.mo", "", 0.05),
    (CASES + "heated_rod.mo", "", 10.0),
    (CASES + "dc_motor.mo", "", 1.0),
    (CASES + "sliders.mo", "Stops", 2.0),
    (CASES + "discrete.mo", "EventIteration", 1.0),
    (CASES + "controlled_temperature.mo", "", 10.0),
    (CASES + "cauer_low_pass.mo", "", 30.0),
    ("models/rc.mo", "", 1.0),
    ("models/double_pendulum.mo", "", 2.0),
    ("models/four_bar.mo", "", 1.0),
    ("models/cartesian_pendulum.mo", "", 3.0),
    ("models/stewart_platform.mo", "", 1.0),
    ("models/r3_arm.mo", "", 1.0),
)
POINTS = 500
TOLERANCE = 1e-8
ABSOLUTE = 0.01 * TOLERANCE
PASSES = 2e-3
MOST_VARIABLES = 150


class Bands:
    """The rows of a run that count for each time of another one: the last row at it, or all within one step where an
    event is near."""

    def __init__(self, run: cutset.Result, found: Any, step: float):
        times, at = run["time"], found["time"]
        self.run, self.found = run, found
        events = times[1:][np.diff(times) <= 0.0]
        near = np.abs(at[:, None] - events[None, :]).min(axis=1, initial=np.inf) <= 1.01 * step
        self.last = np.searchsorted(times, at + 1e-9 * step, side="right") - 1
        first = np.searchsorted(times, at[near] - 1.01 * step) - 1
        end = np.searchsorted(times, at[near] + 1.01 * step) + 1
        self.spans = list(zip(np.flatnonzero(near), np.maximum(first, 0), end, strict=True))

    def distance(self, name: str) -> float:
        """The largest distance of the variable, relative to its range."""
        values, other = np.asarray(self.run[name], dtype=float), np.asarray(self.found[name], dtype=float)
        size = max(np.ptp(values), 1e-6 * np.abs(values).max(), ABSOLUTE / PASSES)
        apart = np.abs(other - values[self.last])
        for k, first, end in self.spans:
            band = values[first:end]
            apart[k] = max(band.min() - other[k], other[k] - band.max(), 0.0)
        return float(apart.max() / size)


def compared(path: Path, run: cutset.Result, kind: str, stop: float, names: list[str]) -> str:
    """What FMPy computes with the FMU, in words."""
    import fmpy

    began = time.process_time()
    found = fmpy.simulate_fmu(
        str(path), fmi_type=kind, stop_time=stop, output_interval=stop / POINTS, output=names,
        relative_tolerance=TOLERANCE, record_events=False, timeout=120,
    )  # fmt: skip
    seconds = time.process_time() - began
    if len(found) != POINTS + 1:
        return f"{kind}: FAILED, {len(found)} rows"
    bands = Bands(run, found, stop / POINTS)
    worst, name = max((bands.distance(name), name) for name in names)
    return f"{kind}: {'' if worst <= PASSES else 'FAILED, '}{worst:.1e} in {name} ({seconds:.2f} s)"


def examine(file: str, name: str, stop: float, versions: tuple[int, ...]) -> bool:
    """Print what one model gives; True if it passes."""
    from fmpy.validation import validate_fmu

    model = cutset.load(ROOT / file, name or None)
    run = model.simulate(stop, points=POINTS + 1, rtol=TOLERANCE)
    info = model.translated.info
    own = [n for n in info.names if n in run and not n.startswith("der(") and info.names[n].array in "xym"]
    names = [*info.states, *own][:MOST_VARIABLES] or own
    lines = []
    for version in versions:
        with tempfile.TemporaryDirectory() as folder:
            path = model.export_fmu(Path(folder) / "model.fmu", version, platforms=[this_machine()], stop=stop)
            faults = validate_fmu(str(path))
            lines.append(f"FMI {version}: {len(faults)} faults{', FAILED ' + faults[0][:200] if faults else ''}")
            for kind in ("ModelExchange", "CoSimulation"):
                try:
                    lines.append(compared(path, run, kind, stop, names))
                except Exception as error:
                    lines.append(f"{kind}: FAILED, {str(error)[:200]}")
    print(f"{model.name} ({len(info.states)} states, {len(info.relations)} relations)")
    print("\n".join(f"    {line}" for line in lines), flush=True)
    return not any("FAILED" in line for line in lines)


def main(arguments: list[str]) -> int:
    """The number of models that do not pass."""
    versions = (2, 3)
    if "--version" in arguments:
        at = arguments.index("--version")
        versions = (int(arguments[at + 1]),)
        arguments = arguments[:at] + arguments[at + 2 :]
    chosen = [m for m in MODELS if not arguments or any(part in f"{m[0]} {m[1]}" for part in arguments)]
    wrong = 0
    for file, name, stop in chosen:
        try:
            wrong += not examine(file, name, stop, versions)
        except Exception as error:
            print(f"{file} {name}: FAILED, {error!r}"[:300], flush=True)
            wrong += 1
    print(f"{len(chosen)} models, {wrong} do not pass")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
