"""Model.mechanics: dynamics and kinematics of mechanisms as functions of arrays."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from oracles.multibody import Tree
from oracles.random_trees import ALL, SIMPLE, RandomTree, random_tree

import cutset
from cutset.api.command_line.command import main
from cutset.api.mechanics.mechanics import Mechanics, Pose
from cutset.runtime.targets.toolchain import find_compiler
from tests.spatial_loops import CLOSED, CUT
from tests.started_four_bars import SPEEDS, four_bar

MODELS = Path(__file__).parents[2] / "models"
HANGING = """
@mbs
model Hanging
  submodel (Inertial) i(ng3=-1)
  submodel (Prismatic) slide(n3=1)
  submodel (Body) body(m=2)
  submodel (Spring) spring(c=100)
  submodel (Rotor) rotor(J=5)
  connect i to slide to body, spring at (i, slide:b), rotor at slide:ext
end
"""


class Case:
    """A random tree, its mechanics, and a point: positions, velocities and accelerations in the order of the oracle."""

    def __init__(self, seed: int, folder: Path, library: str = "mbs", joints: int = 4, kinds: tuple[str, ...] = ALL):
        made = random_tree(seed, joints, library=library, kinds=kinds)
        path = folder / f"tree{seed}.mo"
        path.write_text(made.text)
        self.tree: Tree = replace(made.tree, damping=())
        self.mechanics: Mechanics = cutset.load(path).mechanics(target="python")
        self._made = made
        rng = np.random.default_rng(seed)
        self.q, self.v, self.a = (rng.normal(size=len(n)) for n in (made.positions, *[made.velocities] * 2))

    def ours(self, values: np.ndarray, positions: bool = False) -> np.ndarray:
        """The values in the order of the mechanics."""
        made: RandomTree = self._made
        names, wanted = (
            (made.positions, self.mechanics.positions) if positions else (made.velocities, self.mechanics.velocities)
        )
        return values[[names.index(name) for name in wanted]]

    @property
    def point(self) -> tuple[np.ndarray, np.ndarray]:
        return self.ours(self.q, positions=True), self.ours(self.v)

    def expected(self) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix and bias."""
        mass, right = self.tree.equations(self.q, self.v)
        order = self.ours(np.arange(len(self.v)))
        return mass[np.ix_(order, order)], -right[order]


@pytest.mark.parametrize(("seed", "library"), [(20, "mbs"), (6, "mbssim")])
def test_dynamics_of_random_trees(seed: int, library: str, tmp_path: Path) -> None:
    """FreeCardan, Screw and Revolute with a spring; Spherical, Universal and Planar."""
    case = Case(seed, tmp_path, library, joints=3)
    (q, v), m, a = case.point, case.mechanics, case.ours(case.a)
    mass, bias = case.expected()
    size = abs(mass).max() + abs(bias).max()
    assert np.allclose(m.mass_matrix(q), mass, rtol=1e-12, atol=1e-13 * size)
    assert np.allclose(m.bias(q, v), bias, rtol=1e-12, atol=1e-12 * size)
    tau = m.inverse(q, v, a)
    assert np.allclose(tau, mass @ a + bias, rtol=1e-12, atol=1e-12 * size)
    assert np.allclose(m.forward(q, v, tau), a, rtol=1e-9, atol=1e-9)


def test_many_points_at_a_time(tmp_path: Path) -> None:
    case = Case(2, tmp_path, joints=2)
    m, rng = case.mechanics, np.random.default_rng(1)
    q, v, a = (rng.normal(size=(2, 3, len(n))) for n in (m.positions, m.velocities, m.velocities))
    together = m.inverse(q, v, a), m.mass_matrix(q), m.pose(m.frames[-1], q).T
    n = len(m.velocities)
    assert [each.shape for each in together] == [(2, 3, n), (2, 3, n, n), (2, 3, 3, 3)]
    for k in np.ndindex(2, 3):
        one = m.inverse(q[k], v[k], a[k]), m.mass_matrix(q[k]), m.pose(m.frames[-1], q[k]).T
        assert all(np.array_equal(several[k], alone) for several, alone in zip(together, one, strict=True))


def test_motion_of_frames(tmp_path: Path) -> None:
    case = Case(4, tmp_path, joints=3, kinds=SIMPLE)
    (q, v), m = case.point, case.mechanics
    motion = case.tree.motion(case.q, case.v)
    expected = {f"j{k}:b": (motion.turn[k], motion.origin[k], motion.omega[k], motion.velocity[k]) for k in range(3)}
    for name, (turn, origin, omega, velocity) in expected.items():
        pose = m.pose(name, q)
        assert np.allclose(pose.T, turn, atol=1e-14) and np.allclose(pose.r, origin, atol=1e-13)
        assert np.allclose(m.jacobian(name, q) @ v, np.concatenate((omega, velocity)), atol=1e-12)
    every = m.velocity_transformation(q) @ v
    carried = [joint.name for joint in m.joints]
    assert np.allclose(every, np.concatenate([np.concatenate(expected[f"{j}:b"][2:]) for j in carried]), atol=1e-12)
    moves = abs(m.velocity_transformation(q)).reshape(3, 6, 3).max(axis=1) > 0
    assert np.array_equal(moves, m.path_matrix == 1)


