"""Assemblies that close loops in space (JointUPS, JointUSR, JointSSP): the libraries against each other, and against
the same mechanism of joints and cut joints."""

from __future__ import annotations

import pytest
from multibody_pairs import LIBRARIES, assert_same, at_start, model_with, vectors
from spatial_loops import CLOSED, CUT

import cutset
from cutset.compiler.diagnostics import ModelError

NAMES = [
    *("arm.qdd", "wrist.qdd", "oil.q", "oil.qdd", "stop.q", "stop.qdd"),
    *vectors("load.f", "load.tau", "s.r", "s.v", "s.w", "s.acc", "s.alpha"),
]


def test_assemblies_move_like_their_joints(write_model):
    expected = at_start(write_model(CUT), NAMES, "mbs")
    path = write_model(CLOSED)
    for library in LIBRARIES[:3]:  # those of mbsabs are compared in its own tests
        assert_same(at_start(path, NAMES, library), expected)
    assert not model_with(path, "mbs").inspect()["nonlinear_systems"]


@pytest.mark.parametrize(
    ("joint", "missing"),
    [
        ("JointUPS) j(r1=[0, 0, 1])", "the first axis has no direction"),
        ("JointUPS) j(na=[0, 0, 1], r1=[0, 0, 1])", "the rod has no direction across the first axis"),
        ("JointUSR) j(na=[1, 0, 0], r1=[0, 0, 1], r2=[1, 0, 0])", "the revolute axis has no direction"),
        ("JointSSP) j(r1=[0, 0, 1])", "the slider has no direction"),
    ],
)
def test_a_direction_that_is_missing_is_named(joint, missing, write_model):
    text = (
        "@mbs\nmodel M\n  submodel (Inertial) i\n  submodel (Free) f(x1=1)\n  submodel (PointMass) m(m=1)\n"
        f"  submodel ({joint}\n  connect i to f to m, j:a at i, j:b at f:b\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        cutset.load(write_model(text))
    assert missing in caught.value.diagnostics[0].message


def test_the_topology_has_the_rods(write_model):
    """The rod of JointSSP may turn about itself and is none of the bodies."""
    graph = cutset.load(write_model(CLOSED)).graph("topology")
    rods = {data["joint"] for *_, data in graph.edges(data=True) if data.get("joint", "")[1:2] == ":"}
    assert rods == {"a:ia", "a:ib", "b:ia", "b:im", "c:im"}
