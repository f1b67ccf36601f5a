"""Lets robots fall on planes, here and in MuJoCo: they come to rest, contacts carry their weight, the energy never
grows, nothing sinks in by more than 1 mm, and the bodies rest at MuJoCo's heights.

    python -m tests.oracles.falling_robots [--stop 10] [--contacts planes] FILE ...

Needs `pip install mujoco`; `pip download --no-deps dm_control gymnasium example-robot-data` has models. A robot in
URDF, whose meshes collide as their hulls, moves freely 5 cm above a floor that is added. Prints for
each file the sum of the contact forces over the weight, less 1; the greatest depth; the growth of the energy over
its fall; the greatest velocity at the end; the seconds of computing for each simulated one, here and in MuJoCo; and
the greatest difference of the heights of bodies over the size of the robot in a run without friction in both (in
parentheses with friction, with which a robot can rest in many poses).
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
from scipy.spatial import ConvexHull, QhullError

import cutset
from cutset.api.mechanics.robot_meshes import corners
from cutset.compiler.robots.packages import Packages
from cutset.contract.mesh_file import BadMesh
from cutset.runtime.animation.stl import write_stl
from tests.oracles import mujoco_files

_DAMPING = 1.0  # in N.m.s/rad and N.s/m, so that robots in URDF come to rest
_ENERGY = int(mujoco.mjtEnableBit.mjENBL_ENERGY)


@dataclass(frozen=True)
class Fall:
    """What a run showed; `heights` are those of MuJoCo's bodies, `weight` less 1."""

    weight: float
    depth: float
    growth: float
    apart: float
    speed: float
    own_time: float
    its_time: float


class FallingRobot(mujoco_files.Robot):
    """A model with contacts in both programs."""

    def __init__(self, path: Path, contacts: str, library: str = "mbssim", rough: bool = True):
        super().__init__(path, library)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cutset.NotImported)
            self.text = cutset.import_robot(path, library=library, contacts=contacts)
        self.own = cutset.loads(self.text if rough else re.sub(r"\bmu=[0-9.e-]+", "mu=0", self.text))
        self.whole = mujoco.MjModel.from_xml_path(str(path))
        self.whole.geom_condim[:] = 3 if rough else 1
        if contacts == "planes":
            planes = self.whole.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
            self.whole.geom_contype[~planes], self.whole.geom_conaffinity[~planes] = 1, 0
            self.whole.geom_contype[planes], self.whole.geom_conaffinity[planes] = 0, 1
        self.whole.opt.density = self.whole.opt.viscosity = 0.0
        self.model.opt.enableflags |= _ENERGY
        self.values = {each.name: each.value for each in self.own.variables()}
        self.contacts = [name.removesuffix(".depth") for name in self.values if name.endswith(".depth")]
        self.stops = [name.removesuffix("_stop.q_min") for name in self.values if name.endswith("_stop.q_min")]

    def fall(self, stop: float) -> Fall:
        """Both runs."""
        self.own.simulate(0.0)  # compiles
        began = time.perf_counter()
        run = self.own.simulate(stop, points=round(stop * 100) + 1)
        own_time = (time.perf_counter() - began) / stop
        data = mujoco.MjData(self.whole)
        began = time.perf_counter()
        while data.time < stop:
            mujoco.mj_step(self.whole, data)
        its_time = (time.perf_counter() - began) / stop
        weight = float(self.model.body_mass.sum()) * float(np.linalg.norm(self.model.opt.gravity))
        forces = sum(float(run[f"{name}.N"][-1]) for name in self.contacts)
        depth = max(float(run[f"{name}.depth"].max()) for name in self.contacts)
        energy = self._energy(run)
        growth = float((energy - np.minimum.accumulate(energy)).max() / (energy[0] - energy.min()))
        self._place(run, -1)
        mujoco.mj_kinematics(self.model, self.data)
        size = float(np.linalg.norm(np.ptp(self.data.geom_xpos[self.model.geom_bodyid > 0], axis=0)))
        size = max(size, float(self.model.geom_rbound[self.model.geom_bodyid > 0].max()))
        apart = float(np.abs(self.data.xpos[1:, 2] - data.xpos[1:, 2]).max()) / size
        speed = float(np.abs(self.data.qvel).max())
        return Fall(forces / weight - 1, depth, growth, apart, speed, own_time, its_time)

    def _energy(self, run: cutset.Result) -> np.ndarray:
        """Of motion, gravity and springs, by MuJoCo, and of contacts and stops."""
        energy = sum(run[f"{name}.energy"] for name in self.contacts) + np.zeros(len(run.time))
        for name in self.stops:
            q, c, low, high = run[f"{name}.q"], *(self.values[f"{name}_stop.{key}"] for key in ("c", "q_min", "q_max"))
            energy += 0.5 * c * np.maximum(0, np.maximum(low - q, q - high)) ** 2
        for row in range(len(run.time)):
            self._place(run, row)
            mujoco.mj_forward(self.model, self.data)
            energy[row] += self.data.energy.sum() + _of_servos(self.model, self.data.actuator_length)
        return energy