def moving_four_bar(folder: Path) -> tuple[Mechanics, np.ndarray, np.ndarray, np.ndarray]:
    """The mechanics of a four-bar, and positions, velocities and accelerations of a run."""
    path = folder / "four_bar.mo"
    path.write_text(four_bar(SPEEDS))
    model = cutset.load(path)
    m = model.mechanics(target="python")
    run = model.simulate(1.0, points=5, target="python", initial={"crank.qd": 1.0}, rtol=1e-9, atol=1e-9)
    q, v, a = (np.stack([run[f"{joint.name}.{letter}"] for joint in m.joints], axis=1) for letter in ("q", "qd", "qdd"))
    return m, q, v, a


def test_constraints_of_a_loop(tmp_path: Path) -> None:
    m, q, v, a = moving_four_bar(tmp_path)
    constraints = m.constraint_jacobian(q)
    assert constraints.shape == (5, 2, 3)
    assert np.allclose(np.einsum("kij,kj->ki", constraints, v), 0, atol=1e-8)
    # M*a + h is G' times two multipliers.
    force = np.einsum("kij,kj->ki", m.mass_matrix(q), a) + m.bias(q, v)
    for each, directions in zip(force, constraints, strict=True):
        multipliers = np.linalg.lstsq(directions.T, each, rcond=None)[0]
        assert np.allclose(directions.T @ multipliers, each, atol=1e-7 * abs(each).max())


def test_a_loop_in_closed_form_is_the_tree_with_constraints(tmp_path: Path) -> None:
    """Coordinate partitioning: with v = B*u and G*B = 0 the mass matrix of the loop is B'*M*B."""
    models = []
    for name, text in (("closed.mo", CLOSED), ("cut.mo", CUT)):
        (tmp_path / name).write_text(text)
        models.append(cutset.load(tmp_path / name))
    closed, cut = (model.mechanics(target="python") for model in models)
    start = models[1].simulate(0.0, target="python")
    q, v = (np.array([start[name][0] for name in names]) for names in (cut.positions, cut.velocities))
    constraints = cut.constraint_jacobian(q)
    assert np.allclose(constraints @ v, 0, atol=1e-13)
    own = [cut.velocities.index(name) for name in closed.velocities]
    others = [k for k in range(len(v)) if k not in own]
    partition = np.zeros((len(v), len(own)))
    partition[own] = np.eye(len(own))
    partition[others] = -np.linalg.solve(constraints[:, others], constraints[:, own])
    assert np.allclose(closed.mass_matrix(q[own]), partition.T @ cut.mass_matrix(q) @ partition, rtol=1e-12)


def test_drives_are_left_out_and_springs_between_frames_are_not(tmp_path: Path) -> None:
    path = tmp_path / "hanging.mo"
    path.write_text(HANGING)
    model = cutset.load(path)
    m = model.mechanics(target="python")
    assert m.mass_matrix([0.3]).tolist() == [[2.0]]
    assert m.bias([0.3], [1.0])[0] == pytest.approx(2 * 9.81 + 30)
    assert m.forward([0.3], [1.0], [5.0])[0] == pytest.approx((5 - 2 * 9.81 - 30) / 2)
    heavier = model.mechanics({"body.m": 3.0, "spring.c": 0.0}, "python")
    assert heavier.bias([0.3], [1.0])[0] == pytest.approx(3 * 9.81)


@pytest.mark.parametrize("library", ["mbs", "mbsmat", "mbsabs"])
def test_every_library_gives_the_same(library: str) -> None:
    m = cutset.load(MODELS / "double_pendulum.mo", instead={"mbssim": library}).mechanics(target="python")
    assert (m.positions, m.velocities, m.forces) == (
        ("r1.q", "r2.q"),
        ("r1.qd", "r2.qd"),
        ("r1.lambda", "r2.lambda"),
    )
    expected = cutset.load(MODELS / "double_pendulum.mo").mechanics(target="python").mass_matrix([0.3, 0.4])
    assert np.array_equal(m.mass_matrix([0.3, 0.4]), expected)


def test_wrong_arguments(tmp_path: Path) -> None:
    path = tmp_path / "hanging.mo"
    path.write_text(HANGING)
    model = cutset.load(path)
    m = model.mechanics(target="python")
    with pytest.raises(
        ValueError, match=r"q \(\.\.\., 1\), v \(\.\.\., 1\) with the same leading axes, not \(2,\), \(1,\)"
    ):
        m.bias([0.3, 0.2], [1.0])
    with pytest.raises(cutset.RunError, match="no cut-frame 'slide:c'"):
        m.pose("slide:c", [0.3])
    with pytest.raises(cutset.RunError, match=r"no parameter 'body\.n'"):
        model.mechanics({"body.n": 3.0})
    assert m.constraint_jacobian(np.zeros((4, 1))).shape == (4, 0, 1)
    with pytest.raises(cutset.RunError, match="no joints that carry bodies"):
        cutset.load(MODELS / "rc.mo").mechanics()


