"""A run that approaches a singular point ends there after few steps, and names the equation."""

from __future__ import annotations

import pytest
from singular_models import Singular, fault, singular

import cutset
from cutset.runtime.errors import RunError

# The unknown y of the last line has a pole, an infinite slope or no value at x = 1; x reaches it at the time given.
SINGULAR = {
    "logarithm": (1.0, "der(x) = 1; exp(y) = 1 - x"),
    "pole": (1.0, "der(x) = 1; (1 - x)*y = 2"),
    "square": (1.0, "der(x) = 1; y^2 = 1 - x"),
    "tangent": (1.0, "der(x) = 1; y = tan(1.5707963267948966*x)"),
    "pole of a rate": (0.5, "der(x) = y; (1 - x)*y = 1"),
    "pole that is integrated": (1.0, "der(x) = 1; der(z) = y; (1 - x)*y = 1"),
}

# Models of singular_models.py: a pole that is integrated, that of two equations, and of a nonlinear one.
RANDOM = (3, 5, 10)


def load(write_model, equations: str) -> cutset.Model:
    lines = "\n  ".join(equations.split("; "))
    unknowns = "x, y (start=1), z" if "z" in equations else "x, y (start=1)"
    return cutset.load(write_model(f"model M\n  local {unknowns}\n  {lines}\nend\n"))


@pytest.mark.parametrize("name", SINGULAR)
def test_bdf_names_the_equation(write_model, name) -> None:
    """It neither creeps towards the point nor continues behind it, where it might find numbers again."""
    time, equations = SINGULAR[name]
    model = load(write_model, equations)
    with pytest.raises(RunError) as raised:
        model.simulate(2.5, method="bdf", target="python", max_steps=20_000)
    said = str(raised.value)
    assert raised.value.code == "E617", said
    assert equations.rpartition("; ")[2] in said
    assert float(said.split("at time ")[1].split("\n")[0]) == pytest.approx(time, abs=1e-4)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["ida", "cvode-bdf"])
def test_steps_that_do_not_advance_the_time_end_the_run(write_model, method, target) -> None:
    model = load(write_model, SINGULAR["pole that is integrated"][1])
    with pytest.raises(RunError, match=r"(?s)E614.*at time (1\.0|0\.999999).*by the equation.*\(1 - x\)\*y = 1"):
        model.simulate(2.5, method=method, target=target, max_steps=20_000)


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> dict[int, tuple[cutset.Model, Singular]]:
    """The random models, loaded once."""
    folder, found = tmp_path_factory.mktemp("singular"), {}
    for number in RANDOM:
        case, file = singular(number), folder / f"m{number}.mo"
        file.write_text(case.text, encoding="utf-8")
        found[number] = cutset.load(file), case
    return found


IN_C = ("auto", "bs32", "rk4", "radau", "cvode-adams", "cvode-bdf", "ida")


@pytest.mark.parametrize(
    ("method", "target"),
    [*((method, "c") for method in IN_C), *((method, "python") for method in ("rk4", "cvode-bdf"))],
)
def test_no_method_steps_over_a_pole(models, method, target) -> None:
    """Within its tolerance it could, and would continue with numbers that are no solution."""
    assert [fault(model, case, method, target) for model, case in models.values()] == [""] * len(models)


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_fixed_step_that_meets_a_pole_far_ahead(write_model, target) -> None:
    """x reaches the pole when (2.733 - x)^4 = 4*0.501*1.073*(end - t). The straight way to where a step of 0.15 s leads
    meets it sooner: the whole step is done again, not that to the meeting, which comes closer and closer."""
    text = "model M\n  local x (start=0.597), y (start=1)\n  der(x) = 0.501*y\n  (2.733 - x)^3*y = 1.073\nend\n"
    experiment = cutset.Experiment(29.59, points=9, method="rk4", max_step=29.59 / 200)
    run = cutset.load(write_model(text)).run(experiment, target)
    assert run.failure is not None and run.failure.error().code in ("E614", "E617")
    end = (2.733 - 0.597) ** 4 / (4 * 0.501 * 1.073)
    assert abs(run.failure.time - end) < 1e-3 and run.statistics.evaluations < 5000


