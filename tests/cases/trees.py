"""Multibody systems."""

from __future__ import annotations

from cases.case import MSL, Case

_DRIVES = {f"axis{k}.controller.PI.x": f"a{k}.control.PI.x" for k in range(1, 7)}
_DRIVES |= {f"axis{k}.motor.C.v": f"a{k}.motor.C.u" for k in range(1, 7)}
_DRIVES |= {f"axis{k}.motor.La.i": f"a{k}.motor.La.i" for k in range(1, 7)}
_DRIVES |= {f"axis{k}.gear.spring.phi_rel": f"-a{k}.spring.twist" for k in (1, 2, 3)}
_DRIVES |= {f"axis{k}.gear.spring.w_rel": f"-a{k}.spring.rate" for k in (1, 2, 3)}
_DRIVES |= {f"mechanics.r{k}.phi": f"mechanics.r{k}.q" for k in range(1, 7)}
_DRIVES |= {f"mechanics.r{k}.w": f"mechanics.r{k}.qd" for k in (1, 3, 4, 5, 6)}

CASES = (
    Case(
        "Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot, drives in the cuts",
        "r3_drives.mo",
        "DrivenRobot",
        "r3_full.csv",
        1.8560450019,
        _DRIVES,
        "the same robot with drive lines that hand on inertia, force and locking: no system of equations couples the axes",
        MSL,
        states=36,
        linear=((3, 1),) * 6,
        nonlinear=(),
    ),
)