def test_a_force_element_with_a_state_has_no_function() -> None:
    m = cutset.load(MODELS / "oods" / "double_pendulum.mo").mechanics(target="python")
    q = np.array([0, 0, 0, 1, 0, 0, 0, 1.0])
    assert np.all(np.linalg.eigvalsh(m.mass_matrix(q)) > 0)
    with pytest.raises(cutset.RunError, match="depends on 'torSpr\\.turned'"):
        m.bias(q, np.zeros(6))


@pytest.fixture(scope="module")
def arm() -> cutset.Model:
    return cutset.load(MODELS / "r3_arm.mo")


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")
def test_c_computes_the_same(arm: cutset.Model) -> None:
    compiled, written = (arm.mechanics(target=target) for target in ("c", "python"))
    q, v, a = np.random.default_rng(1).normal(size=(3, 4, 6))
    assert np.allclose(compiled.inverse(q, v, a), written.inverse(q, v, a), rtol=1e-13, atol=1e-12)
    assert np.allclose(compiled.inverse(q[0], v[0], a[0]), written.inverse(q, v, a)[0], rtol=1e-13, atol=1e-12)


def test_code_of_a_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pendulum = str(MODELS / "double_pendulum.mo")
    assert main(["translate", pendulum, "--mechanics", "jacobian:r2:b", "--target", "python", "-o", str(tmp_path)]) == 0
    space = dict(vars(math))
    exec((tmp_path / "model.py").read_text(), space)
    info, p, c = json.loads((tmp_path / "model.json").read_text()), [0.0] * 500, [0.0] * 500
    space["bindings"](p, [0.0] * 500)
    space["constants"](p, c)
    q, found = np.array([-1.0, 0.5]), [0.0] * info["n_outputs"]
    space["derivatives"](0.0, [], q.tolist(), c, [], [0.0] * info["n_work"], found)
    expected = cutset.load(pendulum).mechanics(target="python").jacobian("r2:b", q)
    assert np.allclose(np.reshape(found, (6, 2)), expected, atol=1e-14) and abs(expected).max() > 0.1
    assert main(["translate", pendulum, "--mechanics", "jacobian:r7:b"]) != 0
    assert "there is no cut-frame 'r7:b'" in capsys.readouterr().err
    assert main(["translate", pendulum, "--mechanics", "crba"]) != 0
    assert "the functions are: inverse, bias" in capsys.readouterr().err


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")
def test_arrays_of_one_point_go_directly_to_c(arm: cutset.Model) -> None:
    """The results of such a call are those of other arguments, each is a new array, and nothing is left behind."""
    m = arm.mechanics(target="c")
    q = np.random.default_rng(2).normal(size=6)
    first, of_a_list = m.pose("r6:b", q), m.pose("r6:b", q.tolist())
    assert isinstance(first, Pose) and isinstance(of_a_list, Pose)
    assert first.T.tolist() == of_a_list.T.tolist() and first.r.tolist() == of_a_list.r.tolist()
    kept = first.T.copy()
    assert m.pose("r6:b", 0.5 * q).T.tolist() != kept.tolist() == first.T.tolist()
    assert m.mass_matrix(q).tolist() == m.mass_matrix(q.tolist()).tolist()
    m.pose("r6:b", q)
    blocks = sys.getallocatedblocks()
    for _ in range(1000):
        m.pose("r6:b", q)
    assert sys.getallocatedblocks() - blocks < 100


AFTER_ALL = """
import ctypes, gc, sys
import cutset
from cutset.runtime.targets.compiled_function import CompiledFunction

cutset.load(sys.argv[1]).mechanics().mass_matrix([0.1])
first = next(each for each in gc.get_objects() if isinstance(each, CompiledFunction))
given = first._model, first._values, first._arguments, first._shapes, first._kind
left = []
for _ in range(50):
    others = [bytes(bytearray(b"\\xff" * 40)) for _ in range(1000)]
    del others  # what is behind a function in memory is not zero
    left.append(CompiledFunction(*given).call)
gc.collect()
others = [ctypes.create_string_buffer(b"\\xff" * 31) for _ in range(10000)]  # in place of what was deleted
gc.collect()
del left
gc.collect()
print("ended")
"""


def test_a_function_is_deleted_after_all_that_belongs_to_it(write_model) -> None:
    """As at the end of a process, where Python chooses the order."""
    path = write_model(
        "@mbs\nmodel Pendulum\n  submodel (Inertial) i(ng3=-1)\n  submodel (Revolute) r(n2=1)\n"
        "  submodel (Body) b(m=1, r1=0.5)\n  connect i to r to b\nend\n"
    )
    done = subprocess.run([sys.executable, "-c", AFTER_ALL, str(path)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")
