"""Runs CasADi as a peer: an articulated-body algorithm written in SX, compiled as C, and its integrator CVODES.

For chains of revolute joints. The acceleration of a point is that of classical mechanics, not the spatial one: it needs
no velocity except the angular one, which makes this the cheaper of the two usual formulations.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import casadi as ca
import numpy as np
from oracles.multibody import Body, Joint, Tree

from cutset.runtime.targets.c_records import address
from cutset.runtime.targets.toolchain import Compiler, shared_library

_HERE = Path(__file__).parent


def rate_function(tree: Tree, states: Sequence[int]) -> ca.Function:
    """dx = rate(x, u): x holds the 2n numbers (q, qd) in the order of `states`, which gives their positions, u the
    joint torques in addition to damping. The first joint is attached to the inertial system, each other one to the one
    before."""
    n = len(tree.joints)
    x, u = ca.SX.sym("x", 2 * n), ca.SX.sym("u", n)
    motion = [x[list(states).index(k)] for k in range(2 * n)]
    q, qd = motion[:n], motion[n:]
    damping = tree.damping or (0.0,) * n
    torque = [u[k] - damping[k] * qd[k] for k in range(n)]
    rates = [*qd, *_accelerations(tree, q, qd, torque)]
    return ca.Function("rate", [x, u], [ca.cse(ca.vertcat(*(rates[k] for k in states)))], ["x", "u"], ["dx"])


# --- the algorithm: three passes over the chain, vectors resolved in the frame that moves with the joint ----


class _Inertia:
    """torque = J*alpha + H*a + b, force = H'*alpha + M*a + f about the origin of a frame; J and M are symmetric."""

    def __init__(self, joint: int, bodies: Sequence[Body], omega: ca.SX):
        mass, moment, tensor = 0.0, np.zeros(3), np.zeros((3, 3))
        for body in (b for b in bodies if b.joint == joint):
            c = np.array(body.center)
            mass, moment = mass + body.mass, moment + body.mass * c
            tensor = tensor + body.tensor + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        self.J, self.H, self.M = ca.SX(tensor), ca.SX(np.array(ca.skew(moment))), ca.SX(mass * np.eye(3))
        self.b = ca.cross(omega, self.J @ omega)
        self.f = ca.cross(omega, ca.cross(omega, ca.SX(moment)))

    def shifted_by(self, bias: tuple[ca.SX, ca.SX]) -> tuple[ca.SX, ca.SX]:
        """The constant part if accelerations are measured from `bias`."""
        angular, linear = bias
        return self.b + self.J @ angular + self.H @ linear, self.f + self.H.T @ angular + self.M @ linear

    def add(self, J: ca.SX, H: ca.SX, M: ca.SX, b: ca.SX, f: ca.SX) -> None:
        self.J, self.H, self.M = self.J + J, self.H + H, self.M + M
        self.b, self.f = self.b + b, self.f + f


def _accelerations(tree: Tree, q: Sequence[ca.SX], qd: Sequence[ca.SX], torque: Sequence[ca.SX]) -> list[ca.SX]:
    n = len(tree.joints)
    turns = [_turn(joint, angle) for joint, angle in zip(tree.joints, q, strict=True)]
    omega, omegas, biases = ca.SX(3, 1), [], []
    for joint, turn, rate in zip(tree.joints, turns, qd, strict=True):
        axis, offset = ca.SX(np.array(joint.axis, float)), ca.SX(np.array(joint.offset, float))
        carried = turn.T @ omega
        biases.append((ca.cross(carried, axis * rate), turn.T @ ca.cross(omega, ca.cross(omega, offset))))
        omega = carried + axis * rate
        omegas.append(omega)
    inertias = [_Inertia(k, tree.bodies, omegas[k]) for k in range(n)]
    gains = [(ca.SX(0), ca.SX(0), ca.SX(0))] * n
    for k in reversed(range(n)):
        gains[k] = _fold(inertias, k, tree.joints[k], turns[k], biases[k], torque[k])
    alpha, a = ca.SX(3, 1), ca.SX(-np.array(tree.gravity))
    result = []
    for joint, turn, bias, (angular, linear, h) in zip(tree.joints, turns, biases, gains, strict=True):
        offset = ca.SX(np.array(joint.offset, float))
        alpha, a = turn.T @ alpha, turn.T @ (a + ca.cross(alpha, offset))
        # h contains the biases already, so they must not count twice.
        qdd = h - ca.dot(angular, alpha) - ca.dot(linear, a)
        alpha, a = alpha + bias[0] + ca.SX(np.array(joint.axis, float)) * qdd, a + bias[1]
        result.append(qdd)
    return result


