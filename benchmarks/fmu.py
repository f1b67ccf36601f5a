"""Measures the robot of models/r3 as an FMU for co-simulation, stepped by a host in C, beside `simulate`.

    python benchmarks/fmu.py [--markdown FILE] [--quick]

The host reads all derivatives of states after each communication step. Both take turns; times are CPU time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from sheets import Sheet, report
from sidebyside import per_repetition, times

import cutset
from cutset.export.fmi_binaries import this_machine
from cutset.runtime.targets.toolchain import Compiler

_ROBOT = Path(__file__).parents[1] / "models" / "r3" / "r3.mo"
_STOP, _TOLERANCE = 1.86, 1e-6
_STEPS = (1, 50, 500, 2000)


class Host:
    """An FMU of the model, unpacked into a folder, and the host."""

    def __init__(self, model: cutset.Model, compiler: Compiler, folder: Path):
        path = model.export_fmu(folder / "model.fmu", 3, platforms=[this_machine()], stop=_STOP)
        zipfile.ZipFile(path).extractall(folder)
        facts = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self._library = next((folder / "binaries").rglob("*.*"))
        self._token = facts.attrib["instantiationToken"]
        self._references = [each.attrib["valueReference"] for each in facts.iter("ContinuousStateDerivative")]
        self._program = folder / "host"
        source = Path(__file__).with_name("fmu_host.c")
        subprocess.run([*compiler.command, "-O2", str(source), "-ldl", "-o", str(self._program)], check=True)

    def seconds(self, steps: int, runs: int) -> float:
        """The least CPU time of several runs in s."""
        settings = map(str, (self._library, self._token, _STOP, _TOLERANCE, steps, runs))
        command = [str(self._program), *settings, *self._references]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[0])


def sheet(compiler: Compiler, rounds: int) -> Sheet:
    model = cutset.load(_ROBOT)
    with tempfile.TemporaryDirectory() as folder:
        host = Host(model, compiler, Path(folder))
        own, found = [], dict.fromkeys(_STEPS, float("inf"))
        run = partial(model.simulate, _STOP, points=501, rtol=_TOLERANCE)
        for _ in range(rounds):
            own.append(per_repetition({"own": times(run)}, 1)["own"])
            found = {steps: min(least, host.seconds(steps, 3)) for steps, least in found.items()}
    rows = [["simulate, 501 output times", f"{min(own) * 1e3:.1f} ms", "1.00"]]
    rows += [[f"FMU, {n} communication steps", f"{s * 1e3:.1f} ms", f"{s / min(own):.2f}"] for n, s in found.items()]
    return Sheet("The robot as an FMU", ["models/r3/r3.mo, 1.86 s", "CPU time", "ratio"], rows, "Tolerance 1e-6.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    return report(parser, lambda options, compiler: ([sheet(compiler, 3 if options.quick else 15)], []))


if __name__ == "__main__":
    sys.exit(main())
