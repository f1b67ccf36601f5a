"""The topology of a mechanism: bodies, inboard bodies, joints, path matrix and loops."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from oracles.random_trees import random_tree

import cutset
from cutset.api.command_line.command import main
from cutset.api.mechanics.topology import topology_of
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library

SEVEN = """
@LIBRARY
model Seven "No's Fig. 2"
  submodel (Inertial) i(ng3=-1)
  submodel (Free) base
  submodel (Revolute) j2(n1=1), j3(n2=1), j4(n3=1)
  submodel (Universal) j5(na1=1, nb2=1)
  submodel (Cylindrical) j6(n3=1)
  submodel (Spherical) j7
  submodel (Body) m(7)(m=1, I11=0.1, I22=0.1, I33=0.1)
  submodel (Bar) arm(r1=1)
  submodel (Spring) s(c=1)
  connect i to base to j2 to arm to j4, base:b to j3, arm:b to j5, j3:b to j6, j3:b to j7, s at (j4:b, j7:b)
  connect m(1) at base:b, m(2) at j2:b, m(3) at j3:b, m(4) at j4:b, m(5) at j5:b, m(6) at j6:b, m(7) at j7:b
end
"""
# The linkage and the boom are one after the other: both are loops in closed form.
BOOM = """
@mbs
model Boom
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) boom(n2=1, q0=-0.3), stick(n2=1, q0=0.5)
  submodel (Bar) b1(r1=2), b2(r1=1), foot(r1=0.5, r3=-0.4), eye(r1=1, r3=0.3), lug(r1=1.4, r3=0.6)
  submodel (JointRPR) lift(n2=1, r11=0.5, r13=0.7, s0=0.8), pull(n2=1, r11=0.9, r13=0.5, s0=0.9)
  submodel (Body) m1(m=3, I22=0.2), m2(m=2, I22=0.2), m3(m=1, I22=0.2)
  submodel (RodSphericalSpherical) rod(length=4)
  submodel (CutForce) load
  connect i to boom to load to b1 to stick to b2, i to foot to lift:a, boom:b to eye to lift:b,
          eye:b to pull:a, stick:b to lug to pull:b, m1 at boom:b, m2 at stick:b, m3 at lift:ib, rod at (i:a, b2:b)
end
"""


def _topology(text: str, write_model):
    root = instantiate(load_library(write_model(text)))
    return topology_of(root, flatten(root))


@pytest.mark.parametrize("library", ["mbs", "mbssim", "mbsmat"])
def test_bodies_of_a_tree(library, write_model):
    """Joints of several coordinates are one; reference bodies L(j) and path matrix are those of No's example."""
    found = _topology(SEVEN.replace("LIBRARY", library), write_model)
    assert [body.joint.name for body in found.bodies] == ["base", "j2", "j4", "j5", "j3", "j6", "j7"]
    assert [body.masses for body in found.bodies] == [(f"m({k})",) for k in (1, 2, 4, 5, 3, 6, 7)]
    assert [body.inboard for body in found.bodies] == [0, 1, 2, 2, 1, 5, 5]
    assert [body.joint.freedom for body in found.bodies] == [6, 1, 1, 2, 1, 2, 3]
    assert found.bodies[3].joint.coordinates == ("j5.first.q", "j5.second.q")
    assert found.bodies[0].joint.coordinates[:4] == ("base.x(1)", "base.x(2)", "base.x(3)", "base.p(1)")
    assert found.bodies[1].links == ("arm",) and found.loops == ()
    rows = ["1000000", "1100000", "1110000", "1101000", "1000100", "1000110", "1000101"]
    assert ["".join(map(str, row)) for row in found.path_matrix] == rows


def test_path_matrix_of_a_random_tree(write_model):
    tree = random_tree(8, 6, forces=False)
    found = _topology(tree.text, write_model)
    order = [tree.joints.index(body.joint.name) for body in found.bodies]
    paths = np.zeros((len(order), len(order)), int)
    for row, joint in enumerate(order):
        while joint >= 0:
            paths[row, order.index(joint)] = 1
            joint = tree.tree.joints[joint].parent
    np.testing.assert_array_equal(found.path_matrix, paths)


