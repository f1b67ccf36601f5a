"""Runs MuJoCo (https://mujoco.org, the wheel `mujoco`) as a peer: the digitally controlled arm of models/.

The controller is part of the model: actuators whose forces are linear in angle and rate, which MuJoCo computes once in
each step of 1 ms. All steps of a run are one call of its C code.
"""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray

# (position of the joint after the one before, axis, mass, position of its center, moments of inertia, start angle)
_LINKS = (
    ("0 0 0", "0 0 1", 3.7, "0 0 0.064", "0.01 0.01 0.007", 0.0),
    ("0 0 0.089", "0 -1 0", 8.4, "-0.213 -0.113 0", "0.015 0.13 0.13", -1.0),
    ("-0.425 0 0", "0 -1 0", 2.33, "-0.242 -0.027 0", "0.003 0.032 0.032", 1.2),
    ("-0.392 0 0", "0 -1 0", 1.22, "0 -0.107 -0.016", "0.002 0.001 0.002", -1.0),
    ("0 -0.109 0", "0 0 -1", 1.22, "0 -0.016 -0.093", "0.002 0.001 0.002", -1.57),
    ("0 0 -0.095", "0 -1 0", 0.19, "0 -0.081 0", "1e-4 1.3e-4 1e-4", 0.3),
)
# (kp, kd, wanted angle, torque at rest) of each joint
_CONTROLLER = (
    (400, 40, 0.0, 0),
    (400, 40, -1.2, -31),
    (300, 20, 1.4, -15),
    (60, 4, -1.0, 0),
    (10, 0.5, -1.57, 0),
    (1, 0.02, 0.3, 0),
)
PERIOD = 1e-3


def model_text(integrator: str) -> str:
    """The arm in MuJoCo's format."""
    bodies = ""
    for number, (place, axis, mass, center, inertia, _) in enumerate(_LINKS, 1):
        bodies += (
            f'<body pos="{place}"><joint name="j{number}" type="hinge" axis="{axis}"/>'
            f'<inertial pos="{center}" mass="{mass}" diaginertia="{inertia}"/>'
        )
    bodies += "</body>" * len(_LINKS)
    actuators = "".join(
        f'<general joint="j{number}" gainprm="{kp}" biastype="affine" biasprm="{rest} {-kp} {-kd}"/>'
        for number, (kp, kd, _, rest) in enumerate(_CONTROLLER, 1)
    )
    return (
        f'<mujoco><option timestep="{PERIOD}" integrator="{integrator}" gravity="0 0 -9.81">'
        f'<flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{bodies}</worldbody><actuator>{actuators}</actuator></mujoco>"
    )


class MuJoCoRun:
    """The arm in MuJoCo with an integrator: 'Euler', 'implicitfast' or 'RK4'."""

    def __init__(self, integrator: str, stop: float):
        self._model = mujoco.MjModel.from_xml_string(model_text(integrator))
        self._data = mujoco.MjData(self._model)
        self._steps = round(stop / PERIOD)
        self._wanted: NDArray[np.float64] = np.array([wanted for _, _, wanted, _ in _CONTROLLER])
        self._start: NDArray[np.float64] = np.array([link[-1] for link in _LINKS])

    def run(self) -> None:
        """A run from the start."""
        mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:], self._data.ctrl[:] = self._start, self._wanted
        mujoco.mj_step(self._model, self._data, nstep=self._steps)

    @property
    def last(self) -> Mapping[str, float]:
        """The angles at the end, by Cutset's names."""
        return {f"j{k}.q": float(q) for k, q in enumerate(self._data.qpos, 1)}