def _turn(joint: Joint, angle: ca.SX) -> ca.SX:
    """The rotation of a vector from the joint's moving frame to its parent's."""
    axis = np.array(joint.axis, float)
    along = np.outer(axis, axis)
    return ca.SX(along) + ca.SX(np.eye(3) - along) * ca.cos(angle) + ca.SX(np.array(ca.skew(axis))) * ca.sin(angle)


def _fold(
    inertias: list[_Inertia], k: int, joint: Joint, turn: ca.SX, bias: tuple[ca.SX, ca.SX], torque: ca.SX
) -> tuple[ca.SX, ca.SX, ca.SX]:
    """Add the inertia that joint k passes on to joint k - 1; returns the factors of qdd = h - angular*alpha -
    linear*a."""
    here, axis = inertias[k], ca.SX(np.array(joint.axis, float))
    u, v = here.J @ axis, here.H.T @ axis
    angular, linear = u / ca.dot(axis, u), v / ca.dot(axis, u)
    b, f = here.shifted_by(bias)
    h = (torque - ca.dot(axis, b)) / ca.dot(axis, u)
    if k:
        J, H, M = here.J - u @ angular.T, here.H - u @ linear.T, here.M - v @ linear.T
        J, H, M = (turn @ half @ turn.T for half in (_symmetric(J), H, _symmetric(M)))
        b, f = turn @ (b + u * h), turn @ (f + v * h)
        arm = ca.SX(np.array(ca.skew(np.array(joint.offset, float))))
        shifted = H + arm @ M
        inertias[k - 1].add(_symmetric(J - H @ arm + arm @ shifted.T), shifted, _symmetric(M), b + arm @ f, f)
    return angular, linear, h


def _symmetric(a: ca.SX) -> ca.SX:
    """The matrix with its upper half in both places, so that the lower half is never computed."""
    return ca.triu2symm(ca.triu(a))


# --- compiled -----------------------------------------------------------------------------------------------


class CasadiRate:
    """The function as C code from CasADi's printer, compiled by this compiler with its flags."""

    def __init__(self, function: ca.Function, compiler: Compiler):
        with tempfile.TemporaryDirectory() as folder:
            generator = ca.CodeGenerator("rate.c")
            generator.add(function)
            text = Path(generator.generate(f"{folder}/")).read_text(encoding="utf-8")
        texts = {"model.c": text, "repeat_casadi.c": (_HERE / "repeat_casadi.c").read_text(encoding="utf-8")}
        with shared_library(texts, compiler) as path:
            self._repeat = ctypes.CDLL(str(path)).bench_repeat
        self._repeat.argtypes = (*[ctypes.c_long] * 4, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._work = np.zeros(max(1, function.sz_w()))
        self._widths = function.size1_in(0), function.size1_in(1)
        self.dx = np.zeros(function.size1_in(0))

    def repeat(self, number: int, rows: np.ndarray) -> None:
        """Evaluate `number` times at the rows (x, u) in turn; `dx` holds the last result."""
        self._repeat(number, len(rows), *self._widths, *map(address, (rows, self._work, self.dx)))


def integrator(
    function: ca.Function, compiler: Compiler, times: np.ndarray, rtol: float, atol: float
) -> Callable[[np.ndarray], np.ndarray]:
    """CVODES with the compiled function and u = 0: start states -> the states at times[1:], one column each."""
    x = ca.SX.sym("x", function.size1_in(0))
    problem = {"x": x, "ode": function(x, 0)}
    flags = [flag for flag in compiler.flags if flag != "-shared"]
    options = {
        "reltol": rtol, "abstol": atol, "max_num_steps": 100000, "jit": True, "compiler": "shell",
        "jit_options": {"compiler": compiler.command[0], "flags": flags, "verbose": False},
    }  # fmt: skip
    run = ca.integrator("run", "cvodes", problem, float(times[0]), times[1:].tolist(), options)
    return lambda start: np.array(run(x0=start)["xf"])