def test_loops(write_model):
    """Two in closed form, the second on the boom that the first one moves, and one that is closed by a rod."""
    found = _topology(BOOM, write_model)
    assert [(loop.name, loop.bodies, loop.joints) for loop in found.loops] == [
        ("lift", (0, 1), ("boom",)),
        ("pull", (1, 2), ("stick",)),
        ("rod", (0, 2), ("boom", "stick")),
    ]
    assert [(body.joint.name, body.inboard, body.masses) for body in found.bodies[2:]] == [
        ("lift:ia", 0, ()),
        ("lift:ib", 1, ("m3",)),
        ("pull:ia", 1, ()),
        ("pull:ib", 2, ()),
    ]


def test_graph(write_model):
    graph = _topology(BOOM, write_model).graph()
    tree = nx.MultiDiGraph([(a, b) for a, b, closes in graph.edges(data="closes") if not closes])
    assert nx.is_arborescence(tree) and len(tree) == 7
    assert sorted(name for *_, name in graph.edges(0, data="joint")) == ["boom", "lift", "lift:ia", "rod"]
    assert graph.nodes[1]["links"] == ("b1", "eye", "load")


LIFT = """
@mbsmat
model Lift
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) boom(n2=1)
  submodel (Bar) foot(r1=0.5, r3=-0.4), eye(r1=1)
  submodel (JointRPR) lift(n2=1, r11=0.5, r13=0.4)
  submodel (PointMass) m(m=3)
  connect i to boom to eye to m, i to foot to lift:a, eye:b to lift:b
end
"""


def test_command(write_model, capsys):
    path = write_model(LIFT)
    assert main(["inspect", str(path), "--topology"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Lift: 3 bodies, 1 degree of freedom in the tree, 1 loop\n")
    assert " loop: lift (JointRPR) between bodies 0 and 1, through boom\n" in out
    assert main(["inspect", str(path), "--topology", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)["topology"]
    assert facts["path_matrix"] == [[1, 0, 0], [0, 1, 0], [1, 0, 1]]
    assert [body["inboard"] for body in facts["bodies"]] == [0, 0, 1]


def test_no_mechanism(write_model, capsys):
    assert main(["inspect", str(write_model("model M\nlocal x\nx = time\nend\n")), "--topology"]) == 0
    out = capsys.readouterr().out
    assert out == "M has no joints with coordinates between cut-frames\n"


def test_joints_made_of_constraints_are_listed(write_model):
    """Those of mbsabs, also where they are joints of the user's own classes."""
    path = write_model("""@mbs
model class (JointN) Slide "along axis 1"
  T = identity(3)
  r = [q(1), 0, 0]
  Phi(:, 1) = [0, 0, 0, 1, 0, 0]
  zeta = 0
end
model Lift
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) boom(n2=1)
  submodel (Slide) s
  submodel (Bar) foot(r1=0.5, r3=-0.4), eye(r1=1)
  submodel (JointRPR) lift(n2=1, r11=0.5, r13=0.4)
  submodel (PointMass) m(m=3), tip(m=1)
  connect i to boom to eye to m, i to foot to lift:a, eye:b to lift:b, eye:b to s to tip
end
""")
    found = [cutset.load(path, instead={"mbs": library}).graph("topology") for library in ("mbssim", "mbsabs")]
    topologies = [graph.graph["topology"] for graph in found]
    assert topologies[0] == topologies[1] and "s" in {body.joint.name for body in topologies[1].bodies}


def test_frames_that_only_mbsabs_has_are_told(write_model):
    own = """@mbsabs
model class (MbsTwoCut) Grip "holds b at a, with a frame as mbsabs has it"
  Tb = Ta
  pb = pa
  rb = ra
  wb = wa
  gb = ga
  fa + fb = 0
  taua + taub = 0
end
model M
  submodel (Inertial) i
  submodel (Revolute) j(n3=1)
  submodel (Grip) g
  submodel (Body) m(m=1, r1=1)
  connect i to j to g to m
end
"""
    model = cutset.load(write_model(own))
    for found in (lambda: model.graph("topology"), model.mechanics):
        with pytest.raises(cutset.RunError, match="with mbs instead of mbsabs, which has errors") as raised:
            found()
        assert raised.value.code == "E605" and "E211" in str(raised.value)
