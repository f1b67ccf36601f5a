"""Collisions of boxes, spheres, capsules and hulls: closed solutions, with each of the four multibody libraries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import cutset
from tests.oracles import convex_pairs

G = 9.81
BODY = """@mbs
model Thrown
  submodel (Inertial) world(ng=[0, 0, -1], g={g})
  submodel (Free) free({free})
  submodel (Body) body(m=2, I=diagonal([0.02, 0.03, 0.04]))
  submodel {contact}
  connect world to free to body, c at (world, free:b)
end
"""


def _run(text: str, library: str = "mbs", stop: float = 1.0, **options: float) -> cutset.Result:
    return cutset.loads(text.replace("@mbs", f"@{library}")).simulate(stop, points=201, **options)


def _energy(run: cutset.Result, name: str = "free", g: float = G) -> np.ndarray:
    turning = run[f"{name}.w"] ** 2 @ [0.01, 0.015, 0.02]
    return (run[f"{name}.v"] ** 2).sum(axis=1) + turning + 2 * g * run[f"{name}.x(3)"]


def _grows(energy: np.ndarray) -> float:
    return float((energy - np.minimum.accumulate(energy)).max())


@pytest.mark.parametrize("library", ["mbs", "mbsabs"])
def test_a_box_falls_and_stands_on_its_face(library):
    """Its four lower corners share the weight; the energy never grows."""
    contact = "(PlaneCollision) c(size_b=[0.2, 0.2, 0.2], c=2e7, d=60, mu=0.8)"
    run = _run(BODY.format(g=G, free="x3=0.2, angle1=0.2, angle2=0.1", contact=contact), library, stop=2)
    assert run["c.N"][-1] == pytest.approx(2 * G, rel=1e-9)
    sinks = (2 * G / 4 / 2e7) ** (2 / 3)
    assert run["free.x(3)"][-1] == pytest.approx(0.1 - sinks, abs=1e-9)
    assert _grows(_energy(run) + run["c.energy"]) < 1e-5
    assert run["c.depth"].max() < 1e-3


def test_a_box_slides_and_stops_after_coulomb():
    contact = "(PlaneCollision) c(size_b=[0.2, 0.2, 0.2], c=2e7, d=60, mu=0.3, v_small=1e-4)"
    run = _run(BODY.format(g=G, free="x3=0.0999, v1=1", contact=contact), "mbsmat", rtol=1e-7)
    slides = (run.time > 0.05) & (run.time < 0.33)
    np.testing.assert_allclose(run["free.v(1)"][slides], 1 - 0.3 * G * run.time[slides], atol=1e-3)
    assert run["free.x(1)"][-1] == pytest.approx(1 / (2 * 0.3 * G), abs=1e-3)


@pytest.mark.parametrize("library", ["mbssim", "mbsabs"])
def test_a_box_sticks_on_a_slope(library):
    """At defaults, with 95 % of the friction, and a torque about the normal: it moves by less than a nanometer in
    9 s. With more than the friction it slides by Coulomb's law."""
    text = BODY.replace("ng=[0, 0, -1]", "ng=[sin(slope), 0, -cos(slope)]").replace("model Thrown", "model Slope\n  "
        "parameter slope = 0.4, twist = 0").replace(" to body,", " to body, push at free:b,").replace(
        "\n  connect", "\n  submodel (WorldTorque) push\n  push.tau = [0, 0, twist]\n  connect")  # fmt: skip
    contact = f"(PlaneCollision) c(size_b=[0.2, 0.2, 0.2], c=2e7, d=50, mu={np.tan(0.4) / 0.95})"
    model = cutset.loads(text.format(g=G, free="x3=0.1", contact=contact).replace("@mbs", f"@{library}"))
    for slope, twist in ((0.4, 0.0), (0.1, 0.4 * 0.1 * G)):
        run = model.simulate(10, parameters={"slope": slope, "twist": twist}, points=11)
        assert np.ptp(run["free.x(1)"][run.time >= 1]) < 1e-9
        assert abs(run["free.v"][-1]).max() < 1e-12 and abs(run["free.w"][-1]).max() < 1e-12
    run = model.simulate(1.0, parameters={"slope": 0.5}, points=101)
    slides = G * (np.sin(0.5) - np.tan(0.4) / 0.95 * np.cos(0.5))
    assert run["free.v(1)"][-1] == pytest.approx(slides, rel=2e-3)


PYRAMID = "-0.09, -0.03, -sqrt(3)*0.01; -0.09, 0.03, -sqrt(3)*0.01; -0.09, 0, sqrt(3)*0.02; 0.05, 0, 0"
# Parameters, the start of b, and the weight of all points that touch.
SHAPES = {
    "spheres": ("radius_a=0.1, radius_b=0.1", [0.25, 0.0, 0.0], 1),
    "boxes": ("size_a=[0.2, 0.2, 0.2], size_b=[0.2, 0.3, 0.1]", [0.25, 0.0, 0.0], 4),
    "capsules": ("size_a=[0, 0, 0.4], radius_a=0.1, size_b=[0, 0.4, 0], radius_b=0.1", [0.25, 0.0, 0.0], 1),
    "box and hull": (
        f"size_a=[0.2, 0.2, 0.2], radius_b=0.01, corners_b=4, points_b=[{PYRAMID}]",
        [0.25, 0.0, 0.0],
        4,
    ),
}


