"""FMUs of other tools as components: ten of PythonFMU with known solutions, and Cutset's own."""

from __future__ import annotations

import importlib
import math
from pathlib import Path

import pytest

import cutset

pytest.importorskip("fmpy")

from fmus.tiny import COMPILER

# What happens to y in a step of h from t, with the parameter k and the input u, and the solution for u(t) = 1 + t.
STEPS = {
    "Integral": ("self.y += h*self.k*self.u", lambda y, t, h, u: y + h * 2.0 * u),
    "Lag": (
        "self.y += (self.k*self.u - self.y)*(1 - math.exp(-h))",
        lambda y, t, h, u: y + (2 * u - y) * (1 - math.exp(-h)),
    ),
    "Square": ("self.y = self.k*self.u**2", lambda y, t, h, u: 2.0 * u * u),
    "Count": ("self.y += 1 if self.u > 1.2 else 0", lambda y, t, h, u: y + (u > 1.2)),
    "Clock": ("self.y = self.k*(t + h)", lambda y, t, h, u: 2.0 * (t + h)),
}
CODE = """
import math
from {package} import Fmi{n}Causality, Fmi{n}Variability, Fmi{n}Slave, {real}
class {name}(Fmi{n}Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.k, self.u, self.y, self.time = 1.0, 0.0, 0.0, 0.0
        {time}
        self.register_variable({real}("k", causality=Fmi{n}Causality.parameter, variability=Fmi{n}Variability.tunable))
        self.register_variable({real}("u", causality=Fmi{n}Causality.input))
        self.register_variable({real}("y", causality=Fmi{n}Causality.output))
    def do_step(self, t, h):
        {step}
        return True
"""
TIME = (
    'self.register_variable(Float64("time", causality=Fmi3Causality.independent, '
    "variability=Fmi3Variability.continuous))"
)


@pytest.mark.parametrize(
    ("package", "n", "real", "time"), [("pythonfmu", 2, "Real", ""), ("pythonfmu3", 3, "Float64", TIME)]
)
def test_known_solutions(tmp_path: Path, package: str, n: int, real: str, time: str) -> None:
    pytest.importorskip(package)
    builder = importlib.import_module(f"{package}.builder").FmuBuilder
    lines = []
    for name, (step, _) in STEPS.items():
        script = tmp_path / f"{name}.py"
        script.write_text(CODE.format(package=package, n=n, real=real, name=name, step=step, time=time))
        builder.build_FMU(script, dest=tmp_path)
        lines += [f'  submodel (fmu "{name}.fmu") {name}(k=2, step=0.1)', f"  {name}.u = 1 + time"]
    (tmp_path / "all.mo").write_text("\n".join(["model All", *lines, "end", ""]))
    run = cutset.load(tmp_path / "all.mo", allow_external=True).simulate(1.05)
    for name, (_, solution) in STEPS.items():
        y = 0.0
        for k in range(10):
            y = solution(y, 0.1 * k, 0.1, 1 + 0.1 * k)
        assert run[f"{name}.y"][-1] == pytest.approx(y, rel=1e-12), name


CUBE = """
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real
class {name}(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u, self.y, self.x = 0.0, 0.0, 0.0
        self.register_variable(Real("u", causality=Fmi2Causality.input))
        self.register_variable(Real("x", causality=Fmi2Causality.local, variability=Fmi2Variability.continuous))
        self.register_variable(Real("y", causality=Fmi2Causality.output))
    def do_step(self, t, h):
        self.x += h*self.u
        self.y = 3*self.u**3 + self.x
        return True
"""


def test_a_nonlinear_algebraic_connection(tmp_path: Path) -> None:
    """The step is repeated until y = 3*u^3 + x agrees with u = 2 - y; an FMU that cannot go back is one step late."""
    pytest.importorskip("pythonfmu")
    builder = importlib.import_module("pythonfmu.builder").FmuBuilder
    runs = {}
    for name, can in (("Cube", True), ("Stuck", False)):
        (tmp_path / f"{name}.py").write_text(CUBE.format(name=name))
        builder.build_FMU(tmp_path / f"{name}.py", dest=tmp_path, canGetAndSetFMUstate=can)
        text = f'model M\n  submodel (fmu "{name}.fmu") c(step=0.1, separate=false)\n  c.u = 2 - c.y\nend\n'
        (tmp_path / "model.mo").write_text(text)
        runs[name] = cutset.load(tmp_path / "model.mo", allow_external=True).simulate(0.75 if can else 0.15)
    x = u = 0.0
    for _ in range(7):
        for _ in range(60):  # Newton's method for 3*u^3 + x + 0.1*u = 2 - u
            u -= (3 * u**3 + x + 1.1 * u - 2) / (9 * u * u + 1.1)
        x += 0.1 * u
    assert runs["Cube"]["c.u"][-1] == pytest.approx(u, rel=1e-8) and not runs["Cube"].notes
    assert runs["Stuck"]["c.y"][-1] == pytest.approx(3 * 2.0**3 + 0.1 * 2.0)
    assert any("cannot repeat a step" in note for note in runs["Stuck"].notes)


BALL = """
model{kind} Ball
  parameter e = 0.5, g (unit="m/s2") = 9.81
  output h (unit="m", start=1)
  local v (unit="m/s")
  der(h) = v
  der(v) = -g
  when h < 0 then
    init(v) = -e*v
  endwhen
end
"""
HOST = """
model Host
  submodel {of_class} b({step}e=0.8)
  local low (start=0), x (start=0), h (unit="m", start=1)
  parameter half (unit="m") = 0.5
  {sampled}
  when h < half then
    new(low) = low + 1
  endwhen
  der(x) = low
end
"""


@pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
def test_an_exported_model_runs_as_its_text_does(tmp_path: Path) -> None:
    (tmp_path / "ball.mo").write_text(BALL.format(kind=""))
    taken = "when sample(0, 0.01) then\n    new(h) = b.h\n  endwhen"
    together = BALL.format(kind=" class") + HOST.format(of_class="(Ball)", step="", sampled=taken)
    (tmp_path / "together.mo").write_text(together)
    wanted = cutset.load(tmp_path / "together.mo", "Host").simulate(1.5)
    assert wanted["low"][-1] == 2
    ball = cutset.load(tmp_path / "ball.mo")
    for version in (2, 3):
        ball.export_fmu(tmp_path / "ball.fmu", version=version)
        text = HOST.format(of_class='(fmu "ball.fmu")', step="step=0.01, separate=false, ", sampled="h = b.h")
        (tmp_path / "host.mo").write_text(text)
        run = cutset.load(tmp_path / "host.mo", allow_external=True).simulate(1.5)
        assert [run[name][-1] for name in ("h", "low", "x")] == pytest.approx(
            [wanted[name][-1] for name in ("h", "low", "x")], rel=1e-9
        )
