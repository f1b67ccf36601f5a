"""Matrices about a point, against closed forms and differences; eigenvalues and damping."""

import numpy as np
import pytest

import cutset
from cutset.runtime.analysis.linearize import eigenvalues_of, motions_of
from cutset.runtime.errors import RunError

PENDULUM = """model Pendulum
  parameter L = 2, g = 9.81, d = 0.3
  local phi (start=0.5), w, x, F
  input u
  der(phi) = w
  L^2*der(w) = -g*L*sin(phi) - d*w + u
  x = L*sin(phi)
  F = w^2*L + g*cos(phi) + 3*u
end
"""


@pytest.fixture(params=["c", "python"])
def pendulum(request, write_model):
    model = cutset.load(write_model(PENDULUM))
    return lambda **given: model.simulate(0.7, inputs={"u": 0.4}, target=request.param, rtol=1e-9, atol=1e-9, **given)


def test_matrices_of_a_pendulum(pendulum):
    run = pendulum()
    found = run.linearize(["x", "F"])
    phi, w = run["phi"][-1], run["w"][-1]
    at = dict(zip(found.states, range(2), strict=True))
    p, v = at["phi"], at["w"]
    assert found.inputs == ("u",) and found.outputs == ("x", "F") and found.point.t == 0.7
    assert found.A[p].tolist() == [float(v == 0), float(v == 1)]
    np.testing.assert_allclose(found.A[v, [p, v]], [-9.81 / 2 * np.cos(phi), -0.3 / 4], rtol=1e-9)
    np.testing.assert_allclose(found.B[[p, v], 0], [0.0, 0.25], atol=1e-10)
    np.testing.assert_allclose(found.C[:, [p, v]], [[2 * np.cos(phi), 0], [-9.81 * np.sin(phi), 4 * w]], atol=1e-8)
    np.testing.assert_allclose(found.D, [[0.0], [3.0]], atol=1e-9)
    np.testing.assert_allclose(found.y, [2 * np.sin(phi), 2 * w**2 + 9.81 * np.cos(phi) + 1.2], rtol=1e-12)


def test_motion_of_a_pendulum(pendulum):
    found = pendulum(initial={"phi": 0.0, "w": 0.0}, parameters={"g": 5.0}).linearize()
    phi = dict(zip(found.states, found.point.x, strict=True))["phi"]
    omega = np.sqrt(2.5 * np.cos(phi))
    (motion,) = found.motions
    assert motion.frequency == pytest.approx(omega, rel=1e-9)
    assert motion.damping == pytest.approx(0.075 / 2 / omega, rel=1e-9)
    assert motion.eigenvalue.imag > 0 and {name for name, _ in motion.states} == {"phi", "w"}
    assert sum(part for _, part in motion.states) == pytest.approx(1.0)
    np.testing.assert_allclose(found.eigenvalues, np.sort_complex(np.linalg.eigvals(found.A)), rtol=1e-12)


def test_frequency_response_of_a_pendulum(pendulum):
    found = pendulum(initial={"phi": 0.0, "w": 0.0}, parameters={"g": 0.0}).linearize(["x", "F"])
    phi, omega = dict(zip(found.states, found.point.x, strict=True))["phi"], np.array([0.01, 0.4, 3.0])
    s = 1j * omega
    response = found.response(omega)
    assert response.shape == (2, 1, 3)
    np.testing.assert_allclose(response[0, 0], 2 * np.cos(phi) / (4 * s**2 + 0.3 * s), rtol=1e-9)
    drawn = found.bode(omega).axes
    gain, phase = drawn[0].lines[0], drawn[1].lines[0]
    np.testing.assert_allclose(gain.get_xdata(), omega / (2 * np.pi))
    np.testing.assert_allclose(gain.get_ydata(), 20 * np.log10(np.abs(response[0, 0])))
    np.testing.assert_allclose(phase.get_ydata(), -90 - np.degrees(np.arctan(4 * omega / 0.3)), rtol=1e-9)
    with pytest.raises(RunError, match="needs outputs"):
        pendulum().linearize().bode()


def test_what_is_held_stays_held(write_model):
    text = "model Limited\n  local x (start=2)\n  input u\n  der(x) = if x > 1 then -3*x + u else x\nend\n"
    model = cutset.load(write_model(text))
    assert model.simulate(0.1).linearize().A.tolist() == [[-3.0]]
    assert model.simulate(0.1, initial={"x": 0.5}).linearize().A.tolist() == [[1.0]]


