"""Compares imported MJCF models with MuJoCo: the accelerations at random states, with controls, springs, dampers,
friction that slides, rotors and constraints.

    python -m tests.oracles.mujoco_files [--states 20] [--library mbssim] FILE.xml ...

Needs `pip install mujoco`; `pip download --no-deps dm_control gymnasium` has models. Contacts, limits and the fluid are
disabled in MuJoCo. Its constraints are soft: those of a model are compared with the accelerations that satisfy them
exactly, by MuJoCo's own mass matrix, forces and Jacobian. Prints for each file the largest difference, relative to the
largest acceleration; the exit code is 1 if one exceeds 1e-8.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

import cutset
from cutset.compiler.mjcf.read_bodies import Names
from cutset.compiler.robots import names as identifiers

Vector = NDArray[np.float64]
_OFF = mujoco.mjtDisableBit
# Smaller accelerations than this, in m/s^2 and rad/s^2, are rounding.
_AT_REST = 1e-2
_FREE, _BALL, _SLIDE, _HINGE = range(4)


class Robot:
    """A model in both programs."""

    def __init__(self, path: Path, library: str = "mbssim"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cutset.NotImported)
            self.text = cutset.import_robot(path, library=library, stops=False)
        self.own = cutset.loads(self.text)
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.model.opt.disableflags |= int(_OFF.mjDSBL_CONTACT | _OFF.mjDSBL_LIMIT)
        self.model.opt.density = self.model.opt.viscosity = 0.0
        self.data = mujoco.MjData(self.model)
        names = Names(self.model)
        given = identifiers.Names()
        given.add(_title(path), "_robot")
        chain = [
            names.joints[j] if count else f"{names.bodies[i]}_fixed"
            for i in range(1, self.model.nbody)
            for count in [int(self.model.body_jntnum[i])]
            for j in range(self.model.body_jntadr[i], self.model.body_jntadr[i] + max(count, 1))
        ]
        found = given.all(chain)
        self.joints = [found[name] for name in names.joints]

    def state(self, rng: np.random.Generator) -> None:
        """Draw positions, velocities and controls."""
        model, data = self.model, self.data
        data.qpos[:] = model.qpos0
        mujoco.mj_integratePos(model, data.qpos, rng.uniform(-1.5, 1.5, model.nv), 1.0)
        data.qvel[:] = rng.uniform(-1, 1, model.nv)
        data.ctrl[:] = rng.uniform(-1, 1, model.nu)
        data.act[:] = rng.uniform(0, 1, model.na)

    def values(self) -> dict[str, float]:
        """The states of the model by their names here."""
        found: dict[str, float] = {}
        model, data = self.model, self.data
        for name, kind, at, dof in zip(self.joints, model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
            if kind in (_SLIDE, _HINGE):
                found |= {f"{name}.q": data.qpos[at], f"{name}.qd": data.qvel[dof]}
                continue
            if kind == _FREE:
                for k in range(3):
                    found |= {f"{name}.x({k + 1})": data.qpos[at + k], f"{name}.v({k + 1})": data.qvel[dof + k]}
                at, dof = at + 3, dof + 3
            for k in range(3):
                found |= {f"{name}.p({k + 1})": data.qpos[at + 1 + k], f"{name}.w({k + 1})": data.qvel[dof + k]}
            found[f"{name}.p(4)"] = data.qpos[at]
        for k in range(model.na):
            found[f"act({k + 1})"] = data.act[k]
        return found

    def expected(self) -> dict[str, float]:
        """The derivatives of the velocities and activations by MuJoCo."""
        model, data = self.model, self.data
        friction = model.dof_frictionloss.copy()
        model.dof_frictionloss[:] = 0
        data.qfrc_applied[:] = -friction * np.sign(data.qvel)
        mujoco.mj_forward(model, data)
        model.dof_frictionloss[:] = friction
        acceleration = data.qacc.copy() if not model.neq else _constrained(model, data)
        found: dict[str, float] = {}
        for name, kind, dof in zip(self.joints, model.jnt_type, model.jnt_dofadr, strict=True):
            if kind in (_SLIDE, _HINGE):
                found[f"{name}.qd"] = acceleration[dof]
                continue
            if kind == _FREE:
                found |= {f"{name}.v({k + 1})": acceleration[dof + k] for k in range(3)}
                dof = dof + 3
            found |= {f"{name}.w({k + 1})": acceleration[dof + k] for k in range(3)}
        return found | {f"act({k + 1})": data.act_dot[k] for k in range(model.na)}

    def difference(self, states: int, seconds: float = 1.0) -> float:
        """The largest difference over random states, relative to the largest acceleration of each; over the states of
        a run if constraints relate them."""
        if self.model.neq:
            return self._difference_along_a_run(states, seconds)
        rng = np.random.default_rng(1)
        worst = 0.0
        for _ in range(states):
            self.state(rng)
            values, expected = self.values(), self.expected()
            inputs = self.data.ctrl if self.model.nu else np.zeros(len(self.own.inputs))
            derivatives = self.own.evaluate(0.0, [values[name] for name in self.own.states], inputs=inputs)
            found = dict(zip(self.own.states, derivatives, strict=True))
            largest = max(abs(x) for x in expected.values())
            worst = max(worst, max(abs(found[name] - x) for name, x in expected.items() if name in found) / largest)
        return worst

    def _difference_along_a_run(self, states: int, seconds: float) -> float:
        run = self.own.simulate(seconds, points=states, rtol=1e-9, atol=1e-10)
        worst = 0.0
        for row in range(states):
            self._place(run, row)
            expected = self.expected()
            largest = max(_AT_REST, *(abs(x) for x in expected.values()))
            for name, kind in zip(self.joints, self.model.jnt_type, strict=True):
                single = kind in (_SLIDE, _HINGE)
                found = [run[f"{name}.qdd"][row]] if single else run[f"{name}.alpha"][row]
                wanted = [f"{name}.qd"] if single else [f"{name}.w({k})" for k in (1, 2, 3)]
                for own, key in zip(found, wanted, strict=True):
                    worst = max(worst, abs(own - expected[key]) / largest)
        return worst

    def _place(self, run: cutset.Result, row: int) -> None:
        """Give MuJoCo the state of a row."""
        model, data = self.model, self.data
        for name, kind, at, dof in zip(self.joints, model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
            if kind in (_SLIDE, _HINGE):
                data.qpos[at], data.qvel[dof] = run[f"{name}.q"][row], run[f"{name}.qd"][row]
                continue
            if kind == _FREE:
                data.qpos[at : at + 3], data.qvel[dof : dof + 3] = run[f"{name}.x"][row], run[f"{name}.v"][row]
                at, dof = at + 3, dof + 3
            turn = run[f"{name}.p"][row]
            data.qpos[at : at + 4] = [turn[3], *turn[:3]]
            data.qvel[dof : dof + 3] = run[f"{name}.w"][row]


def _title(path: Path) -> str:
    return mujoco.MjSpec.from_file(str(path)).modelname or path.stem


def _constrained(model: Any, data: Any) -> Vector:
    """The accelerations that keep the constraints exactly: M*qacc + J'*f = forces, J*qacc = -der(J)*qvel, also where
    constraints depend on each other."""
    mass = np.zeros((model.nv, model.nv))
    for row, unit in zip(mass, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, unit)
    forces = data.qfrc_smooth.copy()
    jacobian = _jacobian(model, data.qpos)
    # The error of the difference is below 1e-9.
    step, ways = 1e-5, []
    for sign in (1, -1):
        position = data.qpos.copy()
        mujoco.mj_integratePos(model, position, data.qvel, sign * step)
        ways.append(_jacobian(model, position) @ data.qvel)
    n, rate = len(jacobian), (ways[0] - ways[1]) / (2 * step)
    matrix = np.block([[mass, jacobian.T], [jacobian, np.zeros((n, n))]])
    return np.asarray(np.linalg.lstsq(matrix, np.concatenate([forces, -rate]), rcond=1e-12)[0][: model.nv])


def _jacobian(model: Any, position: Vector) -> Vector:
    other = mujoco.MjData(model)
    other.qpos[:] = position
    mujoco.mj_forward(model, other)
    rows = [k for k in range(other.nefc) if other.efc_type[k] == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    dense = np.zeros((other.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(dense, other.efc_J, other.efc_J_rownnz, other.efc_J_rowadr, other.efc_J_colind)
    else:
        dense[:] = other.efc_J.reshape(other.nefc, model.nv)
    return dense[rows]


def main() -> int:
    """Compare the files of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--states", type=int, default=20)
    parser.add_argument("--library", default="mbssim")
    code = 0
    arguments = parser.parse_args()
    for path in arguments.files:
        try:
            robot = Robot(path, arguments.library)
            found = robot.difference(arguments.states)
        except cutset.ModelError as error:
            print(f"{path.name:36} {str(error).splitlines()[0]}", flush=True)
            code = 1
            continue
        code = code if found < 1e-8 else 1
        print(f"{path.name:36} {robot.model.nv:3} dofs  {found:.1e}  {'' if found < 1e-8 else 'DIFFERS'}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
