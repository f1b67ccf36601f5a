"""The UR5-like arm against its DH parameters, and the Stewart platform against statics, with each multibody library."""

from __future__ import annotations

import numpy as np
import pytest
from shipped_models import LIBRARIES, shipped

A = (0, -0.425, -0.39225, 0, 0, 0)
D = (0.089159, 0, 0, 0.10915, 0.09465, 0.0823)
ALPHA = (np.pi / 2, 0, 0, np.pi / 2, -np.pi / 2, 0)
MASSES = np.array([3.7, 8.393, 2.33, 1.219, 1.219, 0.1879])
# As the manufacturer gives them, each in the frame of its link.
CENTERS = np.array(
    [
        (0, -0.02561, 0.00193),
        (0.2125, 0, 0.11336),
        (0.15, 0, 0.0265),
        (0, -0.0018, 0.01634),
        (0, 0.0018, 0.01634),
        (0, 0, -0.001159),
    ]
)


def _frames(q: np.ndarray) -> list[np.ndarray]:
    """The frames (4, 4) of the links for these angles."""
    frames, last = [], np.eye(4)
    for angle, a, d, alpha in zip(q, A, D, ALPHA, strict=True):
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(alpha), np.sin(alpha)
        step = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
        last = last @ np.array(step)
        frames.append(last)
    return frames


def _potential(q: np.ndarray) -> float:
    heights = [(frame @ [*center, 1])[2] for frame, center in zip(_frames(q), CENTERS, strict=True)]
    return 9.81 * float(MASSES @ heights)


@pytest.mark.parametrize("library", LIBRARIES)
def test_arm_has_the_tool_and_the_torques_of_its_dh_parameters(library):
    q = np.array([0.4, -1.1, 0.9, -0.7, 0.5, 1.3])
    steps = 1e-5 * np.eye(6)
    hold = np.array([(_potential(q + step) - _potential(q - step)) / 2e-5 for step in steps])
    given = {f"tau({k + 1})": hold[k] for k in range(6)} | {f"j{k + 1}.q0": q[k] for k in range(6)}
    model = shipped("ur5.mo", library=library)
    run = model.simulate(stop=0.0, parameters=given)
    assert [run[f"tool.r({k})"][0] for k in (1, 2, 3)] == pytest.approx(_frames(q)[-1][:3, 3], abs=1e-12)
    # With these torques it stays where it is.
    assert [run[f"j{k}.qdd"][0] for k in range(1, 7)] == pytest.approx(np.zeros(6), abs=1e-5)


@pytest.mark.parametrize("library", LIBRARIES)
def test_legs_of_the_platform_carry_its_weight(library):
    model = shipped("stewart_platform.mo", library=library)
    run = model.simulate(stop=0.5, points=3, parameters={"heave": 0.0}, rtol=1e-9, atol=1e-10)
    length, height = run["leg(1).s"][-1], run["free.x(3)"][-1]
    assert height < 1.2
    for k in range(1, 7):
        assert run[f"leg({k}).f"][-1] == pytest.approx(-80 * 9.81 * length / (6 * height), rel=1e-6)
    # The joints of a leg are 40 degrees apart.
    assert length == pytest.approx(np.sqrt(1 + 0.36 - 1.2 * np.cos(np.radians(40)) + height**2), rel=1e-12)
