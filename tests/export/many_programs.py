"""Compiles many models as programs in C, runs them with sanitizers, and compares fixed steps with `simulate`. No test.

    python tests/export/many_programs.py [part of a name ...] [--seconds 60]

For each model it prints the compilers that gave no warning (-Wall -Wextra -Werror -std=c11); what the sanitizers for
addresses and undefined behavior found in its share of the seconds of processor time, in runs of changing length from
changing start values and parameters, with controlled and with equal steps; what valgrind found in one run, where it is
installed; and the largest difference of a state from `simulate` with the method rk4, relative to the largest value. The
exit code counts the models with a fault.
"""

from __future__ import annotations

import csv
import io
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import cutset

ROOT = Path(__file__).resolve().parents[2]
CASES = "tests/cases/models/"
# File, model (empty: the last one), stop, fixed step; 0: the model is too stiff for equal steps.
MODELS = (
    ("tests/golden/events/bouncing_ball.mo", "", 1.2, 1e-3),
    ("tests/golden/events/thermostat.mo", "", 400.0, 0.5),
    ("tests/golden/events/sampled_pi.mo", "", 2.0, 1e-3),
    ("tests/golden/events/counter.mo", "", 2.0, 1e-3),
    ("tests/golden/events/coulomb_friction.mo", "", 2.0, 1e-3),
    ("tests/golden/events/ideal_diode.mo", "", 0.1, 1e-4),
    ("tests/golden/events/stair.mo", "", 3.0, 1e-3),
    ("benchmarks/models/digital_arm.mo", "", 0.05, 5e-4),
    ("benchmarks/models/converter.mo", "", 2e-4, 0.0),
    ("benchmarks/models/pulses.mo", "", 0.002, 1e-6),
    (CASES + "shafts.mo", "CoupledClutches", 1.5, 1e-3),
    (CASES + "shafts.mo", "ClutchAndBrake", 1.0, 1e-3),
    (CASES + "discrete.mo", "EventIteration", 1.0, 1e-3),
    (CASES + "control.mo", "PIDController", 1.0, 1e-4),
    (CASES + "sliders.mo", "Stops", 1.0, 1e-3),
    (CASES + "chua_circuit.mo", "", 500.0, 0.1),
    ("benchmarks/models/delayed_control.mo", "", 2.0, 1e-3),
    ("models/rc.mo", "", 1.0, 1e-3),
    ("models/double_pendulum.mo", "", 1.0, 1e-3),
    ("models/four_bar.mo", "", 0.5, 1e-3),
    ("models/cartesian_pendulum.mo", "", 2.0, 1e-3),
    ("models/r3_arm.mo", "", 0.2, 1e-3),
    ("models/r3/r3.mo", "", 0.05, 1e-5),
    ("models/cartesian_double_pendulum.mo", "", 1.0, 0.001),
    ("models/cauer_low_pass.mo", "", 10.0, 0.01),
    ("models/spatial_loops.mo", "", 0.2, 0.001),
    ("models/stewart_platform.mo", "", 0.2, 0.001),
    ("models/ur5.mo", "", 0.2, 0.001),
    ("models/r3mbs.mo", "", 0.2, 0.001),
    ("models/no/seven_bodies.mo", "", 0.01, 1e-05),
    ("models/oods/double_pendulum.mo", "", 0.5, 0.001),
    ("models/paper/motor.mo", "", 0.1, 1e-05),
    ("models/paper/robot.mo", "", 0.1, 0.0001),
    ("models/r3/one_axis.mo", "", 0.05, 1e-05),
    ("models/r3/paper.mo", "", 0.02, 1e-05),
    ("models/pymbs/crank_slider.mo", "", 0.2, 0.0001),
    ("models/pymbs/excavator.mo", "", 0.2, 0.0001),
    ("models/pymbs/four_bar.mo", "", 0.2, 0.0001),
    ("models/pymbs/four_bar_translation.mo", "", 0.2, 0.0001),
    ("models/pymbs/transmission.mo", "", 0.2, 0.0001),
    ("models/gallery/buck_converter.mo", "", 0.0004, 1e-07),
    ("models/gallery/cart_pendulum.mo", "", 1.0, 0.001),
    ("models/gallery/furuta_pendulum.mo", "", 1.0, 0.001),
    ("models/gallery/gripper.mo", "", 0.2, 0.0001),
    ("models/gallery/mobile_robot.mo", "", 2.0, 0.001),
)
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")
SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
ROWS = 50


def compile_it(compiler: str, folder: Path, program: str, flags: tuple[str, ...]) -> str:
    """What the compiler complains about, empty if nothing."""
    command = [compiler, *STRICT, *flags, *map(str, folder.glob("*.c")), "-lm", "-o", str(folder / program)]
    return subprocess.run(command, capture_output=True, text=True).stderr