def test_equal_masses_exchange_their_velocities():
    """Without dissipation; the greatest depth is that of the energy: c/2.5*depth^2.5 of each point with its weight."""
    lines, ways = ["@mbs\nmodel Pairs\n  submodel (Inertial) world(g=0)"], []
    for k, (shapes, start, _) in enumerate(SHAPES.values()):
        lines.append(f"  submodel (Free) rests{k}, comes{k}(x0={start}, v0=[-1, 0, 0])")
        lines.append(f"  submodel (Body) m{k}(m=2, I=identity(3)*0.02), n{k}(m=2, I=identity(3)*0.02)")
        lines.append(f"  submodel (Collision) c{k}({shapes}, c=1e6)")
        ways.append(f"world to rests{k} to m{k}, world to comes{k} to n{k}, c{k} at (rests{k}:b, comes{k}:b)")
    run = _run("\n".join([*lines, f"  connect {', '.join(ways)}\nend\n"]), stop=0.2, rtol=1e-8, atol=1e-10)
    for k, (_, _, points) in enumerate(SHAPES.values()):
        np.testing.assert_allclose(run[f"rests{k}.v"][-1], [-1, 0, 0], atol=1e-6)
        np.testing.assert_allclose(run[f"comes{k}.v"][-1], 0, atol=1e-6)
        deepest = run[f"c{k}.depth"].max()
        assert 0.97 < deepest / (0.5 * 2.5 / points / 1e6) ** 0.4 <= 1 + 1e-6


def test_a_stack_of_ten_boxes_stands():
    """Each contact carries the boxes above it, and no box has moved aside."""
    count, lines, ways = 10, ["@mbs\nmodel Stack\n  submodel (Inertial) world(ng=[0, 0, -1])"], []
    for k in range(count):
        lines.append(f"  submodel (Free) free{k}(x1={0.001 * (k % 2)}, x3={0.05 + 0.1 * k + 0.0002 * (k + 1)})")
        lines.append(f"  submodel (Body) body{k}(m=1, I=diagonal([1, 1, 1]/600))")
        kind = "PlaneCollision" if k == 0 else "Collision"
        below = "" if k == 0 else "size_a=[0.1, 0.1, 0.1], "
        lines.append(f"  submodel ({kind}) c{k}({below}size_b=[0.1, 0.1, 0.1], c=2e6, d=30, mu=0.6)")
        ways.append(f"world to free{k} to body{k}, c{k} at ({f'free{k - 1}:b' if k else 'world'}, free{k}:b)")
    run = _run("\n".join([*lines, f"  connect {', '.join(ways)}\nend\n"]), "mbssim", stop=1.5)
    for k in range(count):
        assert run[f"c{k}.N"][-1] == pytest.approx((count - k) * G, rel=1e-3)
        np.testing.assert_allclose(run[f"free{k}.x"][-1][:2], [0.001 * (k % 2), 0], atol=2e-4)
        assert run[f"c{k}.depth"].max() < 1e-3


def test_a_leaning_tower_stands_below_its_limit():
    """Shifted by 5 % less than the fifth of its length, at which the center of the upper four blocks leaves the lowest
    one; each contact carries the blocks above. By 5 % more, it falls. The blocks touch at the start."""
    model = cutset.load(Path(__file__).parents[2] / "models" / "leaning_tower.mo")
    for shift, stands in ((0.038, True), (0.042, False)):
        run = model.simulate(parameters={"shift": shift})
        assert stands == (run["place(5).x(3)"][-1] > 0.22)
        if stands:
            carried = [run[f"{name}.N"][-1] for name in ("floor", "hit(1)", "hit(2)", "hit(3)", "hit(4)")]
            np.testing.assert_allclose(carried, 0.5 * G * np.array([5, 4, 3, 2, 1]), rtol=1e-5)
            assert abs(run["place(5).v"][-1]).max() < 1e-6