def test_in_a_nonlinear_system(write_model):
    """The branch that the run follows: y^3 - 3*y = x has three solutions."""
    text = "model Fold\n  local x (start=0), y (start=-2)\n  der(x) = 0.1 - 0.2*y\n  y^3 - 3*y = x\nend\n"
    run = cutset.load(write_model(text)).simulate(1.0)
    y = run["y"][-1]
    assert y < -1.6
    found = run.linearize("y")
    assert found.C[0, 0] == pytest.approx(1 / (3 * y**2 - 3), rel=1e-7)
    assert found.A[0, 0] == pytest.approx(-0.2 / (3 * y**2 - 3), rel=1e-7)


def test_a_robot_arm_against_differences():
    model = cutset.load("models/r3_arm.mo")
    found = model.simulate(0.4, rtol=1e-9, atol=1e-9).linearize("*.qdd")
    x, n, h = found.point.x, len(found.states), 1e-5
    columns = [(model.evaluate(0.4, x + h * e) - model.evaluate(0.4, x - h * e)) / (2 * h) for e in np.eye(n)]
    np.testing.assert_allclose(found.A, np.array(columns).T, atol=1e-6 * np.abs(found.A).max())
    rates = [f"r{k}.qd" for k in range(1, 7)]
    rows = [found.states.index(name) for name in rates]
    of_outputs = [found.outputs.index(f"{name}d") for name in rates]
    np.testing.assert_allclose(found.C[of_outputs], found.A[rows], rtol=1e-7, atol=1e-7)


def test_files_and_other_tools(pendulum, tmp_path):
    found = pendulum().linearize("x")
    found.to_npz(tmp_path / "lin.npz")
    with np.load(tmp_path / "lin.npz", allow_pickle=False) as read:
        assert read["A"].tolist() == found.A.tolist() and read["states"].tolist() == list(found.states)
        assert read["u"].tolist() == [0.4] and float(read["time"]) == 0.7
    with pytest.raises(RunError, match="is not a file name for to_npz"):
        found.to_npz(tmp_path / "lin.csv")
    try:
        import control
    except ImportError:
        with pytest.raises(RunError, match="python-control is not installed"):
            found.to_control()
    else:
        system = found.to_control()
        assert isinstance(system, control.StateSpace) and system.state_labels == list(found.states)


def test_python_control_takes_models_of_submodels(write_model):
    """Its names have no dots."""
    control = pytest.importorskip("control")
    text = (
        "model class Stage\n  terminal x, u\n  der(x) = u - 2*x\nend\n"
        "model M\n  submodel (Stage) first, second\n  input u\n  first.u = u\n  second.u = first.x\nend\n"
    )
    system = cutset.load(write_model(text)).simulate(0.0).linearize(["second.x"]).to_control()
    assert sorted(system.state_labels) == ["first/x", "second/x"]
    assert (system.input_labels, system.output_labels) == (["u"], ["second/x"])
    response = complex(system(3j).item())
    assert response == pytest.approx(1 / (3j + 2) ** 2, rel=1e-6)
    assert control.damp(system, doprint=False)[0] == pytest.approx([2.0, 2.0], rel=1e-4)
    model = cutset.load(write_model("model X\n  local x\n  der(x) = -x\nend\n")).simulate(0.0)
    with pytest.raises(RunError, match="does not accept systems without inputs"):
        model.linearize(["x"]).to_control()


def test_without_states_or_outputs(write_model):
    found = (
        cutset.load(write_model("model Y\n  input u\n  local y\n  y = u^2\nend\n"))
        .simulate(1.0, inputs={"u": 3.0})
        .linearize("y")
    )
    assert found.A.shape == (0, 0) and found.motions == () and pytest.approx(np.array([[6.0]])) == found.D
    found = cutset.load(write_model("model X\n  local x\n  der(x) = -x\nend\n")).simulate(1.0).linearize()
    assert found.C.shape == (0, 1) and found.B.shape == (1, 0) and found.D.shape == (0, 0)


def motions(a, names="abcdefgh"):
    return motions_of(np.array(a, dtype=float), names, 1e-13)


