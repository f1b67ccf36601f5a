"""Joints of all types on a turning arm: both multibody libraries and Pinocchio at random states."""

from __future__ import annotations

import numpy as np
import pytest

import cutset

pin = pytest.importorskip("pinocchio")

ARM = (
    "model Arm\nsubmodel (Inertial) i(ng1=1, ng2=2, ng3=-3)\nsubmodel (Revolute) arm(n1=1, n2=1)\nsubmodel (Bar) "
    "bar(r1=0.4, r3=0.3)\n"
    "submodel (Body) link(m=1.5, r1=0.2, I11=0.1, I22=0.2, I33=0.3)\n"
    "submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)\n"
    "connect i to arm to bar to j to m, link at arm:b\n"
)
GRAVITY = 9.81 * np.array([1.0, 2.0, -3.0]) / np.sqrt(14)
TENSOR = np.array([[0.4, 0.05, -0.1], [0.05, 0.5, 0.02], [-0.1, 0.02, 0.6]])
OBLIQUE = np.array([0.3, -0.4, 0.8])


def _model(write_model, library: str, joint: str):
    return cutset.load(write_model(f"@{library}\n{ARM}submodel {joint}\nend\n"))


def _peer(*joints) -> tuple:
    """The arm with these joints one after the other behind the bar."""
    model = pin.Model()
    model.gravity.linear = GRAVITY
    axis = np.array([1.0, 1.0, 0.0]) / np.sqrt(2)
    last = model.addJoint(0, pin.JointModelRevoluteUnaligned(axis), pin.SE3.Identity(), "arm")
    model.appendBodyToJoint(last, pin.Inertia(1.5, np.array([0.2, 0, 0]), np.diag([0.1, 0.2, 0.3])), pin.SE3.Identity())
    placement = pin.SE3(np.eye(3), np.array([0.4, 0.0, 0.3]))
    for k, joint in enumerate(joints):
        last = model.addJoint(last, joint, placement, f"j{k}")
        placement = pin.SE3.Identity()
    model.appendBodyToJoint(last, pin.Inertia(2.0, np.array([0.1, -0.2, 0.3]), TENSOR), pin.SE3.Identity())
    return model, model.createData()


def _derivatives(model, states: dict[str, float]) -> dict[str, float]:
    # Euler parameters have second names.
    names = {f"j.e({k})": f"j.p({k})" for k in (1, 2, 3)}
    x = [states[names.get(name, name)] for name in model.states]
    return {names.get(n, n): d for n, d in zip(model.states, model.evaluate(0.0, x), strict=True)}


def _axis(n: np.ndarray, first: str = "n") -> str:
    return ", ".join(f"{first}{k + 1}={n[k]}" for k in range(3))


def _unit(n) -> np.ndarray:
    return np.array(n, float) / np.linalg.norm(n)


def _revolute(n):
    return pin.JointModelRevoluteUnaligned(_unit(n))


def _prismatic(n):
    return pin.JointModelPrismaticUnaligned(_unit(n))


X, Y, Z = np.eye(3)
SECOND = np.cross(OBLIQUE, X)
# Declaration, joints of Pinocchio, names of the coordinates.
CHAINS = {
    "Revolute": (f"(Revolute) j({_axis(OBLIQUE)})", (_revolute(OBLIQUE),), ("j",)),
    "Prismatic": (f"(Prismatic) j({_axis(OBLIQUE)})", (_prismatic(OBLIQUE),), ("j",)),
    "Screw": (
        f"(Screw) j({_axis(OBLIQUE)}, pitch=0.7)",
        (pin.JointModelHelicalUnaligned(_unit(OBLIQUE), 0.7 / (2 * np.pi)),),
        ("j",),
    ),
    "Cylindrical": (
        f"(Cylindrical) j({_axis(OBLIQUE)})", (_prismatic(OBLIQUE), _revolute(OBLIQUE)), ("j.slide", "j.turn"),
    ),
    "Universal": (
        f"(Universal) j({_axis(OBLIQUE, 'na')}, {_axis(SECOND, 'nb')})", (_revolute(OBLIQUE), _revolute(SECOND)),
        ("j.first", "j.second"),
    ),
    "Planar": (
        f"(Planar) j({_axis(OBLIQUE)}, {_axis(SECOND, 'nx')})",
        (_prismatic(SECOND), _prismatic(np.cross(OBLIQUE, SECOND)), _revolute(OBLIQUE)), ("j.x", "j.y", "j.turn"),
    ),
    "SphericalCardan": ("(SphericalCardan) j", tuple(map(_revolute, (X, Y, Z))), ("j.x", "j.y", "j.z")),
    "FreeCardan": (
        "(FreeCardan) j", (*map(_prismatic, (X, Y, Z)), *map(_revolute, (X, Y, Z))),
        ("j.x", "j.y", "j.z", "j.turn.x", "j.turn.y", "j.turn.z"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
@pytest.mark.parametrize("kind", CHAINS)
def test_joints_of_single_coordinates(kind, library, write_model):
    declaration, joints, names = CHAINS[kind]
    model, (peer, data) = _model(write_model, library, declaration), _peer(*joints)
    rng = np.random.default_rng(5)
    for _ in range(5):
        q, qd = rng.uniform(-2, 2, (2, 1 + len(joints)))
        expected = pin.aba(peer, data, q, qd, np.zeros(len(q)))
        states = {f"{n}.q": x for n, x in zip(("arm", *names), q, strict=False)} | {
            f"{n}.qd": v for n, v in zip(("arm", *names), qd, strict=False)
        }
        found = _derivatives(model, states)
        qdd = np.array([found[f"{n}.qd"] for n in ("arm", *names)])
        np.testing.assert_allclose(qdd, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
@pytest.mark.parametrize("free", [False, True], ids=["Spherical", "Free"])
def test_joints_with_euler_parameters(free, library, write_model):
    model = _model(write_model, library, "(Free) j" if free else "(Spherical) j")
    peer, data = _peer(pin.JointModelFreeFlyer() if free else pin.JointModelSpherical())
    rng = np.random.default_rng(6)
    for _ in range(5):
        p, w, (x, v), (q, qd) = (
            _unit(rng.normal(size=4)),
            rng.normal(size=3),
            rng.normal(size=(2, 3)),
            rng.normal(size=2),
        )
        turn = pin.Quaternion(p[3], p[0], p[1], p[2]).matrix().T  # from frame a to frame b
        local = turn @ v
        position, velocity = ([q, *x, *p], [qd, *local, *w]) if free else ([q, *p], [qd, *w])
        expected = pin.aba(peer, data, np.array(position), np.array(velocity), np.zeros(len(velocity)))
        states = {"arm.q": q, "arm.qd": qd} | {f"j.p({k + 1})": p[k] for k in range(4)}
        for k in range(3):
            states |= {f"j.w({k + 1})": w[k], f"j.x({k + 1})": x[k], f"j.v({k + 1})": v[k]}
        found = _derivatives(model, states)
        ours = [found["arm.qd"], *(found[f"j.w({k})"] for k in (1, 2, 3))]
        theirs = [expected[0], *expected[-3:]]
        if free:
            ours += list(turn @ np.array([found[f"j.v({k})"] for k in (1, 2, 3)]) - np.cross(w, local))
            theirs += list(expected[1:4])
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
        # The Euler parameters keep their length.
        assert sum(found[f"j.p({k + 1})"] * p[k] for k in range(4)) == pytest.approx(0.0, abs=1e-12)
