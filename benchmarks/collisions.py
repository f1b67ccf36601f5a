"""Measures collisions beside MuJoCo: blocks that stand on each other, and robots of files that fall on their planes.

    python benchmarks/collisions.py [--stop 5] [FILE.xml ...]

Both programs read the same MJCF. Prints the CPU time for each simulated second, without translation and compilation,
the greatest penetration, and at the end the sum of the forces on planes over the weight, less 1. MuJoCo steps by the
time step of the file (2 ms, if it gives none), and its contacts are softer; Cutset's steps follow from its tolerances.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from pathlib import Path

import mujoco
import numpy as np

import cutset

BLOCKS = 10


def stack() -> str:
    """Blocks of 10 cm, one above the other, 0.1 mm apart."""
    bodies = "".join(
        f'<body pos="0 0 {0.05 + 0.1001 * k + 1e-4}"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>'
        for k in range(BLOCKS)
    )
    return f'<mujoco model="stack"><worldbody><geom type="plane" size="1 1 1"/>{bodies}</worldbody></mujoco>'


def ours(path: Path, stop: float) -> tuple[float, float, float]:
    """CPU time for a simulated second, greatest depth in m, and the sum of all contact forces on planes in N."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cutset.NotImported)
        text = cutset.import_robot(path, contacts="all" if path.stem == "stack" else "planes")
    model = cutset.loads(text)
    names = [each.name.removesuffix(".depth") for each in model.variables() if each.name.endswith(".depth")]
    planes = [name for name in names if f"PlaneCollision) {name}(" in text]
    model.simulate(0.0)
    began = time.process_time()
    run = model.simulate(stop)
    took = (time.process_time() - began) / stop
    return took, max(run[f"{name}.depth"].max() for name in names), sum(run[f"{name}.N"][-1] for name in planes)


def its(path: Path, stop: float) -> tuple[float, float, float]:
    """The same of MuJoCo, and the weight in N."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data, depth = mujoco.MjData(model), 0.0
    began = time.process_time()
    while data.time < stop:
        mujoco.mj_step(model, data)
    took = (time.process_time() - began) / stop
    mujoco.mj_resetData(model, data)
    while data.time < stop:
        mujoco.mj_step(model, data)
        depth = max(depth, -min(data.contact.dist, default=0.0))
    return took, depth, float(model.body_mass.sum() * np.linalg.norm(model.opt.gravity))


def main() -> None:
    """Print a row for each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--stop", type=float, default=5.0)
    arguments = parser.parse_args()
    print("| model | Cutset | depth | forces | MuJoCo | depth |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        blocks = Path(folder) / "stack.xml"
        blocks.write_text(stack(), encoding="utf-8")
        for path in (blocks, *arguments.files):
            (own, depth, force), (other, its_depth, weight) = ours(path, arguments.stop), its(path, arguments.stop)
            row = f"{own:.3f} s | {depth * 1e3:.2f} mm | {force / weight - 1:.0e}"
            print(f"| {path.stem} | {row} | {other:.3f} s | {its_depth * 1e3:.2f} mm |", flush=True)


if __name__ == "__main__":
    main()