def test_boxes_that_tumble_on_each_other_gain_no_energy():
    """Thrown with spin, onto each other and the floor; less than 1 mm deep. The weights of points where edges become
    parallel are of no potential, which can give back 1e-4 of what is lost."""
    law = "c=5e7, d=10, mu=0.5, v_small=1e-4"
    big, small = "=[0.3, 0.2, 0.15]", "=[0.2, 0.15, 0.1]"
    text = (
        "@mbs\nmodel Tumbling\n  submodel (Inertial) world(ng=[0, 0, -1])\n"
        "  submodel (Free) a(x3=0.2, angle1=1, w0=[1, 2, 3]), b(x3=0.6, angle2=0.7, w0=[4, -3, 2], v0=[0.1, 0, 1])\n"
        "  submodel (Body) ma(m=2, I=diagonal([0.02, 0.03, 0.04])), mb(m=2, I=diagonal([0.02, 0.03, 0.04]))\n"
        f"  submodel (PlaneCollision) pa(size_b{big}, {law}), pb(size_b{small}, {law})\n"
        f"  submodel (Collision) c(size_a{big}, size_b{small}, {law})\n"
        "  connect world to a to ma, world to b to mb, pa at (world, a:b), pb at (world, b:b), c at (a:b, b:b)\nend\n"
    )
    run = cutset.loads(text).simulate(1.5, points=1501, method="cvode-bdf")
    energy = sum(_energy(run, name) for name in "ab") + sum(run[f"{name}.energy"] for name in ("pa", "pb", "c"))
    assert run["c.contact"].max() == 1
    assert _grows(energy) < 1e-4 * (energy[0] - energy[-1])
    assert max(run[f"{name}.depth"].max() for name in ("pa", "pb", "c")) < 1e-3


def _boxes(rng: np.random.Generator) -> tuple[str, np.ndarray, np.ndarray]:
    """Clearance of two boxes or hulls, and their corners without edges, in their frames."""
    values, corners = [], []
    for side in "ab":
        if rng.random() < 0.5:
            size = np.round(rng.uniform(0.2, 0.6, 3), 3)
            values.append(f"size_{side}={size.tolist()}, radius_{side}=0.01")
            signs = np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, -1).T
            corners.append(signs * (size - 0.02))
            continue
        points = np.round(rng.uniform(-0.3, 0.3, (7, 3)), 3)
        rows = "; ".join(", ".join(map(repr, row)) for row in points.tolist())
        values.append(f"corners_{side}=7, points_{side}=[{rows}], radius_{side}=0.01")
        corners.append(points)
    return ", ".join(values), *corners


def test_clearance_is_the_least_distance():
    """While b turns and passes by: the plane across the line between the nearest points separates the corners by the
    distance; where they overlap, no direction near it has a smaller depth."""
    rng = np.random.default_rng(39)
    shapes, corners_a, corners_b = zip(*(_boxes(rng) for _ in range(6)), strict=True)
    lines = [f"  submodel (Clearance) c{k}({each})" for k, each in enumerate(shapes)]
    text = (
        "@mbs\nmodel Passing\n  submodel (Inertial) world(g=0)\n  submodel (Free) free(x0=[0.9, 0.1, -0.05], "
        "v0=[-0.9, 0.1, 0.1], w0=[2, -1, 3])\n  submodel (Body) body(m=2, I=identity(3))\n"
        + "\n".join(lines) + "\n  connect world to free to body, c0 at (world, free:b)"
        + "".join(f", c{k} at (world, free:b)" for k in range(1, 6)) + "\nend\n"
    )  # fmt: skip
    run = cutset.loads(text).simulate(1.0, points=21)
    for number, (a, b) in enumerate(zip(corners_a, corners_b, strict=True)):
        seen = set()
        for k in np.flatnonzero(abs(run[f"c{number}.distance"]) > 1e-6):
            turned = b @ run[f"c{number}.T"][k] + run[f"c{number}.r"][k]
            distance, pa, pb = (run[f"c{number}.{name}"][k] for name in ("distance", "pa", "pb"))
            assert np.linalg.norm(pb - pa) == pytest.approx(abs(distance), abs=1e-9)
            normal = (pb - pa) / distance

            def overlap(x: np.ndarray, a: np.ndarray = a, turned: np.ndarray = turned) -> float:
                n = x / np.linalg.norm(x)
                return float((a @ n).max() - (turned @ n).min() + 0.02)

            assert overlap(normal) == pytest.approx(-distance, abs=1e-9)
            seen.add(bool(distance > 0))
            if distance < 0:
                assert minimize(overlap, normal, method="Nelder-Mead").fun > -distance * (1 - 1e-6)
        assert seen == {True, False}


def test_a_call_of_others_needs_permission():
    text = (
        "@mbs\nmodel Own\n  local F(12)\n  F = hull_on_plane([0, 0, 1], zeros(1,3), 100, zeros(3), 0, identity(3), "
        "zeros(3), zeros(3), zeros(3), ones(5), zeros(3))\nend\n"
    )
    with pytest.raises(cutset.ModelError, match="E297"):
        cutset.loads(text)


def test_points_and_depths_of_random_pairs(tmp_path: Path):
    """Against HiGHS and Qhull; python -m tests.oracles.convex_pairs takes more of them."""
    convex = convex_pairs.Convex(tmp_path)
    assert not [wrong for number in range(150) if (wrong := convex_pairs.fault(convex, number))]