def test_zeros_of_a_chain_are_one_motion():
    """Three integrators in a row, in a basis that hides it: eig gives 1e-5 and its like."""
    turn = np.random.default_rng(3).normal(size=(5, 5))
    a = np.array([[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, -2, 3], [0, 0, 0, -3, -2]])
    a = turn @ a @ np.linalg.inv(turn)
    assert np.abs(np.linalg.eigvals(a)).min() > 1e-7
    zeros, moving = motions(a)
    assert (zeros.eigenvalue, zeros.frequency, zeros.damping, zeros.count) == (0, 0, None, 3)
    assert moving.eigenvalue == pytest.approx(-2 + 3j, rel=1e-9)
    projector = turn @ np.diag([1, 1, 1, 0, 0]) @ np.linalg.inv(turn)
    parts = np.abs(np.diag(projector))
    for name, part in zeros.states:
        assert part == pytest.approx(3 * parts["abcde".index(name)] / parts.sum(), rel=1e-6)
    assert eigenvalues_of([zeros, moving]).tolist() == [0, 0, 0, moving.eigenvalue.conjugate(), moving.eigenvalue]


def test_states_of_zeros_that_are_not_coupled():
    a = np.zeros((4, 4))
    a[0, 1], a[2, 2], a[0, 2], a[1, 3] = 1.0, -5.0, 1e8, 1.0
    zeros, moving = motions(a)
    assert zeros.states == (("a", 1.0), ("b", 1.0), ("d", 1.0)) and zeros.count == 3
    assert moving.states == (("c", 1.0),) and moving.eigenvalue == -5.0


def test_what_is_slow_is_not_zero():
    """Beside a fast part, apart from it or coupled to it."""
    slow = motions([[-1e-7, 0.0, 0.0], [1e9, -1e9, 1e9], [0.0, -1e9, 0.0]])[0]
    assert slow.eigenvalue == -1e-7 and slow.damping == 1.0 and slow.states == (("a", 1.0),)
    assert motions([[-2e-6, 1e-6], [1e3, -1e3]])[0].eigenvalue == pytest.approx(-1e-6, rel=1e-3)


def test_without_damping_is_not_unstable():
    """A pendulum of three links without friction: real parts of either sign are round-off."""
    stiff, mass = np.array([[3.0, 0, 0], [0, 2, 0], [0, 0, 1]]), np.array([[3.0, 2, 1], [2, 2, 1], [1, 1, 1]])
    a = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.linalg.solve(mass, stiff), np.zeros((3, 3))]])
    assert [motion.damping for motion in motions(a)] == [0.0, 0.0, 0.0]
    damped = a - 1e-9 * np.diag([0, 0, 0, 1, 1, 1])
    assert all(0.0 < motion.damping < 1e-9 for motion in motions(damped))


def test_zeros_from_differences():
    """Without derivatives in symbols, elements that are zero are not quite so."""
    noisy = np.array([[1e-12, 2.0], [3e-12, -1.0]])
    assert motions_of(noisy, "ab", 1e-10)[0].count == 1
    assert motions(noisy)[0].eigenvalue == pytest.approx(7e-12, rel=1e-3)


def test_states_of_a_zero_eigenvalue_come_by_their_participation():
    """The products of the elements of both null vectors, (1, 1) and (1, 2), with a sum of 1."""
    zero, decay = motions_of(np.array([[-2.0, 2.0], [1.0, -1.0]]), ["a", "b"], 1e-14)
    assert [name for name, _ in zero.states] == ["b", "a"]
    assert [part for _, part in zero.states] == pytest.approx([2 / 3, 1 / 3])
    assert decay.eigenvalue == pytest.approx(-3)


def test_delayed_values_are_named():
    text = "model M\n  input u\n  local x (start=1)\n  der(x) = -x + {}\nend\n"
    model = cutset.loads(text.format("delay(u - 2*x, 0.1)"))
    (note,) = model.simulate(1.0, inputs={"u": 0.0}).linearize().notes
    assert "'delay(u - 2*x, 0.1)'" in note
    assert cutset.loads(text.format("u")).simulate(1.0, inputs={"u": 0.0}).linearize().notes == ()


def test_steps_of_inputs_fit_small_currents(write_model):
    """A current that drives a junction: the step for an input of the size 1 is far beyond its exponential."""
    text = """model M
  local u (start=0), y
  input i
  der(u) = i - 1e-9*u
  0.5 = 1e6*(0.1*i) + y + 1e-6*exp(y/0.025)
end
"""
    found = cutset.load(write_model(text)).simulate(0.0).linearize(["y"])
    y = found.y[0]
    slope = 1.0 + 1e-6 / 0.025 * np.exp(y / 0.025)
    np.testing.assert_allclose(found.D, [[-1e5 / slope]], rtol=1e-6)