def _of_servos(model: mujoco.MjModel, lengths: np.ndarray) -> float:
    """The elastic energy of actuators without a signal that have an affine bias."""
    is_spring = model.actuator_biastype == mujoco.mjtBias.mjBIAS_AFFINE
    constant, slope = model.actuator_biasprm[:, 0], model.actuator_biasprm[:, 1]
    return float(-(is_spring * (constant * lengths + 0.5 * slope * lengths**2)).sum())


def on_a_floor(path: Path, folder: Path) -> Path:
    """A robot in URDF with a free joint and above a floor, in MJCF; another file unchanged."""
    if path.suffix != ".urdf":
        return path
    root = ElementTree.parse(path).getroot()
    packages = Packages(path, {}, (), {})
    for link in root.iter("link"):
        for each in list(link):
            mesh = each.find("geometry/mesh")
            if each.tag == "visual" or (
                each.tag == "collision" and mesh is not None and not _hull(mesh, packages, folder)
            ):
                link.remove(each)
    text = ElementTree.tostring(root, encoding="unicode")
    spec = mujoco.MjSpec.from_string(text)
    spec.meshdir = str(folder)
    spec.compiler.fusestatic = False
    spec.compiler.boundmass, spec.compiler.boundinertia = 1e-3, 1e-6  # of links without mass
    spec.compiler.balanceinertia = True
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    body = spec.worldbody.first_body()
    for joint in spec.joints:
        joint.damping[0] = max(joint.damping[0], _DAMPING)
    body.add_freejoint()
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    low = min(data.geom_xpos[g][2] - model.geom_rbound[g] for g in range(1, model.ngeom))
    body.pos[2] += 0.05 - low
    floor.name = "floor"
    spec.compile()
    made = folder / f"{path.stem}.xml"
    made.write_text(spec.to_xml(), encoding="utf-8")
    return made


def _hull(mesh: ElementTree.Element, packages: Packages, folder: Path) -> bool:
    """Names a new file with the hull of the mesh; False if it cannot be read or has none."""
    package, _, inside = mesh.attrib["filename"].removeprefix("package://").partition("/")
    try:
        vertices = corners((packages.folder(package) or Path()) / inside)
        hull = ConvexHull(vertices)
    except (BadMesh, QhullError):
        return False
    out = (np.cross(*np.moveaxis(np.diff(vertices[hull.simplices], axis=1), 1, 0)) * hull.equations[:, :3]).sum(axis=1)
    faces = np.where((out > 0)[:, None], hull.simplices, hull.simplices[:, ::-1])
    made = folder / f"hull{len(list(folder.iterdir()))}.stl"
    made.write_bytes(write_stl(vertices[faces]))
    mesh.attrib["filename"] = made.name
    return True


def main() -> int:
    """Compare the files of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--stop", type=float, default=10.0)
    parser.add_argument("--contacts", default="all")
    parser.add_argument("--library", default="mbssim")
    arguments = parser.parse_args()
    folder = tempfile.TemporaryDirectory()
    for path in arguments.files:
        try:
            made = on_a_floor(path, Path(folder.name))
            robot = FallingRobot(made, arguments.contacts, arguments.library)
            found = robot.fall(arguments.stop)
            smooth = FallingRobot(made, arguments.contacts, arguments.library, rough=False).fall(arguments.stop)
        except (cutset.ModelError, cutset.RunError) as error:
            print(f"{path.stem:24} {str(error).splitlines()[0]}", flush=True)
            continue
        print(
            f"{path.stem:24} {len(robot.contacts):3} contacts  weight {found.weight:8.1e}  depth "
            f"{found.depth * 1e3:5.2f} mm  energy {found.growth:7.1e}  velocity {found.speed:7.1e}  "
            f"{found.own_time:6.3f} s, MuJoCo {found.its_time:6.3f} s  heights {smooth.apart:7.1e} ({found.apart:.1e})",
            flush=True,
        )
    folder.cleanup()
    return 0


if __name__ == "__main__":
    sys.exit(main())