def processor_time() -> float:
    """The processor time of all programs that have ended, in s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def changed_values(model: cutset.Model, folder: Path, draw: random.Random) -> list[str]:
    """Values near those of the model for up to three states and parameters, as arguments of the program."""
    printed = subprocess.run([str(folder / "checked"), "0", "1"], capture_output=True, text=True).stdout
    names, *rows = csv.reader(io.StringIO(printed))
    values = dict(zip(names, map(float, rows[0]), strict=True)) if rows else {}
    known = [name for name in (*model.states, *model.parameters) if name in values and name not in model.folded]
    chosen = draw.sample(known, min(len(known), draw.randint(1, 3)))
    return [f"{name}={values[name] * draw.gauss(1, 0.1) + draw.gauss(0, 1e-3)!r}" for name in chosen]


def ends_early(model: cutset.Model, length: float, step: float) -> bool:
    """True if `simulate` does not reach the end of such a run either."""
    settings = {"method": "rk4", "max_step": step} if step else {}
    try:
        run = model.simulate(length, points=ROWS + 1, **settings)
    except cutset.RunError:
        return True
    return bool(run.time[-1] < length)


def sanitized(model: cutset.Model, folder: Path, stop: float, step: float, seconds: float) -> str:
    """What the sanitizers find in runs of this many seconds: with controlled and with equal steps. A run may end with a
    message from changed values, or where `simulate` ends too."""
    done, runs, ended, began, draw = 0.0, 0, 0, processor_time(), random.Random(model.name)
    while done < seconds or runs < 4:
        changed = changed_values(model, folder, draw) if runs % 4 >= 2 else []
        length = stop * draw.uniform(0.5, 4.0) if runs >= 2 else stop
        more = (repr(step),) if step and runs % 2 else ()
        command = [str(folder / "checked"), repr(length), repr(length / ROWS), *more, *changed]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600)
        done, runs = processor_time() - began, runs + 1
        if "ERROR" in run.stderr or "runtime error" in run.stderr or run.returncode not in (0, 1):
            return f"FAILED, sanitizer: {run.stderr[:500]} {' '.join(command[1:])}"
        if run.returncode and not changed and not ends_early(model, length, float(more[0]) if more else 0.0):
            return f"FAILED, the run ends: {run.stderr[:200]} {' '.join(command[1:])}"
        ended += run.returncode
    return f"sanitizers: nothing in {runs} runs ({ended} ended early), {done:.1f} s"


def examined_by_valgrind(folder: Path, stop: float) -> str:
    """What valgrind finds in a short run."""
    if not shutil.which("valgrind"):
        return "no valgrind"
    command = ["valgrind", "--error-exitcode=99", "-q", "--max-stackframe=8000000", str(folder / "gcc")]
    run = subprocess.run([*command, repr(0.3 * stop), repr(0.03 * stop)], capture_output=True, text=True, timeout=600)
    return "valgrind: nothing" if run.returncode == 0 else f"FAILED, valgrind: {run.stderr[:500]}"


def fixed_steps(model: cutset.Model, folder: Path, stop: float, step: float) -> str:
    """The largest difference of a state in equal steps."""
    if not step:
        return "no fixed steps"
    command = [str(folder / "gcc"), repr(stop), repr(stop / ROWS), repr(step)]
    names, *lines = csv.reader(io.StringIO(subprocess.run(command, capture_output=True, text=True).stdout))
    found = dict(zip(names, np.array(lines, dtype=float).T, strict=True))
    run = model.simulate(stop, points=ROWS + 1, method="rk4", max_step=step)
    at = np.searchsorted(run["time"], found["time"] + 1e-9 * stop, side="right") - 1
    worst = 0.0
    for state in model.states:
        if state in found:
            wanted = np.asarray(run[state])[at]
            worst = max(worst, float(np.abs(found[state] - wanted).max() / max(1.0, np.abs(wanted).max())))
    return f"{'' if worst <= 1e-12 else 'FAILED, '}fixed steps: {worst:.1e}"


def examine(file: str, name: str, stop: float, step: float, seconds: float) -> bool:
    """Print what one model gives; True without a fault."""
    model = cutset.load(ROOT / file, name or None)
    with tempfile.TemporaryDirectory() as made:
        folder, lines, clean = Path(made), [], []
        model.export_c(folder)
        for compiler in filter(shutil.which, ("gcc", "clang", "tcc")):
            flags = () if compiler == "tcc" else ("-O1", "-ffp-contract=off")
            complaint = compile_it(compiler, folder, compiler, flags)
            clean += [compiler] if not complaint else []
            lines += [f"FAILED, {compiler}: {complaint[:300]}"] if complaint else []
        lines.append(f"no warnings: {', '.join(clean)}")
        compile_it("gcc", folder, "checked", SANITIZERS)
        lines.append(sanitized(model, folder, stop, step, seconds))
        lines.append(examined_by_valgrind(folder, stop))
        lines.append(fixed_steps(model, folder, stop, step))
    print(f"{model.name}: " + "; ".join(lines), flush=True)
    return not any("FAILED" in line for line in lines)


def main(arguments: list[str]) -> int:
    """The number of models with a fault."""
    seconds = 60.0
    if "--seconds" in arguments:
        at = arguments.index("--seconds")
        seconds, arguments = float(arguments[at + 1]), arguments[:at] + arguments[at + 2 :]
    chosen = [m for m in MODELS if not arguments or any(part in f"{m[0]} {m[1]}" for part in arguments)]
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    wrong = 0
    for file, name, stop, step in chosen:
        try:
            wrong += not examine(file, name, stop, step, seconds / len(chosen))
        except Exception as error:
            print(f"{file} {name}: FAILED, {error!r}"[:300], flush=True)
            wrong += 1
    print(f"{len(chosen)} models, {wrong} with a fault")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
