"""What is drawn is where the result says, and as large and turned as the model says."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from moving import MODELS, arm, pendulum, scene

import cutset
from cutset.runtime.animation.drawing import scene_of
from cutset.runtime.animation.meshes import SOLIDS
from cutset.runtime.animation.scene import Node, Part, Scene, quaternions, turned_to
from cutset.runtime.description import Description, FrameNames
from cutset.runtime.errors import RunError


def turned(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """v turned by quaternions (n, 4)."""
    w = q[:, 3:]
    return v + 2.0 * np.cross(q[:, :3], np.cross(q[:, :3], v) + w * v)


def part_of(scene: Scene, name: str, solid: str) -> tuple[Node, Part]:
    return next((node, part) for node in scene.nodes for part in node.parts if (part.name, part.solid) == (name, solid))


def full(course: np.ndarray, n: int) -> np.ndarray:
    return np.broadcast_to(course, (n, course.shape[1]))


def ends(scene: Scene, name: str, solid: str) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of a solid along its y axis, at all times."""
    node, part = part_of(scene, name, solid)
    n = len(scene.times)
    found = []
    for sign in (-0.5, 0.5):
        tip = part.place + turned(part.turn[None, :], np.array([[0.0, sign * part.size[1], 0.0]]))[0]
        found.append(full(node.place, n) + turned(full(node.turn, n), full(node.stretch * tip, n)))
    return found[0], found[1]


def test_every_frame_of_the_result_is_a_node() -> None:
    run, drawn = arm(), scene(arm())
    names = [name for node in drawn.nodes for name in node.names]
    assert len(names) == len(set(names)) == 32
    for node in drawn.nodes:
        for name in node.names:
            element, _, cut = name.partition(":")
            place = np.stack([run[f"{element}.r{cut}({k})"] for k in (1, 2, 3)], axis=1)
            assert np.array_equal(full(node.place, len(place)), place)
            axis = np.stack([run[f"{element}.T{cut}({k},3)"] for k in (1, 2, 3)], axis=1)
            assert np.allclose(turned(full(node.turn, len(place)), np.array([0.0, 0.0, 1.0])), axis, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "solid", "first", "second"), [("b1", "cylinder", "b1.ra", "b1.rb"), ("s", "coil", "s.ra", "s.rb")]
)
def test_rods_and_springs_reach_from_frame_to_frame(name: str, solid: str, first: str, second: str) -> None:
    run = pendulum()
    for end, wanted in zip(ends(scene(run), name, solid), (first, second), strict=True):
        assert np.allclose(end, np.stack([run[f"{wanted}({k})"] for k in (1, 2, 3)], axis=1), atol=1e-9)


def test_a_beam_is_bent_from_end_to_end(write_model) -> None:
    text = """@mbs
model M
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Revolute) joint(n=[0, 1, 0])
  submodel (ModalBeam) beam(r=[1, 0, 0], w=[0, 0, 1], planar=true, modes=1, area=1e-4, I=1e-9, E=1e9)
  connect i to joint to beam
end
"""
    run = cutset.load(write_model(text)).simulate(0.5, points=5, target="python")
    pieces = [node for node in scene(run).nodes for part in node.parts if part.name == "beam.body"]
    assert len(pieces) == 7
    first, last = ([run[f"beam.body.r{cut}({k})"] for k in (1, 2, 3)] for cut in "ab")
    along = np.array([0.0, 1.0, 0.0])
    tips = [[piece.place + s * turned(piece.turn, piece.stretch * along) for s in (-0.5, 0.5)] for piece in pieces]
    assert np.allclose(tips[0][0].T, first) and np.allclose(tips[-1][1].T, last)
    for (_, end), (start, _) in pairwise(tips):
        assert np.allclose(end, start)
    straight = np.linalg.norm(tips[-1][1] - tips[0][0], axis=1)
    assert 1e-4 < sum(piece.stretch[-1, 1] for piece in pieces) - straight[-1] < 0.01


def test_bodies_are_at_their_centres_and_as_large_as_their_masses() -> None:
    drawn = scene(arm())
    _, heavy = part_of(drawn, "m2", "sphere")
    _, light = part_of(drawn, "m3", "sphere")
    assert heavy.place.tolist() == [0.172, 0.205, 0.0]
    assert (heavy.size[0] / light.size[0]) ** 3 == pytest.approx(56.5 / 26.4)


def test_up_is_against_gravity_and_the_floor_below_everything() -> None:
    drawn = scene(pendulum())
    assert drawn.up.tolist() == [0.0, 0.0, -1.0]
    assert drawn.floor < min((node.place @ drawn.up).min() for node in drawn.nodes)