@pytest.fixture(scope="module")
def periodic(tmp_path_factory) -> dict[str, tuple[cutset.Model, float]]:
    """Models with a pole after each of their zeros, and the instant at which the first is reached."""
    folder, found = tmp_path_factory.mktemp("periodic"), {}
    for name, start, rate, pole in (
        # pole = integral of 1/rate up to it: scipy.integrate.quad
        ("cotangent", -0.786, "0.907*1.374/tan(1.911*(2.554 - x)/4)", 6.203471),
        ("sine", -1.504, "1.151/sin(2.334*x)", 0.025021633),
        ("tangent", 1.849, "0.268*tan(5.309*x)", 0.677035506),
    ):
        file = folder / f"{name}.mo"
        file.write_text(f"model M\n  local x (start={start})\n  der(x) = {rate}\nend\n", encoding="utf-8")
        found[name] = cutset.load(file), pole
    return found


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize(("steps", "points"), [(150, 50), (190, 50), (200, 2), (200, 9)])
def test_a_fixed_step_over_several_poles(periodic, steps, points, target) -> None:
    """A stage behind two poles, or behind a pole and a zero, has the sign that it had before."""
    model, pole = periodic["cotangent"]
    span = 3 * 5.590281
    run = model.run(cutset.Experiment(span, points=points, method="rk4", max_step=span / steps), target)
    assert run.failure is not None and run.failure.time == pytest.approx(pole, abs=5e-3)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize(("name", "points", "spans"), [("sine", 50, 3), ("tangent", 2, 3), ("tangent", 50, 5)])
def test_bdf_does_not_leave_a_pole_by_extrapolation(periodic, name, points, spans, target) -> None:
    """Close to a pole Newton's method takes any point for a solution, within the tolerance of the states or not."""
    model, pole = periodic[name]
    run = model.run(cutset.Experiment(spans * pole, points=points, method="cvode-bdf", max_steps=20_000), target)
    assert run.failure is not None and run.failure.time == pytest.approx(pole, rel=1e-3)


@pytest.mark.parametrize("method", ["cvode-bdf", "cvode-adams"])
def test_a_point_of_rest_between_poles(write_model, method) -> None:
    """Its derivatives change their signs within the tolerance."""
    model = cutset.load(write_model("model M\n  local x (start=-1.467)\n  der(x) = -1.275*tan(1.735*x)\nend\n"))
    run = model.simulate(10.0, method=method, points=2)
    assert run["x"][-1] == pytest.approx(-3.141592653589793 / 1.735, abs=1e-4)


@pytest.mark.parametrize("method", ["cvode-bdf", "cvode-adams"])
def test_methods_for_stiff_models_name_an_equation_without_solution(write_model, method) -> None:
    model = load(write_model, SINGULAR["square"][1])
    with pytest.raises(RunError, match=r"(?s)E617.*at time (1\.0|0\.999999).*by the equation.*y\^2 = 1 - x"):
        model.simulate(2.5, method=method, target="c")


def test_poles_that_a_solution_passes(write_model) -> None:
    """The integral of 1/sqrt(|1 - t|), and x = 1 - cbrt(1 - 3*t), whose rate is infinite for an instant."""
    integral = load(write_model, "der(x) = 1; der(z) = y; y = 1/sqrt(abs(1 - x))")
    state = load(write_model, "der(x) = y; (1 - x)^2*y = 1")
    for method in ("dopri5", "cvode-bdf"):
        assert integral.simulate(2.0, method=method)["z"][-1] == pytest.approx(4.0, abs=1e-3)
        assert state.simulate(2.0, method=method)["x"][-1] == pytest.approx(1.0 + 5.0 ** (1 / 3), rel=1e-4)


def test_zeros_are_no_poles(write_model) -> None:
    """A derivative that changes its sign, with a jump or steeply, while it grows."""
    for equation in ("y = noevent(if x < 1 then 1 + x else -3)", "y = (1 + x)*tanh(40*(1 - x))"):
        model = load(write_model, f"der(x) = 1; der(z) = y; {equation}")
        for method in ("rk4", "cvode-bdf"):
            assert model.simulate(2.0, method=method, target="python", max_step=0.1).failure is None


def test_bdf_in_c(write_model) -> None:
    with pytest.raises(RunError, match=r"(?s)E617.*at time 0\.9999999.*by the equation"):
        load(write_model, SINGULAR["pole"][1]).simulate(2.5, method="bdf", target="c", max_steps=20_000)


def test_jumps_are_still_crossed(write_model) -> None:
    """An unknown may jump where the states do not."""
    run = load(write_model, "der(x) = 1; y = noevent(atan2(sin(x), cos(x)))").simulate(4.0, method="bdf")
    assert run["y"][-1] == pytest.approx(4.0 - 2 * 3.141592653589793, abs=1e-6)


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("method", ["cvode-bdf", "radau"])
def test_a_straight_way_that_leaves_the_range_of_a_function_is_no_pole(write_model, method, target) -> None:
    """The chords of the orbit cross the circle within which the root has no value. The rate of w changes its sign
    within steps, below the tolerance."""
    orbit = "der(x) = -y; der(y) = x; der(z) = sqrt(x^2 + y^2 - 1); der(w) = 1e-7*sin(37*time)"
    lines = "\n  ".join(orbit.split("; "))
    model = cutset.load(write_model(f"model M\n  local x (start=1.001), y (start=0), z, w\n  {lines}\nend\n"))
    root = (1.001**2 - 1) ** 0.5
    assert model.simulate(20.0, method=method, target=target)["z"][-1] == pytest.approx(20 * root, rel=5e-3)
