"""Trees in both multibody libraries, in the oracle's formulation and in Pinocchio: one set of accelerations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.many_trees import OF_A_JOINT, comparison, tree_number
from oracles.multibody import Body, Joint, Tree
from oracles.pinocchio_trees import pinocchio_accelerations
from oracles.random_trees import ALL, random_tree
from oracles.translated import joint_accelerations, random_state, relative_error, tree_accelerations

import cutset
from cutset.compiler.options import Options
from cutset.compiler.pipeline import Observer, compile_model

LIBRARIES = ("mbs", "mbssim")


def _both(text: str, folder: Path) -> list[cutset.Model]:
    """The model with each of the libraries."""
    models = []
    for library in LIBRARIES:
        file = folder / f"{library}_tree.mo"
        file.write_text(text.replace("@mbssim", f"@{library}"), encoding="utf-8")
        models.append(cutset.load(file))
    return models


def _check(text: str, joints: tuple[str, ...], tree: Tree, rng: np.random.Generator, path) -> None:
    """Both libraries and the oracle, and where there are no other forces, Pinocchio, at three random states."""
    models = _both(text, path)
    assert sum(system["torn"] for system in models[0].inspect()["linear_systems"]) <= len(joints)
    assert models[1].inspect()["linear_systems"] == []
    for _ in range(3):
        q, qd = rng.uniform(-3, 3, len(joints)), rng.uniform(-3, 3, len(joints))
        expected = tree.accelerations(q, qd)
        if not tree.springs and not any(tree.damping):
            assert relative_error(pinocchio_accelerations(tree, q, qd, np.zeros(len(q))), expected) < 1e-9
        for model in models:
            assert relative_error(joint_accelerations(model, joints, q, qd), expected) < 1e-9


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (0, 0, 1), (1, 2, 0), (0.3, -0.4, 0.8)], ids=str)
@pytest.mark.parametrize("kind", ["Revolute", "Prismatic"])
def test_each_joint_alone_on_a_turning_arm(kind, axis, tmp_path):
    pytest.importorskip("pinocchio")
    text = (
        "@mbssim\nmodel One\nsubmodel (Inertial) i(ng1=1, ng2=2, ng3=-3)\nsubmodel (Revolute) arm(n1=1, "
        "n2=1)\nsubmodel (Bar) b(r1=0.4, r3=0.3)\n"
        f"submodel ({kind}) j(n1={axis[0]}, n2={axis[1]}, n3={axis[2]})\n"
        "submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)\n"
        "connect i to arm to b to j to m\nend\n"
    )
    gravity = tuple(9.81 * np.array([1, 2, -3]) / np.sqrt(14))
    joints = (Joint(-1, (1, 1, 0)), Joint(0, axis, (0.4, 0, 0.3), kind == "Prismatic"))
    body = Body(1, 2.0, (0.1, -0.2, 0.3), (0.4, 0.5, 0.6, 0.05, -0.1, 0.02))
    _check(text, ("arm", "j"), Tree(joints, (body,), gravity), np.random.default_rng(1), tmp_path)


@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), joints=st.integers(1, 30), forces=st.booleans())
def test_random_trees_agree(seed, joints, forces, tmp_path_factory):
    """Of joints with one degree of freedom up to 30; of all kinds up to 12, which have as many degrees of freedom."""
    pytest.importorskip("pinocchio")
    folder = tmp_path_factory.mktemp("tree")
    tree = random_tree(seed, joints, forces=forces)
    _check(tree.text, tree.joints, tree.tree, np.random.default_rng(seed + 1), folder)
    tree = random_tree(seed, 1 + joints // 3, forces=forces, kinds=ALL)
    rng = np.random.default_rng(seed + 2)
    for model in _both(tree.text, folder):
        q, qd = random_state(tree, rng)
        expected = tree.tree.accelerations(q, qd)
        assert relative_error(tree_accelerations(model, tree, q, qd), expected) < 1e-9


class _Solved(Exception):
    """The stage that is looked at is done."""


def torn_of(path: Path, larger_than: int = 0) -> int:
    """How many unknowns of linear systems are solved together, without generating code."""

    def observe(stage, result):
        if stage == "solve":
            raise _Solved(sum(system.torn for system in result.linear_systems if system.size > larger_than))
        return result

    with pytest.raises(_Solved) as caught:
        compile_model(path, None, Options(), Observer([observe]))
    return caught.value.args[0]


@pytest.mark.parametrize("axes", [("n3=1",), ("n3=1", "n1=1", "n2=1")], ids=["parallel", "not parallel"])
@pytest.mark.parametrize("branches", [1, 3])
def test_as_many_are_torn_as_there_are_joints(axes, branches, tmp_path):
    """Chains that begin at one link; errors do not grow along them, however long they are."""
    links = 14
    lines = ["@mbs", "", "model Links", "  submodel (Inertial) i(ng2=-1)", "  submodel (Revolute) r0(n3=1)"]
    lines += ["  submodel (Body) m0(m=1, I11=0.1, I22=0.1, I33=0.1)", "  connect i to r0 to m0"]
    for k in range(1, links):
        before = f"b{k - branches}:b" if k > branches else "r0:b"
        lines += [
            f"  submodel (Revolute) r{k}({axes[k % len(axes)]})",
            f"  submodel (Bar) b{k}(r1=0.5, r2=0.1, r3=0.05)",
            f"  submodel (Body) m{k}(m=1, r1=0.25, r2=0.05, I11=0.01, I22=0.02, I33=0.02)",
            f"  connect r{k}:a at {before}, b{k}:a at r{k}:b, m{k} at r{k}:b",
        ]
    path = tmp_path / "links.mo"
    path.write_text("\n".join([*lines, "end", ""]), encoding="utf-8")
    assert torn_of(path) <= links


@pytest.mark.parametrize("number", [4, 16])
def test_random_trees_are_torn_to_their_freedoms(number, tmp_path):
    """Axes that lie anyhow: here one more variable after the other would be torn where not the accelerations of the
    joints are."""
    tree = tree_number(number)
    path = tmp_path / "tree.mo"
    path.write_text(tree.text.replace("@mbssim", "@mbs"), encoding="utf-8")
    assert torn_of(path) <= len(tree.velocities)


def test_motions_are_not_computed_from_forces(tmp_path):
    """Of Cardan joints one behind the other, behind a free body: the accelerations of their last frames belong to the
    system of the tree, those of their angles do not. The greedy choice tears 42 of 39."""
    tree = tree_number(296)
    path = tmp_path / "tree.mo"
    path.write_text(tree.text.replace("@mbssim", "@mbs"), encoding="utf-8")
    assert torn_of(path, OF_A_JOINT) <= len(tree.velocities) - 2


def test_accelerations_that_are_solved_behind_a_tree_are_torn_with_it(tmp_path):
    """Of joints along the axes of their frames they stand in one equation each, which gives them once all else is
    known."""
    found = comparison(tree_number(209), tmp_path)
    assert found.torn <= found.freedoms and found.apart < 1e-9


@pytest.mark.parametrize("number", [0, 2])
def test_deep_trees_agree(number, tmp_path):
    """`python -m tests.oracles.many_trees` does it for as many as one likes."""
    assert comparison(tree_number(number, 12), tmp_path).apart < 1e-9


def test_cut_forces_agree(tmp_path):
    """In all libraries, the oracle and Pinocchio (if it is installed), for a tree with joints of all kinds."""
    found = comparison(tree_number(8, 8, loads=True), tmp_path, others=("mbssim", "mbsabs", "mbsmat"))
    assert not found.wrong and {"force", "torque"} <= found.cuts.keys()