def test_the_box_contains_frames_and_centers_of_solids() -> None:
    drawn = scene(arm())
    n, places = len(drawn.times), []
    for node in drawn.nodes:
        places.append(full(node.place, n))
        for part in node.parts:
            places.append(full(node.place, n) + turned(full(node.turn, n), full(node.stretch * part.place[None, :], n)))
    assert np.allclose(drawn.low, np.concatenate(places).min(axis=0), atol=1e-12)
    assert np.allclose(drawn.high, np.concatenate(places).max(axis=0), atol=1e-12)


def test_cut_forces_are_those_of_newton() -> None:
    """What joint r1 hands on carries everything behind it: m*(a - g) of both bodies, less the pull of the spring."""
    run = pendulum()
    [force, _] = scene(run).forces
    assert force.name == "r1"
    turn = {
        m: np.stack([[run[f"{m}.Ta({i},{j})"] for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1)
        for m in ("m1", "m2")
    }
    total = np.zeros((len(run.time), 3))
    for m in ("m1", "m2"):
        a, center = (
            np.stack([run[f"{m}.aa({k})"] for k in range(1, 7)], axis=1),
            np.array([run[f"{m}.r{k}"][0] for k in (1, 2, 3)]),
        )
        w = np.stack([run[f"{m}.va({k})"] for k in (1, 2, 3)], axis=1)
        own = a[:, 3:] + np.cross(a[:, :3], center) + np.cross(w, np.cross(w, center))
        total += run[f"{m}.m"][0] * np.einsum("nij,nj->ni", turn[m], own)
    # The spring gets F at its cut b, the pendulum its opposite.
    pull = np.stack([run[f"s.F({k})"] for k in (1, 2, 3)], axis=1)
    assert np.allclose(force.force, total + pull, atol=1e-9)


def test_quaternions_of_any_matrix() -> None:
    q = np.random.default_rng(1).normal(size=(500, 4))
    q[:4] = np.eye(4)
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    columns = [turned(q, np.broadcast_to(axis, (500, 3))) for axis in np.eye(3)]
    found = quaternions(np.stack(columns, axis=2))
    assert np.allclose(np.abs(np.sum(found * q, axis=1)), 1.0, atol=1e-12)
    assert (np.sum(found[1:] * found[:-1], axis=1) >= 0.0).all()


def test_the_y_axis_is_turned_anywhere() -> None:
    directions = np.array([[0.0, 2.0, 0.0], [0.0, -2.0, 0.0], [1.0, 0.0, 0.0], [1.0, -2.0, 3.0]])
    expected = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    assert np.allclose(turned(turned_to(directions), np.array([[0.0, 1.0, 0.0]] * 4)), expected, atol=1e-9)


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_turned_outwards(name: str) -> None:
    mesh = SOLIDS[name]()
    t = mesh.corners[mesh.triangles]
    faces = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    volume = np.sum(t[:, 0] * faces) / 6.0
    assert np.linalg.norm(faces, axis=1).min() > 1e-6
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    expected = {"box": 1.0, "cylinder": np.pi / 4, "cone": np.pi / 12, "sphere": np.pi / 6}
    assert volume == pytest.approx(expected[name], rel=0.02) if name in expected else volume > 0.0
    agreeing = np.sum(faces * mesh.normals[mesh.triangles].mean(axis=1), axis=1) > 0.0
    assert agreeing.mean() > 0.99


def test_the_wire_of_a_coil_is_closed_around() -> None:
    normals = SOLIDS["coil"]().normals.reshape(-1, 8, 3)
    turns = np.sum(normals * np.roll(normals, 1, axis=1), axis=2)
    assert np.allclose(turns, np.cos(np.pi / 4))


def test_a_long_result_is_thinned_from_end_to_end() -> None:
    run = cutset.load(MODELS / "double_pendulum.mo").simulate(stop=0.2, points=20001)
    drawn = scene(run)
    assert len(drawn.times) == 3000
    assert (drawn.times[0], drawn.times[-1]) == (0.0, 0.2)


def test_nothing_to_draw_is_said(write_model) -> None:
    run = cutset.load(write_model("model M\n local x (start=1)\n der(x) = -x\nend")).simulate()
    with pytest.raises(RunError, match="there is nothing to draw"):
        scene(run)


def test_a_result_without_positions_is_told_which() -> None:
    class Few(dict):
        time = np.array([0.0, 1.0])

    with pytest.raises(RunError, match=r"for example i.ra\(1\)"):
        scene_of(arm().description, Few())


class Broken:
    """The arm with other numbers."""

    def __init__(self, change):
        self.run, self.change = arm(), change

    @property
    def time(self):
        return self["time"]

    def __contains__(self, name):
        return name in self.run

    def __getitem__(self, name):
        return self.change(name, self.run[name].copy())


def behind(name, value):
    def change(each, course):
        if each == name:
            course[40:] = value
        return course

    return change


@pytest.mark.parametrize(
    "change",
    [
        behind("b2.rb(1)", np.nan),
        behind("b2.rb(1)", 1e300),
        behind("b2.Tb(1,3)", np.nan),
        behind("time", 0.1),
        behind("time", np.inf),
    ],
)
def test_rows_that_cannot_be_drawn_are_left_out(change) -> None:
    drawn = scene_of(arm().description, Broken(change))
    assert len(drawn.times) == 40
    assert all(np.isfinite(node.place).all() for node in drawn.nodes)


@pytest.mark.parametrize("change", [lambda name, course: course[:0], lambda name, course: course * np.nan])
def test_a_result_without_rows_is_refused(change) -> None:
    with pytest.raises(RunError, match="at no output time"):
        scene_of(arm().description, Broken(change))


def test_one_row_is_drawn() -> None:
    rest = cutset.load(MODELS / "double_pendulum.mo").steady()
    assert len(scene(rest).times) == 1


def test_description_is_read_back() -> None:
    said = arm().description
    assert Description.from_json(said.to_json()) == said


@pytest.mark.parametrize("text", ["[]", "{}", '{"model":1,"units":{},"documentation":{},"elements":[]}', "x"])
def test_a_text_that_is_no_description_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Description.from_json(text)


SHAPES = """@{library}
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) r(n3=1, q0=0.5)
  submodel (Bar) b(r1=1)
  submodel (Body) m(m=2, r1=0.5, I33=0.2), tip(m=1)
  {shape}
  connect i to r to b, m at r:b, tip at b:b{connect}
end
"""
SHAPE = """submodel (FixedShape) box(length=1, width=0.3, height=0.1, w3=1, red=0.8), cone(solid=Solid.Cone, r2=2,
  n1=0, n2=-1, length=0.5)
  submodel (FixedShape) ball(solid=Solid.Sphere, width=0.4, length=0.4, r1=3)"""


@pytest.mark.parametrize("library", ["mbs", "mbssim", "mbsmat"])
def test_shapes_are_drawn_and_change_nothing(library: str, write_model) -> None:
    text = SHAPES.replace("{library}", library)
    plain = cutset.load(write_model(text.replace("{shape}", "").replace("{connect}", ""))).simulate(stop=0.5)
    path = write_model(text.replace("{shape}", SHAPE).replace("{connect}", ", box at r:b, cone at b:b, ball at i"))
    run = cutset.load(path).simulate(stop=0.5)
    assert np.allclose(run["r.q"], plain["r.q"], rtol=0.0, atol=1e-12)
    drawn = scene(run)
    first, second = ends(drawn, "box", "box")
    assert np.allclose(first, np.stack([run[f"r.rb({k})"] for k in (1, 2, 3)], axis=1), atol=1e-9)
    assert np.allclose(second, np.stack([run[f"b.rb({k})"] for k in (1, 2, 3)], axis=1), atol=1e-9)
    _, box = part_of(drawn, "box", "box")
    assert box.size.tolist() == [0.3, 1.0, 0.1] and box.color == (0.8, 0.6, 0.6)
    wide = turned(box.turn[None, :], np.array([[1.0, 0.0, 0.0]]))[0]
    assert np.allclose(wide, [0.0, 0.0, 1.0], atol=1e-9)
    _, cone = part_of(drawn, "cone", "cone")
    assert np.allclose(cone.place, [0.0, 1.75, 0.0]) and cone.size.tolist() == [0.1, 0.5, 0.1]
    assert np.allclose(turned(cone.turn[None, :], np.array([[0.0, 1.0, 0.0]]))[0], [0.0, -1.0, 0.0], atol=1e-9)
    _, ball = part_of(drawn, "ball", "sphere")
    assert ball.place.tolist() == [3.0, 0.0, 0.0] and ball.size.tolist() == [0.4, 0.4, 0.4]
    # The box stands for the bar and the body behind the joint, and so does the cone for the other body.
    assert {part.name for node in drawn.nodes for part in node.parts} == {"i", "r", "box", "cone", "ball"}
    assert {"b", "m", "tip"} <= {part.name for node in scene(plain).nodes for part in node.parts}


def test_a_prismatic_joint_has_a_rail_as_long_as_its_way(write_model) -> None:
    path = write_model(
        "@mbssim\nmodel M\n submodel (Inertial) i(ng1=1)\n submodel (Prismatic) p(n1=1)\n submodel (Body) b(m=1)\n "
        "connect i to p to b\nend"
    )
    run = cutset.load(path).simulate(stop=1.0)
    first, second = ends(scene(run), "p", "box")
    assert np.allclose(first[-1], [0.0, 0.0, 0.0], atol=1e-9)
    assert np.allclose(second[-1], [run["p.q"][-1], 0.0, 0.0], atol=1e-9)


MADE = """@mbssim
model class MyBar
  cut (Frame) a, b
  main path p <a - b>
  parameter r1 = 0, r2 = 0, r3 = 0, density = 1000
  parameter l = sqrt(r1^2 + r2^2 + r3^2)
  parameter m = density*l*width*height
  parameter width = 0.2, height = 0.1, w1 = 0, w2 = 0, w3 = 1
  submodel (Bar) bar(r1=r1, r2=r2, r3=r3)
  submodel (Body) body(m=m, r1=r1/2, r2=r2/2, r3=r3/2)
  connect a to bar to b, body at a
end
model class (Interact) Ball "joint with a prescribed turn about two axes"
  local vw(6)
  bTa = [cos(time), sin(time), 0; -sin(time), cos(time), 0; 0, 0, 1]
  arab = 0
  vw = [0, 0, 1, 0, 0, 0]
  bvab = vw
  baab = 0
  Ia = -C'*Ib*C
  ba = -C'*(bb + Ib*[cross(vb(1..3), vw(1..3)); zeros(3)])
end
model class (MbsTwoCut) Sensor
  local T(3,3), r(3)
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  Ia = 0
  ba = 0
  Ib = 0
  bb = 0
end
model class (MbsTwoCut) Thread
  terminal f
  local F(3), r(3)
  r = Ta'*(rb - ra)
  f = 1
  F = f*r
  Ia = 0
  ba = [zeros(3); -F]
  Ib = 0
  bb = [zeros(3); Tb'*Ta*F]
end
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) hinge(n3=1)
  submodel (MyBar) bar(r1=1)
  submodel (Ball) ball
  submodel (Bar) tip(r2=-0.5)
  submodel (Body) m(m=1)
  submodel (Sensor) sensor
  submodel (Thread) thread
  connect i to hinge to bar to ball to tip to m, sensor at (i, tip:b), thread at (i, tip:b)
end
"""


def test_elements_are_known_by_what_they_declare(write_model) -> None:
    run = cutset.load(write_model(MADE)).simulate(stop=0.5)
    kinds = {element.name: element.kind for element in run.description.elements}
    assert kinds == {
        "i": "ground", "hinge": "joint", "bar.bar": "link", "bar.body": "body", "ball": "link", "tip": "link",
        "m": "body",
        "thread": "rod", "bar": "solid",
    }  # fmt: skip
    drawn = scene(run)
    solids = {(part.name, part.solid) for node in drawn.nodes for part in node.parts}
    assert {("bar", "box"), ("ball", "sphere"), ("thread", "cylinder"), ("tip", "cylinder")} <= solids
    assert not {"bar.bar", "bar.body", "sensor"} & {name for name, _ in solids}
    first, second = ends(drawn, "bar", "box")
    assert np.allclose(first, 0.0) and np.allclose(second, np.stack([run[f"ball.ra({k})"] for k in (1, 2, 3)], axis=1))
    assert part_of(drawn, "bar", "box")[1].size.tolist() == [0.2, 1.0, 0.1]
    for end, wanted in zip(ends(drawn, "thread", "cylinder"), ("i.ra", "tip.rb"), strict=True):
        assert np.allclose(end, np.stack([run[f"{wanted}({k})"] for k in (1, 2, 3)], axis=1), atol=1e-9)
    assert [force.name for force in drawn.forces] == ["hinge", "ball"]


@pytest.mark.parametrize("joints", [1, 3, 6])
def test_frames_with_vectors_of_all_joints(joints: int, write_model) -> None:
    """In mbsmat, other variables of a cut have the shape of a position or of a force if there are 3 or 6 joints."""
    kinds = ("Revolute", "Revolute", "Revolute", "Prismatic", "Prismatic", "Prismatic")[:joints]
    declared = "".join(f"submodel ({kind}) r{k}(n{k % 3 + 1}=1, q0=0.2)\n" for k, kind in enumerate(kinds))
    path = write_model(
        f"@mbsmat\nmodel M\nsubmodel (Inertial) i(ng3=-1)\n{declared}submodel (Bar) b(r1=1)\n"
        "submodel (Body) m(m=2, r1=0.1, I11=0.2, I22=0.2, I33=0.2)\n"
        f"connect i to {' to '.join(f'r{k}' for k in range(joints))} to b to m\nend"
    )
    frames = {f"{e.name}:{f.cut}": f for e in cutset.load(path).description.elements for f in e.frames}
    assert frames["b:a"] == FrameNames("a", "b.Ta", "b.ra", ("b.fa",))
    assert frames["m:a"].origin == "m.ra" and frames["m:a"].force == ("m.fa",)
