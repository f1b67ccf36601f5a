"""Every object of models/: what it keeps, energy and momentum, to the tolerance of the run; or why it keeps neither."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from shipped_models import MODELS, objects_of, shipped

import cutset

ACCURATE = {"rtol": 1e-10, "atol": 1e-10}
DAMPERS = {f"d{k}.d": 0.0 for k in range(1, 7)}


class Curves:
    """The values of a run and the parameters of its model, by name."""

    def __init__(self, model: cutset.Model, parameters: Mapping[str, float], run):
        self.parameters, self.run = dict(model.parameters) | dict(parameters), run

    def vector(self, name: str, numbers=(1, 2, 3)) -> np.ndarray:
        return np.array([self.run[f"{name}({k})"] for k in numbers])

    def numbers(self, name: str, *keys: str) -> np.ndarray:
        return np.array([self.parameters[f"{name}.{key}"] for key in keys])

    def bodies(self) -> list[str]:
        return [name.removesuffix(".I11") for name in self.parameters if name.endswith(".I11")]


def of_bodies(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    """Energy, that of gravity counted, and the angular momentum about the line through the origin along which gravity
    acts, of what consists of Body elements: (10) and (11) of the paper, integrated."""
    base = next(name.removesuffix(".ng1") for name in curves.parameters if name.endswith(".ng1"))
    down = curves.numbers(base, "ng1", "ng2", "ng3")
    down = down / np.linalg.norm(down)
    energy = momentum = 0.0
    for name in curves.bodies():
        (m,), center = curves.numbers(name, "m"), curves.numbers(name, "r1", "r2", "r3")
        i11, i22, i33, i21, i31, i32 = curves.numbers(name, "I11", "I22", "I33", "I21", "I31", "I32")
        inertia = np.array([[i11, i21, i31], [i21, i22, i32], [i31, i32, i33]])
        turn = np.array([curves.vector(f"{name}.Ta", [f"{i},{j}" for j in (1, 2, 3)]) for i in (1, 2, 3)])
        w, v = curves.vector(f"{name}.va"), curves.vector(f"{name}.va", (4, 5, 6))
        v = v + np.cross(w.T, center).T
        place = curves.vector(f"{name}.ra") + np.einsum("ijt,j->it", turn, center)
        energy = (
            energy
            + 0.5 * m * (v**2).sum(0)
            + 0.5 * (w * (inertia @ w)).sum(0)
            - m * curves.parameters[f"{base}.g"] * down @ place
        )
        spin = np.cross(place.T, m * np.einsum("ijt,jt->it", turn, v).T).T + np.einsum("ijt,jt->it", turn, inertia @ w)
        momentum = momentum + down @ spin
    return energy, momentum


def _pendulum(c: Curves) -> list[np.ndarray]:
    m, g = (c.parameters[n] for n in ("m", "g"))
    return [0.5 * m * (c.run["vx"] ** 2 + c.run["vy"] ** 2) + m * g * c.run["y"]]


def _two_masses(c: Curves) -> list[np.ndarray]:
    m1, m2, g = (c.parameters[n] for n in ("m1", "m2", "g"))
    r = c.run
    kinetic = 0.5 * m1 * (r["u1"] ** 2 + r["v1"] ** 2) + 0.5 * m2 * (r["u2"] ** 2 + r["v2"] ** 2)
    deepest = c.parameters["L1"] + c.parameters["L2"]
    return [kinetic + g * (m1 * r["y1"] + m2 * (r["y2"] + deepest))]


def _four_bar(c: Curves) -> list[np.ndarray]:
    return [0.5 * c.parameters["m"] * sum(c.run[n] ** 2 for n in ("u1", "v1", "u2", "v2"))]


def _with_spring(c: Curves) -> list[np.ndarray]:
    return [of_bodies(c)[0] + 0.5 * c.parameters["s.c"] * (c.run["s.s"] - c.parameters["s.s0"]) ** 2]


def _arm(c: Curves) -> list[np.ndarray]:
    """Its first axis is that of gravity, and nothing drives it."""
    return list(of_bodies(c))


@dataclass(frozen=True)
class Kept:
    """`quantities` stay what they are in a run of `stop` seconds from `initial` with these parameters."""

    quantities: Callable[[Curves], list[np.ndarray]]
    stop: float
    parameters: Mapping[str, float] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)


SPEEDS = {f"r{k}.qd": speed for k, speed in enumerate((0.5, -0.4, 0.3, 0.6, -0.7, 0.8), 1)}
OBJECTS: dict[tuple[str, str], Kept | str] = {
    ("cartesian_pendulum.mo", "CartesianPendulum"): Kept(_pendulum, 10.0),
    ("cartesian_double_pendulum.mo", "CartesianDoublePendulum"): Kept(_two_masses, 10.0),
    ("four_bar.mo", "FourBar"): Kept(_four_bar, 10.0),
    ("double_pendulum.mo", "DoublePendulum"): Kept(_with_spring, 10.0, initial={"r1.q": 1.0, "r2.q": -0.5}),
    ("r3_arm.mo", "R3arm"): Kept(_arm, 2.0, parameters=DAMPERS),
    ("r3mbs.mo", "R3direct"): Kept(_arm, 2.0, initial={f"robot.{name}": speed for name, speed in SPEEDS.items()}),
    ("r3_inverse.mo", "R3direct"): "the multibody part of r3mbs.mo with the other library, see test_manutec_r3.py",
    ("r3_inverse.mo", "R3inverse"): "its motion is given",
    ("paper/motor.mo", "Motor"): "a source, and resistors",
    ("paper/robot.mo", "R3"): "controllers and motors, dampers in the gears",
    ("r3/r3.mo", "R3"): "controllers and motors, friction",
    ("r3/paper.mo", "PaperR3"): "controllers and motors, friction",
    ("r3/one_axis.mo", "OneAxis"): "a controller and a motor, friction",
    ("r3/inverse.mo", "Inverse"): "its motion is given",
    ("oods/double_pendulum.mo", "DoublePendulum"): "compared with an independent integration, see test_oods.py",
    ("pymbs/crank_slider.mo", "CrankSlider"): "a load, and gas that presses; see test_pymbs.py",
    ("pymbs/excavator.mo", "Excavator"): "cylinders that press; see test_pymbs.py",
    ("pymbs/four_bar.mo", "FourBar"): "a motor, and friction; see test_pymbs.py",
    ("pymbs/four_bar_translation.mo", "FourBarTranslation"): "oil that damps; see test_pymbs.py",
    ("pymbs/transmission.mo", "Transmission"): "oil that damps; see test_pymbs.py",
    ("spatial_loops.mo", "SpatialLoops"): Kept(lambda c: [of_bodies(c)[0]], 3.0),
    ("stewart_platform.mo", "StewartPlatform"): "legs that hold it; see test_ur5_stewart.py",
    ("ur5.mo", "UR5"): "torques that hold it; see test_ur5_stewart.py",
    ("no/seven_bodies.mo", "SevenBodies"): Kept(_arm, 5.0),
    ("gallery/buck_converter.mo", "BuckConverter"): "a source, and resistors; see docs/gallery/buck_converter.md",
    ("gallery/cart_pendulum.mo", "CartPendulum"): "a controller and noise; see docs/gallery/cart_pendulum.md",
    ("gallery/mobile_robot.mo", "MobileRobot"): "motors and a controller; see docs/gallery/mobile_robot.md",
    ("gallery/fluid_loop.mo", "FluidLoop"): "a wall that cools; see docs/gallery/fluid_loop.md",
    ("gallery/furuta_pendulum.mo", "FurutaPendulum"): "a motor and a controller; see docs/gallery/furuta_pendulum.md",
    ("gallery/gripper.mo", "Gripper"): "friction; see test_multibody_contacts.py",
    ("gallery/quadruped_leg.mo", "QuadrupedLeg"): "motors and friction; see docs/gallery/quadruped_leg.md",
    ("r3/identification.mo", "MeasuredR3"): "controllers and motors, friction",
    ("elastic_slider_crank.mo", "SliderCrank"): "its crank is driven; see test_elastic_slider_crank.py",
    ("single_track.mo", "SingleTrack"): "its rear wheel is driven, and tires slip; see test_multibody_tires.py",
    ("leaning_tower.mo", "LeaningTower"): "friction; see test_multibody_collisions.py",
    ("rc.mo", "RC"): "a source, and a resistor",
    ("cauer_low_pass.mo", "CauerLowPass"): "a source, and resistors",
}


def test_every_object_is_judged():
    files = [str(path.relative_to(MODELS)) for path in MODELS.rglob("*.mo")]
    assert set(OBJECTS) == {(file, name) for file in files for name in objects_of(file)}


@pytest.mark.parametrize(("file", "name"), [key for key, kept in OBJECTS.items() if isinstance(kept, Kept)])
def test_what_is_kept_stays(file, name):
    kept = OBJECTS[file, name]
    model = shipped(file, name)
    run = model.simulate(kept.stop, parameters=kept.parameters, initial=kept.initial, **ACCURATE)
    curves = Curves(model, kept.parameters, run)
    assert max(np.ptp(run[state]) for state in model.states) > 0.5
    for quantity in kept.quantities(curves):
        assert np.max(np.abs(quantity)) > 1
        assert np.ptp(quantity) <= 1e-7 * max(1.0, np.max(np.abs(quantity))), np.ptp(quantity)
