"""Multibody systems."""

from __future__ import annotations

from cases.case import LIM, MSL, Case

_EXAMPLES = "Mechanics.MultiBody.Examples."
_SATELLITES = {f"body{n}.r_0[{k}]": f"body{n}.p{x}.q" for n in range(1, 5) for k, x in ((1, "x"), (2, "y"), (3, "z"))}
_SATELLITES |= {f"body{n}.v_0[{k}]": f"body{n}.p{x}.qd" for n in range(1, 5) for k, x in ((1, "x"), (2, "y"), (3, "z"))}

_DRIVES = {f"axis{k}.controller.PI.x": f"c{k}.PI.x" for k in range(1, 7)}
_DRIVES |= {f"axis{k}.motor.C.v": f"m{k}.C.u" for k in range(1, 7)}
_DRIVES |= {f"axis{k}.motor.La.i": f"m{k}.La.i" for k in range(1, 7)}
_DRIVES |= {f"axis{k}.gear.spring.phi_rel": f"-d{k}.spring.twist" for k in (1, 2, 3)}
_DRIVES |= {f"axis{k}.gear.spring.w_rel": f"-d{k}.spring.rate" for k in (1, 2, 3)}
_DRIVES |= {f"mechanics.r{k}.phi": f"arm.r{k}.q" for k in range(1, 7)}
_DRIVES |= {f"mechanics.r{k}.w": f"arm.r{k}.qd" for k in (1, 3, 4, 5, 6)}

CASES = (
    Case(
        _EXAMPLES + "Elementary.Pendulum",
        "trees.mo",
        "Pendulum",
        "revolute_pendulum.csv",
        5.0,
        {"rev.phi": "rev.q", "rev.w": "rev.qd"},
        "one joint with a damper",
        MSL,
        states=2,
        linear=(),
    ),
    Case(
        _EXAMPLES + "Elementary.DoublePendulum",
        "trees.mo",
        "DoublePendulum",
        "double_pendulum.csv",
        3.0,
        {f"revolute{k}.{theirs}": f"j{k}.{ours}" for k in (1, 2) for theirs, ours in (("phi", "q"), ("w", "qd"))},
        "two boxes; their shapes determine mass and inertia",
        MSL,
        states=4,
        linear=(),
    ),
    Case(
        _EXAMPLES + "Elementary.SpringMassSystem",
        "trees.mo",
        "SpringMassSystem",
        "spring_mass_system.csv",
        5.0,
        {f"p{k}.{theirs}": f"p{k}.{ours}" for k in (1, 2) for theirs, ours in (("s", "q"), ("v", "qd"))},
        "a spring at a joint, and a spring between two points in space",
        MSL,
        states=4,
        linear=(),
    ),
    Case(
        _EXAMPLES + "Elementary.PointGravityWithPointMasses",
        "trees.mo",
        "PointGravityWithPointMasses",
        "point_gravity.csv",
        2.0,
        _SATELLITES,
        "masses that fall around a center, two of them connected by a spring; after its closest passage, at 1.48 s, "
        "the published curve has a different energy",
        MSL,
        until=1.4,
        states=24,
        linear=(),
    ),
    Case(
        _EXAMPLES + "Elementary.LineForceWithTwoMasses",
        "line_force.mo",
        "LineForceWithTwoMasses",
        "line_force.csv",
        3.0,
        {f"revolute{k}.{theirs}": f"revolute1.{ours}" for k in (1, 2) for theirs, ours in (("phi", "q"), ("w", "qd"))},
        "a force element with masses; a planar loop",
        MSL,
        states=2,
    ),
    Case(
        _EXAMPLES + "Rotational3DEffects.ActuatedDrive",
        "trees.mo",
        "ActuatedDrive",
        "actuated_drive.csv",
        1.1,
        {"revolute.phi": "revolute.q", "revolute.w": "revolute.qd", "rotor1D.phi": "rotor.q", "rotor1D.w": "rotor.qd"},
        "a torque in space, and one along a joint with a rotor",
        MSL,
        states=4,
        linear=(),
    ),
    Case(
        "A01 planar pendulum, 2000 s",
        "trees.mo",
        "LongPendulum",
        "a01_pendulum_2000.csv",
        2000.0,
        {"x": "m.ra(1)", "y": "m.ra(2)"},
        "845 swings without damping: phase compared with an exact solution",
        LIM,
        tolerance=1e-11,
        bound=1e-3,
        noise=1e-6,
        states=2,
        linear=(),
    ),
    Case(
        "Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot, drives in the cuts",
        "../../../models/r3/r3.mo",
        "R3",
        "r3_full.csv",
        1.8560450019,
        _DRIVES,
        "the same robot with drive lines that pass on inertia, force and locking: no system of equations couples the "
        "axes",
        MSL,
        states=36,
        linear=((3, 1),) * 6,
        nonlinear=(),
    ),
)
